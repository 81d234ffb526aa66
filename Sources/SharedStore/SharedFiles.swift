package import LinkStore
internal import PostgreSQL
internal import Sockets

/// Small files in a database that several nodes share, which one node at a time changes, and all follow. It belongs to
/// one thread.
///
/// Whoever has the lease changes them. A lease ends by the database's clock if it is not renewed, and each has a number,
/// its fence: a change by a node whose lease was given to another is refused, however late it comes. Each change has a
/// version, and is committed while the row with the version is locked, so that no node misses one.
package final class SharedFiles {
    private let database: SharedDatabase
    /// The last version that was read, on a connection of this number: another one may be to another history.
    private var seen = (session: 0, version: 0)
    /// The fence of this node's lease; nil if it has none.
    private var fence: Int?

    /// A file as it is in the database.
    package struct File: Sendable {
        package let name: String
        /// The number of the key that it is encrypted with.
        package let key: [UInt8]
        /// Nil for one that was removed.
        package let content: [UInt8]?

        package init(_ name: String, key: [UInt8], content: [UInt8]?) {
            (self.name, self.key, self.content) = (name, key, content)
        }
    }

    /// The changes that a node did not know.
    package struct News: Sendable {
        /// The version of the last change.
        package fileprivate(set) var version = 0
        /// Whether `files` are all that there are.
        package fileprivate(set) var isWhole = false
        package fileprivate(set) var files = [File]()
        /// The node that has the lease; nil if none has.
        package fileprivate(set) var holder: String?
    }

    /// Loads the library; a connection is made when it is needed.
    package init(_ place: PostgreSQLPlace) throws(StoreError) {
        database = try SharedDatabase(place, setup: "LISTEN waymark_certificates")
    }

    package static let leaseMilliseconds = 300_000

    /// The reason why this program must not change the files, as of the last look: a newer one has made the tables. Nil if
    /// it may.
    package var writingFault: StoreError? { database.writingFault }

    /// Ends a wait when another node has changed something; nil without a connection.
    package var newsSource: Int? { database.connection?.descriptor }

    /// Whether another node has told of a change since this was last asked, or of the end of the connection.
    package func takeNotice() -> Bool {
        guard let connection = database.connection else { return false }
        do throws(PostgreSQLError) {
            return try !connection.notifications(by: Deadline(in: 0)).isEmpty
        } catch {
            return true
        }
    }

    /// Reads all files with the next look at them.
    package func forget() { seen = (0, 0) }

    // MARK: Following

    /// Reads what has changed since the last look.
    package func follow() throws(StoreError) -> News {
        try look([]).news
    }

    /// Reads the state after some statements, and then the files: a change that is committed in between is read, and its
    /// version is greater than that of the state.
    private func look(
        _ before: [PostgreSQLStatement]
    ) throws(StoreError) -> (news: News, answers: [PostgreSQLResult]) {
        while true {
            let (results, after) = try run { version in
                before + [Self.state, Self.files(after: version), PostgreSQLSchema.selection]
            }
            // A newer program may have changed the tables since the connection was made.
            if let row = results[before.count + 2].first {
                try database.note(PostgreSQLSchema(row, from: 0))
            }
            let (state, files) = (results[before.count].first, results[before.count + 1])
            guard let state, state.integer(0) >= after else {
                // The database was restored.
                guard after > 0 else { throw database.error(.isForeign) }
                forget()
                continue
            }
            var news = News()
            news.isWhole = after == 0
            news.version = files.rows.reduce(state.integer(0)) { max($0, $1.integer(3)) }
            news.holder = state.isNull(1) ? nil : state.text(1)
            news.files = files.rows.map { row in
                File(
                    row.text(0), key: row.isNull(1) ? [] : row.bytes(1),
                    content: row.isNull(2) ? nil : row.bytes(2))
            }
            seen = (database.session, news.version)
            return (news, Array(results.prefix(before.count)))
        }
    }

    /// Runs statements that are made for the version that is known on the connection.
    private func run(
        _ statements: (Int) -> [PostgreSQLStatement]
    ) throws(StoreError) -> (results: [PostgreSQLResult], version: Int) {
        var version = 0
        let (database, seen) = (database, seen)
        let results = try database.repeating { connection, deadline throws(PostgreSQLError) in
            version = seen.session == database.session ? seen.version : 0
            return try connection.run(statements(version), by: deadline)
        }
        return (results, version)
    }

    private func run(
        _ statements: PostgreSQLStatement...
    ) throws(StoreError) -> [PostgreSQLResult] {
        try run { _ in statements }.results
    }

    private static let state = PostgreSQLStatement(
        """
        SELECT version, CASE WHEN until > \(now) THEN holder END FROM waymark.certificate_state
        """)

    private static func files(after version: Int) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT name, key, content, version FROM waymark.certificate_file WHERE version > $1
            """, .integer(version))
    }

    /// The time of the database's clock, in milliseconds since 1970.
    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

    // MARK: The lease

    /// Whether this node has the lease, as far as it knows.
    package var hasLease: Bool { fence != nil }

    /// Takes the lease, unless another node has it, and reads what has changed: nobody else changes anything from then
    /// on.
    package func takeLease() throws(StoreError) -> News {
        try database.checkWritable()
        let (news, answers) = try look([
            PostgreSQLStatement(
                """
                UPDATE waymark.certificate_state
                SET holder = $1, fence = fence + 1, until = \(Self.now) + \(Self.leaseMilliseconds)
                WHERE holder IS NULL OR holder = $1 OR until <= \(Self.now) RETURNING fence
                """, .text(database.place.node))
        ])
        fence = answers[0].first?.integer(0)
        if let fault = database.writingFault {
            endLease()
            throw fault
        }
        return news
    }

    /// Renews the lease.
    /// - Returns: false if it was given to another node.
    package func renewLease() throws(StoreError) -> Bool {
        guard let fence else { return false }
        let result = try run(
            PostgreSQLStatement(
                """
                UPDATE waymark.certificate_state
                SET until = \(Self.now) + \(Self.leaseMilliseconds)
                WHERE fence = $1 AND holder = $2 RETURNING 1
                """, .integer(fence), .text(database.place.node)))
        if result[0].first == nil { self.fence = nil }
        return hasLease
    }

    /// Gives the lease back, if the database answers; else it ends by its time.
    package func endLease() {
        guard let fence else { return }
        self.fence = nil
        // Nobody waits for another connection, nor for long: the process may be ending.
        guard let connection = database.connection, connection.failure == nil else { return }
        _ = try? connection.run(
            [
                PostgreSQLStatement(
                    """
                    UPDATE waymark.certificate_state SET holder = NULL, until = 0
                    WHERE fence = $1 AND holder = $2
                    """, .integer(fence), .text(database.place.node)),
                Self.notification,
            ], by: Deadline(in: Self.endMilliseconds))
    }

    private static let endMilliseconds = 800

    /// Changes files, and renews the lease.
    /// - Returns: the version of the change; nil if the lease was given to another node, and nothing was changed.
    package func write(_ files: [File]) throws(StoreError) -> Int? {
        guard let fence else { return nil }
        let (results, known) = try run { _ in
            [
                PostgreSQLStatement(
                    """
                    UPDATE waymark.certificate_state
                    SET version = version + 1, until = \(Self.now) + \(Self.leaseMilliseconds)
                    WHERE fence = $1 AND holder = $2 RETURNING version
                    """, .integer(fence), .text(database.place.node)),
                // The row of the state is locked, and is read as it is since then.
                PostgreSQLStatement(
                    """
                    INSERT INTO waymark.certificate_file (name, key, content, version)
                    SELECT f.name, f.key, f.content, s.version
                    FROM unnest($1::text[], $2::bytea[], $3::bytea[]) f (name, key, content)
                    CROSS JOIN waymark.certificate_state s WHERE s.fence = $4 AND s.holder = $5
                    ON CONFLICT (name) DO UPDATE SET key = excluded.key, content = excluded.content,
                      version = excluded.version
                    """, .texts(files.map(\.name)), .blobs(files.map(\.key)),
                    .blobs(files.map(\.content)), .integer(fence), .text(database.place.node)),
                Self.notification,
            ]
        }
        guard let version = results[0].first?.integer(0) else {
            self.fence = nil
            return nil
        }
        // Its own changes are no news.
        if known == version - 1, seen.session == database.session { seen.version = version }
        return version
    }

    private static let notification = PostgreSQLStatement(
        "SELECT pg_notify('waymark_certificates', '')")

    // MARK: The other nodes

    /// Tells the other nodes that this one has read all changes up to a version.
    /// - Returns: false if this node is not in the table of nodes yet.
    package func tellRead(_ version: Int) throws(StoreError) -> Bool {
        try run(
            PostgreSQLStatement(
                "UPDATE waymark.node SET certificates = $1 WHERE name = $2 RETURNING 1",
                .integer(version), .text(database.place.node)))[0].first != nil
    }

    /// The number of other nodes that are there, and have not told that they have read all changes up to a version.
    package func countLate(_ version: Int) throws(StoreError) -> Int {
        try run(
            PostgreSQLStatement(
                """
                SELECT count(*) FROM waymark.node
                WHERE seen > \(Self.now) - \(StoreFleet.presentMilliseconds)
                  AND name <> $1 AND coalesce(certificates, -1) < $2
                """, .text(database.place.node), .integer(version)))[0].first?.integer(0) ?? 0
    }
}
