import Diagnostics
import ArgumentParser

/// How findings are printed.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, github

    func print(_ findings: [Diagnostic], sources: SourceLines) {
        switch self {
        case .text:
            var sources = sources
            for finding in findings { Swift.print(finding.excerpted(from: &sources)) }
        case .json: Swift.print(JSONText.array(findings.map(\.json)).indented)
        case .sarif: Swift.print(sarifLog(of: findings).indented)
        case .github: for finding in findings { Swift.print(finding.workflowCommand) }
        }
    }
}

extension Diagnostic {
    /// The shape that scripts rely on: members may be added, and are never renamed.
    fileprivate var json: JSONText {
        .object([
            ("file", .orNull(place?.file)),
            ("line", .orNull(place?.line)),
            ("column", .orNull(place?.column)),
            ("severity", .string(severity.description)),
            ("rule", .string(rule)),
            ("message", .string(message)),
            ("advice", .orNull(advice)),
        ])
    }
}
