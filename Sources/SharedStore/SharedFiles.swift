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
    /// The version of the last change before that lease, or with it.
    private var leaseVersion = 0

    /// A file as it is in the database.
    package struct File: Sendable {
        package let name: String
        /// The number of the key that it is encrypted with.
        package let key: [UInt8]
        /// The encrypted content; nil for a file that was removed.
        package let content: [UInt8]?

        package init(_ name: String, key: [UInt8], content: [UInt8]?) {
            (self.name, self.key, self.content) = (name, key, content)
        }
    }

    /// The state of the files as of a look at them.
    package struct News: Sendable {
        /// The version of the last change.
        package fileprivate(set) var version = 0
        /// Whether all files were read, and not those alone that have changed.
        package fileprivate(set) var isWhole = false
        /// The node that has the lease; nil if none has.
        package fileprivate(set) var holder: String?
        /// Whether files have versions that no change had. They are not followed: somebody has changed the tables.
        package fileprivate(set) var isAhead = false
        /// The time of the database's clock, in milliseconds since 1970.
        package fileprivate(set) var time = 0
    }

    /// The state, and what is to be read after it.
    private struct Look {
        var news = News()
        /// The names of the files that have changed, unless all are to be read.
        var changed = [String]()
        /// The answers to the statements before it.
        var answers = [PostgreSQLResult]()
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

    /// Whether a node has told of a change since the last call, or the connection has ended, so that a look is due.
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
    /// - Parameters:
    ///   - names: those that this node has a use for. No others are read.
    ///   - take: takes some files after the other, so that what is of no use is not in memory together. A file whose
    ///     content is too large has an empty one.
    package func follow(_ names: [String], _ take: ([File]) -> Void) throws(StoreError) -> News {
        try read(try look([]), names, take)
    }

    /// Reads the state after some statements. The files are read after it: a change that is committed in between may be
    /// read, and its version is greater than that of the state, so that it is read again.
    private func look(_ before: [PostgreSQLStatement]) throws(StoreError) -> Look {
        while true {
            let (results, after) = try run { version in
                before + [Self.state, Self.names(after: version), PostgreSQLSchema.selection]
            }
            // A newer program may have changed the tables since the connection was made.
            if let row = results[before.count + 2].first {
                try database.note(PostgreSQLSchema(row, from: 0))
            }
            guard let state = results[before.count].first, state.integer(0) >= after else {
                // The database was restored.
                guard after > 0 else { throw database.error(.isForeign) }
                forget()
                continue
            }
            var look = Look()
            look.changed = results[before.count + 1].rows.map { $0.text(0) }
            look.news.version = state.integer(0)
            look.news.isWhole = after == 0 || look.changed.count > Self.changesMax
            look.news.holder = state.isNull(1) ? nil : state.text(1)
            look.news.isAhead = state.boolean(2)
            look.news.time = state.integer(3)
            look.answers = Array(results.prefix(before.count))
            return look
        }
    }

    /// More are read with all others.
    private static let changesMax = 10_000

    /// Reads the files of a look, some at a time: each statement has its own time, and an answer has a size that does
    /// not depend on what somebody has written.
    private func read(
        _ look: Look, _ names: [String], _ take: ([File]) -> Void
    ) throws(StoreError) -> News {
        let session = database.session
        var meant = look.news.version == 0 ? [] : names
        if !look.news.isWhole {
            let changed = Set(look.changed)
            meant = changed.isEmpty ? [] : names.filter { changed.contains($0) }
        }
        for start in stride(from: 0, to: meant.count, by: Self.pageFiles) {
            let page = Array(meant[start..<min(start + Self.pageFiles, meant.count)])
            let (files, large) = try read(page, bytesMax: Self.pageBytesMax, session)
            take(files)
            for name in large { take(try read([name], bytesMax: Self.bytesMax, session).files) }
        }
        seen = (session, look.news.version)
        return look.news
    }

    /// - Returns: the files, and the names of those that are larger than this. With the largest limit, none is left out, and
    ///   the content of a larger file is empty.
    private func read(
        _ names: [String], bytesMax: Int, _ session: Int
    ) throws(StoreError) -> (files: [File], large: [String]) {
        let result = try run(Self.files(names, bytesMax: bytesMax))[0]
        // On another connection, they may be of another history.
        guard database.session == session else {
            throw database.error(.away("the connection has ended while files were read"))
        }
        var (files, large) = ([File](), [String]())
        for row in result.rows {
            if bytesMax < Self.bytesMax, row.boolean(3) {
                large.append(row.text(0))
            } else {
                files.append(
                    File(
                        row.text(0), key: row.isNull(1) ? [] : row.bytes(1),
                        content: row.isNull(2) ? nil : row.bytes(2)))
            }
        }
        return (files, large)
    }

    private static let pageFiles = 200
    /// Certificates with their keys have some kilobytes.
    private static let pageBytesMax = 64 << 10
    /// The most bytes of a file's content, with what encryption adds to a mebibyte.
    private static let bytesMax = 1 << 20 + 64

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

    /// With one statement, so that a file is ahead of the state only if somebody has made it so.
    private static let state = PostgreSQLStatement(
        """
        SELECT s.version, CASE WHEN s.until > \(now) THEN left(s.holder, 256) END,
          EXISTS (SELECT 1 FROM waymark.certificate_file f WHERE f.version > s.version), \(now)
        FROM waymark.certificate_state s
        """)

    /// The names of the files that have changed. Of none that was seen, all are read anyway.
    private static func names(after version: Int) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT f.name FROM waymark.certificate_file f CROSS JOIN waymark.certificate_state s
            WHERE f.version > $1 AND f.version <= s.version AND octet_length(f.name) <= 2000 LIMIT $2::bigint
            """, .integer(version), .integer(version == 0 ? 0 : changesMax + 1))
    }

    private static func files(_ names: [String], bytesMax: Int) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT name, substr(key, 1, 64),
              CASE WHEN octet_length(content) > $2::bigint THEN ''::bytea ELSE content END,
              coalesce(octet_length(content) > $2::bigint, false)
            FROM waymark.certificate_file WHERE name = ANY($1::text[])
            """, .texts(names), .integer(bytesMax))
    }

    /// The time of the database's clock, in milliseconds since 1970.
    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

    // MARK: The lease

    /// Whether this node has the lease, as far as it knows.
    package var hasLease: Bool { fence != nil }

    /// Takes the lease, unless another node has it, and reads what has changed, as `follow` does: nobody else changes
    /// anything from then on.
    package func takeLease(_ names: [String], _ take: ([File]) -> Void) throws(StoreError) -> News {
        try database.checkWritable()
        let look = try look([
            PostgreSQLStatement(
                """
                UPDATE waymark.certificate_state
                SET holder = $1, fence = fence + 1, until = \(Self.now) + \(Self.leaseMilliseconds)
                WHERE holder IS NULL OR holder = $1 OR until <= \(Self.now) RETURNING fence
                """, .text(database.place.node))
        ])
        (fence, leaseVersion) = (look.answers[0].first?.integer(0), look.news.version)
        do throws(StoreError) {
            if let fault = database.writingFault { throw fault }
            return try read(look, names, take)
        } catch {
            endLease()
            throw error
        }
    }

    /// Renews the lease.
    /// - Returns: false if it was given to another node, or the database has lost changes.
    package func renewLease() throws(StoreError) -> Bool {
        guard let fence else { return false }
        let result = try run(
            PostgreSQLStatement(
                """
                UPDATE waymark.certificate_state
                SET until = \(Self.now) + \(Self.leaseMilliseconds)
                WHERE fence = $1 AND holder = $2 RETURNING version
                """, .integer(fence), .text(database.place.node)))
        guard let version = result[0].first?.integer(0) else {
            self.fence = nil
            return false
        }
        if version < leaseVersion { endLostLease() }
        return hasLease
    }

    /// Gives a lease back after a standby has taken over that lacks some of its changes: they are written again with the
    /// next lease, when it is known which.
    private func endLostLease() {
        endLease()
        forget()
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
    /// - Returns: the version of the change; nil if the lease was given to another node, and nothing was changed, or if
    ///   the database has lost changes before this one.
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
        // Each change raises it, and nobody else makes any.
        guard version > leaseVersion else {
            endLostLease()
            return nil
        }
        leaseVersion = version
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

    /// The version up to which all other nodes that are there have told that they have read all changes, -1 if one has
    /// told nothing; nil without other nodes.
    package func readByOthers() throws(StoreError) -> Int? {
        try run(
            PostgreSQLStatement(
                """
                SELECT min(coalesce(certificates, -1)) FROM waymark.node
                WHERE \(PostgreSQLLinkRows.isPresent("seen", now: Self.now)) AND name <> $1
                """, .text(database.place.node)))[0].first?.optionalInteger(0)
    }
}
