internal import LinkIndex
internal import LinkStore
internal import PostgreSQL
internal import Sockets

// Reading the commits of other nodes, and all links at the start.

extension PostgreSQLLinkRows {
    /// Locks the row of the store, and looks for the marks of the known generation and of the last one: only
    /// after that, because a statement sees what was committed when it began.
    static func lock(after generation: Int) -> [PostgreSQLStatement] {
        [
            PostgreSQLStatement(
                """
                UPDATE waymark.store SET generation = generation + 1
                RETURNING generation - 1, last_link, tokens
                """),
            marks("s.generation - 1", after: generation),
        ]
    }

    private static func marks(_ last: String, after generation: Int) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT (SELECT \(mark("mark")) FROM waymark.change WHERE generation = $1), \(mark("c.mark")),
              s.generation, s.last_link, s.tokens, s.identity, v.version, v.min_reader, v.min_writer,
              (extract(epoch FROM clock_timestamp()) * 1000)::bigint
            FROM waymark.store s LEFT JOIN waymark.change c ON c.generation = \(last)
            CROSS JOIN waymark.schema v
            """, .integer(generation))
    }

    /// A mark has eight bytes. Another program may have written any number of them.
    private static func mark(_ column: String) -> String { "substr(\(column), 1, 64)" }

    /// Notes the version of the tables that `marks` has found, which a newer program may have raised.
    func noteSchema(_ marks: PostgreSQLResult) throws(StoreError) {
        guard let row = marks.first else { throw error(.isForeign) }
        try database.note(PostgreSQLSchema(row, from: 6))
    }

    /// The links that have changed after a place, with their slugs.
    /// - Parameter id: the number of the last link of the generation that is known. Usually all of them are.
    static func feed(after generation: Int, _ id: Int = .max) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT l.id, l.generation, l.uid, c.name, \(texts), l.disabled, l.starts, l.ends, l.deleted,
              \(slug("l")), \(slug("s"))
            FROM (SELECT * FROM waymark.link WHERE (generation, id) > ($1, $2)
                  ORDER BY generation, id LIMIT \(pageLinks)) l
            JOIN waymark.collection c ON c.id = l.collection
            LEFT JOIN waymark.slug s ON s.link = l.id
            ORDER BY l.generation, l.id, s.place
            """, .integer(generation), .integer(id))
    }

    /// The long texts of a link, which come with its own slug alone: the index has them once. A slug that no
    /// record can have leaves them to the aliases.
    private static let texts = [
        ("destination", LinkRecord.destinationBytesMax), ("details", LinkRecord.detailsBytesMax),
    ].map { column, bytesMax in
        """
        CASE WHEN s.place = 0 OR octet_length(l.slug) NOT BETWEEN 1 AND \(LinkRecord.slugBytesMax)
          THEN \(bounded("l.\(column)", bytesMax)) END
        """
    }.joined(separator: ", ")

    /// The beginning of a text that no link can have, because another program has written it: enough to see that. All of it
    /// could be more than an answer may have, and would keep all other links from being read.
    static func bounded(_ column: String, _ bytesMax: Int) -> String {
        "CASE WHEN octet_length(\(column)) > \(bytesMax) THEN left(\(column), \(bytesMax + 1)) ELSE \(column) END"
    }

    /// The slug of a row, bounded in the same way.
    static func slug(_ table: String) -> String {
        bounded("\(table).slug", LinkRecord.slugBytesMax)
    }

    fileprivate static let pageLinks = 10_000

    func news(after generation: Int) throws(StoreError) -> StoreNews? {
        var isAsked = false
        let results: [PostgreSQLResult]
        do throws(StoreError) {
            results = try repeating { connection, deadline throws(PostgreSQLError) in
                // The notifications that have woken this node are removed. The statements read what they announce.
                let woken = try connection.notifications(by: Deadline(in: 0))
                isAsked = isAsked || woken.contains { $0.text == Self.questionWord }
                // Its own come back to a node, and so do its questions.
                let own = [Self.questionWord, place.node]
                if woken.contains(where: { !own.contains($0.text) }) { notificationWatch.hear() }
                let sent = Clock.unixMilliseconds
                let results = try connection.run(
                    [Self.marks("s.generation", after: generation), Self.feed(after: generation)],
                    by: deadline)
                place.clock.note(results[0].first?.integer(9), askedAt: sent)
                return results
            }
        } catch {
            // The tables are others, or none: connecting finds out.
            if case .database(_, .refused) = error {
                database.disconnect()
                _ = try database.connected()
            }
            throw error
        }
        guard let row = results[0].first else { throw error(.isForeign) }
        try noteSchema(results[0])
        var news = try news(
            after: generation,
            (generation: row.integer(2), lastRow: row.integer(3), tokens: row.integer(4)),
            marks: results[0], feed: results[1])
        news.isAsked = isAsked
        if news.isOtherHistory { ownGeneration = 0 }
        notificationWatch.note(
            isChanged: !news.isOtherHistory && news.generation > max(generation, ownGeneration),
            session: database.session, at: Clock.monotonicMilliseconds)
        return news
    }

    /// Reads the answers to `lock` and `feed`, and what is left of the feed.
    func news(
        after generation: Int, _ store: PostgreSQLResult, marks: PostgreSQLResult,
        feed: PostgreSQLResult
    ) throws(StoreError) -> StoreNews {
        guard let row = store.first else { throw error(.isForeign) }
        return try news(
            after: generation,
            (generation: row.integer(0), lastRow: row.integer(1), tokens: row.integer(2)),
            marks: marks, feed: feed)
    }

    private func news(
        after generation: Int, _ store: (generation: Int, lastRow: Int, tokens: Int),
        marks: PostgreSQLResult, feed: PostgreSQLResult
    ) throws(StoreError) -> StoreNews {
        guard let row = marks.first else { throw error(.isForeign) }
        try check(store.generation)
        var news = StoreNews(generation: store.generation, lastRow: store.lastRow)
        // The first generation has no mark, and neither has one that an operator has set.
        let mark = row.isNull(0) ? nil : row.bytes(0)
        guard mark == known.mark, store.generation >= generation else {
            news.isOtherHistory = true
            news.identity = row.bytes(5)
            return news
        }
        news.hasTokens = store.tokens != known.tokens
        var (page, bytes) = (feed, feed.messageBytes)
        while let last = news.add(page) {
            page = try run(Self.feed(after: last.generation, last.id))[0]
            // All links together have no more, and each is there once.
            bytes += page.messageBytes
            guard bytes <= place.limits.loadBytes else {
                throw error(.refused("its changes have more than \(place.limits.loadBytes) bytes"))
            }
        }
        // Last, because a page that fails leaves the generation as it was.
        known = KnownStore(
            mark: row.isNull(1) ? nil : row.bytes(1), lastRow: store.lastRow, tokens: store.tokens,
            identity: row.bytes(5))
        return news
    }

    /// Refuses a generation that no node has made, and after which there may be none.
    private func check(_ generation: Int) throws(StoreError) {
        guard 0..<Int.max ~= generation else {
            throw error(.refused("it has the generation \(generation), which no node has made"))
        }
    }

    func load(_ loading: inout LinkLoading) throws(StoreError) -> LoadedRows {
        let (rows, generation) = try read(&loading)
        try check(generation)
        return rows
    }

    private func read(
        _ loading: inout LinkLoading
    ) throws(StoreError) -> (rows: LoadedRows, generation: Int) {
        try repeating { connection, deadline throws(PostgreSQLError) in
            loading = LinkLoading()
            collections = [:]
            // It has changed nothing. Its end has a time of its own, because the load may take any.
            defer { connection.rollBack() }
            let sent = Clock.unixMilliseconds
            let results = try connection.begin(
                [
                    PostgreSQLStatement(
                        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
                    PostgreSQLStatement(
                        """
                        SELECT s.generation, s.last_link, s.tokens, \(Self.mark("c.mark")), s.identity,
                          (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                        FROM waymark.store s
                        LEFT JOIN waymark.change c ON c.generation = s.generation
                        """),
                    PostgreSQLStatement("SELECT id, name FROM waymark.collection"),
                    PostgreSQLStatement("SELECT uid FROM waymark.link ORDER BY uid DESC LIMIT 1"),
                ], by: deadline)
            place.clock.note(results[1].first?.integer(5), askedAt: sent)
            var names = [Int: UInt32]()
            for row in results[2].rows {
                let name = CollectionName(row.text(1))
                names[row.integer(0)] = name.number
                loading.add(name)
            }
            try connection.copy(Self.all) { row in
                loading.add(row, of: names[row.integer(1)] ?? 0)
            }
            let store = results[1].first
            known = KnownStore(
                mark: store.flatMap { $0.isNull(3) ? nil : $0.bytes(3) },
                lastRow: store?.integer(1) ?? 0, tokens: store?.integer(2) ?? 0,
                identity: store?.bytes(4) ?? [])
            loading.skipNumbers(to: known.lastRow)
            let generation = store?.integer(0) ?? 0
            let rows = LoadedRows(
                generation: generation,
                lastID: results[3].first.flatMap { LinkID($0.bytes(0)) })
            return (rows, generation)
        }
    }

    static let all = """
        SELECT l.id, l.collection, \(texts), l.disabled, l.starts, l.ends, l.deleted, \(slug("s")),
          CASE WHEN s.place > 0 THEN \(slug("l")) END
        FROM waymark.slug s JOIN waymark.link l ON l.id = s.link
        """
}

