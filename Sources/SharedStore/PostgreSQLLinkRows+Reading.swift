internal import LinkIndex
internal import LinkStore
internal import PostgreSQL

extension PostgreSQLLinkRows {
    private static let columns = """
        l.id, l.uid, c.name, \(slug("l")), \(text("l.destination")), \(text("l.details")), \(text("l.tags")),
        \(text("l.note")), l.disabled, l.archived, l.starts, l.ends, l.external_id, l.created, l.updated, l.deleted, l.generation,
        (SELECT string_agg(a.slug, E'\\n' ORDER BY a.place) FROM waymark.slug a
         WHERE a.link = l.id AND a.place > 0)
        """
    /// A text of a link, bounded in the way of those that the index has. A change keeps what it does not name, so none that a
    /// request has made may be cut: before notes and tags had limits, they could have all of a request.
    private static func text(_ column: String) -> String { bounded(column, textBytesMax) }

    /// The content of a request, and a line of an import, has no more.
    static let textBytesMax = 65_536

    private static let tables =
        "FROM waymark.link l JOIN waymark.collection c ON c.id = l.collection"
    private static let selection = "SELECT \(columns) \(tables)"

    func link(_ key: LinkKey) throws(StoreError) -> NumberedLink? {
        guard key.texts.allSatisfy(\.canBeStored) else { return nil }
        let result =
            switch key {
            case .id(let id): try run("\(Self.selection) WHERE l.uid = $1", .blob(id.bytes))
            case .row(let row): try run("\(Self.selection) WHERE l.id = $1", .integer(row))
            case .externalID(let name):
                try run("\(Self.selection) WHERE l.external_id = $1", .text(name))
            case .slug(let collection, let slug):
                try run(
                    """
                    \(Self.selection) JOIN waymark.slug s ON s.link = l.id AND s.collection = c.id
                    WHERE c.name = $1 AND s.slug = $2
                    """, .text(collection), .text(slug))
            }
        return result.first?.link
    }

    func hasCollection(_ name: String) throws(StoreError) -> Bool {
        guard name.canBeStored else { return false }
        return try run("SELECT 1 FROM waymark.collection WHERE name = $1", .text(name)).count > 0
    }

    func links(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID?, limit: Int, bytesMax: Int
    ) throws(StoreError) -> [NumberedLink] {
        guard let chosen = Self.conditions(filter, after: last, upTo: end) else { return [] }
        let order = "uid \(filter.isNewestFirst ? "DESC" : "ASC")"
        guard let search = chosen.search else {
            return try read(
                Self.page(
                    "\(Self.tables) WHERE \(chosen.text)", [order], limit: limit,
                    bytesMax: bytesMax),
                chosen.values
            ) { $0.link }
        }
        // Only the searched texts of all of them are sent.
        var ids = [LinkID]()
        _ = try read(
            "SELECT l.uid, \(Self.searched) \(Self.tables) WHERE \(chosen.text) ORDER BY l.\(order)",
            chosen.values
        ) { row -> Never? in
            if ids.count < limit, search.isPart(of: row.text(1)), let id = LinkID(row.bytes(0)) {
                ids.append(id)
            }
            return nil
        }
        var named = filter
        (named.ids, named.text) = (ids, nil)
        return ids.isEmpty
            ? []
            : try links(named, after: nil, upTo: nil, limit: limit, bytesMax: bytesMax)
    }

    /// A statement for links in the order of columns. The server sends none after so many bytes of links, so that no more of them are in
    /// memory.
    private static func page(
        _ rows: String, _ order: [String], limit: Int, bytesMax: Int
    ) -> String {
        // Of a text that is too long, the result has more than these.
        let size = ["destination", "details", "note"].map {
            "least(coalesce(octet_length(l.\($0)), 0), \(textBytesMax))"
        }.joined(separator: " + ")
        let own = order.map { "l.\($0)" }.joined(separator: ", ")
        return """
            SELECT * FROM (
              SELECT \(columns), sum(\(size)) OVER (ORDER BY \(own)) - (\(size)) AS ahead
              \(rows) ORDER BY \(own) LIMIT \(limit)) page
            WHERE ahead < \(bytesMax) ORDER BY \(order.joined(separator: ", "))
            """
    }

    func forEachLink(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID?, _ body: (LinkKeys) -> Void
    ) throws(StoreError) {
        guard let chosen = Self.conditions(filter, after: last, upTo: end) else { return }
        let result = try run(
            PostgreSQLStatement(
                """
                SELECT l.id, \(Self.slug("l")), l.ends, l.generation\(chosen.search == nil ? "" : ", \(Self.searched)")
                \(Self.tables) WHERE \(chosen.text)
                """, values: chosen.values))[0]
        for row in result.rows {
            if let search = chosen.search, !search.isPart(of: row.text(4)) { continue }
            body(
                LinkKeys(
                    number: row.integer(0), slug: row.text(1), until: row.optionalInteger(2),
                    generation: row.integer(3)))
        }
    }

