import Associations
import Diagnostics
import SiteConfiguration

/// The columns of links in a table: the names of members, with a full stop between those of an
/// object and its own. An empty cell is a member that is not there.
enum TableColumns {
    /// Of an export.
    static let all = [
        "id", "collection", "slug", "url", "destination", "state", "archived", "from", "until",
        "tags", "note", "externalId", "page.title", "page.description", "page.image", "web",
        "campaign", "app.path", "app.data", "app.minVersion", "after", "page", "aliases", "created",
        "updated",
    ]

    /// Members whose cells are JSON where they begin like an object.
    private static let structured = ["web", "campaign", "app.data", "after", "page", "app"]
    /// Members whose cells are lists with commas.
    private static let lists = ["tags", "aliases", "opens"]

    /// The column of a title: programs and people write spaces around it.
    static func name(_ title: String) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 }
        let start = title.utf8.drop(while: isBlank)
        return String(decoding: start.reversed().drop(while: isBlank).reversed(), as: UTF8.self)
    }

    /// The link of a record.
    static func json(_ cells: [String], _ titles: [String]) throws(Problem) -> JSONText {
        guard cells.count <= titles.count else {
            throw Problem(
                .invalidContent,
                "the line has \(cells.count) cells, the first line has \(titles.count)")
        }
        var members = [(key: String, value: JSONText)]()
        for (title, cell) in zip(titles, cells) where !cell.isEmpty && !title.isEmpty {
            add(value(of: cell, title), at: title, to: &members)
        }
        return .object(members)
    }

    private static func value(of cell: String, _ title: String) -> JSONText {
        if lists.contains(title) {
            return .strings(
                cell.utf8.split(separator: UInt8(ascii: ",")).map { name(String($0) ?? "") })
        }
        let first = cell.utf8.first
        if structured.contains(title), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let json = JSONDocument(Array(cell.utf8), file: "").root
        {
            return json.written
        }
        switch (title, cell) {
        case ("archived", "true"), ("archived", "TRUE"): return .boolean(true)
        case ("archived", "false"), ("archived", "FALSE"): return .boolean(false)
        default: return .string(cell)
        }
    }

    private static func add(
        _ value: JSONText, at title: String, to members: inout [(key: String, value: JSONText)]
    ) {
        guard let dot = title.utf8.firstIndex(of: UInt8(ascii: ".")) else {
            return members.append((title, value))
        }
        let (key, rest) = (String(title[..<dot]), String(title[title.utf8.index(after: dot)...]))
        let index = members.firstIndex { $0.key == key }
        var own = [(key: String, value: JSONText)]()
        if let index, case .object(let present) = members[index].value { own = present }
        add(value, at: rest, to: &own)
        if let index {
            members[index].value = .object(own)
        } else {
            members.append((key, .object(own)))
        }
    }

    /// The cells of a link in JSON. What a column shows is not in the cell of its object.
    static func cells(of json: JSONText) -> [String] {
        guard case .object(let members) = json else { return [] }
        return all.map { title in
            guard var value = value(at: title, in: members) else { return "" }
            if case .object(let own) = value {
                let rest = own.filter { member in !all.contains("\(title).\(member.key)") }
                guard !rest.isEmpty else { return "" }
                value = .object(rest)
            }
            switch value {
            case .string(let text): return text
            case .array(let items) where lists.contains(title):
                return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
                    .joined(separator: ",")
            default: return value.compact
            }
        }
    }

    private static func value(
        at title: String, in members: [(key: String, value: JSONText)]
    ) -> JSONText? {
        if let member = members.first(where: { $0.key == title }) { return member.value }
        guard let dot = title.utf8.firstIndex(of: UInt8(ascii: ".")),
            case .object(let own)? = members.first(where: {
                $0.key.utf8.elementsEqual(title.utf8[..<dot])
            })?
            .value
        else { return nil }
        return value(at: String(title[title.utf8.index(after: dot)...]), in: own)
    }
}
