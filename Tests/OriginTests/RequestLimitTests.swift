import Snapshots
import TestSupport
import Origin
import SiteConfiguration
import Testing

@Suite("Limits of a request, at each and one beyond")
struct RequestLimitTests {
    /// A request that is at its limit of 300, 400, 1,100 or 10, or one above it.
    struct Case: CustomTestStringConvertible, Sendable {
        let limit: Limit
        let value: Int
        let status: Int
        let request: @Sendable (Int) -> String
        var testDescription: String { limit.rawValue }
    }

    static let cases: [Case] = [
        Case(limit: .targetBytes, value: 300, status: 414) { size in
            "GET /\(text(size - 1)) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        },
        Case(limit: .headerLineBytes, value: 400, status: 431) { size in
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(text(size - 3))\r\n\r\n"
        },
        Case(limit: .headerBytes, value: 1100, status: 431) { size in
            let rest = size - "GET / HTTP/1.1\r\nHost: localhost\r\nX: \r\nX: \r\n\r\n".utf8.count
            return "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(text(rest / 2))\r\n"
                + "X: \(text(rest - rest / 2))\r\n\r\n"
        },
        Case(limit: .headerCount, value: 10, status: 431) { count in
            let lines = (1..<count).map { "X-\($0): y\r\n" }.joined()
            return "GET / HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n"
        },
        Case(limit: .bodyBytes, value: 50, status: 413) { size in
            "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(size)\r\n\r\n\(text(size))"
        },
        Case(limit: .bodyBytes, value: 50, status: 413) { size in
            "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "\(String(size, radix: 16))\r\n\(text(size))\r\n0\r\n\r\n"
        },
    ]

    @Test("the first is answered, the second refused", arguments: cases)
    func limit(_ test: Case) throws {
        let origin = try TestOrigin { $0.limits[test.limit] = test.value }
        let client = try TestClient(port: origin.httpPort)
        client.send(test.request(test.value))
        #expect(try client.readResponse().status == 308)
        client.send(test.request(test.value + 1))
        #expect(try client.readResponse().status == test.status)
        #expect(client.isClosed())
    }

    @Test("limits as high as they go are served", arguments: cases)
    func most(_ test: Case) throws {
        let origin = try TestOrigin { site in
            for limit in Limit.allCases where limit != .logQueueBytes {
                site.limits[limit] = limit.range.upperBound
            }
            site.limits[.connections] = 100
        }
        let client = try TestClient(port: origin.httpPort)
        // A line at its own limit would be more than all lines may have.
        let most = test.limit == .headerLineBytes ? 65_000 : 1 << 20
        let size = min(test.limit.range.upperBound, most)
        client.send(test.request(size))
        #expect(try client.readResponse().status == 308)
    }

    @Test func `requests on one connection`() throws {
        let origin = try TestOrigin { $0.limits[.requestsPerConnection] = 3 }
        let client = try TestClient(port: origin.httpPort)
        let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.send(request + request + request + request)
        #expect(try client.readResponse().fields["connection"] == nil)
        #expect(try client.readResponse().fields["connection"] == nil)
        #expect(try client.readResponse().fields["connection"] == "close")
        #expect(client.isClosed())
    }

    @Test func `a reload changes them for the next request`() throws {
        let origin = try TestOrigin()
        let client = try TestClient(port: origin.httpPort)
        let long = "GET /\(Self.text(400)) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.send(long)
        #expect(try client.readResponse().status == 308)
        var site = TestSite()
        site.limits[.targetBytes] = 400
        origin.server.publish(try TestOrigin.snapshot(site, origin.directory))
        client.send(long)
        #expect(try client.readResponse().status == 414)
        #expect(origin.server.limits[.targetBytes] == 400)
        #expect(origin.server.startLimits[.targetBytes] == 8192)
    }

    @Sendable static func text(_ count: Int) -> String { String(repeating: "a", count: count) }
}
