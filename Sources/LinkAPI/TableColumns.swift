import Associations
import Diagnostics
import SiteConfiguration

/// The columns of an exported table. An empty cell is a member that is not there.
enum TableColumns {
    static let all = [
        "id", "collection", "slug", "url", "destination", "state", "archived", "from", "until",
        "tags", "note", "externalId", "page.title", "page.description", "page.image", "page", "web",
        "campaign", "app.path", "app.data", "app.minVersion", "after", "aliases", "created",
        "updated", "deleted",
    ]

    /// The mark and the heading.
    static let beginning = TableCell.mark + Array(csvLine(all).utf8)

    /// The members of an export whose texts are not those of a link in a request.
    static let informative: [(name: String, form: LinkColumn.Form)] = [
        ("id", .text), ("url", .text), ("aliases", .list), ("opens", .list), ("created", .text),
        ("updated", .text), ("deleted", .text), ("warnings", .json), ("visits", .json),
    ]

    /// The line of a link in JSON. What a column shows is not in the cell of its object.
    static func line(of json: JSONText) -> String {
        guard case .object(let members) = json else { return "" }
        return csvLine(all.map { TableCell.protected(cell($0, members)) })
    }

    private static func cell(_ heading: String, _ members: [(key: String, value: JSONText)])
        -> String
    {
        guard var value = value(at: heading, in: members) else { return "" }
        if case .object(let own) = value {
            let rest = own.filter { member in !all.contains("\(heading).\(member.key)") }
            guard !rest.isEmpty else { return "" }
            value = .object(rest)
        }
        switch value {
        case .string(let text): return text
        case .array(let items) where heading == "tags" || heading == "aliases":
            return TableList.cell(
                items.compactMap { if case .string(let text) = $0 { text } else { nil } })
        default: return value.compact
        }
    }

    /// The value of a column: a member, or one of a member.
    private static func value(
        at heading: String, in members: [(key: String, value: JSONText)]
    ) -> JSONText? {
        guard let dot = heading.utf8.firstIndex(of: UInt8(ascii: ".")) else {
            return members.first { $0.key == heading }?.value
        }
        let (outer, inner) = (heading[..<dot], heading[heading.utf8.index(after: dot)...])
        guard case .object(let own)? = members.first(where: { $0.key == outer })?.value else {
            return nil
        }
        return own.first { $0.key == inner }?.value
    }
}
