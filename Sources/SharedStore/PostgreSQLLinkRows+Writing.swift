internal import LinkStore
internal import PostgreSQL

extension PostgreSQLLinkRows {
    func number(ofCollection name: String, isExact: Bool) throws(StoreError) -> Int {
        let collection =
            if let known = collections[name] { known } else {
                try findOrMake(name, isExact: isExact)
            }
        guard collection.isExact == isExact else {
            throw error(.otherCase(collection: name, isExact: isExact))
        }
        collections[name] = collection
        return collection.number
    }

    /// The first node that writes a link of a collection decides whether letter case distinguishes its slugs.
    private func findOrMake(
        _ name: String, isExact: Bool
    ) throws(StoreError) -> (number: Int, isExact: Bool) {
        let found = try run(
            "SELECT id, exact FROM waymark.collection WHERE name = $1", .text(name))
        if let row = found.first { return (row.integer(0), row.boolean(1)) }
        let made = try change(
            "INSERT INTO waymark.collection (name, exact) VALUES ($1, $2) RETURNING id",
            .text(name), .boolean(isExact))
        return (made.first?.integer(0) ?? 0, isExact)
    }

    /// A slug as its collection compares it.
    static func key(_ slug: String, isExact: Bool) -> String {
        isExact
            ? slug
            : String(decoding: slug.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    func insert(_ link: NumberedLink, collection: Int, isExact: Bool) throws(StoreError) {
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
        try write(link.link.slug, of: row, collection, isExact: isExact, place: 0)
    }

    private func write(
        _ slug: String, of row: Int, _ collection: Int, isExact: Bool, place: Int
    ) throws(StoreError) {
        try write(
            """
            INSERT INTO waymark.slug (collection, key, slug, link, place)
            VALUES ($1, $2, $3, $4, $5)
            """, .integer(collection), .text(Self.key(slug, isExact: isExact)), .text(slug),
            .integer(row), .integer(place))
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
        _ slugs: [String], of link: NumberedLink, collection: Int, isExact: Bool
    ) throws(StoreError) {
        for (index, slug) in slugs.enumerated() {
            try write(
                slug, of: link.row, collection, isExact: isExact,
                place: link.link.aliases.count + index + 1)
        }
        try write(
            "UPDATE waymark.link SET updated = $1, generation = $2 WHERE id = $3",
            .integer(link.link.updated), .integer(link.link.generation), .integer(link.row))
    }
}
