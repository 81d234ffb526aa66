import Diagnostics
import ArgumentParser
import Associations
import Linting

/// Reports errors in configurations and association files. Exit status: 0; 1 if a finding is severe
/// enough, or if an assetlinks.json is not valid for Google; 66 if a file is missing; 77 if the permission to read one is missing. With an
/// environment, also the status with which `serve` would refuse it: 66, 77 or 78.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Report errors in association files and configurations, with line and column.",
        discussion: """
            The content of a file shows its kind: apple-app-site-association, assetlinks.json or \
            a configuration. docs/lint-rules.md and --explain describe the rules.
            """)

    @Argument(
        help: ArgumentHelp(
            "The files, or https URLs of association files; - is standard input. By default "
                + "\(usualConfiguration).", valueName: "file"))
    var files = [usualConfiguration]

    @OptionGroup var fetching: FetchOptions
    @OptionGroup var includes: IncludeOptions

    @Option(help: "The format of the findings: text, json, sarif or github.")
    var format = LintFormat.text

    @Option(help: "The lowest severity that gives exit status 1: error, warning or note.")
    var failOn = Threshold.error

    @Option(
        name: .customLong("as"),
        help:
            "The kind of the files: aasa, assetlinks or config. By default, their content shows it."
    )
    var kind: FileKind?

    @Option(help: "Hide the findings of a rule, given by its name or code. Can be repeated.")
    var ignore: [String] = []

    @Option(help: "Describe a rule, given by its name or code, and exit.")
    var explain: String?

    @Flag(help: "Also check the signatures of signed files.")
    var checkSignature = false

    @Option(help: "Trust these certificates (PEM) for signatures instead of the system's.")
    var cacert: String?

    @Option(
        name: .customLong("env"),
        help: """
            Also check what serve checks for this environment before it opens a port: \
            certificates, keys, the theme and public files.
            """)
    var environment: String?

    func validate() throws {
        guard cacert == nil || checkSignature else {
            throw ValidationError("--cacert is for --check-signature")
        }
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("standard input can be read once")
        }
        try checkRules(ignore + [explain].compactMap(\.self))
    }

    func run() throws {
        if let explain { return try printExplanation(of: explain) }
        var run = LintRun(kind: kind, environment: environment)
        run.includes = try includes.load()
        if checkSignature { run.signatures = try SignatureCheck(cacert) }
        let client = files.contains(where: isFetched) ? try fetching.client() : nil
        try Progress.showing("checking", counting: "files", of: files.count) { progress in
            for file in files {
                if let client, isFetched(file) {
                    run.lint(file) { () throws(FetchFault) in try fetching.fetch(file, client) }
                } else {
                    run.lint(file)
                }
                progress.advance()
            }
            guard environment == nil || run.readsConfiguration || !run.unread.isEmpty else {
                throw ValidationError("--env is for a configuration, which none of the files is")
            }
            progress.goOn("comparing the files")
            run.compare()
        }
        includes.warnOfUnused(Set(run.verdicts.flatMap(\.readIncludes)))
        for message in run.unread { printMessage(message.diagnostic) }
        let findings = suppressed(run.findings, isWhole: run.isWhole)
        try printOutput(format.text(findings, sources: run.sources, verdicts: run.verdicts))
        if let status = run.unread.first?.status { throw status }
        if let start = run.start, let status = start.fault,
            start.findings.contains(where: { $0.severity == .error && findings.contains($0) })
        {
            throw status
        }
        if findings.contains(where: { $0.severity >= failOn.severity })
            || run.verdicts.contains(where: { $0.verdict == .invalid })
        {
            throw ExitCode.no
        }
    }

    /// The findings without those of `--ignore`. A name without findings is a finding itself.
    /// - Parameter isWhole: whether all rules were applied. Otherwise it is not known whether a
    ///   name has findings.
    private func suppressed(_ findings: [Diagnostic], isWhole: Bool) -> [Diagnostic] {
        var left = findings
        var unused = [Diagnostic]()
        for word in ignore {
            let names = Catalogue.rules(called: word).map(\.name)
            if isWhole, !names.allSatisfy(\.dependsOnMachine),
                !findings.contains(where: { names.contains($0.rule) })
            {
                unused.append(
                    Diagnostic(
                        .warning, .unusedSuppression, at: nil,
                        "--ignore \(word) suppresses nothing", advice: "remove it"))
            }
            left.removeAll { names.contains($0.rule) }
        }
        return left + unused
    }

    /// The lowest severity with exit status 1.
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

/// Checks that each word is the name or the code of a rule.
func checkRules(_ words: [String]) throws(ValidationError) {
    for word in words where Catalogue.rules(called: word).isEmpty {
        let nearest = nearestName(to: word, among: Catalogue.rules.map(\.name.rawValue))
        throw ValidationError(
            "there is no rule \(quoted(word))" + (nearest.map { "; \(didYouMean($0))" } ?? ""))
    }
}

/// Prints what the catalogue says of the rules of a name or a code.
func printExplanation(of word: String) throws(ExitCode) {
    let rules = Catalogue.rules(called: word)
    let lines = rules.map(\.explanation).joined(separator: "\n").split(
        separator: "\n", omittingEmptySubsequences: false)
    try printOutput(.lines(lines.dropLast().map(String.init)))
}

/// By the names `aasa`, `assetlinks` and `config`.
extension FileKind: ExpressibleByArgument {}
