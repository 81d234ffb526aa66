import Answering
import ArgumentParser
import Associations
import Diagnostics
import Files
import LinkIndex
import Origin
import Resolution
import SiteConfiguration
import URISyntax

/// Runs the link tests of a configuration. Exit status: 0 if all pass; 1 if one fails; 66, 77 or 78
/// if the configuration is missing, unreadable or invalid.
struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run the link tests of a configuration (`expect`).",
        discussion: """
            `serve` and `lint` also run the tests, and refuse a configuration that fails one. \
            This command lists the tests that passed, too, in a format for build services.
            """)

    @Option(name: .customLong("config"), help: "The configuration file; - is standard input.")
    var path = usualConfiguration

    @Option(name: .customLong("env"), help: "Run only the tests of this environment.")
    var environment: String?

    @OptionGroup var stored: StoredLookupOptions

    @Option(help: "The format of the results: text, json or junit.")
    var format = Format.text

    /// The format of the results.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, junit
    }

    func run() throws {
        let (configuration, diagnostics) = loadConfiguration(path)
        diagnostics.printAsMessages()
        guard let configuration else {
            throw Configuration.fault(in: diagnostics)?.exitCode ?? .configurationInvalid
        }
        if let environment { _ = try configuration.requireEnvironment(named: environment) }
        try checkPublicFiles(of: configuration)
        let outcomes = configuration.runLinkTests(stored: try storedLinks(of: configuration))
            .filter { environment == nil || $0.expectation.environment == environment }
        if outcomes.isEmpty {
            let place = environment.map { " in environment \(quoted($0))" } ?? ""
            printMessage(
                "waymark: warning: \(shownName(path)) has no link tests\(place); add `expect`, such as "
                    + "{url: \"https://…\", env: …, opens: […]}")
        }
        switch format {
        case .text: try printOutput(.lines(lines(outcomes)))
        case .json: try printOutput(.json(.array(outcomes.map(\.json))))
        case .junit: try printOutput(.xml(JUnitReport(suite: path, outcomes).root))
        }
        if outcomes.contains(where: { !$0.failures.isEmpty }) { throw ExitCode.no }
    }

    /// The stored links whose answers are tested, from a running origin; nil if none is asked.
    private func storedLinks(of configuration: Configuration) throws(ExitCode) -> LinkIndex? {
        guard let lookup = try stored.lookup(path, environment) else { return nil }
        for expectation in configuration.expectations where expectation.gets != nil {
            guard environment == nil || expectation.environment == environment,
                let url = try? LinkURL(expectation.url)
            else { continue }
            try lookup.find(url.requested)
        }
        return lookup.index
    }

    /// - Throws: the exit status, after printing which directories cannot be read.
    private func checkPublicFiles(of configuration: Configuration) throws(ExitCode) {
        for tested in configuration.environments.flatMap(\.sites)
        where environment == nil || tested.environment == environment {
            do {
                _ = try tested.findPublicFiles()
            } catch {
                printMessage(error.diagnostic(at: tested.publicDirectory.position))
                throw error.kind.exitCode
            }
        }
    }

    private func lines(_ outcomes: [LinkTestOutcome]) -> [String] {
        let failed = outcomes.count { !$0.failures.isEmpty }
        let passed = outcomes.count(where: \.hasPassed)
        let undecided = outcomes.count - failed - passed
        return outcomes.flatMap(\.lines)
            + [
                "\(passed) passed, \(failed) failed"
                    + (undecided > 0 ? ", \(undecided) undecided" : "")
            ]
    }
}

extension Configuration {
    /// Runs the link tests with the current public files.
    /// - Parameter index: the stored links; nil if they are not known.
    func runLinkTests(stored index: LinkIndex? = nil) -> [LinkTestOutcome] {
        runLinkTests(stored: index) { site in
            try? (site.findPublicFiles() ?? []).map(\.relativePath)
        }
    }
}

extension Site {
    /// The public files; nil if there is no such directory, because they may come from elsewhere.
    func findPublicFiles() throws(FileTreeError) -> [FoundFile]? {
        do {
            return try findFiles(under: publicDirectory.path)
        } catch {
            if error == .unreadable(path: publicDirectory.path, .missing) { return nil }
            throw error
        }
    }
}

extension LinkTestOutcome {
    /// The test on one line.
    var title: String {
        let profile = expectation.profile.map { " as \($0)" } ?? ""
        let time = expectation.time.map { " at \($0)" } ?? ""
        return
            "\(expectation.position): \(expectation.url) in \(expectation.environment)\(profile)\(time)"
    }

    /// The test for people, with the differences.
    fileprivate var lines: [String] {
        if let undecided { return ["?     \(title)", "      \(undecided)"] }
        guard !failures.isEmpty else {
            return ["ok    \(title)\(skipped.map { " (\($0))" } ?? "")"]
        }
        return ["FAIL  \(title)"]
            + failures.flatMap { failure in
                [
                    "      expected \(failure.key) \(failure.expected)",
                    "      actual   \(failure.key) \(failure.actual)",
                ] + (failure.reason.map { ["      \($0)"] } ?? [])
            }
    }

    fileprivate var json: JSONText {
        .object([
            ("file", .string(expectation.position.file)),
            ("line", .number(expectation.position.line)),
            ("column", .number(expectation.position.column)), ("url", .string(expectation.url)),
            ("environment", .string(expectation.environment)),
            ("as", .orNull(expectation.profile)),
            ("at", .orNull(expectation.time?.description)),
            ("passed", .boolean(hasPassed)),
            ("undecided", .orNull(undecided)),
            ("skipped", .orNull(skipped)),
            (
                "failures",
                .array(
                    failures.map { failure in
                        .object([
                            ("key", .string(failure.key)),
                            ("expected", .string(failure.expected)),
                            ("actual", .string(failure.actual)),
                            ("reason", .orNull(failure.reason)),
                        ])
                    })
            ),
        ])
    }
}
