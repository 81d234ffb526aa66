import Diagnostics
import Files
import Foundation
import PostgreSQL
import PostgreSQLSupport
import Synchronization
import TestSupport
import Testing

@testable import Origin
@testable import Services

@Suite("Memory for imports, and for the console")
struct WorkMemoryTests {
    static let limit = 256 << 20

    /// Leaves so many bytes that may be taken within the limit of a container.
    private func leave(_ bytes: Int, in root: String) throws {
        let (group, process) = ("\(root)/sys/fs/cgroup", "\(root)/proc/self")
        for directory in [group, process] { try createDirectories(directory) }
        let used = Self.limit - Self.limit / 16 - bytes
        for (path, text) in [
            ("\(group)/memory.current", "\(used)"), ("\(group)/memory.max", "\(Self.limit)"),
            ("\(group)/memory.stat", "inactive_file 0\nactive_file 0"),
            ("\(process)/cgroup", "0::/"),
            ("\(process)/mountinfo", "1 2 0:3 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"),
        ] {
            try replaceFile(path, Array("\(text)\n".utf8), mode: 0o600)
        }
    }

    private func createDirectories(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    private func makeStore(leaving bytes: Int) throws -> StoreOrigin {
        try StoreOrigin(
            { $0.memory = { MemoryLimits(root: "\($0)/root") } },
            prepare: { try leave(bytes, in: "\(parentDirectory(of: $0))/root") })
    }

    private func content(_ lines: Int) -> String {
        (0..<lines).map { number in
            #"{"slug": "n\#(number)", "destination": "https://www.example.com/\#(number)"}"# + "\n"
        }.joined()
    }

    private func answer(
        _ store: StoreOrigin, _ lines: Int, _ query: String = ""
    ) throws -> TestResponse {
        let client = try store.client
        let content = content(lines)
        client.send(LinkTransferTests.importRequest(store, content.utf8.count, query))
        client.send(content)
        return try client.readResponse()
    }

    private func events(_ store: StoreOrigin) -> [String] {
        store.origin.reported.compactMap {
            guard case .service(.finding(let found)) = $0, found.rule == .outOfMemory else {
                return nil
            }
            return found.message
        }
    }

    /// Whether the log says, once and alone, that there is no memory for this.
    private func lacks(_ store: StoreOrigin, _ what: String) -> Bool {
        let events = events(store)
        return events.count == 1 && events[0].hasPrefix("there is no memory for \(what): ")
    }

    /// A page has 256 KiB, which wait for a client that is slow.
    @Test("pages of lists ask for what they hold, and the next one finds room when one is taken")
    func pages() throws {
        let root = NSTemporaryDirectory() + "waymark-pages-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try leave(8 << 20, in: root)
        let memory = WorkMemory()
        memory.use(MemoryLimits(root: root))
        var pages = [WorkMemory.Claim]()
        while let page = memory.claimShare(isForList: true), pages.count < 100 {
            pages.append(page)
        }
        #expect((16..<32).contains(pages.count), "\(pages.count)")
        pages.removeLast()
        #expect(memory.claimShare(isForList: true) != nil)
    }

    /// 20,000 lines take some 55 MiB at once.
    @Test(
        "an atomic import is done whole or refused",
        arguments: [(56 << 20, 503), (106 << 20, 200)])
    func atomic(_ bytes: Int, _ status: Int) throws {
        let store = try makeStore(leaving: bytes)
        let answer = try answer(store, 20_000, "?atomic=true&report=refused")
        #expect(answer.status == status, "\(answer.body.prefix(300))")
        #expect(answer.fields["retry-after"] == (status == 503 ? "1" : nil))
        #expect(lacks(store, "an import") == (status == 503))
        #expect(try store.visit("/s/n0").status == (status == 503 ? 404 : 302))
        #expect(try store.visit("/s/n19999").status == (status == 503 ? 404 : 302))
    }

    /// It keeps the slugs of all lines to its end: 20,000 are 5 MiB.
    @Test("a rehearsal asks for what it keeps", arguments: [(28 << 20, 503), (40 << 20, 200)])
    func rehearsal(_ bytes: Int, _ status: Int) throws {
        let store = try makeStore(leaving: bytes)
        let answer = try answer(store, 20_000, "?dry-run=true&report=refused")
        #expect(answer.status == status, "\(answer.body.suffix(300))")
        #expect(lacks(store, "an import") == (status == 503))
    }

    /// 200 changes take some 18 MiB in a transaction, and 6 MiB in a rehearsal, beside 26 MiB for the lines and others.
    @Test(
        "short lines ask for the large links that they change",
        arguments: [
            ("&atomic=true", 32 << 20, 503), ("&atomic=true", 64 << 20, 200),
            ("&atomic=true&dry-run=true", 28 << 20, 503),
            ("&atomic=true&dry-run=true", 64 << 20, 200), ("", 28 << 20, 200),
        ])
    func changes(_ query: String, _ bytes: Int, _ status: Int) throws {
        let store = try makeStore(leaving: bytes)
        let data = String(repeating: "v", count: 15_000)
        let client = try store.client
        client.send(
            store.request(
                "POST", "links",
                #"{"slug": "fat", "destination": "https://www.example.com/", "#
                    + #""app": {"data": {"k": "\#(data)"}}}"#))
        #expect(try client.readResponse().status == 201)
        let content = (0..<200).map { #"{"slug": "fat", "tags": ["\#($0)"]}"# + "\n" }.joined()
        client.send(
            LinkTransferTests.importRequest(
                store, content.utf8.count, "?mode=upsert&report=refused" + query))
        client.send(content)
        let answer = try client.readResponse()
        #expect(answer.status == status, "\(answer.body.prefix(300))")
        #expect(answer.fields["retry-after"] == (status == 503 ? "1" : nil))
        #expect(answer.body.contains(#""changed": 200"#) == (status == 200))
        #expect(lacks(store, "an import") == (status == 503))
    }

    /// 3,000 lines take 32 MiB with what is left for others, and each copies a part of the 6 MiB that all links take.
    @Test(
        "an import asks for what it copies of the index",
        arguments: [
            ("&atomic=true", 35 << 20, 503), ("&atomic=true", 48 << 20, 200), ("", 35 << 20, 200),
        ])
    func index(_ query: String, _ bytes: Int, _ status: Int) throws {
        let store = try makeStore(leaving: 128 << 20)
        func send(_ content: String, _ query: String) throws -> TestResponse {
            let client = try store.client
            client.send(LinkTransferTests.importRequest(store, content.utf8.count, query))
            client.send(content)
            return try client.readResponse()
        }
        let path = String(repeating: "p", count: 2_000)
        let long = (0..<3_000).map { number in
            #"{"slug": "long\#(number)", "destination": "https://www.example.com/\#(path)"}"# + "\n"
        }
        let made = try send(long.joined(), "?report=refused")
        #expect(made.body.contains(#""created": 3000"#), "\(made.body.prefix(300))")
        try leave(bytes, in: "\(store.origin.directory.path)/root")
        let answer = try send(content(3_000), "?report=refused" + query)
        #expect(answer.status == status, "\(answer.body.prefix(300))")
        #expect(answer.body.contains(#""created": 3000"#) == (status == 200))
        #expect(lacks(store, "an import") == (status == 503))
    }

    @Test func `where there is little memory, lines are written in smaller batches`() throws {
        let store = try makeStore(leaving: 32 << 20)
        let answer = try answer(store, 20_000, "?report=refused")
        #expect(answer.status == 200 && answer.body.contains(#""created": 20000"#))
        #expect(events(store).isEmpty)
    }

    /// What an import has claimed is not missing twice.
    @Test func `while an import claims what there is, requests are answered`() throws {
        let memory = WorkMemory()
        let directory = try TemporaryDirectory()
        try leave(40 << 20, in: directory.path)
        memory.use(MemoryLimits(root: directory.path))
        let claim = WorkMemory.Claim(memory)
        #expect(claim.set(24 << 20) && memory.hasRoom)
        #expect(!claim.set(25 << 20) && memory.hasRoom)
        try leave(3 << 20, in: directory.path)
        #expect(!WorkMemory.Claim(memory).set(1 << 20) && !memory.hasRoom)
    }

    @Test(.enabled(if: TestServer.isInstalled, TestServer.reason))
    func `a change of another node does not keep one awake that has no memory for it`() throws {
        let (memory, directory) = (WorkMemory(), try TemporaryDirectory())
        let root = "\(directory.path)/root"
        try leave(16 << 20, in: root)
        memory.use(MemoryLimits(root: root))
        let database = try TestDatabase(on: TestServer())
        let links = try LinkService(
            .database(database.place(), own: directory.path), memory: memory
        ) { _ in }
        defer {
            for service in links.services { service.beginStop(atOnce: true) }
            _ = waits { links.services.allSatisfy(\.hasStopped) }
        }
        try wait { links.state == .open }
        func turns() -> Int { memory.followRefusals.state.withLock { $0.count } }
        try leave(3 << 20, in: root)
        try wait { turns() > 0 }
        let before = turns()
        _ = try database.connect().run("SELECT pg_notify('waymark', 'other')", by: soon)
        Thread.sleep(forTimeInterval: 2)
        #expect(turns() - before < 20)
    }

    /// A PNG of this side takes 4 MiB, and as many are left for requests.
    @Test func `a code is drawn if there is memory for its pixels`() throws {
        let store = try makeStore(leaving: 7 << 20)
        let client = try store.client
        client.send(store.creation("a"))
        let made = try client.readResponse().body
        let id = try #require(made.firstMatch(of: /"id": "([^"]*)"/)).1
        for (size, status) in [(1_024, 200), (4_096, 503), (1_024, 200)] {
            client.send(store.request("GET", "links/\(id)/qr?format=png&size=\(size)"))
            let answer = try client.readResponse()
            #expect(answer.status == status, "\(size)")
            #expect(answer.fields["retry-after"] == (status == 503 ? "1" : nil))
        }
        #expect(lacks(store, "a code"))
        try leave(9 << 20, in: "\(store.origin.directory.path)/root")
        client.send(store.request("GET", "links/\(id)/qr?format=png&size=4096"))
        #expect(try client.readResponse().status == 200)
    }

    /// It takes 16 MiB, and 4 are left for requests.
    @Test(
        "a question about visits is answered if there is memory for its rows",
        arguments: [(19 << 20, 503), (21 << 20, 200)])
    func visits(_ bytes: Int, _ status: Int) throws {
        let store = try makeStore(leaving: bytes)
        let client = try store.client
        client.send(store.request("GET", "visits?by=link"))
        let answer = try client.readResponse()
        #expect(answer.status == status, "\(answer.body)")
        #expect(answer.fields["retry-after"] == (status == 503 ? "1" : nil))
        #expect(lacks(store, "a question about visits") == (status == 503))
        client.send(store.request("GET", "links"))
        #expect(try client.readResponse().status == 200)
    }

    /// Those that are under way hold what they claim, and those that have ended still have answers in memory.
    @Test func `short requests count together`() throws {
        let memory = WorkMemory()
        let directory = try TemporaryDirectory()
        try leave(5 << 20, in: directory.path)
        memory.use(MemoryLimits(root: directory.path))
        var claims = [WorkMemory.Claim]()
        while claims.count < 100, let claim = memory.claimShare() { claims.append(claim) }
        #expect(claims.count == 40)
        claims[0].end(answering: 1 << 20)
        #expect(memory.claimShare() != nil)
        try leave(4 << 20, in: directory.path)
        for claim in claims { claim.end() }
        #expect(memory.claimShare() != nil)
        try leave(3 << 20, in: directory.path)
        #expect(memory.claimShare() == nil)
    }

    @Test(
        "pages of the console about visits take what the API does",
        arguments: [(19 << 20, true), (21 << 20, false)])
    func visitsOfConsole(_ bytes: Int, _ isLacking: Bool) throws {
        let store = try makeStore(leaving: bytes)
        let anna = try store.signedIn("anna", #", "role": "admin""#)
        _ = try anna.ask("GET", "/console/visits")
        #expect(lacks(store, "a question about visits") == isLacking)
        #expect(try anna.ask("GET", "/console/").status == 200)
    }

    private static let numbers = String(repeating: "1,", count: 30_000) + "1"
    private static let text = "\"\(String(repeating: "n", count: 60_000))\""

    /// It takes 8 times its bytes, and 256 bytes for each value: 8 MiB for these numbers, and half of one for the text.
    @Test(
        "content of the API is read if there is memory for its values",
        arguments: [
            (numbers, 11 << 20, false), (numbers, 13 << 20, true), (text, 6 << 20, true),
        ])
    func values(_ tags: String, _ bytes: Int, _ isRead: Bool) throws {
        let store = try makeStore(leaving: bytes)
        let client = try store.client
        client.send(store.request("POST", "links", #"{"tags": [\#(tags)]}"#))
        let answer = try client.readResponse()
        #expect((answer.status != 503) == isRead, "\(answer.body.prefix(300))")
        #expect(lacks(store, "a request") == !isRead)
        client.send(store.creation("a"))
        #expect(try client.readResponse().status == 201)
    }

    @Test func `content for which there is no memory is refused while it comes`() throws {
        let store = try makeStore(leaving: 16 << 20)
        let client = try store.client
        // There is room for a second from now on, in which the loop takes the head.
        client.send(store.creation("a"))
        #expect(try client.readResponse().status == 201)
        let content = String(repeating: "a", count: 40_000)
        let request = store.request("POST", "links", content)
        client.send(String(request.dropLast(content.count)))
        try leave(1 << 10, in: "\(store.origin.directory.path)/root")
        Thread.sleep(forTimeInterval: 1.1)
        client.send(content)
        let answer = try client.readResponse()
        #expect(answer.status == 503 && answer.fields["retry-after"] == "5")
        #expect(answer.body.contains("there is no memory for the content of this request now"))
    }

    @Test func `files are kept in half of the memory that is left, and those that are there stay`()
        throws
    {
        let memory = WorkMemory()
        let directory = try TemporaryDirectory()
        try leave(40 << 20, in: directory.path)
        memory.use(MemoryLimits(root: directory.path))
        #expect(memory.filesBytes(atMost: 256 << 20, kept: 0) == 10 << 20)
        #expect(memory.filesBytes(atMost: 256 << 20, kept: 8 << 20) == 14 << 20)
        #expect(memory.filesBytes(atMost: 4 << 20, kept: 0) == 4 << 20)
        try leave(-1 << 20, in: directory.path)
        #expect(memory.filesBytes(atMost: 256 << 20, kept: 8 << 20) == 8 << 20)
        #expect(WorkMemory().filesBytes(atMost: 1 << 20, kept: 0) == 1 << 20)
    }

    @Test func `a request for which there is no memory is refused, and the log says so once`()
        throws
    {
        let store = try makeStore(leaving: 3 << 20)
        for _ in 0..<2 {
            let client = try store.client
            client.send(store.creation("a"))
            let answer = try client.readResponse()
            #expect(answer.status == 503 && answer.fields["retry-after"] == "1")
            let page = try store.client
            page.send("GET /console HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try page.readResponse().status == 503)
        }
        #expect(
            events(store) == [
                "there is no memory for a request: 4.0 MiB are asked for, and 3.0 MiB are left of the 256.0 MiB of its "
                    + "container or unit"
            ])
        #expect(try store.visit("/s/none").status == 404)
        try leave(16 << 20, in: "\(store.origin.directory.path)/root")
        try wait {
            let client = try store.client
            client.send(store.creation("a"))
            return try client.readResponse().status == 201
        }
    }
}
