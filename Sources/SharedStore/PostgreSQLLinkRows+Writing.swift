internal import LinkStore
internal import PostgreSQL

extension PostgreSQLLinkRows {
    func number(ofCollection name: String) throws(StoreError) -> Int {
        if let known = collections[name] { return known }
        let found = try run("SELECT id FROM waymark.collection WHERE name = $1", .text(name))
        let number =
            if let row = found.first { row.integer(0) } else {
                try change(
                    "INSERT INTO waymark.collection (name) VALUES ($1) RETURNING id", .text(name)
                ).first?.integer(0)
            }
        guard let number else { throw error(.isForeign) }
        collections[name] = number
        return number
    }

    func insert(_ link: NumberedLink, collection: Int) throws(StoreError) {
        let (row, content) = (link.row, link.link.content)
        try write(
            """
            INSERT INTO waymark.link (id, uid, collection, slug, destination, details, tags, note,
              disabled, archived, starts, ends, external_id, created, updated, generation, deleted)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
            """, .integer(row), .blob(link.link.id.bytes), .integer(collection),
            .text(link.link.slug), .optional(content.destination), .optional(content.details),
            .optional(content.tagLines), .optional(content.note), .boolean(content.isDisabled),
            .boolean(content.isArchived), .optional(content.from), .optional(content.until),
            .optional(content.externalID), .integer(link.link.created),
            .integer(link.link.updated), .integer(link.link.generation),
            .optional(link.link.deleted))
        try write(link.link.slug, of: row, collection, place: 0)
    }

    private func write(
        _ slug: String, of row: Int, _ collection: Int, place: Int
    ) throws(StoreError) {
        try write(
            """
            INSERT INTO waymark.slug (collection, slug, link, place) VALUES ($1, $2, $3, $4)
            """, .integer(collection), .text(slug), .integer(row), .integer(place))
    }

    func update(_ link: NumberedLink) throws(StoreError) {
        let content = link.link.content
        try write(
            """
            UPDATE waymark.link SET destination = $1, details = $2, tags = $3, note = $4,
              disabled = $5, archived = $6, starts = $7, ends = $8, external_id = $9, updated = $10,
              generation = $11, deleted = $12 WHERE id = $13
            """, .optional(content.destination), .optional(content.details),
            .optional(content.tagLines), .optional(content.note), .boolean(content.isDisabled),
            .boolean(content.isArchived), .optional(content.from), .optional(content.until),
            .optional(content.externalID), .integer(link.link.updated),
            .integer(link.link.generation), .optional(link.link.deleted), .integer(link.row))
    }

    func insertAliases(
        _ slugs: [String], of link: NumberedLink, collection: Int
    ) throws(StoreError) {
        for (index, slug) in slugs.enumerated() {
            try write(
                slug, of: link.row, collection,
                place: link.link.aliases.count + index + 1)
        }
        try write(
            "UPDATE waymark.link SET updated = $1, generation = $2 WHERE id = $3",
            .integer(link.link.updated), .integer(link.link.generation), .integer(link.row))
    }
}
