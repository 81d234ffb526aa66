internal import LinkIndex
internal import LinkStore
internal import PostgreSQL
internal import Sockets

/// The rows of a store in a PostgreSQL database, which several nodes change and follow.
///
/// A transaction takes two round trips. The first locks the row with the generation, and reads what others have
/// committed before; nobody else commits until the transaction ends, so what `LinkStore` knows then is exact. What is
/// written waits until something is read, or for the second round trip, which ends in COMMIT.
///
/// A read that fails because the connection is lost is repeated on another one. A COMMIT without an answer is looked
/// up by the mark that it would have written: neither success nor failure is said before that is known.
final class PostgreSQLLinkRows {
    let database: SharedDatabase
    var place: PostgreSQLPlace { database.place }
    private(set) var isInTransaction = false
    private(set) var statementFailure: StoreError?
    /// Statements of the open transaction that wait for the next round trip.
    private var waiting = [PostgreSQLStatement]()
    /// Whether the open transaction has written anything.
    private var hasWritten = false
    /// The generation of the open transaction.
    private var next = 0
    /// The row of the store as it was last read.
    var known = KnownStore() {
        didSet { if known.lastRow > 0 { place.known.noteLinks(of: known.identity) } }
    }
    /// Collections that were looked up on this connection.
    private var found = FoundCollections()
    var notificationWatch = NotificationWatch()
    /// The last generation that this node has made itself, also by what changes no link.
    var ownGeneration = 0

    /// The row of the store, as a node knows it.
    struct KnownStore {
        /// The mark of the known generation; nil for the first one.
        var mark: [UInt8]?
        var lastRow = 0
        /// Counts changes of tokens.
        var tokens = 0
        var identity = [UInt8]()
    }

    private struct FoundCollections {
        var session = 0
        var all = [String: Int]()
    }

    /// Loads the library; a connection is made when it is needed.
    /// - Parameter seen: the history that was seen last, before this process began.
    init(_ place: PostgreSQLPlace, seen: KnownHistory? = nil) throws(StoreError) {
        // A node that commits wakes the others by a notification. A pool of connections may not pass it on, so each
        // node also asks once a second.
        database = try SharedDatabase(place, setup: "LISTEN waymark")
        place.known.note(seen?.ofServer, of: nil)
        // The node has read links of the database before it was started. A store without a change has no mark.
        if seen?.mark != nil { place.known.noteRead() }
    }

    func error(_ fault: DatabaseFault) -> StoreError { database.error(fault) }

    /// Collections that were looked up. Those of another connection may be of another history.
    var collections: [String: Int] {
        get { found.session == database.session ? found.all : [:] }
        set { found = FoundCollections(session: database.session, all: newValue) }
    }

    // MARK: Statements

    /// Runs statements, after those that wait, in one round trip.
    /// - Returns: what each has answered, besides those that have waited.
    func run(_ statements: PostgreSQLStatement...) throws(StoreError) -> [PostgreSQLResult] {
        guard isInTransaction else {
            return try repeating { connection, deadline throws(PostgreSQLError) in
                try connection.run(statements, by: deadline)
            }
        }
        // The server would refuse them, and name another reason.
        if let statementFailure { throw statementFailure }
        let all = waiting + statements
        waiting = []
        guard !all.isEmpty else { return [] }
        guard let connection = database.connection else {
            throw error(.away("the connection was lost"))
        }
        do throws(PostgreSQLError) {
            return Array(
                try connection.run(all, by: database.statementDeadline).suffix(statements.count))
        } catch {
            let failure = database.failure(error)
            statementFailure = failure
            throw failure
        }
    }

    func run(_ sql: String, _ values: PostgreSQLValue...) throws(StoreError) -> PostgreSQLResult {
        try run(PostgreSQLStatement(sql, values: values))[0]
    }

    func read<Result>(
        _ sql: String, _ values: [PostgreSQLValue], _ make: (PostgreSQLRow) -> Result?
    ) throws(StoreError) -> [Result] {
        try run(PostgreSQLStatement(sql, values: values))[0].rows.compactMap(make)
    }

    func change<Result>(
        _ sql: String, _ values: [PostgreSQLValue], _ make: (PostgreSQLRow) -> Result?
    ) throws(StoreError) -> [Result] {
        hasWritten = true
        return try read(sql, values, make)
    }

    /// Runs a statement of the open transaction that writes one row with the next round trip.
    func write(_ sql: String, _ values: [PostgreSQLValue]) throws(StoreError) {
        try wait(for: .writing(sql, values))
    }

    /// The same for a statement that finds any number of rows.
    func write(anyRows sql: String, _ values: [PostgreSQLValue]) throws(StoreError) {
        try wait(for: PostgreSQLStatement(sql, values: values))
    }

