extension LinkRows {
    /// The number of a collection, which is made if there is none of this name.
    func number(ofCollection name: String) throws(StoreError) -> Int {
        if let known = collections[name] { return known }
        let found = try read(
            "SELECT id FROM \(Self.prefix)collection WHERE name = $1", [.text(name)]
        ) { $0.integer(0) }
        let made =
            found.isEmpty
            ? try change(
                "INSERT INTO \(Self.prefix)collection (name) VALUES ($1) RETURNING id",
                [.text(name)]
            ) { $0.integer(0) } : found
        guard let number = made.first else { throw .database(place: path, .isForeign) }
        collections[name] = number
        return number
    }

    /// The statement that adds a row to the table of links.
    package static func makeInsertion() -> String {
        """
        INSERT INTO \(prefix)link (id, uid, collection, slug, destination, details, tags, note,
          disabled, archived, starts, ends, external_id, created, updated, generation, deleted)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        """
    }

    /// The values for it.
    /// - Parameter number: of the collection.
    package static func values(_ link: StoredLink, _ row: Int, collection number: Int) -> [Value] {
        [.integer(row), .blob(link.id.bytes), .integer(number), .text(link.slug)]
            + values(link.content)
            + [
                .integer(link.created), .integer(link.updated), .integer(link.generation),
                .optional(link.deleted),
            ]
    }

    private static func values(_ content: LinkContent) -> [Value] {
        [
            .optional(content.destination), .optional(content.details),
            .optional(content.tagLines), .optional(content.note), .boolean(content.isDisabled),
            .boolean(content.isArchived), .optional(content.from), .optional(content.until),
            .optional(content.externalID),
        ]
    }

    /// Writes the content of a link, which may be deleted by that, and when it was changed.
    func update(_ link: NumberedLink) throws(StoreError) {
        try write(
            """
            UPDATE \(Self.prefix)link SET destination = $1, details = $2, tags = $3, note = $4,
              disabled = $5, archived = $6, starts = $7, ends = $8, external_id = $9, updated = $10,
              generation = $11, deleted = $12 WHERE id = $13
            """,
            Self.values(link.link.content) + [
                .integer(link.link.updated), .integer(link.link.generation),
                .optional(link.link.deleted), .integer(link.row),
            ])
    }

    /// Writes when a link was changed.
    package func updateTime(of link: NumberedLink) throws(StoreError) {
        try write(
            "UPDATE \(Self.prefix)link SET updated = $1, generation = $2 WHERE id = $3",
            [.integer(link.link.updated), .integer(link.link.generation), .integer(link.row)])
    }
}
