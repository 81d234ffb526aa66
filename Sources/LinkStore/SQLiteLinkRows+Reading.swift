internal import SQLite

extension SQLiteLinkRows {
    private static let columns = """
        l.id, l.uid, c.name, l.slug, l.destination, l.details, l.tags, l.note, l.disabled,
        l.archived, l.starts, l.ends, l.external_id, l.created, l.updated, l.deleted, l.generation
        """
    static let selection = "SELECT \(columns) FROM link l JOIN collection c ON c.id = l.collection"

    func link(_ key: LinkKey) throws(StoreError) -> NumberedLink? {
        switch key {
        case .id(let id): try first("\(Self.selection) WHERE l.uid = ?", [.blob(id.bytes)])
        case .row(let row): try first("\(Self.selection) WHERE l.id = ?", [.integer(row)])
        case .externalID(let name):
            try first("\(Self.selection) WHERE l.external_id = ?", [.text(name)])
        case .slug(let collection, let slug):
            try link(collection, slug: slug)
        }
    }

    private func link(_ collection: String, slug: String) throws(StoreError) -> NumberedLink? {
        let values = [SQLiteValue.text(collection), .text(slug)]
        if let own = try first("\(Self.selection) WHERE c.name = ? AND l.slug = ?", values) {
            return own
        }
        return try first(
            """
            \(Self.selection) JOIN alias a ON a.link = l.id
            WHERE a.collection = (SELECT id FROM collection WHERE name = ?) AND a.slug = ?
            """, values)
    }

    func hasCollection(_ name: String) throws(StoreError) -> Bool {
        try !read("SELECT 1 FROM collection WHERE name = ?", [.text(name)]) { _ in true }.isEmpty
    }

    func links(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID?, limit: Int, bytesMax: Int
    ) throws(StoreError) -> [NumberedLink] {
        let chosen = LinkConditions(filter, after: last, upTo: end)
        let search = chosen.search
        let selection = search == nil ? Self.selection : Self.searchedSelection
        let order = "ORDER BY l.uid \(filter.isNewestFirst ? "DESC" : "ASC") LIMIT ?"
        return try rows(
            "\(selection) WHERE \(chosen.text) \(order)",
            chosen.values + [.integer(search == nil ? limit : -1)], search, rowsMax: limit,
            bytesMax: bytesMax)
    }

    func forEachLink(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID?, _ body: (LinkKeys) -> Void
    ) throws(StoreError) {
        let chosen = LinkConditions(filter, after: last, upTo: end)
        let searched = chosen.search == nil ? "" : ", \(LinkConditions.searched)"
        _ = try read(
            "SELECT l.id, l.slug, l.ends, l.generation\(searched) FROM link l WHERE \(chosen.text)",
            chosen.values
        ) { row -> Never? in
            if let search = chosen.search, !search.isPart(of: row.text(4)) { return nil }
            body(
                LinkKeys(
                    number: row.integer(0), slug: row.text(1), until: row.optionalInteger(2),
                    generation: row.integer(3)))
            return nil
        }
    }

    /// The texts are a column, because SQLite itself folds ASCII only.
    private static let searchedSelection =
        "SELECT \(columns), \(LinkConditions.searched) FROM link l JOIN collection c ON c.id = l.collection"
    /// The number of that column.
    private static let searchedColumn = 17

    func link(_ filter: LinkFilter, after last: LinkID?, rows: Int) throws(StoreError) -> LinkID? {
        let (text, values) = Self.order(filter, after: last)
        return try read("SELECT uid \(text) LIMIT 1 OFFSET ?", values + [.integer(rows - 1)]) {
            LinkID($0.bytes(0))
        }.first
    }

    func ids(
        _ filter: LinkFilter, after last: LinkID?, rows: Int, limit: Int, _ isAmong: (Int) -> Bool
    ) throws(StoreError) -> (ids: [LinkID], last: LinkID?) {
        let (text, values) = Self.order(filter, after: last)
        return try sqlite { () throws(SQLiteError) in
            let statement = try prepared("SELECT id, uid \(text) LIMIT ?")
            defer { statement.reset() }
            try statement.begin(values + [.integer(rows)])
            var (ids, end, looked) = ([LinkID](), LinkID?.none, 0)
            while ids.count < limit, try statement.step() {
                looked += 1
                let isFound = isAmong(statement.integer(0))
                // Of most rows, no identity is made.
                guard isFound || looked == rows else { continue }
                end = LinkID(statement.bytes(1))
                if isFound, let end { ids.append(end) }
            }
            return (ids, ids.count == limit || looked == rows ? end : nil)
        }
    }

    /// The links after one in the order of a list, which an index has: all, or those of a collection.
    private static func order(
        _ filter: LinkFilter, after last: LinkID?
    ) -> (text: String, values: [SQLiteValue]) {
        var (condition, values) = ("length(uid) = 16", [SQLiteValue]())
        if let last {
            condition += filter.isNewestFirst ? " AND uid < ?" : " AND uid > ?"
            values.append(.blob(last.bytes))
        }
        if let collection = filter.collection {
            condition += " AND collection = (SELECT id FROM collection WHERE name = ?)"
            values.append(.text(collection))
        }
        let order = filter.isNewestFirst ? "DESC" : "ASC"
        return ("FROM link WHERE \(condition) ORDER BY uid \(order)", values)
    }

