import Diagnostics
private import LinkIndex
import Resolution
import Synchronization
private import URISyntax

struct RowReader {
    let collection: ServedCollection
    var values = [String: String]()
    private(set) var notes = [PointedFault]()

    init(collection: ServedCollection) { self.collection = collection }

    mutating func json(slug: String) -> JSONText {
        var link = FirebaseLink(values, opening: collection.openingApps)
        var members: [(key: String, value: JSONText)] = [
            ("collection", .string(collection.name.description)),
            ("slug", .string(slug)),
        ]
        members += link.members()
        notes = link.notes.map(PointedFault.init)
        if let name = values["name"] { members.append(("note", .string(name))) }
        if let text = values["archived"] {
            let flag = FirebaseLink.flag(text) ?? TableCell.truth(text)
            if flag == nil { note("archived", FirebaseLink.noFlag(text)) }
            if flag == true { members.append(("archived", .boolean(true))) }
        }
        if let created = created() { members.append(("created", .string(created))) }
        return .object(members)
    }

    private mutating func note(_ parameter: String, _ detail: String) {
        notes.append(PointedFault("/\(parameter)", .wrongValue, detail))
    }

    private mutating func created() -> String? {
        guard let text = values["created"] else { return nil }
        if let time = tableTime(text) { return time.description }
        note("created", "\(quoted(text)) is no time; the link is as old as its import")
        return nil
    }
}
