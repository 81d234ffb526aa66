import TestSupport
import Files
import Origin
import Testing

@Suite("A container's limit of memory")
struct ContainerMemoryTests {
    static let association = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
    /// What is kept for those who are connected, and what a connection may take.
    static let (limit, kept, connection) = (64 << 20, 4 << 20, 98_304)

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

    private func makeOrigin(using bytes: Int) throws -> TestOrigin {
        try TestOrigin { site, directory in
            try use(bytes, in: directory)
            site.memory = { MemoryLimits(root: "\($0)/root") }
        }
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
        let rejected = "waymark_connections_rejected_total{reason=\"memory\"}"
        #expect(try Samples(origin)[rejected] == "2")
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
}
