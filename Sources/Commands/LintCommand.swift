import Diagnostics
package import ArgumentParser
import SiteConfiguration

/// Says everything that is wrong with configurations. Exit: 0, 1 if a finding is grave enough, 66
/// if a file is missing, 77 if one may not be read.
package struct LintCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Say what is wrong with a configuration, and where.")

    @Argument(help: ArgumentHelp("Configurations.", valueName: "file"))
    var files: [String]

    @Option(help: "How findings are printed: text or json.")
    var format = Format.text

    @Option(help: "The least severity that ends with status 1: error, warning or note.")
    var failOn = Threshold.error

    @Option(name: .customLong("env"), help: "An environment that each configuration must have.")
    var environment: String?

    package init() {}

    package func run() throws {
        let findings = files.flatMap(lint)
        let unread = findings.filter { $0.status != nil }
        for finding in unread { printMessage(finding.diagnostic) }
        let diagnostics = findings.filter { $0.status == nil }.map(\.diagnostic)
        switch format {
        case .text: for diagnostic in diagnostics { print(diagnostic) }
        case .json: print(JSONText.array(diagnostics.map(\.json)).indented)
        }
        if let status = unread.first?.status { throw status }
        if diagnostics.contains(where: { $0.severity >= failOn.severity }) { throw ExitCode.no }
    }

    /// - Returns: the findings, and the exit status of one that says that the file was not read.
    private func lint(_ path: String) -> [(diagnostic: Diagnostic, status: ExitCode?)] {
        let (site, diagnostics) = Configuration.load(path: path)
        let fault = Configuration.fault(in: diagnostics)
        if let fault, fault != .invalid { return diagnostics.map { ($0, fault.exitCode) } }
        var findings: [(diagnostic: Diagnostic, status: ExitCode?)] = diagnostics.map { ($0, nil) }
        if let environment, let site, site.environment(named: environment) == nil {
            findings.append((site.unknownEnvironment(environment), nil))
        }
        return findings
    }

    /// How findings are printed.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
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

extension Diagnostic {
    /// The shape that scripts rely on: members may be added, and are never renamed.
    fileprivate var json: JSONText {
        .object([
            ("file", place.map { .string($0.file) } ?? .null),
            ("line", place.map { .number($0.line) } ?? .null),
            ("column", place.map { .number($0.column) } ?? .null),
            ("severity", .string(severity.description)),
            ("rule", .string(rule)),
            ("message", .string(message)),
            ("advice", advice.map(JSONText.string) ?? .null),
        ])
    }
}
