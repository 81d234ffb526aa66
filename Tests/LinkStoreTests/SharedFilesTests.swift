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
        try SharedFiles(database.place(node: name))
    }

    private func file(_ name: String, _ content: String?) -> SharedFiles.File {
        SharedFiles.File(name, key: [1, 2], content: content.map { Array($0.utf8) })
    }

    /// The files that a node reads, and the state.
    private struct Read {
        let news: SharedFiles.News
        let files: [SharedFiles.File]
        /// As many as came together.
        let pages: [Int]
    }

    private func follow(
        _ node: SharedFiles, _ names: [String] = ["a", "b", "c"]
    ) throws -> Read {
        var (files, pages) = ([SharedFiles.File](), [Int]())
        let news = try node.follow(names) { page in
            files += page
            pages.append(page.count)
        }
        return Read(news: news, files: files, pages: pages)
    }

    private func takeLease(_ node: SharedFiles) throws -> Read {
        var files = [SharedFiles.File]()
        let news = try node.takeLease(["a", "b", "c"]) { files += $0 }
        return Read(news: news, files: files, pages: [])
    }

    private func texts(_ read: Read) -> [String] {
        read.files.map {
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
        #expect(try follow(other).news.isWhole && follow(other).files.isEmpty)
        let first = try takeLease(one)
        #expect(one.hasLease && first.news.holder == "one" && first.files.isEmpty)
        #expect(try one.write([file("a", "1"), file("b", "2")]) == 1)
        let second = try takeLease(other)
        #expect(!other.hasLease && second.news.holder == "one" && texts(second) == ["a=1", "b=2"])
        #expect(second.files.allSatisfy { $0.key == [1, 2] } && second.news.version == 1)
        #expect(try follow(other).files.isEmpty && follow(one).files.isEmpty)
        #expect(try one.write([file("b", nil)]) == 2)
        var isTold = false
        for _ in 0..<(safetyNetSeconds * 100) where !isTold {
            isTold = other.takeNotice()
            if !isTold { try Wakeup().wait(atMost: 10) }
        }
        #expect(isTold)
        #expect(try texts(follow(other)) == ["b=-"])
        #expect(try other.write([file("c", "3")]) == nil)
        one.endLease()
        #expect(try follow(other).news.holder == nil)
        _ = try takeLease(other)
        #expect(other.hasLease)
        #expect(try one.renewLease() == false)
        // Whoever forgets reads all of them again.
        one.forget()
        let all = try follow(one)
        #expect(all.news.isWhole && texts(all) == ["a=1", "b=-"])
    }

    @Test func `a node whose lease was given to another changes nothing any more`() throws {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        _ = try takeLease(one)
        try expire(database)
        // Nobody has taken it meanwhile.
        #expect(try one.renewLease())
        #expect(try takeLease(other).news.holder == "one" && !other.hasLease)
        try expire(database)
        _ = try takeLease(other)
        #expect(try other.hasLease && other.write([file("a", "of the other")]) == 1)
        #expect(try one.write([file("a", "late")]) == nil && !one.hasLease)
        #expect(try texts(follow(one)) == ["a=of the other"])
        // Neither does a lease of the same node that was another one.
        let again = try node(database, "other")
        _ = try takeLease(again)
        #expect(try again.hasLease && other.write([file("a", "before")]) == nil)
    }

    @Test func `nodes know which change all that are there have read`() throws {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        #expect(try other.tellRead(0) == false, "nobody knows of it yet")
        let server = try database.connect()
        // The last one was seen before the database's clock was set back.
        for (name, seen) in [
            ("one", 0), ("other", 0), ("gone", StoreFleet.presentMilliseconds),
            ("ahead", -3_600_000),
        ] {
            _ = try server.run(
                """
                INSERT INTO waymark.node (name, version, configuration, generation, clock_offset, started, seen)
                VALUES ($1, '', '', 0, 0, 0, (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $2)
                """, .text(name), .integer(seen), by: soon)
        }
        _ = try takeLease(one)
        let version = try #require(try one.write([file("a", "1")]))
        #expect(try one.readByOthers() == -1)
        #expect(try other.tellRead(version - 1) && one.readByOthers() == version - 1)
        #expect(try other.tellRead(version) && one.readByOthers() == version)
        _ = try server.run("DELETE FROM waymark.node WHERE name = 'other'", by: soon)
        #expect(try one.readByOthers() == nil)
    }

    @Test func `what is read on another connection may be of another history, so all of it is`()
        throws
    {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        _ = try takeLease(one)
        _ = try one.write([file("a", "1")])
        #expect(try follow(other).files.count == 1)
        let server = try database.connect()
        _ = try server.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """, by: soon)
        // It was restored to a time before the change.
        _ = try server.run("DELETE FROM waymark.certificate_file", by: soon)
        _ = try server.run("UPDATE waymark.certificate_state SET version = 0", by: soon)
        let read = try follow(other)
        #expect(read.news.isWhole && read.files.isEmpty && read.news.version == 0)
    }

    @Test func `a lease ends where a standby takes over that lacks a change of it`() throws {
        let database = try TestStores()
        let one = try node(database, "one")
        let server = try database.connect()
        for isRenewed in [true, false] {
            _ = try takeLease(one)
            let first = try #require(try one.write([file("a", "1")]))
            #expect(try one.renewLease() && one.write([file("b", "2")]) == first + 1)
            _ = try server.run("DELETE FROM waymark.certificate_file WHERE name = 'b'", by: soon)
            _ = try server.run(
                "UPDATE waymark.certificate_state SET version = $1", .integer(first), by: soon)
            if isRenewed {
                #expect(try one.renewLease() == false)
            } else {
                #expect(try one.write([file("c", "3")]) == nil)
            }
            #expect(!one.hasLease)
            let read = try follow(one)
            #expect(read.news.isWhole && read.news.holder == nil)
            #expect(texts(read) == (isRenewed ? ["a=1"] : ["a=1", "c=3"]))
        }
    }

    @Test func `a newer program that forbids changes is noticed while connected`() throws {
        let database = try TestStores()
        let one = try node(database, "one")
        _ = try takeLease(one)
        one.endLease()
        let (server, known) = (try database.connect(), PostgreSQLSchema.scripts.count)
        _ = try server.run(
            "UPDATE waymark.schema SET version = \(known + 1), min_writer = \(known + 1)", by: soon)
        #expect(throws: StoreError.self) { _ = try takeLease(one) }
        #expect(!one.hasLease)
        #expect(try follow(one).news.holder == nil, "what it has taken, it has given back")
        #expect(one.writingFault != nil)
        _ = try server.run("UPDATE waymark.schema SET version = \(known), min_writer = 1", by: soon)
        #expect(try follow(one).files.isEmpty && one.writingFault == nil)
        _ = try takeLease(one)
        #expect(one.hasLease)
    }

    @Test func `of several nodes that want it, one gets it each time`() throws {
        let database = try TestStores()
        let nodes = try (0..<4).map { try node(database, "n\($0)") }
        for _ in 0..<10 {
            for node in nodes { _ = try takeLease(node) }
            #expect(nodes.filter(\.hasLease).count == 1)
            nodes.forEach { $0.endLease() }
        }
    }

    @Test func `many files are read some at a time, and none of other names`() throws {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        let names = (0..<450).map { "n\($0)" }
        _ = try takeLease(one)
        #expect(try one.write((names + ["z"]).map { file($0, "1") }) == 1)
        let all = try follow(other, names)
        #expect(all.pages == [200, 200, 50] && Set(all.files.map(\.name)) == Set(names))
        #expect(try one.write([file("n7", "2"), file("z", "2")]) == 2)
        let changed = try follow(other, names)
        #expect(texts(changed) == ["n7=2"] && !changed.news.isWhole && changed.news.version == 2)
        #expect(try follow(other, names).pages.isEmpty)
    }

    @Test func `a file that is too large is not read`() throws {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        _ = try takeLease(one)
        let (large, most) = (
            String(repeating: "l", count: 100_000), String(repeating: "m", count: 1 << 20 + 64)
        )
        #expect(try one.write([file("a", "1"), file("b", large), file("c", most)]) == 1)
        #expect(try texts(follow(other)) == ["a=1", "b=\(large)", "c=\(most)"])
        _ = try database.connect().run(
            "UPDATE waymark.certificate_file SET content = content || '\\x00'::bytea WHERE name = 'c'",
            by: soon)
        other.forget()
        #expect(try texts(follow(other)) == ["a=1", "b=\(large)", "c="])
    }

    @Test func `a file of a version that no change had is said, and not read again and again`()
        throws
    {
        let database = try TestStores()
        let (one, other) = (try node(database, "one"), try node(database, "other"))
        _ = try takeLease(one)
        #expect(try one.write([file("a", "1"), file("b", "1")]) == 1)
        #expect(try !follow(other).news.isAhead)
        let server = try database.connect()
        _ = try server.run(
            "UPDATE waymark.certificate_file SET version = 9 WHERE name = 'b'", by: soon)
        for _ in 0..<2 {
            let read = try follow(other)
            #expect(read.news.isAhead && !read.news.isWhole && read.files.isEmpty)
        }
        // As the message advises.
        _ = try server.run(
            """
            UPDATE waymark.certificate_state
            SET version = (SELECT max(version) FROM waymark.certificate_file)
            """, by: soon)
        let read = try follow(other)
        #expect(!read.news.isAhead && texts(read) == ["b=1"] && read.news.version == 9)
    }
}
