import ArgumentParser
import Associations
import Diagnostics
import Reviewing

/// Shows which statements of an assetlinks.json Google's verifier accepts. Exit status: 0 if Google
/// reports no error and every include was read, else 1.
struct StatementsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statements",
        abstract:
            "Show which statements of an assetlinks.json Google accepts.",
        discussion: """
            The verdict follows the rules of Google's compatibility suite. A file that Google \
            accepts can still have findings in `lint`. Included files are not fetched: give each \
            with --include.
            """)

    @Argument(help: "The assetlinks.json; - is standard input.") var file: String

    @OptionGroup var includes: IncludeOptions

    @Flag(help: "The file is served over http, and can include http files.")
    var insecure = false

    @Option(help: "The format of the statements: text or json.")
    var format = OutputFormat.text

    func run() throws {
        let links = PublishedAssetLinks(
            .init(try readNamed(file), name: file == "-" ? "<stdin>" : file),
            isSecure: !insecure, includes: try includes.load())
        includes.warnOfUnused(links.readIncludes)
        switch format {
        case .text: try printOutput(.lines(links.lines))
        case .json: try printOutput(.json(links.json))
        }
        if links.verdict != .valid { throw ExitCode.no }
    }
}

extension PublishedAssetLinks {
    fileprivate var lines: [String] {
        [verdictLine] + statements.map { "  \($0.relation) \($0.target.words)\($0.caveat)" }
            + faults.map { "  refused: \($0)" }
            + missingIncludes.map { "  not read: \($0)" }
    }

    fileprivate var json: JSONText {
        .object([
            ("file", .orNull(files.first?.name)), ("validForGoogle", verdictJSON),
            ("statements", .array(statements.map { $0.json(file: files[$0.file].name) })),
            ("errors", .array(faults.map(\.json))),
            ("missingIncludes", .strings(missingIncludes)),
        ])
    }
}

extension PublishedAssetLinks.Statement {
    fileprivate var caveat: String {
        includeDepth > 1
            ? ", in an include of an included file, which Android devices do not follow" : ""
    }

    fileprivate func json(file: String) -> JSONText {
        .object([
            ("relation", .string(relation)), ("target", target.json), ("file", .string(file)),
            ("includeDepth", .number(includeDepth)),
        ])
    }
}

extension PublishedAssetLinks.Target {
    fileprivate var words: String {
        switch self {
        case .website(let origin): origin
        case .app(let package, let fingerprint): "\(package) \(fingerprint)"
        }
    }

    /// As in the file, with the statement's one fingerprint.
    fileprivate var json: JSONText {
        switch self {
        case .website(let origin):
            .object([("namespace", .string("web")), ("site", .string(origin))])
        case .app(let package, let fingerprint):
            .object([
                ("namespace", .string("android_app")), ("package_name", .string(package)),
                ("sha256_cert_fingerprint", .string(fingerprint)),
            ])
        }
    }
}

extension PublishedAssetLinks.Fault {
    fileprivate var json: JSONText {
        .object([
            ("code", .string(code.rawValue)), ("message", .string(message)),
            ("file", .string(file)), ("line", .number(line)), ("column", .number(column)),
        ])
    }
}
