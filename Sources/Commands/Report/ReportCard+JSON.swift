private import Associations

import Diagnostics
import JSONSyntax
import Reporting

extension ReportCard {
    /// Scripts rely on this shape: members can be added, but are never renamed.
    func json(of input: ReportInput) -> JSONText {
        .object([
            ("page", .string(input.page.file)),
            ("url", .orNull(input.url?.description)),
            ("as", .orNull(input.exchange?.client)),
            ("environment", .orNull(input.site?.environment)),
            ("status", .string((results.map(\.status).max() ?? .notApplicable).rawValue)),
            (
                "counts",
                .object(ItemStatus.allCases.reversed().map { ($0.rawValue, .number(count($0))) })
            ),
            ("groups", .array(ReportGroup.allCases.map(json))),
            ("previews", .array(previews.map(\.json))),
            ("markup", markup.json),
        ])
    }

    private func json(_ group: ReportGroup) -> JSONText {
        .object([
            ("id", .string(group.rawValue)), ("title", .string(group.title)),
            ("status", .string(status(of: group).rawValue)),
            ("items", .array(results(of: group).map(\.json))),
        ])
    }
}

extension ItemResult {
    fileprivate var json: JSONText {
        .object([
            ("id", .string(item.id)), ("status", .string(status.rawValue)),
            ("evidence", .string(evidence)), ("fix", .orNull(fix)),
            ("source", .string(item.source)),
        ])
    }
}

extension Preview {
    fileprivate var json: JSONText {
        .object([
            ("id", .string(id)), ("title", .string(title)),
            ("drawing", .strings(drawing)),
            ("notes", .strings(notes)),
        ])
    }
}

extension FoundMarkup {
    fileprivate var json: JSONText {
        let tags = { (found: [(key: String, content: String)]) in
            JSONText.array(
                found.map { tag in
                    .object([("property", .string(tag.key)), ("content", .string(tag.content))])
                })
        }
        return .object([
            ("title", .orNull(title)), ("description", .orNull(description)),
            ("canonical", .orNull(canonical)), ("banner", .orNull(banner)),
            ("openGraph", tags(openGraph)), ("appLinks", tags(appLinks)),
            ("twitter", tags(twitter)), ("jsonLD", .array(jsonLD.map(\.written))),
        ])
    }
}
