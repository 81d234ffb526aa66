import Diagnostics
import ArgumentParser

/// How findings are printed.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, github

    func text(_ findings: [Diagnostic], sources: SourceLines) -> PrintedText {
        switch self {
        case .text:
            var sources = sources
            return .lines(findings.flatMap { $0.excerpted(from: &sources) })
        case .json: return .json(.array(findings.map(\.json)))
        case .sarif: return .json(sarifLog(of: findings))
        case .github: return .commands(findings.map(\.workflowCommand))
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
