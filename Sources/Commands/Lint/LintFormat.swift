import ArgumentParser
import Associations
import Diagnostics
import Reviewing

/// The format of findings.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, github

    /// - Parameter verdicts: Google's verdicts on the files that are assetlinks.json.
    func text(
        _ findings: [Diagnostic], sources: SourceLines, verdicts: [PublishedAssetLinks]
    ) -> PrintedText {
        switch self {
        case .text:
            var sources = sources
            return .lines(
                findings.flatMap { $0.excerpted(from: &sources) } + verdicts.map(\.verdictLine))
        case .json:
            let objects = findings.map { finding in
                finding.json(
                    verdicts.first { links in
                        links.files.contains { $0.name == finding.position?.file }
                    })
            }
            return .json(.array(objects))
        case .sarif: return .json(sarifLog(of: findings, tool: "waymark lint"))
        case .github: return .commands(findings.map(\.workflowCommand))
        }
    }
}

extension Diagnostic {
    /// Scripts rely on this shape: members can be added, but are never renamed.
    func json(_ links: PublishedAssetLinks? = nil) -> JSONText {
        .object(
            [
                ("file", .orNull(position?.file)),
                ("line", .orNull(position?.line)),
                ("column", .orNull(position?.column)),
                ("severity", .string(severity.description)),
                ("rule", .string(rule.rawValue)),
                ("message", .string(message)),
                ("advice", .orNull(advice)),
            ] + (links.map { [("validForGoogle", $0.verdictJSON)] } ?? []))
    }
}
