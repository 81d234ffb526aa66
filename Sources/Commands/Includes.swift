import ArgumentParser
import Associations
import Diagnostics
import Resolution
import URISyntax

/// The files for the includes of an assetlinks.json, because nothing is fetched.
struct IncludeOptions: ParsableArguments {
    @Option(
        name: .customLong("include"),
        help: ArgumentHelp(
            "Read an included assetlinks.json from this file. Can be repeated.",
            valueName: "url=file"))
    var includes: [String] = []

    mutating func validate() throws {
        var urls = Set<String>()
        for text in includes {
            guard let pair = Self.pair(text) else {
                throw ValidationError("--include \(quoted(text)): write URL=FILE")
            }
            do throws(WebURLError) { _ = try WebURL(pair.url) } catch {
                throw ValidationError("--include \(quoted(text)): \(error)")
            }
            guard urls.insert(pair.url).inserted else {
                throw ValidationError("--include names \(pair.url) twice")
            }
        }
    }

    /// The last equals sign separates the two, because a URL can contain others.
    private static func pair(_ text: String) -> (url: String, path: String)? {
        guard let sign = text.utf8.lastIndex(of: UInt8(ascii: "=")) else { return nil }
        let path = String(text[text.utf8.index(after: sign)...])
        return path.isEmpty ? nil : (String(text[..<sign]), path)
    }

    /// The files by their URLs.
    /// - Throws: the exit status, after printing the reason.
    func load() throws(ExitCode) -> [String: PublishedAssetLinks.File] {
        var files = [String: PublishedAssetLinks.File]()
        for pair in includes.compactMap(Self.pair) {
            files[pair.url] = .init(try readNamed(pair.path), name: pair.path)
        }
        return files
    }

    /// Warns about files that no file includes, usually because of a different spelling of the URL.
    func warnOfUnused(_ read: Set<String>) {
        for pair in includes.compactMap(Self.pair) where !read.contains(pair.url) {
            printMessage(
                "waymark: warning: no file includes \(quoted(pair.url)); write the URL as in the "
                    + "file that includes it")
        }
    }
}

/// An assetlinks.json and the files that it includes.
struct AssetLinksFiles {
    let links: PublishedAssetLinks
    /// The file's own reading, with the statements of included files after its own.
    let reading: AssetLinksReading
    /// The same without the statements that Google refuses.
    let accepted: AssetLinksReading

    /// - Throws: the exit status, after printing the reason.
    init(
        _ bytes: [UInt8], name: String, _ includes: IncludeOptions, printsFaults: Bool = true
    ) throws(ExitCode) {
        links = PublishedAssetLinks(.init(bytes, name: name), includes: try includes.load())
        let readings = links.files.map { AssetLinksReading($0.json, file: $0.name) }
        try printFaults(
            printsFaults ? readings[0].diagnostics : [], isRead: readings[0].json.isValid)
        for other in readings.dropFirst() { try printFaults(other.diagnostics, isRead: true) }
        reading = AssetLinksReading(joining: readings) { _, _ in true }
        let taken = Set(links.statements.map { StatementPosition($0.file, $0.pointer) })
        accepted = AssetLinksReading(joining: readings) { file, statement in
            taken.contains(StatementPosition(file, statement.pointer))
        }
    }

    /// The rules of the apps that Google allows to open links, with what else the output needs.
    /// - Parameter sources: of the rules, if the file was generated.
    func rules(_ sources: [String: RuleSource] = [:]) -> LinkRules {
        var rules = LinkRules(
            matcher: accepted.ruleSet.placed(sources).matcher, kind: .android, hosts: nil,
            sources: sources)
        let granted = links.statements.filter {
            $0.relation.isScalarwise(AssetRelation.handleAllURLs.rawValue)
        }
        let near = Set(granted.filter { $0.includeDepth <= 1 }.compactMap(\.target.package))
        rules.distant = Set(granted.compactMap(\.target.package)).subtracting(near)
        rules.missingIncludes = links.missingIncludes
        let open = rules.matcher.apps.map(\.appID)
        for app in reading.ruleSet.apps where !open.contains(where: app.appID.isScalarwise) {
            let fault = links.faults.first { $0.line >= app.line && $0.pointer == app.pointer }
            rules.refused.append((app.appID, fault.map { "\($0)" } ?? "lint says why"))
        }
        return rules
    }
}

/// The position of a statement: the number of its file, and its JSON pointer.
private struct StatementPosition: Hashable {
    let file: Int
    let pointer: String

    init(_ file: Int, _ pointer: String) { (self.file, self.pointer) = (file, pointer) }
}

extension PublishedAssetLinks.Target {
    fileprivate var package: String? {
        if case .app(let package, _) = self { package } else { nil }
    }
}

extension PublishedAssetLinks {
    /// Google's verdict on one line.
    var verdictLine: String {
        let name = files.first?.name ?? ""
        let words =
            switch verdict {
            case .valid:
                statements.isEmpty ? "yes, and it has no statements" : "yes"
            case .invalid: "no: \(faults[0])" + (faults.count > 1 ? more(faults.count - 1) : "")
            case .dependsOnIncludes:
                "it depends on \(missingIncludes.joined(separator: ", ")): give it with --include "
                    + "URL=FILE"
            }
        return "\(name): valid for Google: \(words)"
    }

    private func more(_ count: Int) -> String { ", and \(count) more" }

    /// The verdict for programs; null if it depends on includes that were not given.
    var verdictJSON: JSONText {
        switch verdict {
        case .valid: .boolean(true)
        case .invalid: .boolean(false)
        case .dependsOnIncludes: .null
        }
    }
}
