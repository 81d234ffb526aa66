import Snapshots
import TestSupport
import Glibc
import Origin
import SiteConfiguration
import Testing

@Suite("The limits in force, as metrics")
struct LimitMetricsTests {
    static let connections = "waymark_connections_limit"
    static let address = "waymark_address_connections_limit"
    static let queue = "waymark_log_queue_limit_bytes"

    @Test func `are what is usual unless the configuration says otherwise`() throws {
        let samples = try Samples(TestOrigin(log: TestLog(.json)))
        #expect(samples[Self.connections] == "10000")
        #expect(samples[Self.address] == "10000")
        #expect(samples[Self.queue] == "1048576")
    }

    @Test func `are those of the configuration, a queue's in whole powers of two`() throws {
        var limits = OriginLimits.patient
        limits.logQueueBytesMax = 100_000
        let origin = try TestOrigin(
            {
                $0.limits[.connections] = 20
                $0.limits[.connectionsPerAddress] = 3
            }, limits: limits, loops: 2, log: TestLog(.json))
        let samples = try Samples(origin)
        #expect(samples[Self.connections] == "20")
        #expect(samples[Self.address] == "3")
        #expect(samples[Self.queue] == "131072")
    }

    /// What the operator asked for could never be reached, and no alert would warn of it.
    @Test func `connections are those that there are descriptors for`() throws {
        var limits = OriginLimits.patient
        limits.descriptorsMax = 1000
        let samples = try Samples(TestOrigin({ $0.limits[.connections] = 5000 }, limits: limits))
        let fitting = Int(samples[Self.connections] ?? "") ?? 0
        #expect((1..<1000).contains(fitting))
    }

    @Test func `change with a reload, but for those that a restart changes`() throws {
        let origin = try TestOrigin(
            {
                $0.limits[.connections] = 20
                $0.limits[.connectionsPerAddress] = 3
            }, log: TestLog(.json))
        var site = TestSite()
        site.limits[.connections] = 40
        site.limits[.connectionsPerAddress] = 7
        site.limits[.logQueueBytes] = 65536
        origin.server.publish(try TestOrigin.snapshot(site, origin.directory))
        let samples = try Samples(origin)
        #expect(samples[Self.address] == "7")
        #expect(samples[Self.connections] == "20")
        #expect(samples[Self.queue] == "1048576")
    }

    @Test func `the fullest queue is told, which is empty while lines are taken`() throws {
        let waiting = "waymark_log_queue_bytes"
        let log = TestLog(.json)
        let origin = try TestOrigin(
            { _, directory in _ = symlink("/dev/full", directory.path + "/access.log") },
            loops: 2, log: log)
        #expect(try Samples(origin)[waiting] == "0")
        let client = try TestClient(port: origin.httpPort)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readResponse().status == 308)
        let samples = try Samples(origin) { Int($0[waiting] ?? "") ?? 0 > 0 }
        #expect(Int(samples[waiting] ?? "") ?? 0 > 100)
    }
}
