internal import LinkStore
internal import PostgreSQL
internal import Sockets

/// A connection to a server for a copy of all links. Its statements, such as one that makes an index, may take
/// minutes.
final class CopySession {
    let place: PostgreSQLPlace
    private let connection: PostgreSQLConnection

    init(_ place: PostgreSQLPlace) throws(StoreError) {
        var own = place
        own.limits.statementMilliseconds = max(
            Self.statementMilliseconds, place.limits.statementMilliseconds)
        // Between two statements, the other store is read or written.
        (own.limits.serverStatementMilliseconds, own.limits.serverIdleMilliseconds) = (0, 0)
        self.place = own
        let password = try place.password()
        do throws(PostgreSQLError) {
            connection = try PostgreSQLPrimary(
                PostgreSQLLibrary(), place.location, password: password, limits: own.limits
            ).connection
        } catch {
            throw place.failure(error)
        }
    }

    private static let statementMilliseconds = 600_000

    var deadline: Deadline { Deadline(in: place.limits.statementMilliseconds) }

    func use<Value>(
        _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Value
    ) throws(StoreError) -> Value {
        do throws(PostgreSQLError) {
            return try body(connection)
        } catch {
            connection.rollBack()
            guard error.fault == .conflict || error.fault == .rejected else {
                throw place.failure(error)
            }
            throw .notCopied(
                "\(place.description) does not take the copy: \(error.description)",
                advice: "correct that in the store that is copied, and run the command again")
        }
    }

    func run(_ sql: String, _ values: PostgreSQLValue...) throws(StoreError) -> PostgreSQLResult {
        let deadline = deadline
        return try use { connection throws(PostgreSQLError) in
            try connection.run([PostgreSQLStatement(sql, values: values)], by: deadline)[0]
        }
    }

    func execute(_ script: String) throws(StoreError) {
        let deadline = deadline
        try use { connection throws(PostgreSQLError) in try connection.execute(script, by: deadline)
        }
    }

    /// Runs `body` in a transaction.
    func transaction(
        _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Void
    ) throws(StoreError) {
        let deadline = deadline
        try use { connection throws(PostgreSQLError) in
            _ = try connection.begin([], by: deadline)
            try body(connection)
            // Rows were copied meanwhile, which may take any time.
            try connection.commit(by: self.deadline)
        }
    }

    /// The sessions of nodes that use the database now. The server shows those of the same role.
    func nodes() throws(StoreError) -> Int {
        try run(
            """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
              AND application_name = 'waymark' AND pid <> pg_backend_pid()
            """
        ).first?.integer(0) ?? 0
    }

    /// The tables that are there now.
    func tables() throws(StoreError) -> PostgreSQLSchema.Found {
        let deadline = deadline
        return try use { connection throws(PostgreSQLError) in
            try PostgreSQLSchema.find(connection, by: deadline)
        }
    }

    /// The state of the links that are there.
    func state() throws(StoreError) -> CopiedState {
        let found = try run(
            """
            SELECT s.identity, s.generation, s.last_link, s.last_token, (
              SELECT encode(mark, 'hex') FROM waymark.change c WHERE c.generation <= s.generation
              ORDER BY c.generation DESC LIMIT 1) FROM waymark.store s
            """)
        var state = CopiedState()
        guard let row = found.first else { return state }
        (state.identity, state.generation) = (row.bytes(0), row.integer(1))
        (state.lastLink, state.lastToken) = (row.integer(2), row.integer(3))
        state.mark = row.text(4)
        return state
    }

    func sum(of table: CopiedTable) throws(StoreError) -> CopiedSum {
        try use { connection throws(PostgreSQLError) in
            var sum = CopiedSum()
            try connection.copy(table.selection) { sum.add($0, table.columns) }
            return sum
        }
    }
}

extension PostgreSQLCopyReader: CopiedRow {}
