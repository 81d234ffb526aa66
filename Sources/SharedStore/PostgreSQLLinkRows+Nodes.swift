internal import LinkStore
internal import PostgreSQL

// The nodes that share the database, each with a row that it writes anew every few seconds.

extension PostgreSQLLinkRows {
    func announce(
        _ report: NodeReport, generation: Int, at now: Int
    ) throws(StoreError) -> StoreFleet? {
        let results = try run(
            PostgreSQLStatement(
                """
                INSERT INTO waymark.node AS n
                  (name, version, configuration, generation, clock_offset, started, seen)
                SELECT $1, $2, $3, $4::bigint, $5::bigint - t.now, t.now, t.now FROM \(Self.now) t
                ON CONFLICT (name) DO UPDATE SET version = excluded.version,
                  configuration = excluded.configuration, generation = excluded.generation,
                  clock_offset = excluded.clock_offset, seen = excluded.seen
                """, .text(place.node), .text(report.version), .text(report.configuration),
                .integer(generation), .integer(now)),
            PostgreSQLStatement(
                "DELETE FROM waymark.node n USING \(Self.now) t WHERE n.seen NOT BETWEEN t.now - $1 AND t.now + $1",
                .integer(StoreFleet.keptMilliseconds)), Self.nodes)
        return try fleet(results[2])
    }

    func fleet(askingAll isAsking: Bool) throws(StoreError) -> StoreFleet? {
        guard isAsking else { return try fleet(run(Self.nodes)[0]) }
        return try fleet(run(Self.question, Self.nodes)[1])
    }

    private static let question = PostgreSQLStatement(
        "SELECT pg_notify('waymark', '\(questionWord)')")
    /// The payload of a notification by which a node asks the others which generation they have.
    static let questionWord = "generation?"

    func leave() {
        guard let connection = database.connection, connection.failure == nil else { return }
        _ = try? connection.run(
            "DELETE FROM waymark.node WHERE name = $1", .text(place.node),
            by: database.statementDeadline)
    }

    private func fleet(_ result: PostgreSQLResult) throws(StoreError) -> StoreFleet {
        guard let first = result.first else { throw error(.isForeign) }
        let nodes = result.rows.filter { !$0.isNull(0) }.map { row in
            StoreNode(
                name: row.text(0),
                NodeReport(version: row.text(1), configuration: row.text(2)),
                generation: row.integer(3), clockOffset: row.integer(4), started: row.integer(5),
                seen: row.integer(6), isUp: row.boolean(7))
        }
        return StoreFleet(
            nodes: nodes, own: place.node, generation: first.integer(8),
            isSynchronous: first.boolean(9), isNotified: notificationWatch.isNotified)
    }

    /// Whether a node is there that was seen at a time. The database's clock may have been set back since, which each node
    /// that is there notices when it tells of itself.
    static func isPresent(_ seen: String, now: String) -> String {
        let milliseconds = StoreFleet.presentMilliseconds
        return "\(seen) > \(now) - \(milliseconds) AND \(seen) < \(now) + \(milliseconds)"
    }

    /// The time of the database's clock, in milliseconds since 1970.
    private static let now = """
        (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now)
        """

    private static let nodes = PostgreSQLStatement(
        """
        SELECT left(n.name, 256), left(n.version, 64), left(n.configuration, 64), n.generation, n.clock_offset, n.started, n.seen,
          \(isPresent("n.seen", now: "t.now")), s.generation,
          current_setting('synchronous_standby_names') <> ''
        FROM waymark.store s CROSS JOIN \(now) t LEFT JOIN waymark.node n ON true ORDER BY n.name
        """)
}