    func first(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> NumberedLink? {
        try rows(sql, values).first
    }

    /// The first row without its aliases, whose slugs are rows of another table.
    func rowAlone(_ sql: String, _ values: [SQLiteValue]) throws(StoreError) -> StoredLink? {
        try read(sql, values) { StoredLink($0) }.first
    }

    /// - Parameters:
    ///   - search: for what is in the searched texts; nil for all rows.
    ///   - bytesMax: none is read after so many bytes of links.
    private func rows(
        _ sql: String, _ values: [SQLiteValue], _ search: SearchedText? = nil,
        rowsMax: Int = .max, bytesMax: Int = .max
    ) throws(StoreError) -> [NumberedLink] {
        var rows = try sqlite { () throws(SQLiteError) in
            let statement = try prepared(sql)
            defer { statement.reset() }
            try statement.begin(values)
            var (rows, bytes) = ([NumberedLink](), 0)
            while rows.count < rowsMax, bytes < bytesMax, try statement.step() {
                if let search, !search.isPart(of: statement.text(Self.searchedColumn)) { continue }
                guard let link = StoredLink(statement) else { continue }
                rows.append((statement.integer(0), link))
                bytes += link.byteCount
            }
            return rows
        }
        for index in rows.indices { rows[index].link.aliases = try aliases(of: rows[index].row) }
        return rows
    }

    private func aliases(of row: Int) throws(StoreError) -> [String] {
        try read("SELECT slug FROM alias WHERE link = ? ORDER BY id", [.integer(row)]) {
            $0.text(0)
        }
    }

    func facts(after row: Int, limit: Int) throws(StoreError) -> [LinkFacts] {
        try facts(
            "l.id > ? AND length(l.uid) = 16 ORDER BY l.id LIMIT ?",
            [.integer(row), .integer(limit)])
    }

    func facts(
        changedAfter place: ChangePlace, upTo generation: Int, limit: Int
    ) throws(StoreError) -> (facts: [LinkFacts], last: ChangePlace?) {
        // A row of another program can have a generation that is still to come.
        let own = try facts(
            """
            (l.generation, l.uid) > (?, ?) AND l.generation <= ? AND length(l.uid) = 16
            ORDER BY l.generation, l.uid LIMIT ?
            """,
            [
                .integer(place.generation), .blob(place.idBytes), .integer(generation),
                .integer(limit),
            ])
        return (own, own.count == limit ? own.last.map { $0.place } : nil)
    }

    func facts(of ids: [LinkID]) throws(StoreError) -> [LinkFacts] {
        try facts("l.uid IN \(LinkConditions.idMarks) ORDER BY l.id", LinkConditions.idValues(ids))
    }

    private func facts(
        _ condition: String, _ values: [SQLiteValue]
    ) throws(StoreError) -> [LinkFacts] {
        try read(
            """
            SELECT l.id, l.uid, c.name, l.tags, l.destination, l.generation
            FROM link l JOIN collection c ON c.id = l.collection WHERE \(condition)
            """, values
        ) { LinkFacts($0) }
    }

    // MARK: Changes

    func changes(
        after place: ChangePlace, upTo generation: Int, in collections: [String]?, limit: Int,
        bytesMax: Int, rows most: Int
    ) throws(StoreError) -> (links: [StoredLink], last: ChangePlace?) {
        var (found, last, looked, bytes) = ([NumberedLink](), ChangePlace?.none, 0, 0)
        try sqlite { () throws(SQLiteError) in
            // A row of another program can have a generation that is still to come. Only numbers are put in order; a cross join keeps
            // that.
            let statement = try prepared(
                """
                SELECT \(Self.columns) FROM (
                  SELECT id FROM link WHERE (generation, uid) > (?, ?) AND generation <= ?
                    AND length(uid) = 16 AND +collection IN (SELECT id FROM collection)
                  ORDER BY generation, uid LIMIT ?) part
                CROSS JOIN link l ON l.id = part.id CROSS JOIN collection c ON c.id = l.collection
                """)
            defer { statement.reset() }
            try statement.begin([
                .integer(place.generation), .blob(place.idBytes), .integer(generation),
                .integer(most),
            ])
            while found.count < limit, bytes < bytesMax, try statement.step() {
                looked += 1
                guard let id = LinkID(statement.bytes(1)) else { continue }
                last = ChangePlace(generation: statement.integer(16), id: id)
                guard collections?.contains(statement.text(2)) ?? true,
                    let link = StoredLink(statement)
                else { continue }
                found.append((statement.integer(0), link))
                bytes += link.byteCount
            }
        }
        for index in found.indices { found[index].link.aliases = try aliases(of: found[index].row) }
        let isOver = found.count < limit && bytes < bytesMax && looked < most
        return (found.map(\.link), isOver ? nil : last)
    }
}
