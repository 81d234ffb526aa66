import TestSupport
import ClientAddress
import Files
import Origin
import SiteConfiguration
import Testing

@Suite("A container's limit of memory")
struct ContainerMemoryTests {
    static let association = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
    /// What is kept for those who are connected, and what a connection may take.
    static let (limit, kept, connection) = (64 << 20, 8 << 20, 98_304)

    private func use(_ bytes: Int, in directory: TemporaryDirectory) throws {
        let group = "root/sys/fs/cgroup"
        try directory.write("\(group)/memory.current", Array("\(bytes)\n".utf8))
        try directory.write("\(group)/memory.max", Array("\(Self.limit)\n".utf8))
        try directory.write(
            "\(group)/memory.stat", Array("inactive_file 0\nactive_file 0\n".utf8))
        try directory.write("root/proc/self/cgroup", Array("0::/\n".utf8))
        try directory.write(
            "root/proc/self/mountinfo",
            Array("1 2 0:3 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n".utf8))
    }

    private func makeOrigin(
        using bytes: Int, log: TestLog? = nil,
        _ change: (inout TestSite, TemporaryDirectory) throws -> Void = { _, _ in }
    ) throws -> TestOrigin {
        try TestOrigin(
            { site, directory in
                try use(bytes, in: directory)
                site.memory = { MemoryLimits(root: "\($0)/root") }
                try change(&site, directory)
            }, log: log)
    }

    @Test func `near it new connections are refused, and who is there is served`() throws {
        let origin = try makeOrigin(using: Self.limit - Self.kept - Self.connection)
        let first = try TestClient(port: origin.httpPort)
        first.send(Self.association)
        #expect(try first.readResponse().status == 200)
        #expect(origin.reported.isEmpty)
        try use(Self.limit - Self.kept - Self.connection + 1, in: origin.directory)
        for _ in 0..<2 {
            let refused = try TestClient(port: origin.httpPort)
            #expect(refused.isClosed())
        }
        // Health is told, and those who are connected are served: unless they are idle they stay.
        #expect(try Samples(origin)[Self.rejected] == "2")
        guard case .began(.memory, let facts) = origin.reported.first else {
            Issue.record("nothing was said")
            return
        }
        #expect(facts.limit == Self.limit && origin.reported.count == 1)
        try use(0, in: origin.directory)
        let next = try TestClient(port: origin.httpPort)
        next.send(Self.association)
        #expect(try next.readResponse().status == 200)
    }

    @Test func `a connection is in the middle of a request all the while`() throws {
        let origin = try makeOrigin(using: Self.limit - Self.kept - Self.connection)
        let client = try TestClient(port: origin.httpPort)
        client.send("GET /apple-app-site-association HTTP/1.1\r\n")
        _ = try Samples(origin) { $0["waymark_connections{state=\"head\"}"] == "1" }
        try use(Self.limit, in: origin.directory)
        let refused = try TestClient(port: origin.httpPort)
        #expect(refused.isClosed())
        client.send("Host: localhost\r\n\r\n")
        #expect(try client.readResponse().status == 200)
    }

    /// Leaves so many bytes of what connections that are there may take. A new one has no room, with
    /// which the figures are read again.
    private func leave(_ bytes: Int, in origin: TestOrigin) throws {
        try use(Self.limit - Self.kept / 2 - bytes, in: origin.directory)
        #expect(try TestClient(port: origin.httpPort).isClosed())
    }

    private static let rejected = "waymark_connections_rejected_total{reason=\"memory\"}"

    @Test func `heads of who is there may take half of what is kept, and end beyond it`() throws {
        let origin = try makeOrigin(using: Self.limit - Self.kept - Self.connection)
        let clients = try (0..<2).map { _ in try TestClient(port: origin.httpPort) }
        _ = try Samples(origin) { $0["waymark_connections{state=\"opening\"}"] == "2" }
        try leave(1_000, in: origin)
        clients[0].send("GET /apple-app-site-association HTTP/1.1\r\n")
        _ = try Samples(origin) { $0["waymark_connections{state=\"head\"}"] == "1" }
        try leave(0, in: origin)
        clients[1].send("GET /apple-app-site-association HTTP/1.1\r\n")
        #expect(clients[1].isClosed())
        let counts = try Samples(origin) { $0[Self.rejected] == "3" }
        #expect(counts[Self.rejected] == "3")
        clients[0].send("Host: localhost\r\n\r\n")
        #expect(try clients[0].readResponse().status == 200)
    }

    @Test(
        "a part of a ClientHello needs the buffers of a handshake, and five times its bytes",
        arguments: [(9, 40_000), (9_009, 80_000)])
    func hello(_ bytes: Int, _ left: Int) throws {
        let origin = try makeOrigin(using: Self.limit - Self.kept - Self.connection)
        let client = try TestClient(port: origin.httpsPort)
        _ = try Samples(origin) { $0["waymark_connections{state=\"opening\"}"] == "1" }
        try leave(left, in: origin)
        client.send(
            [0x16, 3, 1, 0x40, 0, 1, 0, 0x3f, 0xfc] + [UInt8](repeating: 3, count: bytes - 9))
        #expect(client.isClosed())
        let counts = try Samples(origin) { $0[Self.rejected] == "2" }
        #expect(counts[Self.rejected] == "2")
    }

    @Test func `parts of a file that nobody reads are held, beside what the socket was handed`()
        throws
    {
        let origin = try makeOrigin(using: Self.limit - Self.kept - Self.connection) {
            $0.proxies.trusted = AddressBlock.privateBlocks
            $0.proxies.header = .forwardedFor
            try $1.makeDirectory("Public")
            try $1.write("Public/large.bin", [UInt8](repeating: 7, count: 300_000))
        }
        let clients = try (0..<2).map { _ in
            try TestClient(port: origin.httpPort, receiveBytes: 8192)
        }
        _ = try Samples(origin) { $0["waymark_connections{state=\"opening\"}"] == "2" }
        let request =
            "GET /large.bin HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n"
            + "Range: bytes=0-119999,150000-269999\r\n\r\n"
        // More than the kernel takes of all the answers.
        let (count, partsBytes) = (80, 240_000)
        try leave(2 * partsBytes, in: origin)
        clients[0].send(String(repeating: request, count: count))
        _ = try Samples(origin) { $0["waymark_connections{state=\"writing\"}"] == "1" }
        try leave(partsBytes / 2, in: origin)
        clients[1].send(String(repeating: request, count: count))
        let counts = try Samples(origin) { $0[Self.rejected] == "3" }
        #expect(counts[Self.rejected] == "3")
        try use(0, in: origin.directory)
        clients[0].finishSending()
        #expect(try #require(clients[0].readAll()).utf8.count > count * partsBytes)
    }

    @Test func `a line of the log that waits for content is held, and it may be long`() throws {
        let log = TestLog(.json)
        let origin = try makeOrigin(using: Self.limit - Self.kept - Self.connection, log: log)
        let client = try TestClient(port: origin.httpPort)
        _ = try Samples(origin) { $0["waymark_connections{state=\"opening\"}"] == "1" }
        try leave(4_000, in: origin)
        let agent = String(repeating: "\u{FF}", count: 2_500)
        client.send(
            "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"
                + "User-Agent: \(agent)\r\nContent-Length: 2\r\n\r\n1")
        #expect(client.isClosed())
        let counts = try Samples(origin) { $0[Self.rejected] == "2" }
        #expect(counts[Self.rejected] == "2")
        try log.finish(origin)
    }
}
