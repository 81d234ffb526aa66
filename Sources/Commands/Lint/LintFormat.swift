import ArgumentParser
import Associations
import Diagnostics

/// How findings are printed.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif, github

    /// - Parameter verdicts: what Google takes from the files that are assetlinks.json.
    func print(
        _ findings: [Diagnostic], sources: SourceLines, verdicts: [PublishedAssetLinks]
    ) {
        switch self {
        case .text:
            var sources = sources
            for finding in findings { Swift.print(finding.excerpted(from: &sources)) }
            for links in verdicts { Swift.print(links.verdictLine) }
        case .json:
            let objects = findings.map { finding in
                finding.json(
                    verdicts.first { links in
                        links.files.contains { $0.name == finding.place?.file }
                    })
            }
            Swift.print(JSONText.array(objects).indented)
        case .sarif: Swift.print(sarifLog(of: findings).indented)
        case .github: for finding in findings { Swift.print(finding.workflowCommand) }
        }
    }
}

extension Diagnostic {
    /// The shape that scripts rely on: members may be added, and are never renamed.
    fileprivate func json(_ links: PublishedAssetLinks?) -> JSONText {
        .object(
            [
                ("file", .orNull(place?.file)),
                ("line", .orNull(place?.line)),
                ("column", .orNull(place?.column)),
                ("severity", .string(severity.description)),
                ("rule", .string(rule)),
                ("message", .string(message)),
                ("advice", .orNull(advice)),
            ] + (links.map { [("validForGoogle", $0.verdictJSON)] } ?? []))
    }
}
