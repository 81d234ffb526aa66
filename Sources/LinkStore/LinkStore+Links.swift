internal import LinkIndex
private import SQLite

/// Why a link is not made or changed, besides failures of the store.
package enum LinkConflict: Error, Equatable, Sendable {
    /// The slug is taken by another link; by one that was deleted, or in another letter case.
    case slugTaken(by: String, isDeleted: Bool)
    case externalIDTaken(by: LinkID)
    case idTaken
}

/// What an edit or a deletion found.
package enum LinkEdit: Equatable, Sendable {
    case done(StoredLink)
    case missing
    /// The link was changed since the expected generation.
    case changed(StoredLink)
    case conflict(LinkConflict)
}

extension LinkStore {
    // MARK: Reading

    private static let columns = """
        l.id, l.uid, c.name, l.slug, l.destination, l.details, l.tags, l.note, l.disabled,
        l.archived, l.starts, l.ends, l.external_id, l.created, l.updated, l.deleted, l.generation
        """
    private static let selection =
        "SELECT \(columns) FROM link l JOIN collection c ON c.id = l.collection"

    /// The link with this identity, also if it was deleted.
    package func link(_ id: LinkID) throws(StoreError) -> StoredLink? {
        try first("\(Self.selection) WHERE l.uid = ?", [.blob(id.bytes)])?.link
    }