    /// Removes rows of a table with the next round trip.
    func remove(
        from table: String, where condition: String, _ values: [PostgreSQLValue]
    ) throws(StoreError) {
        let rows = "FROM waymark.\(table) WHERE \(condition)"
        try wait(for: .writing("DELETE \(rows)", values, rows: "(SELECT count(*) \(rows))"))
    }

    private func wait(for statement: PostgreSQLStatement) throws(StoreError) {
        waiting.append(statement)
        hasWritten = true
        if waiting.count >= Self.waitingMax { _ = try run() }
    }

    /// More would not be done within the time of a round trip.
    private static let waitingMax = 500

    func repeating<Value>(
        _ body: (PostgreSQLConnection, Deadline) throws(PostgreSQLError) -> Value
    ) throws(StoreError) -> Value {
        try database.repeating(body)
    }
}

extension PostgreSQLLinkRows {
    // MARK: Transactions

    func begin(after generation: Int) throws(StoreError) -> StoreNews? {
        let results = try repeating { connection, deadline throws(PostgreSQLError) in
            do throws(PostgreSQLError) {
                return try connection.begin(
                    Self.lock(after: generation) + [Self.feed(after: generation)],
                    by: deadline)
            } catch {
                connection.rollBack()
                throw error
            }
        }
        (isInTransaction, hasWritten, waiting, statementFailure) = (true, false, [], nil)
        try noteSchema(results[1])
        if let fault { throw fault }
        let news = try news(after: generation, results[0], marks: results[1], feed: results[2])
        next = news.generation + 1
        return news
    }

    func commit(_ change: CommittedChange) throws(StoreError) {
        guard hasWritten else { return rollBack() }
        guard let connection = database.connection else {
            throw error(.away("the connection was lost"))
        }
        var random = SystemRandomNumberGenerator()
        let mark = (0..<8).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
        let statements = waiting + ending(change, mark)
        waiting = []
        do throws(PostgreSQLError) {
            try connection.commit(statements, by: database.statementDeadline)
        } catch {
            guard error.fault == .unknown else { throw database.failure(error) }
            try lookUp(mark, error)
        }
        (isInTransaction, ownGeneration) = (false, next)
        if change.generation != nil { (known.mark, known.lastRow) = (mark, change.lastRow) }
    }

    /// The last statements of each transaction that writes.
    private func ending(_ change: CommittedChange, _ mark: [UInt8]) -> [PostgreSQLStatement] {
        var statements = [
            .writing(
                """
                INSERT INTO waymark.change (generation, mark, node, time)
                VALUES ($1, $2, $3, extract(epoch FROM now())::bigint)
                """, [.integer(next), .blob(mark), .text(place.node)]),
            PostgreSQLStatement("SELECT pg_notify('waymark', $1)", .text(place.node)),
        ]
        if change.lastRow != known.lastRow {
            statements.append(
                .writing(
                    "UPDATE waymark.store SET last_link = $1", [.integer(change.lastRow)]))
        }
        if next % Self.forgettingInterval == 0 {
            statements.append(
                PostgreSQLStatement(
                    """
                    DELETE FROM waymark.change WHERE generation <= $1
                      AND time < extract(epoch FROM now())::bigint - $2
                    """, .integer(next - Self.changesKept), .integer(Self.secondsKept)))
        }
        return statements
    }

    /// Marks are kept for this many generations, and this many seconds, so that nodes that were away follow what
    /// they have missed.
    private static let changesKept = 100_000
    private static let secondsKept = 7 * 86_400
    private static let forgettingInterval = 1_000

    func rollBack() {
        if hasWritten { collections = [:] }
        (isInTransaction, hasWritten, waiting, statementFailure) = (false, false, [], nil)
        database.connection?.rollBack()
    }

    // MARK: A COMMIT without an answer

    /// Finds out whether the open transaction was committed, whose end has no answer.
    /// - Throws: if it was not, so that it can be repeated; or if nobody knows.
    private func lookUp(_ mark: [UInt8], _ reason: PostgreSQLError) throws(StoreError) {
        database.disconnect()
        let deadline = Deadline(in: place.lookUpMilliseconds)
        var last = reason.description
        while deadline.remaining > 0 {
            database.forgetRefusal()
            let isCommitted: Bool
            do throws(StoreError) {
                isCommitted = try hasMark(mark)
            } catch {
                database.disconnect()
                last = error.words.fact
                (try? Wakeup())?.wait(atMost: Self.pauseMilliseconds)
                continue
            }
            guard isCommitted else { throw error(.busy(reason.description)) }
            return
        }
        throw error(.away("nobody knows whether a change was made: \(last)"))
    }

