internal import LinkIndex
internal import SQLite

extension LinkStore {
    private static let columns = """
        l.id, l.uid, c.name, l.slug, l.destination, l.details, l.tags, l.note, l.disabled,
        l.archived, l.starts, l.ends, l.external_id, l.created, l.updated, l.deleted, l.generation
        """
    static let selection =
        "SELECT \(columns) FROM link l JOIN collection c ON c.id = l.collection"

    /// The link with this identity, also if it was deleted.
    package func link(_ id: LinkID) throws(StoreError) -> StoredLink? {
        try first("\(Self.selection) WHERE l.uid = ?", [.blob(id.bytes)])?.link
    }

    /// The number of a link, which the index and visits have; nil if there is no such link.
    package func number(of id: LinkID) throws(StoreError) -> Int? {
        try first("\(Self.selection) WHERE l.uid = ?", [.blob(id.bytes)])?.row
    }

    /// Whether a link of this collection was ever made.
    package func hasCollection(_ name: String) throws(StoreError) -> Bool {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared("SELECT 1 FROM collection WHERE name = ?")
            defer { statement.reset() }
            try statement.begin([.text(name)])
            return try statement.step()
        }
    }

    package func link(externalID: String) throws(StoreError) -> StoredLink? {
        try first("\(Self.selection) WHERE l.external_id = ?", [.text(externalID)])?.link
    }

    /// The link that has this very slug, also as an alias.
    package func link(_ collection: String, slug: String) throws(StoreError) -> StoredLink? {
        let number = CollectionName(collection).number
        let bytes = Array(slug.utf8)
        if index.find(number, bytes.span, isExact: true, &lookup) {
            let row = Int(LinkRecordView(lookup.record.span).id)
            return try first("\(Self.selection) WHERE l.id = ?", [.integer(row)])?.link
        }
        // What the open transaction has added is not in the index yet.
        let isAdded = [true, false].contains { written[SlugKey(number, bytes, isExact: $0)] != nil }
        guard isAdded else { return nil }
        let own = try first(
            "\(Self.selection) WHERE c.name = ? AND l.slug = ?", [.text(collection), .text(slug)])
        if let own { return own.link }
        return try first(
            """
            \(Self.selection) JOIN alias a ON a.link = l.id
            WHERE a.collection = (SELECT id FROM collection WHERE name = ?) AND a.slug = ?
            """, [.text(collection), .text(slug)])?.link
    }

    /// The link that a slug finds, also as an alias, where letter case may not matter.
    package func link(
        _ collection: String, foundBy slug: String, isExact: Bool
    ) throws(StoreError) -> StoredLink? {
        if let found = try link(collection, slug: slug) { return found }
        guard !isExact else { return nil }
        let (number, bytes) = (CollectionName(collection).number, Array(slug.utf8))
        if index.find(number, bytes.span, isExact: false, &lookup) {
            let row = Int(LinkRecordView(lookup.record.span).id)
            return try first("\(Self.selection) WHERE l.id = ?", [.integer(row)])?.link
        }
        let added = written[SlugKey(number, bytes, isExact: false)]
        return try added.flatMap { own throws(StoreError) in try link(collection, slug: own) }
    }

    /// Links in the order in which they were made, without deleted ones.
    /// - Parameters:
    ///   - last: the link after which they begin.
    ///   - end: the last link that is looked at; nil for that of the store.
    ///   - limit: at most so many.
    package func links(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID? = nil, limit: Int,
        bytesMax: Int = .max
    ) throws(StoreError) -> [StoredLink] {
        // A row without an identity, which another program has written, would be a row of the page.
        var (conditions, values) = (["length(l.uid) = 16"], [SQLiteValue]())
        if !filter.includesDeleted { conditions.append("l.deleted IS NULL") }
        func add(_ condition: String, _ value: SQLiteValue) {
            conditions.append(condition)
            values.append(value)
        }
        if let last { add("l.uid > ?", .blob(last.bytes)) }
        if let end { add("l.uid <= ?", .blob(end.bytes)) }
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
        if !filter.includesArchived { conditions.append("l.archived = 0") }
        if let tag = filter.tag { add("instr(l.tags, ?) > 0", .text("\n\(tag)\n")) }
        let search = filter.text.flatMap {
            $0.utf8.allSatisfy { $0 < 0x80 } ? nil : SearchedText($0)
        }
        if search == nil, let text = filter.text {
            add("instr(lower(\(Self.searched)), lower(?)) > 0", .text(text))
        }
        let selection = search == nil ? Self.selection : Self.searchedSelection
        return try rows(
            "\(selection) WHERE \(conditions.joined(separator: " AND ")) ORDER BY l.uid LIMIT ?",
            values + [.integer(search == nil ? limit : -1)], search, rowsMax: limit,
            bytesMax: bytesMax
        ).map(\.link)
    }

    /// The texts are a column, because SQLite itself folds ASCII only.
    private static let searchedSelection =
        "SELECT \(columns), \(searched) FROM link l JOIN collection c ON c.id = l.collection"
    /// The number of that column.
    private static let searchedColumn = 17

    /// The texts in which people search, with line ends between them. Details that are no JSON have
    /// none.
    private static let searched = {
        let page = ["title", "description"].map { member in
            "iif(json_valid(l.details), json_extract(l.details, '$.page.\(member)'), '')"
        }
        return (["l.slug", "l.destination", "l.note"] + page).map { "ifnull(\($0), '')" }
            .joined(separator: " || char(10) || ")
    }()

    /// The link that is so many after this one, whether or not the filter has it; nil if there are
    /// fewer. Whoever looks for few among many looks at a part of them at a time, because nobody can
    /// change a link meanwhile.
    package func link(
        _ filter: LinkFilter, after last: LinkID?, rows: Int
    ) throws(StoreError) -> LinkID? {
        var (condition, values) = (
            "uid > ? AND length(uid) = 16", [SQLiteValue.blob(last?.bytes ?? [])]
        )
        if let collection = filter.collection {
            condition += " AND collection = (SELECT id FROM collection WHERE name = ?)"
            values.append(.text(collection))
        }
        return try sqlite { () throws(SQLiteError) in
            let statement = try prepared(
                "SELECT uid FROM link WHERE \(condition) ORDER BY uid LIMIT 1 OFFSET ?")
            defer { statement.reset() }
            try statement.begin(values + [.integer(rows - 1)])
            return try statement.step() ? LinkID(statement.bytes(0)) : nil
        }
    }

    typealias Row = (row: Int, link: StoredLink)

    func first(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> Row? {
        try rows(sql, values).first
    }

    /// The first row without its aliases, whose slugs are rows of another table.
    func rowAlone(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> StoredLink? {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared(sql)
            defer { statement.reset() }
            try statement.begin(values)
            return try statement.step() ? statement.link : nil
        }
    }

    /// - Parameters:
    ///   - search: for what is in the searched texts; nil for all rows.
    ///   - bytesMax: none is read after so many bytes of links.
    private func rows(
        _ sql: String, _ values: [SQLiteValue], _ search: SearchedText? = nil,
        rowsMax: Int = .max, bytesMax: Int = .max
    ) throws(StoreError) -> [Row] {
        var rows = try sqlite { () throws(SQLiteError) in
            let statement = try prepared(sql)
            defer { statement.reset() }
            try statement.begin(values)
            var (rows, bytes) = ([Row](), 0)
            while rows.count < rowsMax, bytes < bytesMax, try statement.step() {
                if let search, !search.isPart(of: statement.text(Self.searchedColumn)) { continue }
                guard let link = statement.link else { continue }
                rows.append((statement.integer(0), link))
                bytes += link.byteCount
            }
            return rows
        }
        for index in rows.indices { rows[index].link.aliases = try aliases(of: rows[index].row) }
        return rows
    }

    private func aliases(of row: Int) throws(StoreError) -> [String] {
        try sqlite { () throws(SQLiteError) in
            let statement = try prepared("SELECT slug FROM alias WHERE link = ? ORDER BY id")
            defer { statement.reset() }
            try statement.begin([.integer(row)])
            var slugs = [String]()
            while try statement.step() { slugs.append(statement.text(0)) }
            return slugs
        }
    }

    // MARK: Changes

    /// Links in the order of their last changes, also deleted and archived ones.
    /// - Parameters:
    ///   - place: after which they begin.
    ///   - collections: only those of these; nil for all.
    ///   - limit: at most so many.
    ///   - rows: at most so many are looked at.
    /// - Returns: the links, and the place of the last that was looked at; nil at the end.
    package func changes(
        after place: ChangePlace, in collections: [String]?, limit: Int, rows most: Int
    ) throws(StoreError) -> (links: [StoredLink], last: ChangePlace?) {
        var (found, last, looked) = ([Row](), ChangePlace?.none, 0)
        try sqlite { () throws(SQLiteError) in
            // A row of another program can have a generation that is still to come.
            let statement = try prepared(
                """
                \(Self.selection) WHERE (l.generation, l.uid) > (?, ?) AND l.generation <= ?
                  AND length(l.uid) = 16 ORDER BY l.generation, l.uid LIMIT ?
                """)
            defer { statement.reset() }
            try statement.begin([
                .integer(place.generation),
                place.isWhole
                    ? .blob(Self.beyondIDs)
                    : .blob(place.id?.bytes ?? []), .integer(index.generation), .integer(most),
            ])
            while found.count < limit, try statement.step() {
                looked += 1
                guard let id = LinkID(statement.bytes(1)) else { continue }
                last = ChangePlace(generation: statement.integer(16), id: id)
                guard collections?.contains(statement.text(2)) ?? true else { continue }
                if let link = statement.link { found.append((statement.integer(0), link)) }
            }
        }
        for index in found.indices { found[index].link.aliases = try aliases(of: found[index].row) }
        return (found.map(\.link), found.count == limit || looked == most ? last : nil)
    }

    /// More than the bytes of any identity.
    private static let beyondIDs = [UInt8](repeating: 0xFF, count: 17)
}

