import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@testable import LinkStore
@testable import SharedStore

/// Files that one node at a time changes, and all follow.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Files of a fleet` {
    private func node(_ database: TestStores, _ name: String) throws -> SharedFiles {
        let place = try database.place()
        var own = PostgreSQLPlace(place.location, node: name, password: place.password)
        own.limits = place.limits
        return try SharedFiles(own)
    }

    private func file(_ name: String, _ content: String?) -> SharedFiles.File {
        SharedFiles.File(name, key: [1, 2], content: content.map { Array($0.utf8) })
    }

    private func texts(_ news: SharedFiles.News) -> [String] {
        news.files.map {
            "\($0.name)=\($0.content.map { String(decoding: $0, as: UTF8.self) } ?? "-")"
        }
        .sorted()
    }

    /// Lets a lease end as if its time had passed.
    private func expire(_ database: TestStores) throws {
        _ = try database.connect().run("UPDATE waymark.certificate_state SET until = 1", by: soon)
    }

    @Test func `one node at a time changes them, and the others read each change once`() throws {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        #expect(try one.write([file("a", "1")]) == nil, "without the lease")
        #expect(try other.follow().isWhole && other.follow().files.isEmpty)
        let first = try one.takeLease()
        #expect(one.hasLease && first.holder == "one" && first.files.isEmpty)
        #expect(try one.write([file("a", "1"), file("b", "2")]) == 1)
        let second = try other.takeLease()
        #expect(!other.hasLease && second.holder == "one" && texts(second) == ["a=1", "b=2"])
        #expect(second.files.allSatisfy { $0.key == [1, 2] } && second.version == 1)
        #expect(try other.follow().files.isEmpty && one.follow().files.isEmpty)
        #expect(try one.write([file("b", nil)]) == 2)
        var isTold = false
        for _ in 0..<(safetyNetSeconds * 100) where !isTold {
            isTold = other.takeNotice()
            if !isTold { try Wakeup().wait(atMost: 10) }
        }
        #expect(isTold)
        #expect(try texts(other.follow()) == ["b=-"])
        #expect(try other.write([file("c", "3")]) == nil)
        one.endLease()
        #expect(try other.follow().holder == nil)
        _ = try other.takeLease()
        #expect(other.hasLease)
        #expect(try one.renewLease() == false)
        // Whoever forgets reads all of them again.
        one.forget()
        let all = try one.follow()
        #expect(all.isWhole && texts(all) == ["a=1", "b=-"])
    }

    @Test func `a node whose lease was given to another changes nothing any more`() throws {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        _ = try one.takeLease()
        try expire(database)
        // Nobody has taken it meanwhile.
        #expect(try one.renewLease())
        #expect(try other.takeLease().holder == "one" && !other.hasLease)
        try expire(database)
        _ = try other.takeLease()
        #expect(try other.hasLease && other.write([file("a", "of the other")]) == 1)
        #expect(try one.write([file("a", "late")]) == nil && !one.hasLease)
        #expect(try texts(one.follow()) == ["a=of the other"])
        // Neither does a lease of the same node that was another one.
        let again = try node(database, "other")
        _ = try again.takeLease()
        #expect(try again.hasLease && other.write([file("a", "before")]) == nil)
    }

    @Test func `nodes know which of those that are there have not read a change`() throws {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        #expect(try other.tellRead(0) == false, "nobody knows of it yet")
        let server = try database.connect()
        for name in ["one", "other", "gone"] {
            let seen = name == "gone" ? StoreFleet.presentMilliseconds : 0
            _ = try server.run(
                """
                INSERT INTO waymark.node (name, version, configuration, generation, clock_offset, started, seen)
                VALUES ($1, '', '', 0, 0, 0, (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $2)
                """, .text(name), .integer(seen), by: soon)
        }
        _ = try one.takeLease()
        let version = try #require(try one.write([file("a", "1")]))
        #expect(try one.countLate(version) == 1)
        #expect(try other.tellRead(version - 1) && one.countLate(version) == 1)
        #expect(try other.tellRead(version) && one.countLate(version) == 0)
    }

    @Test func `what is read on another connection may be of another history, so all of it is`()
        throws
    {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        _ = try one.takeLease()
        _ = try one.write([file("a", "1")])
        #expect(try other.follow().files.count == 1)
        let server = try database.connect()
        _ = try server.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """, by: soon)
        // It was restored to a time before the change.
        _ = try server.run("DELETE FROM waymark.certificate_file", by: soon)
        _ = try server.run("UPDATE waymark.certificate_state SET version = 0", by: soon)
        let news = try other.follow()
        #expect(news.isWhole && news.files.isEmpty && news.version == 0)
    }

    @Test func `a newer program that forbids changes is noticed while connected`() throws {
        let database = try TestStores()
        let one = try node(database, "one")
        _ = try one.takeLease()
        one.endLease()
        let (server, known) = (try database.connect(), PostgreSQLSchema.scripts.count)
        _ = try server.run(
            "UPDATE waymark.schema SET version = \(known + 1), min_writer = \(known + 1)", by: soon)
        #expect(throws: StoreError.self) { _ = try one.takeLease() }
        #expect(!one.hasLease)
        #expect(try one.follow().holder == nil, "what it has taken, it has given back")
        #expect(one.writingFault != nil)
        _ = try server.run("UPDATE waymark.schema SET version = \(known), min_writer = 1", by: soon)
        #expect(try one.follow().files.isEmpty && one.writingFault == nil)
        _ = try one.takeLease()
        #expect(one.hasLease)
    }

    @Test func `of several nodes that want it, one gets it each time`() throws {
        let database = try TestStores()
        let nodes = try (0..<4).map { try node(database, "n\($0)") }
        for _ in 0..<10 {
            for node in nodes { _ = try node.takeLease() }
            #expect(nodes.filter(\.hasLease).count == 1)
            nodes.forEach { $0.endLease() }
        }
    }
}