    /// Whether the transaction that ended without an answer has left its mark. This waits for the lock of the
    /// store, which a session that the server has not ended yet may still hold.
    private func hasMark(_ mark: [UInt8]) throws(StoreError) -> Bool {
        let connection = try database.connected()
        defer { connection.rollBack() }
        do throws(PostgreSQLError) {
            let results = try connection.begin(
                [
                    PostgreSQLStatement("UPDATE waymark.store SET generation = generation"),
                    PostgreSQLStatement(
                        "SELECT 1 FROM waymark.change WHERE generation = $1 AND mark = $2",
                        .integer(next), .blob(mark)),
                ], by: database.statementDeadline)
            return results[1].count > 0
        } catch {
            throw database.failure(error)
        }
    }

    private static let pauseMilliseconds = 100
}

extension PostgreSQLLinkRows: LinkRows {
    static var prefix: String { "waymark." }
    static func byteCount(of column: String) -> String { "octet_length(\(column))" }

    var path: String { place.description }
    var software: String? {
        database.connection.map { connection in
            let version = connection.serverVersion
            return "PostgreSQL \(version / 10_000).\(version % 10_000)"
        }
    }
    /// Whatever becomes of a server, another attempt may succeed; but not where a newer version has made tables
    /// that this one must not change.
    var fault: StoreError? { database.writingFault }
    var isShared: Bool { true }
    var newsSource: Int? { database.connection?.descriptor }
    var upgradedFrom: Int? { nil }

    func identity() -> [UInt8] {
        (try? run("SELECT identity FROM waymark.store"))?.first?.bytes(0) ?? []
    }

    func noteRead() {}
    /// The server's own checksums are for that.
    func checkServed() throws(StoreError) {}
    func checkPresence() throws(StoreError) {}
    func copy(of store: LinkStore, to path: String) throws(StoreError) {
        throw error(.copiesItself)
    }
    func close() throws(StoreError) { database.disconnect() }

    // MARK: Links

    private static let insertion = makeInsertion()

    func insert(_ link: NumberedLink, collection: Int) throws(StoreError) {
        try write(Self.insertion, Self.values(link.link, link.row, collection: collection))
        try write(link.link.slug, of: link.row, collection, place: 0)
    }

    func insertAliases(
        _ slugs: [String], of link: NumberedLink, collection: Int
    ) throws(StoreError) {
        for (index, slug) in slugs.enumerated() {
            try write(slug, of: link.row, collection, place: link.link.aliases.count + index + 1)
        }
        try updateTime(of: link)
    }

    private func write(
        _ slug: String, of row: Int, _ collection: Int, place: Int
    ) throws(StoreError) {
        try write(
            "INSERT INTO waymark.slug (collection, slug, link, place) VALUES ($1, $2, $3, $4)",
            [.integer(collection), .text(slug), .integer(row), .integer(place)])
    }

    // MARK: Tokens

    func add(_ token: StoredToken, hash: [UInt8]) throws(StoreError) -> Int {
        let number = try change(
            """
            UPDATE waymark.store SET tokens = tokens + 1,
              last_token = greatest(last_token, (SELECT max(id) FROM waymark.token)) + 1
            RETURNING last_token
            """, []
        ) { $0.integer(0) }.first
        guard let number else { throw error(.isForeign) }
        try write(
            """
            INSERT INTO waymark.token (name, hash, ending, scopes, collections, created, created_by,
              expires, id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """, Self.values(token, hash: hash) + [.integer(number)])
        return number
    }

    func noteTokens() throws(StoreError) {
        try write("UPDATE waymark.store SET tokens = tokens + 1", [])
    }
}

extension PostgreSQLRow: StoreRow {}
extension PostgreSQLValue: StoreValue {}

extension PostgreSQLStatement {
    /// A statement that fails where it does not write as many rows as it has to: a trigger that somebody has put on a table can
    /// keep rows from being written, and nothing else says so. The name of the table is no number, which the server then says.
    /// - Parameter rows: an expression of the number, as it was before.
    fileprivate static func writing(
        _ sql: String, _ values: [PostgreSQLValue], rows: String = "1"
    ) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            WITH written AS (\(sql) RETURNING 1)
            SELECT CASE WHEN count(*) = \(rows) THEN '1' ELSE '\(tableName(in: sql) ?? "")' END::bigint
            FROM written
            """, values: values)
    }

    /// The first table of Waymark that a text names.
    static func tableName(in text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let start = bytes.firstRange(of: Array("waymark.".utf8)) else { return nil }
        let name = bytes[start.upperBound...].prefix { $0 == UInt8(ascii: "_") || 97...122 ~= $0 }
        return "waymark." + String(decoding: name, as: UTF8.self)
    }
}