    /// The number of a link, which the index and visits have; nil if there is no such link.
    package func number(of id: LinkID) throws(StoreError) -> Int? {
        try first("\(Self.selection) WHERE l.uid = ?", [.blob(id.bytes)])?.row
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

    /// Links in the order in which they were made, without deleted ones.
    /// - Parameters:
    ///   - last: the link after which they begin.
    ///   - end: the last link that is looked at; nil for that of the store.
    ///   - limit: at most so many.
    package func links(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID? = nil, limit: Int
    ) throws(StoreError) -> [StoredLink] {
        var (conditions, values) = ([String](), [SQLiteValue]())
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
        if let generation = filter.changedSince { add("l.generation > ?", .integer(generation)) }
        if let tag = filter.tag { add("instr(l.tags, ?) > 0", .text("\n\(tag)\n")) }
        if let text = filter.text {
            let columns = "l.slug || ' ' || ifnull(l.destination, '') || ' ' || ifnull(l.note, '')"
            add("instr(lower(\(columns)), lower(?)) > 0", .text(text))
        }
        let sql =
            "\(Self.selection) WHERE \((["1"] + conditions).joined(separator: " AND ")) "
            + "ORDER BY l.uid LIMIT ?"
        return try rows(sql, values + [.integer(limit)]).map(\.link)
    }

    /// The link that is so many after this one, whether or not the filter has it; nil if there are
    /// fewer. Whoever looks for few among many looks at a part of them at a time, because nobody can
    /// change a link meanwhile.
    package func link(
        _ filter: LinkFilter, after last: LinkID?, rows: Int
    ) throws(StoreError) -> LinkID? {
        var (condition, values) = ("uid > ?", [SQLiteValue.blob(last?.bytes ?? [])])
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

    private typealias Row = (row: Int, link: StoredLink)

    private func first(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> Row? {
        try rows(sql, values).first
    }

    private func rows(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> [Row] {
        var rows = try sqlite { () throws(SQLiteError) in
            let statement = try prepared(sql)
            defer { statement.reset() }
            try statement.begin(values)
            var rows = [Row]()
            while try statement.step() {
                if let link = statement.link { rows.append((statement.integer(0), link)) }
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

    // MARK: Writing

    /// Makes a link; only in a transaction.
    /// - Parameters:
    ///   - isExact: whether letter case distinguishes slugs of the collection.
    ///   - times: seconds since 1970.
    package func create(
        _ id: LinkID, _ collection: String, slug: String, _ content: LinkContent,
        isExact: Bool, at times: (created: Int, updated: Int), generation: Int
    ) throws(StoreError) -> Result<StoredLink, LinkConflict> {
        if let conflict = try conflict(collection, slug, isExact: isExact, content) {
            return .failure(conflict)
        }
        let link = StoredLink(
            id: id, collection: collection, slug: slug, content: content, created: times.created,
            updated: times.updated, generation: generation)
        let number = try self.number(of: collection)
        let row = try sqlite { () throws(SQLiteError) in
            try prepared(
                """
                INSERT INTO link (uid, collection, slug, destination, details, tags, note, disabled,
                  archived, starts, ends, external_id, created, updated, generation)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
            ).run(
                .blob(id.bytes), .integer(number), .text(slug), .optional(content.destination),
                .optional(content.details), content.tagText, .optional(content.note),
                .integer(content.isDisabled ? 1 : 0), .integer(content.isArchived ? 1 : 0),
                .optional(content.from), .optional(content.until), .optional(content.externalID),
                .integer(times.created), .integer(times.updated), .integer(generation))
            return Int(database.lastRowID)
        }
        noteSlug(slug, of: link, row, isExact: isExact)
        return .success(link)
    }

    /// Gives a link other content; only in a transaction.
    /// - Parameter expected: the generation that the editor has seen; nil for any.
    package func update(
        _ id: LinkID, expected: Int?, at now: Int, generation: Int,
        _ edit: (StoredLink) -> LinkContent
    ) throws(StoreError) -> LinkEdit {
        guard let (row, before) = try first("\(Self.selection) WHERE l.uid = ?", [.blob(id.bytes)]),
            before.deleted == nil
        else { return .missing }
        if let expected, expected != before.generation { return .changed(before) }
        var link = before
        link.content = edit(before)
        if link.content.externalID != before.content.externalID,
            let conflict = try conflict(of: link.content.externalID, besides: id)
        {
            return .conflict(conflict)
        }
        guard link.content != before.content else { return .done(before) }
        (link.updated, link.generation) = (now, generation)
        let content = link.content
        try sqlite { () throws(SQLiteError) in
            try prepared(
                """
                UPDATE link SET destination = ?, details = ?, tags = ?, note = ?, disabled = ?,
                  archived = ?, starts = ?, ends = ?, external_id = ?, updated = ?, generation = ?
                WHERE id = ?
                """
            ).run(
                .optional(content.destination), .optional(content.details), content.tagText,
                .optional(content.note), .integer(content.isDisabled ? 1 : 0),
                .integer(content.isArchived ? 1 : 0), .optional(content.from),
                .optional(content.until), .optional(content.externalID), .integer(now),
                .integer(generation), .integer(row))
        }
        noteSlugs(of: link, row)
        return .done(link)
    }

    /// Deletes a link; only in a transaction. Its slugs stay taken.
    package func delete(
        _ id: LinkID, expected: Int?, at now: Int, generation: Int
    ) throws(StoreError) -> LinkEdit {
        guard let (row, before) = try first("\(Self.selection) WHERE l.uid = ?", [.blob(id.bytes)]),
            before.deleted == nil
        else { return .missing }
        if let expected, expected != before.generation { return .changed(before) }
        var link = before
        (link.content, link.deleted, link.updated) = (LinkContent(), now, now)
        link.generation = generation
        try sqlite { () throws(SQLiteError) in
            try prepared(
                """
                UPDATE link SET destination = NULL, details = NULL, tags = NULL, note = NULL,
                  disabled = 0, archived = 0, starts = NULL, ends = NULL, external_id = NULL,
                  updated = ?1, deleted = ?1, generation = ?2 WHERE id = ?3
                """
            ).run(.integer(now), .integer(generation), .integer(row))
        }
        noteSlugs(of: link, row)
        return .done(link)
    }

    /// Gives a link another slug; only in a transaction.
    package func addAlias(
        _ slug: String, to id: LinkID, isExact: Bool, at now: Int, generation: Int
    ) throws(StoreError) -> LinkEdit {
        guard let (row, before) = try first("\(Self.selection) WHERE l.uid = ?", [.blob(id.bytes)]),
            before.deleted == nil
        else { return .missing }
        let conflict = try conflict(
            before.collection, slug, isExact: isExact, LinkContent())
        if let conflict { return .conflict(conflict) }
        let number = try number(of: before.collection)
        var link = before
        (link.updated, link.generation) = (now, generation)
        try sqlite { () throws(SQLiteError) in
            try prepared("INSERT INTO alias (collection, slug, link) VALUES (?, ?, ?)").run(
                .integer(number), .text(slug), .integer(row))
            try prepared("UPDATE link SET updated = ?, generation = ? WHERE id = ?").run(
                .integer(now), .integer(generation), .integer(row))
        }
        noteSlugs(of: link, row)
        link.aliases.append(slug)
        noteSlug(slug, of: link, row, isExact: isExact)
        return .done(link)
    }

    /// A slug that the open transaction adds.
    private func noteSlug(_ slug: String, of link: StoredLink, _ row: Int, isExact: Bool) {
        let record = LinkRecord(link, row: row, slug: slug)
        written[SlugKey(record.collection, record.slug, isExact: isExact)] = slug
        note(LinkChange(record))
    }

    private func noteSlugs(of link: StoredLink, _ row: Int) {
        for slug in [link.slug] + link.aliases {
            note(LinkChange(LinkRecord(link, row: row, slug: slug)))
        }
    }

    private func number(of collection: String) throws(StoreError) -> Int {
        if let known = collectionNumbers[collection] { return known }
        let number = try sqlite { () throws(SQLiteError) in
            let find = try prepared("SELECT id FROM collection WHERE name = ?")
            defer { find.reset() }
            try find.begin([.text(collection)])
            if try find.step() { return find.integer(0) }
            try prepared("INSERT INTO collection (name) VALUES (?)").run(.text(collection))
            return Int(database.lastRowID)
        }
        collectionNumbers[collection] = number
        return number
    }

    // MARK: Conflicts

    /// Why a link of this slug and content cannot be made.
    /// - Parameter slug: nil for one that is chosen by chance.
    package func conflict(
        _ collection: String, _ slug: String?, isExact: Bool, _ content: LinkContent
    ) throws(StoreError) -> LinkConflict? {
        if let slug, let taken = taken(collection, slug, isExact: isExact) { return taken }
        return try conflict(of: content.externalID, besides: nil)
    }

    /// The index has what was committed, and `written` what this transaction adds.
    private func taken(
        _ collection: String, _ slug: String, isExact: Bool
    ) -> LinkConflict? {
        let bytes = Array(slug.utf8)
        let number = CollectionName(collection).number
        if index.find(number, bytes.span, isExact: isExact, &lookup) {
            let record = LinkRecord(lookup.record)
            return .slugTaken(
                by: String(decoding: record.slug, as: UTF8.self),
                isDeleted: record.state == .deleted)
        }
        return written[SlugKey(number, bytes, isExact: isExact)].map {
            .slugTaken(by: $0, isDeleted: false)
        }
    }

    private func conflict(
        of externalID: String?, besides id: LinkID?
    ) throws(StoreError) -> LinkConflict? {
        guard let externalID, let other = try link(externalID: externalID), other.id != id else {
            return nil
        }
        return .externalIDTaken(by: other.id)
    }
}

/// A slug as a collection compares it.
struct SlugKey: Hashable {
    private let collection: UInt32
    private let bytes: [UInt8]

    init(_ collection: UInt32, _ slug: [UInt8], isExact: Bool) {
        self.collection = collection
        bytes = isExact ? slug : slug.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    }
}

/// Which links are listed.
package struct LinkFilter: Equatable, Sendable {
    package var collection: String?
    /// Of these collections only; nil for all.
    package var collections: [String]?
    package var tag: String?
    package var isDisabled: Bool?
    package var includesArchived = false
    package var includesDeleted = false
    /// A part of the slug, the destination or the note, in either letter case.
    package var text: String?
    package var changedSince: Int?

    package init() {}
}

extension LinkContent {
    /// Each tag between line ends, so that a tag is found as a whole.
    fileprivate var tagText: SQLiteValue {
        tags.isEmpty ? .null : .text("\n" + tags.joined(separator: "\n") + "\n")
    }
}

extension SQLiteStatement {
    /// A row of the columns of a link.
    fileprivate var link: StoredLink? {
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
