import Diagnostics
import ArgumentParser
import Associations
import Linting

/// Says everything that is wrong with configurations and association files. Exit: 0, 1 if a
/// finding is grave enough, 66 if a file is missing, 77 if one may not be read; with an environment
/// the status with which `serve` would refuse what it reads besides: 66, 77 or 78.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Say what is wrong with an association file or a configuration, and where.",
        discussion: """
            A file's kind is told by its content: apple-app-site-association, assetlinks.json or \
            a configuration. What its rules mean is in docs/lint-rules.md, and in --explain.
            """)

    @Argument(help: ArgumentHelp("Files; - is standard input.", valueName: "file"))
    var files: [String] = []

    @OptionGroup var includes: IncludeOptions

    @Option(help: "How findings are printed: text, json, sarif or github.")
    var format = LintFormat.text

    @Option(help: "The least severity that ends with status 1: error, warning or note.")
    var failOn = Threshold.error

    @Option(
        name: .customLong("as"),
        help: "What the files are, whatever they look like: aasa, assetlinks or config.")
    var kind: Kind?

    @Option(help: "Leave out the findings of a rule, by its name or code. Can be repeated.")
    var ignore: [String] = []

    @Option(help: "Print what a rule is about, by its name or code, and lint nothing.")
    var explain: String?

    @Flag(help: "Check the signatures of signed files too.")
    var checkSignature = false

    @Option(help: "Trust these certificates (PEM) for signatures, instead of the system's.")
    var cacert: String?

    @Option(
        name: .customLong("env"),
        help: """
            An environment that each configuration must have, and that is built as serve would \
            before it binds: certificates, keys and public files are read.
            """)
    var environment: String?

    func validate() throws {
        guard explain != nil || !files.isEmpty else {
            throw ValidationError("no file is named")
        }
        guard cacert == nil || checkSignature else {
            throw ValidationError("--cacert is for --check-signature")
        }
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("standard input can be read once")
        }
        for word in ignore + [explain].compactMap(\.self)
        where Catalogue.rules(called: word).isEmpty {
            let nearest = nearestName(to: word, among: Catalogue.rules.map(\.name.rawValue))
            throw ValidationError(
                "there is no rule \(quoted(word))"
                    + (nearest.map { "; \(didYouMean($0))" } ?? ""))
        }
    }

    func run() throws {
        if let explain {
            let rules = Catalogue.rules(called: explain)
            let lines = rules.map(\.explanation).joined(separator: "\n").split(
                separator: "\n", omittingEmptySubsequences: false)
            return try printOutput(.lines(lines.dropLast().map(String.init)))
        }
        var run = LintRun(kind: kind?.value, environment: environment)
        run.includes = try includes.load()
        if checkSignature { run.signatures = try SignatureCheck(cacert) }
        for file in files { run.lint(file) }
        run.compare()
        includes.warnOfUnused(Set(run.verdicts.flatMap(\.readIncludes)))
        for message in run.unread { printMessage(message.diagnostic) }
        let findings = suppressed(run.findings)
        try printOutput(
            format.text(findings, sources: run.sources, verdicts: run.verdicts))
        if let status = run.unread.first?.status { throw status }
        if let start = run.start, let status = start.fault,
            start.findings.contains(where: { $0.severity == .error && findings.contains($0) })
        {
            throw status
        }
        if findings.contains(where: { $0.severity >= failOn.severity }) { throw ExitCode.no }
    }

    /// Without what `--ignore` names; a name that found nothing is a finding itself.
    private func suppressed(_ findings: [Diagnostic]) -> [Diagnostic] {
        var left = findings
        var unused = [Diagnostic]()
        for word in ignore {
            let names = Catalogue.rules(called: word).map(\.name)
            if !findings.contains(where: { names.contains($0.rule) }) {
                unused.append(
                    Diagnostic(
                        .warning, .unusedSuppression, at: nil,
                        "--ignore \(word) suppresses nothing", advice: "remove it"))
            }
            left.removeAll { names.contains($0.rule) }
        }
        return left + unused
    }

    /// What files are to be read as.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case aasa, assetlinks, config

        var value: FileKind {
            switch self {
            case .aasa: .association
            case .assetlinks: .assetLinks
            case .config: .configuration
            }
        }
    }

    /// From which severity on the exit status is 1.
    enum Threshold: String, CaseIterable, ExpressibleByArgument {
        case error, warning, note

        var severity: Severity {
            switch self {
            case .error: .error
            case .warning: .warning
            case .note: .note
            }
        }
    }
}