/// A place in the order of changes.
package struct ChangePlace: Hashable, Sendable {
    package let generation: Int
    /// The last link of the generation that is before the place; nil if all of them are.
    package let id: LinkID?

    package init(generation: Int, id: LinkID?) { (self.generation, self.id) = (generation, id) }

    var isWhole: Bool { id == nil }
}

/// Conditions that the links of a list meet.
package struct LinkFilter: Equatable, Sendable {
    package var collection: String?
    /// Of these collections only; nil for all.
    package var collections: [String]?
    package var tag: String?
    package var isDisabled: Bool?
    package var includesArchived = false
    package var includesDeleted = false
    /// A part of what people read of a link, in either letter case.
    package var text: String?

    package init() {}
}

extension SQLiteStatement {
    /// A row of the columns of a link.
    var link: StoredLink? {
        guard let id = LinkID(bytes(1)) else { return nil }
        var content = LinkContent()
        content.destination = optionalText(4)
        content.details = optionalText(5)
        content.tags = text(6).utf8.split(separator: UInt8(ascii: "\n")).map { String($0) ?? "" }
        content.note = optionalText(7)
        (content.isDisabled, content.isArchived) = (integer(8) != 0, integer(9) != 0)
        (content.from, content.until) = (optionalInteger(10), optionalInteger(11))
        content.externalID = optionalText(12)
        return StoredLink(
            id: id, collection: text(2), slug: text(3), content: content, created: integer(13),
            updated: integer(14), generation: integer(16), deleted: optionalInteger(15))
    }
}
