import Glibc
import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import Sockets
import Synchronization
import TestSupport
import Testing

@testable import LinkStore
@testable import SharedStore

/// What several nodes make of one database.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `A store of several nodes` {
    @discardableResult
    private func make(
        _ slug: String, at store: LinkStore, _ content: LinkContent = LinkContent(),
        isExact: Bool = false
    ) throws(StoreError) -> Result<StoredLink, LinkConflict> {
        try store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            return try store.create(
                store.makeID(milliseconds: 1_700_000_000_000, &random), "short", slug: slug,
                content,
                isExact: isExact, at: (1, 1), generation: generation)
        }
    }

    private func record(_ slug: String, at store: LinkStore) -> LinkRecord? {
        var lookup = LinkLookup()
        let number = CollectionName("short").number
        guard store.index.find(number, Array(slug.utf8).span, isExact: true, &lookup) else {
            return nil
        }
        return lookup.found
    }

    private func slugs(_ store: LinkStore) -> [String] {
        var slugs = [String]()
        store.index.forEach { bytes in
            slugs.append(
                String(decoding: LinkRecord(bytes.indices.map { bytes[$0] }).slug, as: UTF8.self))
        }
        return slugs.sorted()
    }

    @Test func `what one node does to a link, the others answer`() throws {
        let database = try TestStores()
        let (one, other) = (try database.open(), try database.open())
        let link = try make("a", at: one, content("https://a.example/1")).get()
        #expect(record("a", at: other) == nil)
        other.follow()
        #expect(record("a", at: other)?.destination == Array("https://a.example/1".utf8))
        #expect(try other.link(link.id) == link)
        #expect(other.names[CollectionName("short").number] == CollectionName("short"))
        // A change by the other node, an alias, and the end.
        _ = try other.transaction { generation throws(StoreError) in
            try other.update(link.id, expected: 1, at: 2, generation: generation) { _ in
                content("https://a.example/2")
            }
        }
        _ = try other.transaction { generation throws(StoreError) in
            try other.addAliases(["b"], to: link.id, isExact: false, at: 3, generation: generation)
        }
        one.follow()
        for slug in ["a", "b"] {
            #expect(record(slug, at: one)?.destination == Array("https://a.example/2".utf8))
        }
        #expect(record("b", at: one)?.ownSlug == Array("a".utf8))
        #expect(one.index.generation == 3 && other.index.generation == 3)
        _ = try one.transaction { generation throws(StoreError) in
            try one.delete(link.id, expected: nil, at: 4, generation: generation)
        }
        other.follow()
        for slug in ["a", "b"] { #expect(record(slug, at: other)?.state == .deleted) }
        #expect(try slugs(database.open()) == ["a", "b"])
        #expect(one.failure == nil && other.failure == nil)
    }

    @Test func `a slug, a name and an edit are decided by what others have committed`() throws {
        let database = try TestStores()
        let (one, other) = (try database.open(), try database.open())
        var named = content("https://a.example/")
        named.externalID = "x"
        let link = try make("A", at: one, named).get()
        // The other node has not followed, and knows it when it has the lock.
        #expect(
            try make("a", at: other) == .failure(.slugTaken(by: "A", isDeleted: false)))
        #expect(try make("b", at: other, named) == .failure(.externalIDTaken(by: link.id)))
        let edit = try other.transaction { generation throws(StoreError) in
            try other.update(link.id, expected: 7, at: 2, generation: generation) { $0.content }
        }
        #expect(edit == .changed(link))
        // What was refused has taken no generation, and no number.
        #expect(other.index.generation == 1)
        let next = try make("c", at: other).get()
        #expect(try other.number(of: next.id) == 2 && !next.id.isBefore(link.id))
    }

    @Test func `a transaction of which a part failed is not made`() throws {
        let store = try TestStores().open()
        for swallowed in [StoreError.refused, .database(place: "x", .busy("x"))] {
            #expect(throws: swallowed) {
                try store.transaction { generation throws(StoreError) in
                    _ = try make("half", at: store)
                    _ = try? store.transaction { _ throws(StoreError) in throw swallowed }
                }
            }
            #expect(try store.link("short", slug: "half") == nil)
        }
        _ = try make("half", at: store).get()
        #expect(store.failure == nil)
    }

    @Test func `tokens, answers and the audit are those of all nodes`() throws {
        let database = try TestStores()
        let (one, other) = (try database.open(), try database.open())
        let changes = other.tokenChanges
        let token = try one.transaction { _ throws(StoreError) in
            let token = try one.add(
                StoredToken(
                    name: "ci", ending: "abcd", scopes: [.linksCreate], collections: ["short"],
                    created: 1, createdBy: "me", expires: 9), hash: [1, 2])
            var entry = AuditEntry(time: 5, actor: "me", action: "token ci", link: nil)
            entry.after = "{}"
            try one.add(entry)
            try one.keep(
                RepeatedAnswer(request: [7], status: 201, fields: "a\tb", content: "c"),
                actor: token.id, key: "k", until: 100, at: 1)
            return token
        }
        #expect(try other.tokens() == [token])
        #expect(try other.tokensByHash().map(\.hash) == [[1, 2]])
        other.follow()
        #expect(other.tokenChanges > changes)
        #expect(try other.answer(actor: token.id, key: "k", at: 99)?.content == "c")
        #expect(try other.answer(actor: token.id, key: "k", at: 100) == nil)
        #expect(try other.audit(before: nil, limit: 9).map(\.entry.after) == ["{}"])
        let isRemoved = try other.transaction { _ throws(StoreError) in
            (try other.removeToken(token.id), try other.removeToken(token.id))
        }
        #expect(isRemoved == (true, false))
        #expect(try one.tokens().isEmpty && one.answer(actor: token.id, key: "k", at: 1) == nil)
    }

    @Test func `a node that was away follows more than a page of one generation`() throws {
        let database = try TestStores()
        let (one, other) = (try database.open(), try database.open())
        let count = 10_050
        try createLinks(count, in: one)
        other.follow()
        #expect(other.index.count == count && other.index.generation == 1)
        #expect(try database.open().index.count == count)
    }

    @Test func `a lost connection is replaced, and a change that it has interrupted is not made`()
        throws
    {
        let database = try TestStores()
        let (store, server) = (try database.open(), try database.connect())
        let end =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        _ = try server.run(end, by: soon)
        let link = try make("a", at: store).get()
        _ = try server.run(end, by: soon)
        #expect(try store.link(link.id) == link)
        var attempts = 0
        #expect(throws: StoreError.self) {
            try store.transaction { _ throws(StoreError) in
                attempts += 1
                _ = try? server.run(end, by: soon)
                _ = try store.link(link.id)
            }
        }
        guard case .database(_, .away) = store.failure else {
            return #expect(Bool(false), "\(String(describing: store.failure))")
        }
        #expect(attempts == 1)
        #expect(try make("b", at: store).get().slug == "b" && store.failure == nil)
    }

    /// The server's process is stopped before COMMIT reaches it, and goes on or ends later.
    @Test(arguments: [SIGCONT, SIGTERM])
    func `a commit without an answer is made once`(_ signal: CInt) throws {
        let database = try TestStores()
        var place = try database.place()
        place.limits.statementMilliseconds = 500
        let (store, server) = (try LinkStore(place), try database.connect())
        try make("first", at: store)
        var (attempts, ended) = (0, Background<Bool>?.none)
        let made = try store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            let made = try store.create(
                store.makeID(milliseconds: 1_700_000_000_000, &random), "short", slug: "a",
                LinkContent(), isExact: false, at: (1, 1), generation: generation)
            attempts += 1
            if attempts == 1 { ended = stop(server, then: signal) }
            return made
        }
        #expect(ended?.value == true)
        #expect(attempts == (signal == SIGCONT ? 1 : 2))
        let link = try made.get()
        #expect(try store.link(link.id) == link && slugs(store) == ["a", "first"])
        #expect(try slugs(database.open()) == ["a", "first"])
        #expect(try make("b", at: store).get().generation == 3)
    }

    /// Stops the process of the open transaction until another session waits for its lock.
    private func stop(_ server: PostgreSQLConnection, then signal: CInt) -> Background<Bool> {
        let found = try? server.run(
            """
            SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'idle in transaction'
            """, by: soon)
        let process = pid_t(found?.first?.integer(0) ?? 0)
        let watcher = Watcher(server)
        guard process > 0 else { return Background(name: "watcher") { false } }
        kill(process, SIGSTOP)
        // A process that is told to end does so before it reads what was sent.
        if signal == SIGTERM { kill(process, signal) }
        return Background(name: "watcher") {
            let isWaiting = waits { watcher.seesWaiter }
            kill(process, SIGCONT)
            return isWaiting
        }
    }

    private final class Watcher: @unchecked Sendable {
        private let connection: PostgreSQLConnection
        init(_ connection: PostgreSQLConnection) { self.connection = connection }

        var seesWaiter: Bool {
            let found = try? connection.run(
                "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
                by: soon)
            return found.map { $0.count > 0 } ?? false
        }
    }

    @Test func `a history that went back is read anew, and known links are answered until then`()
        throws
    {
        let database = try TestStores()
        let (one, other, server) = (
            try database.open(), try database.open(), try database.connect()
        )
        for slug in ["a", "b", "c"] { try make(slug, at: one) }
        other.follow()
        #expect(slugs(other) == ["a", "b", "c"])
        // As after a restore of an earlier state, in which another link was made.
        try server.execute(
            """
            DELETE FROM waymark.slug WHERE slug = 'c'; DELETE FROM waymark.link WHERE slug = 'c';
            UPDATE waymark.link SET slug = 'd' WHERE slug = 'b';
            UPDATE waymark.slug SET slug = 'd' WHERE slug = 'b';
            DELETE FROM waymark.change WHERE generation > 1;
            INSERT INTO waymark.change VALUES (2, '\\x01', 'x', 0);
            UPDATE waymark.store SET generation = 2, last_link = 2
            """, by: soon)
        other.follow()
        let setback = other.takeSetback()
        #expect(setback?.from == 3 && setback?.to == 2)
        #expect(slugs(other) == ["a", "d"] && other.index.generation == 2)
        #expect(other.failure == nil && other.takeSetback() == nil)
        // A change notices it, too.
        #expect(try make("e", at: one).get().generation == 3)
        #expect(slugs(one) == ["a", "d", "e"])
        other.follow()
        #expect(slugs(other) == ["a", "d", "e"])
    }

    /// As where the database was restored, and the file of visits was not.
    @Test func `a number that visits have is given to no link, whatever others have made`() throws {
        let database = try TestStores()
        let (one, other) = (try database.open(), try database.open())
        one.skipNumbers(to: 100)
        try make("a", at: other)
        one.follow()
        let link = try make("b", at: one).get()
        #expect(try one.number(of: link.id) == 101)
        // The others follow it.
        let next = try make("c", at: other).get()
        #expect(try other.number(of: next.id) == 102)
    }

    @Test func `what a link has is sent once, however many aliases it has`() throws {
        let database = try TestStores()
        let store = try database.open()
        let destination = "https://a.example/" + String(repeating: "x", count: 1_000)
        let link = try make("a", at: store, content(destination)).get()
        _ = try store.transaction { generation throws(StoreError) in
            try store.addAliases(
                (0..<100).map { "b\($0)" }, to: link.id, isExact: false, at: 2,
                generation: generation)
        }
        let connection = try database.connect()
        let feed = try connection.run(
            [PostgreSQLLinkRows.feed(after: 0)], by: soon)[0]
        #expect(feed.count == 101)
        #expect(feed.rows.reduce(0) { $0 + $1.bytes(4).count } == destination.utf8.count)
        let all = try connection.run(PostgreSQLLinkRows.all, by: soon)
        #expect(all.rows.reduce(0) { $0 + $1.bytes(2).count } == destination.utf8.count)
        #expect(record("b7", at: try database.open())?.destination == Array(destination.utf8))
    }

    @Test func `the letter case of a collection can change`() throws {
        let database = try TestStores()
        let (one, other) = (try database.open(), try database.open())
        try make("Ab", at: one)
        // To `exact`, and back, on one node after the other.
        #expect(try make("aB", at: other, isExact: true).get().slug == "aB")
        #expect(throws: LinkConflict.self) { try make("ab", at: one).get() }
        #expect(try make("ab", at: one, isExact: true).get().slug == "ab")
        #expect(throws: LinkConflict.self) { try make("AB", at: other).get() }
        #expect(try make("c", at: other).get().slug == "c")
        #expect(one.failure == nil && other.failure == nil)
    }

    @Test func `a database that cannot be used is told by what an operator can do`() throws {
        let database = try TestStores()
        func fault(_ place: PostgreSQLPlace) throws -> DatabaseFault {
            do {
                _ = try LinkStore(place)
            } catch .database(_, let fault) {
                return fault
            }
            throw StoreError.refused
        }
        guard case .refused(let words) = try fault(database.place(password: "wrong")) else {
            return #expect(Bool(false))
        }
        #expect(words.contains("password authentication failed"))
        let elsewhere = PostgreSQLPlace(
            try PostgreSQLLocation("postgresql://waymark@127.0.0.1:1/x?sslmode=disable"), node: "n"
        ) { () throws(StoreError) in "x" }
        let away = try fault(elsewhere)
        guard case .away = away else { return #expect(Bool(false), "\(away)") }
        let server = try database.connect()
        try server.execute("CREATE SCHEMA waymark; CREATE TABLE waymark.mine (a int)", by: soon)
        #expect(try fault(database.place()) == .isForeign)
        try server.execute("DROP SCHEMA waymark CASCADE", by: soon)
        let store = try database.open()
        let known = PostgreSQLSchema.scripts.count
        let later = known + 1
        try server.execute(
            "UPDATE waymark.schema SET version = \(later), min_writer = \(later)", by: soon)
        let other = try database.open()
        #expect(
            throws: StoreError.database(
                place: store.path, .isUnwritable(schema: later, known: known))
        ) {
            try make("a", at: other)
        }
        try server.execute("UPDATE waymark.schema SET min_reader = \(later)", by: soon)
        #expect(try fault(database.place()) == .isNewer(schema: later, known: known))
        #expect(throws: StoreError.database(place: store.path, .copiesItself)) {
            try store.backup(to: "/tmp/none")
        }
    }

    /// Each slug is tried by several nodes; each is made once, and all nodes end with the same links.
    @Test func `of nodes that change and follow at once, none misses a link`() throws {
        let database = try TestStores(on: TestServer(["max_connections=30"]))
        let place = try database.place()
        _ = try database.open()
        let running = Atomic<Int>(6)
        let followers = (0..<3).map { _ in
            Background(name: "follower") {
                Result {
                    let store = try LinkStore(place)
                    while running.load(ordering: .acquiring) > 0 {
                        store.follow()
                        usleep(500)
                    }
                    store.follow()
                    return slugs(store)
                }
            }
        }
        let writers = (0..<6).map { number in
            Background(name: "writer") {
                defer { running.subtract(1, ordering: .releasing) }
                return Result {
                    let store = try LinkStore(place)
                    var made = [String]()
                    for turn in 0..<20 {
                        if turn % 7 == number {
                            #expect(throws: StoreError.refused) {
                                try store.transaction { _ throws(StoreError) in
                                    try make("never\(turn)", at: store)
                                    throw .refused
                                }
                            }
                        }
                        let slug = "s\((turn + number) % 25)"
                        if case .success = try make(slug, at: store) { made.append(slug) }
                    }
                    return made
                }
            }
        }
        let made = try writers.flatMap { try $0.value.get() }.sorted()
        #expect(Set(made).count == made.count)
        #expect(try slugs(database.open()) == made)
        for follower in followers { #expect(try follower.value.get() == made) }
    }
}