    /// The conditions of a list, with their values, and the search for what is in the searched texts of a row that meets them;
    /// nil if no link can meet them.
    private static func conditions(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID?
    ) -> (text: String, values: [PostgreSQLValue], search: SearchedText?)? {
        let texts = [filter.collection, filter.tag, filter.text].compactMap(\.self)
        guard texts.allSatisfy(\.canBeStored) else { return nil }
        var (conditions, values) = (["true"], [PostgreSQLValue]())
        func add(_ condition: String, _ value: PostgreSQLValue, _ end: String = "") {
            values.append(value)
            conditions.append("\(condition)$\(values.count)\(end)")
        }
        if !filter.includesDeleted { conditions.append("l.deleted IS NULL") }
        if let ids = filter.ids { add("l.uid = ANY(", .blobs(ids.map(\.bytes)), ")") }
        let isReverse = filter.isNewestFirst
        if let last { add(isReverse ? "l.uid < " : "l.uid > ", .blob(last.bytes)) }
        if let end { add(isReverse ? "l.uid >= " : "l.uid <= ", .blob(end.bytes)) }
        if let collection = filter.collection { add("c.name = ", .text(collection)) }
        if let names = filter.collections { add("c.name = ANY(", .texts(names), ")") }
        if let isDisabled = filter.isDisabled { add("l.disabled = ", .boolean(isDisabled)) }
        if filter.isOfArchive {
            conditions.append("l.archived")
        } else if !filter.includesArchived {
            conditions.append("NOT l.archived")
        }
        if filter.isUntagged {
            conditions.append("btrim(coalesce(l.tags, ''), E'\\n') = ''")
        } else if let tag = filter.tag {
            add("position(", .text("\n\(tag)\n"), " IN l.tags) > 0")
        }
        // As SQLite does it, texts of ASCII are compared by the database.
        let search = filter.text.flatMap {
            $0.utf8.allSatisfy { $0 < 0x80 } ? nil : SearchedText($0)
        }
        if search == nil, let text = filter.text {
            add(
                "position(lower(", .text(text),
                " COLLATE \"C\") IN lower(\(Self.searched) COLLATE \"C\")) > 0")
        }
        return (conditions.joined(separator: " AND "), values, search)
    }

    /// The texts in which people search, with line ends between them.
    private static let searched = """
        concat_ws(E'\\n', \(slug("l")), \(text("l.destination")), \(text("l.note")),
          \(details) #>> '{page,title}', \(details) #>> '{page,description}',
          (SELECT string_agg(a.slug, E'\\n') FROM waymark.slug a WHERE a.link = l.id AND a.place > 0))
        """
    /// Of details that are too long, the beginning would be no JSON.
    private static let details =
        "(CASE WHEN octet_length(l.details) <= \(textBytesMax) THEN l.details::json END)"

    func facts(after row: Int, limit: Int) throws(StoreError) -> [LinkFacts] {
        try facts("l.id > $1 ORDER BY l.id LIMIT $2", [.integer(row), .integer(limit)])
    }

    func facts(of ids: [LinkID]) throws(StoreError) -> [LinkFacts] {
        try facts("l.uid = ANY($1) ORDER BY l.id", [.blobs(ids.map(\.bytes))])
    }

    func facts(
        changedAfter place: ChangePlace, upTo generation: Int, limit: Int
    ) throws(StoreError) -> (facts: [LinkFacts], last: ChangePlace?) {
        let own = try facts(
            """
            (l.generation, l.uid) > ($1, $2) AND l.generation <= $3
            ORDER BY l.generation, l.uid LIMIT $4
            """,
            [
                .integer(place.generation), .blob(place.idBytes), .integer(generation),
                .integer(limit),
            ])
        return (own, own.count == limit ? own.last?.place : nil)
    }

    func ids(of numbers: [Int]) throws(StoreError) -> [LinkID] {
        try run("SELECT uid FROM waymark.link WHERE id = ANY($1)", .integers(numbers)).rows
            .compactMap { LinkID($0.bytes(0)) }
    }

    func links(
        withNote text: [UInt8], after last: LinkID?, rows limit: Int, _ body: (LinkID) -> Void
    ) throws(StoreError) -> LinkID? {
        // Rows without a note count, too, so that a statement has an end. Of these rows, the server sends those that have the
        // text, and the last one.
        let result = try run(
            """
            SELECT p.uid, p.has, p.place FROM (
              SELECT l.uid, row_number() OVER (ORDER BY l.uid) AS place, coalesce(
                position(lower($3::text COLLATE "C") IN lower(l.note COLLATE "C")) > 0, false) AS has
              FROM (
                SELECT uid, note FROM waymark.link WHERE uid > $1::bytea
                ORDER BY uid LIMIT $2::bigint) l) p
            WHERE p.has OR p.place = $2::bigint ORDER BY p.place
            """, .blob(last?.bytes ?? []), .integer(limit),
            .text(String(decoding: text, as: UTF8.self)))
        var end = LinkID?.none
        for row in result.rows {
            guard let id = LinkID(row.bytes(0)) else { continue }
            if row.boolean(1) { body(id) }
            if row.integer(2) == limit { end = id }
        }
        return end
    }

