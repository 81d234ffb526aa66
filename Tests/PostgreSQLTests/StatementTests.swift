import Glibc
@testable import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@Suite(.enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Statements of a connection` {
    let server: TestServer
    let connection: PostgreSQLConnection

    init() throws {
        server = try TestServer.shared.get()
        connection = try server.connect()
    }

    @Test func `values come back as they were sent`() throws {
        let result = try connection.run(
            """
            SELECT $1::text, $2::bigint, $3::int, $4::smallint, $5::text, $6::bytea, $7::bytea, $8::text,
              $9::boolean, $10::bigint
            """, .null, .integer(.min), .integer(-2), .integer(7), .text("aü🦀"), .blob([0, 255]),
            .blob([]), .text(""), .boolean(true), .integer(.max), by: soon)
        let row = try #require(result.first)
        #expect(result.count == 1 && row.fieldCount == 10)
        #expect(row.isNull(0) && row.optionalText(0) == nil && row.optionalInteger(0) == nil)
        #expect(row.integer(1) == .min && row.integer(2) == -2 && row.integer(3) == 7)
        #expect(row.text(4) == "aü🦀" && row.bytes(5) == [0, 255])
        #expect(row.bytes(6).isEmpty && !row.isNull(6) && row.optionalText(7) == "")
        #expect(row.boolean(8) && row.integer(9) == .max)
    }

    @Test func `arrays are values, with nulls and without elements`() throws {
        let result = try connection.run(
            """
            SELECT a, b, c FROM unnest($1::bigint[], $2::text[], $3::bytea[]) AS t (a, b, c)
            """, .integers([1, nil, .min]), .texts(["a", nil, ""]), .blobs([[1, 0], nil, []]),
            by: soon)
        let rows = Array(result.rows)
        #expect(rows.map { $0.optionalInteger(0) } == [1, nil, .min])
        #expect(rows.map { $0.optionalText(1) } == ["a", nil, ""])
        #expect(rows.map { $0.isNull(2) ? nil : $0.bytes(2) } == [[1, 0], nil, []])
        let none = try connection.run(
            "SELECT count(*) FROM unnest($1::text[])", .texts([]), by: soon)
        #expect(none.first?.integer(0) == 0)
    }

    @Test func `a text is a value, whatever is in it`() throws {
        for text in [
            "'; DROP TABLE store; --", "$1", "\\", "%s", String(repeating: "a", count: 1 << 20),
        ] {
            let result = try connection.run("SELECT $1::text", .text(text), by: soon)
            #expect(result.first?.text(0) == text)
        }
    }

    @Test func `a zero byte in a text is refused, and does not end it`() throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.run("SELECT $1::text", .text("a\u{0}b"), by: soon)
        }
        #expect(error?.fault == .rejected && error?.code == "22021")
        #expect(try connection.run("SELECT 1", by: soon).count == 1)
    }

    @Test func `statements of a batch have their answers in their order`() throws {
        let results = try connection.run(
            [
                PostgreSQLStatement("CREATE TEMPORARY TABLE t (a bigint UNIQUE)"),
                PostgreSQLStatement(
                    "INSERT INTO t SELECT generate_series(1, $1::int)", .integer(5)),
                PostgreSQLStatement("SELECT a FROM t WHERE a > $1 ORDER BY a", .integer(3)),
            ], by: soon)
        #expect(results.count == 3 && results[1].command == "INSERT 0 5")
        #expect(results[2].rows.map { $0.integer(0) } == [4, 5])
    }

    @Test func `a batch of which a statement fails has no effect`() throws {
        try connection.execute(
            "CREATE TEMPORARY TABLE t (a bigint CONSTRAINT once UNIQUE)", by: soon)
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.run(
                [1, 2, 2, 3].map { PostgreSQLStatement("INSERT INTO t VALUES ($1)", .integer($0)) },
                by: soon)
        }
        #expect(error?.fault == .conflict && error?.constraint == "once")
        #expect(try connection.run("SELECT 1 FROM t", by: soon).count == 0)
    }

    @Test func `a transaction has an effect when it was committed`() throws {
        try connection.execute("CREATE TEMPORARY TABLE t (a bigint)", by: soon)
        let insert = PostgreSQLStatement("INSERT INTO t VALUES ($1)", .integer(1))
        _ = try connection.begin([insert], by: soon)
        #expect(connection.isInTransaction)
        connection.rollBack()
        #expect(!connection.isInTransaction)
        _ = try connection.begin([insert], by: soon)
        let results = try connection.commit([insert], by: soon)
        #expect(results.map(\.command) == ["INSERT 0 1"] && !connection.isInTransaction)
        #expect(try connection.run("SELECT 1 FROM t", by: soon).count == 2)
    }

    @Test func `a commit that cannot have happened says so`() throws {
        try connection.execute(
            "CREATE TEMPORARY TABLE t (a bigint CONSTRAINT late UNIQUE DEFERRABLE INITIALLY DEFERRED)",
            by: soon)
        let insert = PostgreSQLStatement("INSERT INTO t VALUES (1)")
        _ = try connection.begin([insert], by: soon)
        let late = #expect(throws: PostgreSQLError.self) {
            try connection.commit([insert], by: soon)
        }
        #expect(late?.fault == .conflict && late?.constraint == "late")
        _ = try connection.begin([], by: soon)
        let syntax = #expect(throws: PostgreSQLError.self) {
            try connection.commit([insert, PostgreSQLStatement("SELEC")], by: soon)
        }
        #expect(syntax?.fault == .configuration && syntax?.code == "42601")
        // A COMMIT of a transaction that has failed is a ROLLBACK, and no error.
        let failed = #expect(throws: PostgreSQLError.self) { try connection.commit(by: soon) }
        #expect(failed?.fault == .rejected && !connection.isInTransaction)
        #expect(try connection.run("SELECT 1 FROM t", by: soon).count == 0)
    }

    @Test func `an operator in a schema that everybody may write to is not called`() throws {
        let database = try TestDatabase(on: server)
        try database.connect().execute(
            """
            CREATE FUNCTION public.none(numeric, integer) RETURNS numeric LANGUAGE sql AS 'SELECT 0.0';
            CREATE OPERATOR public.* (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = public.none)
            """, by: soon)
        let product = "SELECT (2.5 * 3)::text"
        #expect(try database.connect().run(product, by: soon).first?.text(0) == "0.0")
        var login = TestServer.login
        login.database = database.name
        let connection = try PostgreSQLConnection(
            loadedLibrary(), login, at: server.endpoint, limits: PostgreSQLLimits())
        #expect(try connection.run(product, by: soon).first?.text(0) == "7.5")
    }

    @Test func `rows that a policy hides are an error`() throws {
        let database = try TestDatabase(on: server)
        let connection = try database.connect()
        // The user of all databases sees all rows.
        try connection.execute(
            "CREATE ROLE \(database.name)_reader; GRANT \(database.name)_reader TO CURRENT_USER",
            by: soon)
        try connection.execute(
            "CREATE TABLE hidden (a int); INSERT INTO hidden VALUES (1)", by: soon)
        #expect(try connection.run("SELECT a FROM hidden", by: soon).count == 1)
        try connection.execute(
            """
            GRANT SELECT ON hidden TO \(database.name)_reader; SET ROLE \(database.name)_reader
            """, by: soon)
        #expect(try connection.run("SELECT a FROM hidden", by: soon).count == 1)
        try connection.execute(
            "RESET ROLE; ALTER TABLE hidden ENABLE ROW LEVEL SECURITY; SET ROLE \(database.name)_reader",
            by: soon)
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.run("SELECT a FROM hidden", by: soon)
        }
        #expect(error?.fault == .configuration && error?.code == "42501")
    }

    @Test func `a script is one transaction`() throws {
        #expect(throws: PostgreSQLError.self) {
            try connection.execute(
                "CREATE TABLE half (a int); SELEC; CREATE TABLE other (a int)", by: soon)
        }
        let names = try connection.run(
            "SELECT 1 FROM pg_class WHERE relname IN ('half', 'other')", by: soon)
        #expect(names.count == 0)
    }

    @Test(arguments: [
        ("SELECT 1/0", "22012", PostgreSQLError.Fault.rejected),
        ("SELECT * FROM missing", "42P01", .configuration),
        ("SELECT pg_sleep(9)", "57014", .repeatable),
        ("SELECT pg_read_file('/etc/passwd')", "42501", .configuration),
        ("INSERT INTO pg_temp.once VALUES (NULL)", "23502", .rejected),
        ("BEGIN READ ONLY; CREATE TABLE t (a int)", "25006", .away),
    ])
    func `an error has the class that its code has`(
        _ sql: String, _ code: String, _ fault: PostgreSQLError.Fault
    ) throws {
        var limits = PostgreSQLLimits()
        limits.serverStatementMilliseconds = 50
        let own = try server.connect(limits)
        try own.execute(
            """
            CREATE TEMPORARY TABLE once (a int NOT NULL); GRANT ALL ON once TO PUBLIC;
            SET ROLE pg_monitor
            """, by: soon)
        let error = #expect(throws: PostgreSQLError.self) { try own.execute(sql, by: soon) }
        #expect(error?.code == code && error?.fault == fault)
        own.rollBack()
        #expect(try own.run("SELECT 1", by: soon).count == 1)
    }

    @Test func `transactions in each other's way can be repeated`() throws {
        try connection.execute(
            "CREATE TABLE counter (a int); INSERT INTO counter VALUES (1)", by: soon)
        defer { try? connection.execute("DROP TABLE counter", by: soon) }
        var limits = PostgreSQLLimits()
        limits.serverLockMilliseconds = 50
        let other = try server.connect(limits)
        let change = PostgreSQLStatement("UPDATE counter SET a = a + 1")
        _ = try connection.begin([change], by: soon)
        let locked = #expect(throws: PostgreSQLError.self) { try other.run([change], by: soon) }
        #expect(locked?.code == "55P03" && locked?.fault == .repeatable)
        _ = try other.begin(
            [
                PostgreSQLStatement("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"),
                PostgreSQLStatement("SELECT a FROM counter"),
            ], by: soon)
        try connection.commit(by: soon)
        let stale = #expect(throws: PostgreSQLError.self) { try other.run([change], by: soon) }
        #expect(stale?.code == "40001" && stale?.fault == .repeatable)
    }

    /// The library would take each of these from variables that `TestServer.library` has set.
    @Test func `variables of the environment act nowhere`() throws {
        let names = [
            "DateStyle", "TimeZone", "application_name", "client_encoding", "lock_timeout",
        ]
        let found = try names.map {
            try connection.run("SELECT current_setting($1)", .text($0), by: soon).first?.text(0)
        }
        #expect(found == ["ISO, YMD", "UTC", "waymark", "UTF8", "1500ms"])
        // The answer that a lock is held comes before the server seems to hang.
        let limits = PostgreSQLLimits()
        #expect(limits.serverLockMilliseconds < limits.statementMilliseconds)
        #expect(!connection.usesTLS)
    }

    @Test func `a variable that nothing replaces is refused`() throws {
        let refused = TestServer.login.refusedVariables(
            for: server.endpoint, try loadedLibrary())
        #expect(Set(["PGOPTIONS", "PGSERVICE", "PGREQUIREPEER", "PGGEQO"]).isSubset(of: refused))
        #expect(Set(["PGHOSTADDR", "PGPASSWORD", "PGPASSFILE"]).isDisjoint(with: refused))
        // `TestServer.library` has set PGPASSWORD.
        var login = TestServer.login
        login.password = nil
        let error = #expect(throws: PostgreSQLError.self) { try server.connect(login: login) }
        #expect(error?.fault == .configuration)
        #expect(
            error?.description
                == "the variable PGPASSWORD of the environment would change connections; unset it")
        #expect(
            login.refusedVariables(for: server.socket, try loadedLibrary()).contains("PGHOSTADDR"))
    }

    @Test func `a library that is missing, or another one, is named`() throws {
        let missing = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLLibrary("libpq.so.none")
        }
        #expect(
            missing?.fault == .library && missing?.description.contains("libpq.so.none") == true)
        let other = #expect(throws: PostgreSQLError.self) { try PostgreSQLLibrary("libc.so.6") }
        #expect(other?.description == "PostgreSQL's client library has no function PQlibVersion")
    }

    @Test func `a Unix socket is a way, too`() throws {
        let own = try PostgreSQLConnection(loadedLibrary(), TestServer.login, at: server.socket)
        #expect(
            try own.run("SELECT inet_client_addr() IS NULL", by: soon).first?.boolean(0) == true)
    }

    // MARK: Notifications

    @Test func `who listens is notified of what was committed`() throws {
        let listener = try server.connect()
        try listener.execute("LISTEN changes", by: soon)
        #expect(try listener.notifications(by: Deadline(in: 0)).isEmpty)
        let notify = PostgreSQLStatement("SELECT pg_notify('changes', $1)", .text("17"))
        _ = try connection.begin([notify], by: soon)
        #expect(try listener.notifications(by: Deadline(in: 50)).isEmpty)
        try connection.commit(by: soon)
        let found = try listener.notifications(by: soon)
        #expect(found.map(\.channel) == ["changes"] && found.map(\.text) == ["17"])
        // A notification that comes beside an answer is kept.
        _ = try connection.run([notify, notify], by: soon)
        try wait { try listener.run("SELECT 1", by: soon).count == 1 && hasNotification(listener) }
    }

    private func hasNotification(_ listener: PostgreSQLConnection) throws -> Bool {
        try !listener.notifications(by: Deadline(in: 0)).isEmpty
    }

    // MARK: Many rows

    @Test func `rows are copied in and out`() throws {
        try connection.execute(
            "CREATE TEMPORARY TABLE t (a bigint, b text, c bytea, d boolean)", by: soon)
        var next = 0
        let count = try connection.copy(into: "t (a, b, c, d)") { rows in
            rows.add([
                .integer(next), next % 3 == 0 ? .null : .text("row \(next)"),
                .blob([UInt8](repeating: 7, count: next % 50)), .boolean(next % 2 == 0),
            ])
            next += 1
            return next < 20_000
        }
        #expect(count == 20_000)
        var (sum, nulls, bytes, last) = (0, 0, 0, "")
        try connection.copy("SELECT a, b, c, d FROM t ORDER BY a") {
            row in
            sum += row.integer(0)
            nulls += row.isNull(1) ? 1 : 0
            bytes += row.bytes(2).count
            last = row.text(1)
            if row.boolean(3) != (row.integer(0) % 2 == 0) || row.fieldCount != 4 { nulls += 1 }
        }
        #expect(sum == 199_990_000 && nulls == 6_667 && bytes == 490_000 && last == "row 19999")
        #expect(try connection.run("SELECT 1", by: soon).count == 1)
    }

    @Test func `a copy of nothing, and one that is refused, leave the connection as it was`() throws
    {
        var rows = 0
        try connection.copy("SELECT 1 WHERE false") { _ in rows += 1 }
        #expect(rows == 0)
        let missing = #expect(throws: PostgreSQLError.self) {
            try connection.copy("SELECT a FROM missing") { _ in }
        }
        #expect(missing?.code == "42P01")
        try connection.execute("CREATE TEMPORARY TABLE t (a bigint UNIQUE)", by: soon)
        let twice = #expect(throws: PostgreSQLError.self) {
            try connection.copy(into: "t (a)") { rows in
                rows.add([.integer(1)])
                rows.add([.integer(1)])
                return false
            }
        }
        #expect(twice?.fault == .conflict)
        let late = #expect(throws: PostgreSQLError.self) {
            try connection.copy(
                "SELECT 1 / (100000 - a) FROM generate_series(1, 100000) AS g (a)"
            ) { _ in rows += 1 }
        }
        #expect(late?.code == "22012" && rows == 99_999)
        #expect(try connection.run("SELECT 1 FROM t", by: soon).count == 0)
    }
}
