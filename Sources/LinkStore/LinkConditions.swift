internal import SQLite

/// The conditions of a list of links, for a statement in which `l` is the table of links.
struct LinkConditions {
    private var conditions = [String]()
    private(set) var values = [SQLiteValue]()
    /// For what is in the searched texts of a row that meets the conditions; nil for all of them. SQLite itself folds ASCII only.
    private(set) var search: SearchedText?

    init(_ filter: LinkFilter, after last: LinkID?, upTo end: LinkID?) {
        // A row without an identity, which another program has written, would be a row of the page.
        conditions.append("length(l.uid) = 16")
        if !filter.includesDeleted { conditions.append("l.deleted IS NULL") }
        if let ids = filter.ids {
            conditions.append("l.uid IN \(Self.idMarks)")
            values += Self.idValues(ids)
        }
        let isReverse = filter.isNewestFirst
        if let last { add(isReverse ? "l.uid < ?" : "l.uid > ?", .blob(last.bytes)) }
        if let end { add(isReverse ? "l.uid >= ?" : "l.uid <= ?", .blob(end.bytes)) }
        let named = "(SELECT id FROM collection WHERE name = ?)"
        if let collection = filter.collection { add("l.collection = \(named)", .text(collection)) }
        if let names = filter.collections, names != [filter.collection] {
            // Not by an index, because links of several would have to be sorted for each page.
            let marks = names.map { _ in named }.joined(separator: ", ")
            conditions.append("+l.collection IN (\(marks))")
            values += names.map { .text($0) }
        }
        if let isDisabled = filter.isDisabled {
            add("l.disabled = ?", .integer(isDisabled ? 1 : 0))
        }
        if filter.isOfArchive {
            conditions.append("l.archived <> 0")
        } else if !filter.includesArchived {
            conditions.append("l.archived = 0")
        }
        if filter.isUntagged {
            conditions.append("trim(ifnull(l.tags, ''), char(10)) = ''")
        } else if let tag = filter.tag {
            add("instr(l.tags, ?) > 0", .text("\n\(tag)\n"))
        }
        search = filter.text.flatMap { $0.utf8.allSatisfy { $0 < 0x80 } ? nil : SearchedText($0) }
        if search == nil, let text = filter.text {
            conditions.append(Self.hasText)
            values += [SQLiteValue](repeating: .text(text), count: Self.texts.count + 1)
        }
    }

    /// As a statement has them.
    var text: String { conditions.joined(separator: " AND ") }

    private mutating func add(_ condition: String, _ value: SQLiteValue) {
        conditions.append(condition)
        values.append(value)
    }

    /// The texts in which people search, besides aliases. Details that are no JSON have none.
    private static let texts =
        ["l.slug", "l.destination", "l.note"]
        + ["title", "description"].map { member in
            "iif(json_valid(l.details), json_extract(l.details, '$.page.\(member)'), '')"
        }

    /// All of them, with line ends between them.
    static let searched = (texts + ["(SELECT group_concat(a.slug, char(10)) \(aliases))"])
        .map { "ifnull(\($0), '')" }.joined(separator: " || char(10) || ")

    /// Whether one of them has a text. To make one text of all for each row takes half as long again.
    private static let hasText = {
        let isPart = "(\(texts.map { "instr(lower(\($0)), lower(?))" }.joined(separator: " OR "))"
        return "\(isPart) OR EXISTS (SELECT 1 \(aliases) AND instr(lower(a.slug), lower(?))))"
    }()

    private static let aliases = "FROM alias a WHERE a.link = l.id"

    /// The place of ids in a statement. It is the same for any number of them, because statements are kept.
    static let idMarks =
        "(" + [String](repeating: "?", count: LinkFilter.idsMax).joined(separator: ", ") + ")"

    /// The values for `idMarks`.
    static func idValues(_ ids: [LinkID]) -> [SQLiteValue] {
        let values = ids.prefix(LinkFilter.idsMax).map { SQLiteValue.blob($0.bytes) }
        // No link has an identity without bytes.
        return values + [SQLiteValue](repeating: .blob([]), count: LinkFilter.idsMax - values.count)
    }
}