    private func facts(
        _ condition: String, _ values: [PostgreSQLValue]
    ) throws(StoreError) -> [LinkFacts] {
        try read(
            """
            SELECT l.id, l.uid, c.name, \(Self.text("l.tags")), \(Self.text("l.destination")), l.generation
            \(Self.tables) WHERE \(condition)
            """, values
        ) { LinkFacts($0) }
    }

    func link(_ filter: LinkFilter, after last: LinkID?, rows: Int) throws(StoreError) -> LinkID? {
        guard filter.collection?.canBeStored ?? true else { return nil }
        let result = try run(
            "SELECT uid \(Self.order(filter)) LIMIT 1 OFFSET $3",
            last.map { .blob($0.bytes) } ?? .null, .optional(filter.collection),
            .integer(rows - 1))
        return result.first.flatMap { LinkID($0.bytes(0)) }
    }

    /// The links after one in the order of a list, or those of a collection.
    private static func order(_ filter: LinkFilter) -> String {
        """
        FROM waymark.link
        WHERE ($1::bytea IS NULL OR uid \(filter.isNewestFirst ? "<" : ">") $1)
          AND ($2::text IS NULL OR collection =
            (SELECT id FROM waymark.collection WHERE name = $2::text))
        ORDER BY uid \(filter.isNewestFirst ? "DESC" : "ASC")
        """
    }

    func ids(
        _ filter: LinkFilter, after last: LinkID?, rows: Int, limit: Int, _ isAmong: (Int) -> Bool
    ) throws(StoreError) -> (ids: [LinkID], last: LinkID?) {
        guard filter.collection?.canBeStored ?? true else { return ([], nil) }
        let found = try run(
            "SELECT id, uid \(Self.order(filter)) LIMIT $3",
            last.map { .blob($0.bytes) } ?? .null, .optional(filter.collection), .integer(rows))
        var (ids, end, looked) = ([LinkID](), LinkID?.none, 0)
        for row in found.rows {
            looked += 1
            let isFound = isAmong(row.integer(0))
            guard isFound || looked == rows, let id = LinkID(row.bytes(1)) else { continue }
            end = id
            if isFound { ids.append(id) }
            if ids.count == limit { return (ids, end) }
        }
        return (ids, looked == rows ? end : nil)
    }

    func changes(
        after place: ChangePlace, upTo generation: Int, in collections: [String]?, limit: Int,
        bytesMax: Int, rows most: Int
    ) throws(StoreError) -> (links: [StoredLink], last: ChangePlace?) {
        let part = """
            FROM waymark.link WHERE (generation, uid) > ($1, $2) AND generation <= $3
            ORDER BY generation, uid
            """
        let values: [PostgreSQLValue] = [
            .integer(place.generation), .blob(place.idBytes), .integer(generation),
        ]
        let condition = collections == nil ? "" : "WHERE c.name = ANY($4)"
        // Other nodes take links away from the part, never add any. So its end is read first.
        let results = try run(
            PostgreSQLStatement(
                "SELECT generation, uid \(part) LIMIT 1 OFFSET \(most - 1)", values: values),
            PostgreSQLStatement(
                Self.page(
                    """
                    FROM (SELECT * \(part) LIMIT \(most)) l
                    JOIN waymark.collection c ON c.id = l.collection \(condition)
                    """, ["generation", "uid"], limit: limit, bytesMax: bytesMax),
                values: values + (collections.map { [.texts($0)] } ?? [])))
        let end = results[0].first.map {
            ChangePlace(generation: $0.integer(0), id: LinkID($0.bytes(1)))
        }
        let found = results[1].rows.compactMap { $0.link?.link }.filter { link in
            end.map { !$0.isBefore(link) } ?? true
        }
        let isCut = found.count == limit || found.reduce(0) { $0 + $1.byteCount } >= bytesMax
        let last = found.last.map { ChangePlace(generation: $0.generation, id: $0.id) }
        return (found, isCut ? last : end)
    }

    func historyMark(at generation: Int) throws(StoreError) -> String {
        let result = try run(
            """
            SELECT encode(mark, 'hex') FROM waymark.change WHERE generation <= $1
            ORDER BY generation DESC LIMIT 1
            """, .integer(generation))
        return result.first?.text(0) ?? ""
    }
}

extension PostgreSQLRow {
    /// A row of the columns of a link.
    fileprivate var link: NumberedLink? {
        guard var link = StoredLink(self) else { return nil }
        link.aliases = parts(of: text(17), at: "\n")
        return (integer(0), link)
    }
}

extension LinkKey {
    /// The texts that a link is looked for by.
    fileprivate var texts: [String] {
        switch self {
        case .id, .row: []
        case .externalID(let name): [name]
        case .slug(let collection, let slug): [collection, slug]
        }
    }
}

extension String {
    /// True without U+0000, which PostgreSQL refuses in each text, also in one that is compared.
    fileprivate var canBeStored: Bool { !utf8.contains(0) }
}
