internal import SQLite

extension SQLiteLinkRows {
    func number(ofCollection name: String) throws(StoreError) -> Int {
        if let known = collectionNumbers[name] { return known }
        let number = try sqlite { () throws(SQLiteError) in
            let find = try prepared("SELECT id FROM collection WHERE name = ?")
            defer { find.reset() }
            try find.begin([.text(name)])
            if try find.step() { return find.integer(0) }
            try prepared("INSERT INTO collection (name) VALUES (?)").run(.text(name))
            return Int(database.lastRowID)
        }
        collectionNumbers[name] = number
        return number
    }

    func insert(_ link: NumberedLink, collection: Int) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            try prepared(Self.insertion).run(
                Self.values(link.link, link.row, collection: collection))
        }
    }

    static let insertion = """
        INSERT INTO link (id, uid, collection, slug, destination, details, tags, note, disabled,
          archived, starts, ends, external_id, created, updated, generation, deleted)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// The values of a row.
    /// - Parameter number: of the collection.
    static func values(_ link: StoredLink, _ row: Int, collection number: Int) -> [SQLiteValue] {
        let content = link.content
        return [
            .integer(row), .blob(link.id.bytes), .integer(number), .text(link.slug),
            .optional(content.destination), .optional(content.details), content.tagText,
            .optional(content.note), .integer(content.isDisabled ? 1 : 0),
            .integer(content.isArchived ? 1 : 0), .optional(content.from),
            .optional(content.until), .optional(content.externalID), .integer(link.created),
            .integer(link.updated), .integer(link.generation), .optional(link.deleted),
        ]
    }

    func update(_ link: NumberedLink) throws(StoreError) {
        let content = link.link.content
        try sqlite { () throws(SQLiteError) in
            try prepared(
                """
                UPDATE link SET destination = ?, details = ?, tags = ?, note = ?, disabled = ?,
                  archived = ?, starts = ?, ends = ?, external_id = ?, updated = ?, generation = ?,
                  deleted = ? WHERE id = ?
                """
            ).run(
                .optional(content.destination), .optional(content.details), content.tagText,
                .optional(content.note), .integer(content.isDisabled ? 1 : 0),
                .integer(content.isArchived ? 1 : 0), .optional(content.from),
                .optional(content.until), .optional(content.externalID),
                .integer(link.link.updated), .integer(link.link.generation),
                .optional(link.link.deleted), .integer(link.row))
        }
    }

    func insertAliases(
        _ slugs: [String], of link: NumberedLink, collection: Int
    ) throws(StoreError) {
        try sqlite { () throws(SQLiteError) in
            for slug in slugs {
                try prepared("INSERT INTO alias (collection, slug, link) VALUES (?, ?, ?)").run(
                    .integer(collection), .text(slug), .integer(link.row))
            }
            try prepared("UPDATE link SET updated = ?, generation = ? WHERE id = ?").run(
                .integer(link.link.updated), .integer(link.link.generation), .integer(link.row))
        }
    }
}

extension LinkContent {
    fileprivate var tagText: SQLiteValue { .optional(tagLines) }
}
