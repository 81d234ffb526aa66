import Glibc
import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import SharedStore

/// What a node makes of a database that is not the one that it knew, or not for it.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `A database that has changed under a node` {
    private func make(_ slug: String, at store: LinkStore) throws(StoreError) {
        _ = try store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            return try store.create(
                store.makeID(milliseconds: 1_700_000_000_000, &random), "short", slug: slug,
                LinkContent(), isExact: false, at: (1, 1), generation: generation)
        }
    }

    private func fault(_ store: LinkStore) -> DatabaseFault? {
        guard case .database(_, let fault)? = store.failure else { return nil }
        return fault
    }

    // MARK: A newer version

    @Test
    func `a running node stops writing as soon as a newer one forbids it, and goes on after that`()
        throws
    {
        let database = try TestStores()
        let (one, other, server) = (
            try database.open(), try database.open(), try database.connect()
        )
        try make("a", at: one)
        let known = PostgreSQLSchema.scripts.count
        try server.execute(
            "UPDATE waymark.schema SET version = \(known + 1), min_writer = \(known)", by: soon)
        try make("b", at: one)
        try server.execute("UPDATE waymark.schema SET min_writer = \(known + 1)", by: soon)
        let refusal = DatabaseFault.isUnwritable(schema: known + 1, known: known)
        #expect(throws: StoreError.database(place: one.path, refusal)) { try make("c", at: one) }
        #expect(fault(one) == refusal)
        // A node at which nobody changes anything says so, too, and follows.
        #expect(other.follow() && fault(other) == refusal && other.index.count == 2)
        #expect(try server.run("SELECT 1 FROM waymark.link", by: soon).count == 2)
        try server.execute("UPDATE waymark.schema SET min_writer = 1", by: soon)
        #expect(other.follow() && other.failure == nil)
        // Also where somebody was refused meanwhile.
        #expect(one.follow() && one.failure == nil)
        try make("d", at: one)
        #expect(one.failure == nil)
    }

    @Test func `a running node stops reading when it may not any more, and answers what it knows`()
        throws
    {
        let database = try TestStores()
        let (one, other, server) = (
            try database.open(), try database.open(), try database.connect()
        )
        try make("a", at: one)
        other.follow()
        let known = PostgreSQLSchema.scripts.count
        try server.execute(
            """
            UPDATE waymark.schema SET version = \(known + 1), min_writer = \(known + 1),
              min_reader = \(known + 1);
            UPDATE waymark.store SET generation = 2; UPDATE waymark.link SET generation = 2;
            INSERT INTO waymark.change VALUES (2, '\\x01', 'x', 0)
            """, by: soon)
        let refusal = DatabaseFault.isNewer(schema: known + 1, known: known)
        #expect(!other.follow() && fault(other) == refusal)
        #expect(other.index.count == 1 && other.index.generation == 1)
        #expect(throws: StoreError.database(place: one.path, refusal)) { try make("b", at: one) }
        // Columns that are gone are no fault of an operator.
        try server.execute("ALTER TABLE waymark.link DROP COLUMN details CASCADE", by: soon)
        #expect(!other.follow() && fault(other) == refusal)
    }

    @Test(arguments: ["min_writer", "min_reader"])
    func `visits wait where a newer version forbids writing`(_ right: String) throws {
        let database = try TestStores()
        let visits = try PostgreSQLVisits(database.place())
        let server = try database.connect()
        func add(_ id: Int) throws {
            var batch = VisitBatch()
            batch.add(VisitKey(link: 7, hour: 480_000, .visit), 1)
            try visits.add(batch, id: id)
        }
        try add(1)
        let known = PostgreSQLSchema.scripts.count
        try server.execute(
            "UPDATE waymark.schema SET version = \(known + 1), \(right) = \(known + 1)", by: soon)
        let refusal =
            right == "min_reader"
            ? DatabaseFault.isNewer(schema: known + 1, known: known)
            : .isUnwritable(schema: known + 1, known: known)
        // The node learns of it as it would write.
        try visits.beginMoving()
        #expect(!visits.isMoving)
        #expect(throws: visits.database.error(refusal)) { try add(2) }
        #expect(throws: visits.database.error(refusal)) { try add(2) }
        #expect(throws: visits.database.error(refusal)) { try visits.beginMoving() }
        #expect(try server.run("SELECT 1 FROM waymark.visit_piece", by: soon).count == 1)
        try server.execute("UPDATE waymark.schema SET \(right) = 1", by: soon)
        try add(2)
        #expect(
            try server.run("SELECT sum(count)::bigint FROM waymark.visit_hour", by: soon).first?
                .integer(0) == 2)
    }

    // MARK: A right to change links

    @Test func `a change that is refused is said until one succeeds, or nobody tries for a minute`()
        throws
    {
        let database = try TestStores()
        let (store, server) = (try database.open(), try database.connect())
        // The role of these tests has all rights.
        try server.execute(
            """
            CREATE FUNCTION waymark.refuse() RETURNS trigger LANGUAGE plpgsql AS
              'BEGIN RAISE insufficient_privilege; END';
            CREATE TRIGGER refuse BEFORE INSERT ON waymark.slug
              FOR EACH ROW EXECUTE FUNCTION waymark.refuse()
            """, by: soon)
        #expect(throws: StoreError.self) { try make("a", at: store) }
        let refusal = store.failure
        guard case .refused? = fault(store) else {
            return #expect(Bool(false), "\(String(describing: refusal))")
        }
        for _ in 0..<LinkStore.refusalAnswersMax {
            #expect(store.follow() && store.failure == refusal)
        }
        #expect(store.follow() && store.failure == nil)
        #expect(throws: StoreError.self) { try make("a", at: store) }
        try server.execute("DROP TRIGGER refuse ON waymark.slug", by: soon)
        #expect(store.follow() && store.failure == refusal)
        try make("a", at: store)
        #expect(store.failure == nil)
    }

    // MARK: An empty database

    @Test(arguments: [false, true])
    func `an empty database in the place of a known one is left to its operator`(_ isMade: Bool)
        throws
    {
        let database = try TestStores()
        let place = try database.place()
        let (store, visits) = (try LinkStore(place), try PostgreSQLVisits(place))
        let server = try database.connect()
        try make("a", at: store)
        try server.execute("ALTER SCHEMA waymark RENAME TO kept", by: soon)
        // By a node that is new, which knows nothing of the one before.
        if isMade { _ = try database.open() }
        #expect(!store.follow() && fault(store) == .isEmpty)
        #expect(throws: StoreError.database(place: store.path, .isEmpty)) {
            try make("b", at: store)
        }
        #expect(store.index.count == 1 && store.takeSetback() == nil)
        // Nor are visits counted there, and what is read on a new connection is not taken for all links.
        var batch = VisitBatch()
        batch.add(VisitKey(link: 1, hour: 480_000, .visit), 1)
        #expect(throws: visits.database.error(.isEmpty)) { try visits.add(batch, id: 1) }
        #expect(throws: visits.database.error(.isEmpty)) { try LinkStore(place) }
        if !isMade {
            #expect(
                try server.run("SELECT 1 FROM pg_namespace WHERE nspname = 'waymark'", by: soon)
                    .count == 0)
        }
        // It is restored.
        if isMade { try server.execute("DROP SCHEMA waymark CASCADE", by: soon) }
        try server.execute("ALTER SCHEMA kept RENAME TO waymark", by: soon)
        try wait { store.follow() }
        try make("b", at: store)
        #expect(store.failure == nil && store.index.generation == 2)
        #expect(store.takeSetback() == nil)
    }

    /// The database was made anew in the setup of a fleet, before there was a link.
    @Test func `an empty database in the place of an empty one is used`() throws {
        let database = try TestStores()
        let place = try database.place()
        let (store, server) = (try LinkStore(place), try database.connect())
        let seen = try #require(store.base?.history)
        try server.execute("DROP SCHEMA waymark CASCADE", by: soon)
        try wait { store.follow() }
        // The same by a node that has started meanwhile.
        try server.execute("DROP SCHEMA waymark CASCADE", by: soon)
        #expect(try LinkStore(database.place(), seen: seen).failure == nil)
        // Or by a new one.
        try server.execute("DROP SCHEMA waymark CASCADE", by: soon)
        _ = try database.open()
        #expect(try LinkStore(place).failure == nil)
        try make("a", at: store)
        #expect(store.failure == nil && store.index.count == 1)
    }

    @Test func `a store that went back to its beginning is the same store`() throws {
        let database = try TestStores()
        let (store, server) = (try database.open(), try database.connect())
        try make("a", at: store)
        try server.execute(
            """
            DELETE FROM waymark.slug; DELETE FROM waymark.link; DELETE FROM waymark.change;
            UPDATE waymark.store SET generation = 0, last_link = 0
            """, by: soon)
        #expect(store.follow() && store.index.count == 0)
        #expect(store.takeSetback()?.to == 0)
    }

    @Test func `another store with links is read in the place of the known one`() throws {
        let database = try TestStores()
        let (store, server) = (try database.open(), try database.connect())
        for slug in ["a", "b"] { try make(slug, at: store) }
        try server.execute("ALTER SCHEMA waymark RENAME TO kept", by: soon)
        try make("c", at: database.open())
        #expect(store.follow() && store.takeSetback()?.to == 1)
        #expect(store.index.count == 1)
    }

    // MARK: An old primary

    /// The old primary goes on, and takes changes; nobody has told the node.
    @Test func `a node leaves a primary that another one has replaced, without a new connection`()
        throws
    {
        let (old, new) = (
            try TestServer(),
            try TestServer(["max_connections=100"], preparation: "touch data/standby.signal")
        )
        var place = PostgreSQLPlace(
            try PostgreSQLLocation(
                "postgresql://waymark@127.0.0.1:\(old.port),127.0.0.1:\(new.port)/postgres"),
            node: "test"
        ) { () throws(StoreError) in TestServer.password }
        place.limits.connectMilliseconds = safetyNetSeconds * 1_000
        place.limits.statementMilliseconds = safetyNetSeconds * 1_000
        let (store, visits) = (try LinkStore(place), try PostgreSQLVisits(place))
        _ = try visits.retentionDay(0, after: 0)
        try make("a", at: store)
        #expect(store.follow() && store.index.count == 1)
        _ = try new.connect().run("SELECT pg_promote()", by: soon)
        // The new one has none of the old one's tables, as a standby far behind.
        try LinkStore(
            PostgreSQLPlace(
                PostgreSQLLocation("postgresql://waymark@127.0.0.1:\(new.port)/postgres"),
                node: "other"
            ) { () throws(StoreError) in TestServer.password }
        ).close()
        try wait { !store.follow() }
        guard case .isReplaced(let words)? = fault(store) else {
            return #expect(Bool(false), "\(String(describing: store.failure))")
        }
        #expect(
            words
                == "127.0.0.1:\(new.port) has timeline 2, and the server that was used has a lower one"
        )
        #expect(throws: StoreError.self) { try visits.retentionDay(0, after: 0) }
        // From then on, it is the new one that is asked, which is empty.
        #expect(!store.follow() && fault(store) == .isEmpty)
        #expect(throws: StoreError.self) { try make("b", at: store) }
        #expect(try old.connect().run("SELECT 1 FROM waymark.link", by: soon).count == 1)
        #expect(throws: visits.database.error(.isEmpty)) { try visits.retentionDay(0, after: 0) }
        #expect(place.known.newest?.timeline == 2)
    }

    /// As an address that moves with a failover, while connections to the old primary live.
    @Test func `a node leaves a primary whose only name leads to its successor by now`() throws {
        let (old, new) = (
            try TestServer(),
            try TestServer(["max_connections=100"], preparation: "touch data/standby.signal")
        )
        let directory = StoreDirectory()
        func lead(to server: TestServer) throws {
            let path = "\(directory.path)/.s.PGSQL.5432"
            try #require(symlink("\(server.directory)/.s.PGSQL.\(server.port)", "\(path).new") == 0)
            try #require(rename("\(path).new", path) == 0)
        }
        try lead(to: old)
        let host = directory.path.replacing("/", with: "%2F")
        var place = PostgreSQLPlace(
            try PostgreSQLLocation("postgresql://waymark@\(host)/postgres"), node: "test"
        ) { () throws(StoreError) in TestServer.password }
        place.limits.connectMilliseconds = safetyNetSeconds * 1_000
        place.limits.statementMilliseconds = safetyNetSeconds * 1_000
        place.ownLookMilliseconds = 20
        let store = try LinkStore(place)
        try make("a", at: store)
        // The same server again is no other one.
        for _ in 0..<10 {
            #expect(store.follow() && store.index.count == 1)
            try Wakeup().wait(atMost: 10)
        }
        _ = try new.connect().run("SELECT pg_promote()", by: soon)
        try lead(to: new)
        try wait { !store.follow() }
        guard case .isReplaced(let words)? = fault(store) else {
            return #expect(Bool(false), "\(String(describing: store.failure))")
        }
        let end = " has timeline 2, and the server that was used has a lower one"
        #expect(words.utf8.suffix(end.utf8.count).elementsEqual(end.utf8), "\(words)")
        #expect(try old.connect().run("SELECT 1 FROM waymark.link", by: soon).count == 1)
    }
}
