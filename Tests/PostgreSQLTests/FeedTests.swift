import Glibc
import PostgreSQL
import PostgreSQLSupport
import Sockets
import Synchronization
import TestSupport
import Testing

/// The way in which nodes change a store and follow it (decision 61), with as little of a store as shows
/// that: a row that is locked first, and a feed by generation and number.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `The feed of several nodes` {
    private static let server = Result {
        let server = try TestServer(["max_connections=70"])
        try server.connect().execute(
            """
            CREATE TABLE store (generation bigint NOT NULL, last_link bigint NOT NULL);
            INSERT INTO store VALUES (0, 0);
            CREATE TABLE link (id bigint PRIMARY KEY, generation bigint NOT NULL);
            CREATE INDEX ON link (generation, id);
            CREATE TABLE change (generation bigint PRIMARY KEY, mark bigint NOT NULL);
            CREATE SEQUENCE numbers; CREATE TABLE numbered (id bigint PRIMARY KEY)
            """, by: soon)
        return server
    }

    /// A writer has the lock, and has not seen all that was committed.
    private struct Unseen: Error {}

    /// A node: its connection, and what it has seen.
    private final class Node {
        var connection: PostgreSQLConnection
        private var place = (generation: 0, id: 0)
        private(set) var seen = [Int]()

        init() throws { connection = try Self.connect() }

        static func connect() throws -> PostgreSQLConnection {
            var limits = PostgreSQLLimits()
            limits.connectMilliseconds = safetyNetSeconds * 1_000
            // Many writers wait for one lock on a busy machine.
            limits.serverLockMilliseconds = safetyNetSeconds * 1_000
            limits.serverStatementMilliseconds = safetyNetSeconds * 1_000
            limits.serverIdleMilliseconds = safetyNetSeconds * 1_000
            return try server.get().connect(limits)
        }

        private var feed: PostgreSQLStatement {
            PostgreSQLStatement(
                """
                SELECT generation, id FROM link WHERE (generation, id) > ($1, $2)
                ORDER BY generation, id
                """, .integer(place.generation), .integer(place.id))
        }

        private func take(_ rows: PostgreSQLResult) {
            for row in rows.rows {
                place = (row.integer(0), row.integer(1))
                seen.append(place.id)
            }
        }

        func poll() throws { take(try connection.run([feed], by: soon)[0]) }

        /// The first round trip of a change. After it, the node has seen all that was committed.
        func begin() throws -> (generation: Int, lastLink: Int) {
            let results = try connection.begin(
                [
                    PostgreSQLStatement(
                        "UPDATE store SET generation = generation + 1 RETURNING generation, last_link"
                    ),
                    feed,
                ], by: soon)
            take(results[1])
            let row = try #require(results[0].first)
            return (row.integer(0), row.integer(1))
        }

        /// The second one.
        func commit(
            _ count: Int, _ begun: (generation: Int, lastLink: Int), mark: Int,
            by deadline: Deadline
        ) throws {
            let ids = Array(begun.lastLink + 1...begun.lastLink + count)
            try connection.commit(
                [
                    PostgreSQLStatement(
                        "INSERT INTO link SELECT id, $2 FROM unnest($1::bigint[]) AS l (id)",
                        .integers(ids), .integer(begun.generation)),
                    PostgreSQLStatement("UPDATE store SET last_link = $1", .integer(ids.last ?? 0)),
                    PostgreSQLStatement(
                        "INSERT INTO change VALUES ($1, $2)", .integer(begun.generation),
                        .integer(mark)),
                ], by: deadline)
        }

        /// The mark of a generation, when whoever was writing it has ended.
        func mark(of generation: Int) throws -> Int? {
            _ = try begin()
            defer { connection.rollBack() }
            return try connection.run(
                "SELECT mark FROM change WHERE generation = $1", .integer(generation), by: soon
            ).first?.integer(0)
        }
    }

    @Test func `of fifty writers, no reader skips a row, and each writer has seen all`() throws {
        _ = try Self.server.get()
        let running = Atomic<Int>(50)
        let readers = (0..<3).map { _ in
            Background(name: "reader") {
                Result {
                    let node = try Node()
                    while running.load(ordering: .acquiring) > 0 {
                        try node.poll()
                        usleep(500)
                    }
                    try node.poll()
                    return node.seen
                }
            }
        }
        let writers = (0..<50).map { number in
            Background(name: "writer") {
                defer { running.subtract(1, ordering: .releasing) }
                return Result {
                    var random = SplitMix(seed: UInt64(number))
                    let node = try Node()
                    var committed = 0
                    for turn in 0..<8 {
                        usleep(UInt32(random.next() % 20_000))
                        let begun = try node.begin()
                        let all = try node.connection.run("SELECT count(*) FROM link", by: soon)
                        guard all.first?.integer(0) == node.seen.count else { throw Unseen() }
                        usleep(UInt32(random.next() % 2_000))
                        if random.next() % 10 == 0 {
                            node.connection.rollBack()
                            continue
                        }
                        let count = Int(random.next() % 5) + 1
                        try node.commit(count, begun, mark: number * 100 + turn, by: soon)
                        committed += count
                    }
                    return committed
                }
            }
        }
        let committed = try writers.map { try $0.value.get() }.reduce(0, +)
        let all = try Node()
        try all.poll()
        #expect(all.seen == Array(1...committed))
        for reader in readers { #expect(try reader.value.get() == all.seen) }
    }

    /// Why the place of a reader is no number of a sequence.
    @Test func `a reader that follows a sequence skips a row`() throws {
        let (first, second, reader) = (try Node.connect(), try Node.connect(), try Node.connect())
        let insert = PostgreSQLStatement("INSERT INTO numbered VALUES (nextval('numbers'))")
        let read = "SELECT id FROM numbered WHERE id > $1 ORDER BY id"
        _ = try first.begin([insert], by: soon)
        _ = try second.run([insert], by: soon)
        let seen = try reader.run(read, .integer(0), by: soon).rows.map { $0.integer(0) }
        try first.commit(by: soon)
        let later = try reader.run(read, .integer(seen.last ?? 0), by: soon)
        #expect(seen == [2] && later.count == 0)
        #expect(try reader.run("SELECT 1 FROM numbered", by: soon).count == 2)
    }

    @Test func `a commit without an answer is found by its mark, or was none`() throws {
        let server = try Self.server.get()
        for (signal, isCommitted) in [(SIGCONT, true), (SIGTERM, false)] {
            let (node, other) = (try Node(), try Node())
            let begun = try node.begin()
            let backend = pid_t(node.connection.backend)
            kill(backend, SIGSTOP)
            // A process that is told to end does so before it reads what was sent.
            if signal == SIGTERM { kill(backend, signal) }
            let error = #expect(throws: PostgreSQLError.self) {
                try node.commit(1, begun, mark: 4_711, by: Deadline(in: 100))
            }
            #expect(error?.fault == .unknown)
            // Whoever wants to know waits for the lock of the transaction that was lost.
            let found = Background(name: "asker") { [generation = begun.generation] in
                Result { try Node().mark(of: generation) }
            }
            kill(backend, SIGCONT)
            #expect(try found.value.get() == (isCommitted ? 4_711 : nil))
            try other.poll()
            #expect(other.seen.contains(begun.lastLink + 1) == isCommitted)
        }
        #expect(server.port > 0)
    }
}
