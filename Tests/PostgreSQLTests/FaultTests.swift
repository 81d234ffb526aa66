import Glibc
import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

/// One after the other, because a server that is stopped is so for all tests.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Faults of a server` {
    /// For tests that leave it as it was.
    private static let server = Result { try TestServer() }
    /// Its commits wait for a standby, which never comes.
    private static let waiting = Result {
        try TestServer(["synchronous_standby_names=nobody"])
    }

    /// What a server that is stopped may take of a caller's time: two seconds, and what a busy machine adds.
    private static let noticedMilliseconds = 1_990...30_000

    @Test func `a server that was stopped is noticed within the limit`() throws {
        let server = try Self.server.get()
        let connection = try server.connect()
        let (error, spent) = try server.whileStopped {
            try timed { try connection.run("SELECT 1", by: Deadline(in: 2_000)) }
        }
        #expect(error?.fault == .away && error?.code == nil)
        #expect(error?.description == "a statement has no answer within 2 s")
        #expect(Self.noticedMilliseconds ~= spent)
        // An answer that comes later is of another statement, so the connection is of no use.
        #expect(connection.failure == error)
        #expect(throws: try #require(error)) { try connection.run("SELECT 2", by: soon) }
        #expect(try server.connect().run("SELECT 3", by: soon).first?.integer(0) == 3)
    }

    @Test func `a server that was stopped lets nobody in, and holds nobody`() throws {
        let server = try Self.server.get()
        var limits = PostgreSQLLimits()
        limits.connectMilliseconds = 2_000
        let (error, spent) = try server.whileStopped { try timed { try server.connect(limits) } }
        #expect(error?.fault == .away)
        #expect(error?.description == "127.0.0.1:\(server.port) has no answer within 2 s")
        #expect(Self.noticedMilliseconds ~= spent)
    }

    @Test func `a server that stops within a load is noticed, and one that is slow is not`() throws
    {
        let server = try Self.server.get()
        var limits = PostgreSQLLimits()
        limits.serverStatementMilliseconds = 100
        let patient = try server.connect(limits)
        var rows = 0
        let slow = "SELECT a, pg_sleep(0.02)::text FROM generate_series(1, 30) AS g (a)"
        try patient.copy(slow) { _ in rows += 1 }
        #expect(rows == 30)
        let limit = try patient.run("SELECT current_setting('statement_timeout')", by: soon)
        #expect(limit.first?.text(0) == "100ms")
        let connection = try server.connect(stalling: 100)
        let error = server.whileStopped {
            #expect(throws: PostgreSQLError.self) { try connection.copy("SELECT 1") { _ in } }
        }
        #expect(error?.fault == .away && error?.description.contains("within 100 ms") == true)
    }

    @Test func `a transaction whose client gives up keeps no lock after its statement`() throws {
        let server = try Self.server.get()
        var limits = PostgreSQLLimits()
        (limits.serverIdleMilliseconds, limits.serverLockMilliseconds) = (0, 0)
        limits.serverStatementMilliseconds = safetyNetSeconds * 1_000
        let (connection, other) = (try server.connect(limits), try server.connect(limits))
        try other.execute("CREATE TABLE held (a int)", by: soon)
        defer { try? other.execute("DROP TABLE held", by: soon) }
        _ = try connection.begin([PostgreSQLStatement("LOCK TABLE held")], by: soon)
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.run("SELECT pg_sleep(0.3)", by: Deadline(in: 50))
        }
        #expect(error?.fault == .away)
        #expect(try other.run("SELECT 1 FROM held", by: soon).count == 0)
        #expect(connection.failure == error)
    }

    @Test func `rows that a stopped server does not take are noticed`() throws {
        let server = try Self.server.get()
        let connection = try server.connect(stalling: 100)
        try connection.execute("CREATE TEMPORARY TABLE t (a text)", by: soon)
        let row = PostgreSQLValue.text(String(repeating: "a", count: 10_000))
        var isStopped = false
        var all = [pid_t]()
        defer { for process in all { kill(process, SIGCONT) } }
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.copy(into: "t (a)") { rows in
                if !isStopped {
                    all = [pid_t(connection.backend)]
                    for process in all { kill(process, SIGSTOP) }
                    isStopped = true
                }
                rows.add([row])
                return true
            }
        }
        #expect(
            error?.fault == .away && error?.description == "a statement has no answer within 100 ms"
        )
    }

    @Test func `a server that was killed is noticed at once, and refuses`() throws {
        let server = try TestServer()
        let (connection, listener) = (try server.connect(), try server.connect())
        try listener.execute("LISTEN changes", by: soon)
        kill(server.process, SIGKILL)
        try wait { kill(server.process, 0) != 0 || isZombie(server.process) }
        let error = #expect(throws: PostgreSQLError.self) {
            while true { _ = try connection.run("SELECT 1", by: soon) }
        }
        #expect(error?.fault == .away)
        #expect(throws: PostgreSQLError.self) {
            while true { _ = try listener.notifications(by: soon) }
        }
        try wait { refusal(server)?.description.contains("refused") == true }
        #expect(refusal(server)?.fault == .away)
    }

    @Test func `a session that the server ends says why`() throws {
        let server = try Self.server.get()
        let (connection, other) = (try server.connect(), try server.connect())
        _ = try other.run(
            "SELECT pg_terminate_backend($1::int)", .integer(connection.backend), by: soon)
        var error: PostgreSQLError?
        try wait {
            do {
                _ = try connection.run("SELECT 1", by: soon)
            } catch let found as PostgreSQLError {
                error = found
            }
            return error != nil
        }
        #expect(error?.fault == .away && connection.failure == error)
    }

    @Test func `a session that ends within a load leaves no half of it`() throws {
        let server = try Self.server.get()
        let (connection, other) = (try server.connect(), try server.connect())
        var (rows, isEnded) = (0, false)
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.copy(
                "SELECT repeat('a', 1000) FROM generate_series(1, 1000000)"
            ) { _ in
                rows += 1
                guard !isEnded else { return }
                isEnded = true
                _ = try? other.run(
                    "SELECT pg_terminate_backend($1::int)", .integer(connection.backend), by: soon)
            }
        }
        #expect(error?.fault == .away && connection.failure != nil && rows < 1_000_000)
    }

    @Test func `connections that are used up are named`() throws {
        let server = try TestServer(["max_connections=4", "superuser_reserved_connections=1"])
        try server.connect().execute(
            "CREATE ROLE plain LOGIN PASSWORD '\(TestServer.password)'", by: soon)
        var login = TestServer.login
        login.user = "plain"
        var open = [PostgreSQLConnection]()
        var error: PostgreSQLError?
        try wait {
            do {
                open.append(try server.connect(login: login))
            } catch let found as PostgreSQLError {
                error = found
            }
            return error != nil
        }
        #expect(error?.code == "53300" && error?.fault == .away && open.count <= 4)
    }

    // MARK: Commits whose end is not known

    @Test func `a commit without an answer may have happened`() throws {
        let server = try Self.waiting.get()
        let connection = try server.connect()
        try server.connect().execute(
            "SET synchronous_commit = local; CREATE TABLE lost (a bigint)", by: soon)
        _ = try connection.begin([PostgreSQLStatement("INSERT INTO lost VALUES (1)")], by: soon)
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.commit(by: Deadline(in: 100))
        }
        #expect(error?.fault == .unknown && connection.failure != nil)
        // Other sessions see it when its own has ended, or was told not to wait.
        let other = try server.connect()
        try wait { try other.run("SELECT 1 FROM lost", by: soon).count == 1 || endsAll(other) }
    }

    @Test func `a wait for a standby that was cancelled is no success`() throws {
        let server = try Self.waiting.get()
        let (connection, other) = (try server.connect(), try server.connect())
        try other.execute("SET synchronous_commit = local; CREATE TABLE t (a bigint)", by: soon)
        _ = try connection.begin([PostgreSQLStatement("INSERT INTO t VALUES (1)")], by: soon)
        let backend = connection.backend
        let canceller = Background(name: "canceller") {
            waits {
                (try? server.connect().run(
                    """
                    SELECT pg_cancel_backend($1::int) FROM pg_stat_activity
                    WHERE pid = $1::int AND wait_event = 'SyncRep'
                    """, .integer(backend), by: soon))?.count == 1
            }
        }
        let error = #expect(throws: PostgreSQLError.self) { try connection.commit(by: soon) }
        #expect(error?.fault == .unknown && error?.code == "01000")
        #expect(canceller.value)
        #expect(try other.run("SELECT 1 FROM t", by: soon).count == 1)
    }

    private func endsAll(_ connection: PostgreSQLConnection) throws -> Bool {
        _ = try connection.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
            by: soon)
        return false
    }

    // MARK: Support

    private func refusal(_ server: TestServer) -> PostgreSQLError? {
        do {
            _ = try server.connect()
            return nil
        } catch {
            return error as? PostgreSQLError
        }
    }
}

/// The error of what has to fail, and the milliseconds that it took.
private func timed<Value>(
    _ body: () throws -> Value
) throws -> (error: PostgreSQLError?, milliseconds: Int) {
    let start = Clock.monotonicMicroseconds
    let error = #expect(throws: PostgreSQLError.self) { _ = try body() }
    return (error, (Clock.monotonicMicroseconds - start) / 1_000)
}

extension TestServer {
    fileprivate func connect(stalling milliseconds: Int) throws -> PostgreSQLConnection {
        var limits = PostgreSQLLimits()
        limits.stallMilliseconds = milliseconds
        return try connect(limits)
    }
}

private func isZombie(_ process: pid_t) -> Bool {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 512)
    let count = fread(&line, 1, line.count, file)
    let end = line[..<count].lastIndex(of: UInt8(ascii: ")")) ?? 0
    return end + 2 < count && line[end + 2] == UInt8(ascii: "Z")
}