extension PostgreSQLCopyReader: StoreRow {}

extension StoreNews {
    /// Adds a page of the feed.
    /// - Returns: the place of its last link if there may be more.
    fileprivate mutating func add(_ page: PostgreSQLResult) -> (generation: Int, id: Int)? {
        var links = 0
        var last: (generation: Int, id: Int)?
        for row in page.rows {
            let (id, generation) = (row.integer(0), row.integer(1))
            if id != last?.id { links += 1 }
            last = (generation, id)
            let collection = row.text(3)
            if collections.last != collection { collections.append(collection) }
            var record = LinkRecord(
                collection: CollectionName(collection).number,
                id: UInt64(bitPattern: Int64(id)), slug: row.bytes(11))
            if row.bytes(10) != record.slug { record.ownSlug = row.bytes(10) }
            if !row.isNull(9) {
                record.state = .deleted
            } else {
                record.state = row.boolean(6) ? .disabled : .active
                (record.from, record.until) = (row.optionalInteger(7), row.optionalInteger(8))
                (record.destination, record.details) = (row.bytes(4), row.bytes(5))
            }
            let change = LinkChange(record)
            if let change { changes.append(change) }
            if let oddity = change.map(\.oddity) ?? .slugBytes(record.slug.count) {
                unanswered.add(String(decoding: record.slug, as: UTF8.self), oddity, row: id)
            }
            if let id = LinkID(row.bytes(2)), lastID.map({ $0.isBefore(id) }) ?? true {
                lastID = id
            }
        }
        return links == PostgreSQLLinkRows.pageLinks ? last : nil
    }
}
