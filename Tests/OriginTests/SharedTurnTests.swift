import Answering
import Glibc
import HTTPMessages
import Origin
import Snapshots
import Synchronization
import TestSupport
import Testing

/// In these origins each further request waits for a turn of its own, so that nothing depends on
/// how fast the machine is.
@Suite("Requests that come together wait until others had their turn")
struct SharedTurnTests {
    private static var limits: OriginLimits {
        var limits = OriginLimits.patient
        limits.shareMicroseconds = 0
        limits.sharesPerTurnMax = 1
        return limits
    }

    /// A request that its loop notes in an `Order`.
    private static func request(
        _ path: String, _ fields: String = "", host: String = "other.example"
    ) -> String {
        "HEAD \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n"
    }

    /// Notes the requests that the loop comes to. It stands still at two of them, and answers those below `/_/` at once.
    private final class Order: RequestHandler {
        let sitePrefix: String? = nil
        let first = Stop("/first")
        let second = Stop("/second")
        let handled = Stop("/_/first")
        private let seen = Mutex([String]())

        var paths: [String] { seen.withLock { $0 } }

        func count(of path: String) -> Int { paths.filter { $0 == path }.count }

        func route(_ head: HandledHead) -> HandledRoute? {
            seen.withLock { $0.append(head.path) }
            for stop in [first, second, handled] where stop.path == head.path {
                stop.reached.reach()
                _ = stop.passed.wait()
            }
            guard head.path.hasPrefix("/_/") else { return nil }
            return HandledRoute(.whole(bytesMax: 0)) { $0.answer(.noContent, [], []) }
        }
    }

    private struct Stop: Sendable {
        let path: String
        let reached = Milestone()
        let passed = Milestone()

        init(_ path: String) { self.path = path }
    }

    /// An origin whose loop stands still at the request of one client, while those of another wait.
    private struct Standing {
        // The clients end first: an origin whose clock stands still waits for them.
        let waiting: TestClient
        let other: TestClient
        let order = Order()
        let origin: TestOrigin

        /// - Parameter last: of the requests that wait.
        init(clock: LoopClock = LoopClock(), last: String = request("/next")) throws {
            origin = try TestOrigin(limits: limits, handler: order, clock: clock)
            waiting = try TestClient(port: origin.httpPort)
            other = try TestClient(port: origin.httpPort)
            other.send(request("/early"))
            _ = try other.readResponse(isHead: true)
            waiting.send(
                request("/first") + String(repeating: request("/next"), count: 198) + last)
            #expect(order.first.reached.wait())
            other.send(request("/second"))
            order.first.passed.reach()
            #expect(order.second.reached.wait())
        }
    }

    @Test func `another client's request is answered between them, and a new client's`() throws {
        let order = Order()
        let origin = try TestOrigin(limits: Self.limits, handler: order)
        let greedy = try TestClient(port: origin.httpPort)
        let other = try TestClient(port: origin.httpPort)
        other.send(Self.request("/early"))
        #expect(try other.readResponse(isHead: true).status == 404)
        greedy.send(
            Self.request("/first") + String(repeating: Self.request("/next"), count: 199))
        #expect(order.first.reached.wait())
        other.send(Self.request("/other"))
        let new = try TestClient(port: origin.httpPort)
        new.send(Self.request("/new"))
        order.first.passed.reach()
        for client in [other, new] {
            #expect(try client.readResponse(isHead: true).status == 404)
        }
        for _ in 0..<200 { #expect(try greedy.readResponse(isHead: true).status == 404) }
        let paths = order.paths
        #expect(paths.prefix(4) == ["/early", "/first", "/next", "/other"])
        let position = try #require(paths.firstIndex(of: "/new"))
        #expect(position < 10)
        #expect(paths.count == 203)
    }

    @Test func `several clients that send many take turns`() throws {
        let order = Order()
        let origin = try TestOrigin(limits: Self.limits, handler: order)
        let holder = try TestClient(port: origin.httpPort)
        holder.send(Self.request("/first"))
        #expect(order.first.reached.wait())
        let clients = try (0..<3).map { number in
            let client = try TestClient(port: origin.httpPort)
            client.send(String(repeating: Self.request("/\(number)"), count: 20))
            return client
        }
        order.first.passed.reach()
        for client in clients {
            for _ in 0..<20 { #expect(try client.readResponse(isHead: true).status == 404) }
        }
        // All have begun by then, and none is through.
        let turns = order.paths.dropFirst(10).prefix(45)
        #expect(zip(turns, turns.dropFirst()).allSatisfy { $0 != $1 })
    }

    /// A handler such as that of `/_/resolve` works in the loop's thread.
    @Test func `what a handler answers at once takes turns, too`() throws {
        let order = Order()
        let origin = try TestOrigin(limits: Self.limits, handler: order)
        let other = try TestClient(port: origin.httpPort)
        other.send(Self.request("/first"))
        #expect(order.first.reached.wait())
        let greedy = try (0..<10).map { number in
            let client = try TestClient(port: origin.httpPort)
            let first = Self.request(number == 9 ? "/_/first" : "/_/next")
            client.send(first + String(repeating: Self.request("/_/next"), count: 5))
            return client
        }
        order.first.passed.reach()
        #expect(try other.readResponse(isHead: true).status == 404)
        #expect(order.handled.reached.wait())
        other.send(Self.request("/second"))
        order.handled.passed.reach()
        #expect(order.second.reached.wait())
        // Each of the others has had its first request.
        #expect(order.count(of: "/_/next") < 12)
        order.second.passed.reach()
        #expect(try other.readResponse(isHead: true).status == 404)
        for client in greedy {
            for _ in 0..<6 { #expect(try client.readResponse(isHead: true).status == 204) }
        }
    }

    private static let mixture =
        "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n"
        + "abc\r\nHEAD /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
        + "GET /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n0\r\n\r\nPOST /_/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"
        + "xyGET /c HTTP/1.1\r\nHost: localhost\r\n\r\nGET  /d HTTP/1.1\r\n\r\n"

    /// The answers to the mixture, however it is split.
    private static func answers(
        _ limits: OriginLimits, splits: some Sequence<Int>
    ) throws -> Set<String> {
        let origin = try TestOrigin(limits: limits, handler: TestHandler())
        let bytes = Array(mixture.utf8)
        return try Set(
            splits.map { split in
                let client = try TestClient(port: origin.httpPort)
                client.send(Array(bytes[..<split]))
                // Another connection's turn lets the loop see the first part by itself.
                let other = try TestClient(port: origin.httpPort)
                #expect(try other.get("/apple-app-site-association").status == 200)
                client.send(Array(bytes[split...]))
                let answers = try #require(client.readAll())
                return answers.split(separator: "\r\n").filter { !$0.hasPrefix("Date:") }
                    .joined(separator: "\r\n")
            })
    }

    @Test func `the answers are the same bytes in the same order, wherever requests are split`()
        throws
    {
        let usual = try Self.answers(.patient, splits: CollectionOfOne(1))
        let text = try #require(usual.first)
        let statuses = text.ranges(of: "HTTP/1.1 ").map { text[$0.upperBound...].prefix(3) }
        #expect(statuses == ["200", "200", "308", "201", "308", "400"])
        let split = try Self.answers(Self.limits, splits: 1..<Self.mixture.utf8.count)
        #expect(split == usual)
    }

    @Test func `over TLS all are answered`() throws {
        let origin = try TestOrigin(limits: Self.limits)
        let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n"
        let all =
            String(repeating: "\(request)\r\n", count: 299)
            + "\(request)Connection: close\r\n\r\n"
        try origin.directory.write("requests", Array(all.utf8))
        let answers = shell(
            "openssl s_client -quiet -connect 127.0.0.1:\(origin.httpsPort) "
                + "< \(origin.directory.path)/requests 2>/dev/null | grep -c 'HTTP/1.1 200 OK'")
        #expect(answers.output == "300\n")
    }

    @Test(
        "who ends its side is answered, however late the answers are taken",
        arguments: [100, 100_000])
    func halfClosed(_ bytes: Int) throws {
        let origin = try TestOrigin(
            {
                $0.aasaBytes =
                    Array("{\"applinks\":{},\"x\":\"".utf8)
                    + [UInt8](repeating: 0x61, count: bytes) + Array("\"}".utf8)
            }, limits: Self.limits)
        let client = try TestClient(port: origin.httpPort)
        let request = "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.send(String(repeating: request, count: 100))
        client.finishSending()
        usleep(200_000)
        let other = try TestClient(port: origin.httpPort)
        other.send(request)
        let answer = try other.readResponse()
        #expect(answer.status == 200 && answer.length > bytes)
        let answers = try #require(client.readAll())
        #expect(answers.utf8.count == 100 * answer.length)
    }

    @Test func `nothing more is done for a client that has gone`() throws {
        let standing = try Standing()
        standing.waiting.reset()
        standing.order.second.passed.reach()
        #expect(try standing.other.readResponse(isHead: true).status == 404)
        let new = try TestClient(port: standing.origin.httpPort)
        new.send(Self.request("/new"))
        #expect(try new.readResponse(isHead: true).status == 404)
        let samples = try Samples(standing.origin) {
            $0["waymark_connections{state=\"waiting\"}"] == "0"
        }
        #expect(samples["waymark_connections{state=\"waiting\"}"] == "0")
        #expect(samples["waymark_connections{state=\"idle\"}"] == "2")
        #expect(standing.order.count(of: "/next") <= 2)
    }

    @Test func `no time is over for a client that waits`() throws {
        let standing = try Standing(
            clock: .stopped(), last: Self.request("/last", "Connection: close\r\n"))
        standing.origin.advanceAtOnce(milliseconds: 3_600_000)
        standing.order.second.passed.reach()
        let answers = try #require(standing.waiting.readAll())
        #expect(answers.ranges(of: "HTTP/1.1 404").count == 200)
    }

    @Test func `a stop gives a client that waits one more answer`() throws {
        let standing = try Standing()
        standing.origin.server.beginStop()
        standing.order.second.passed.reach()
        let answers = try #require(standing.waiting.readAll())
        #expect(answers.ranges(of: "Connection: close").count == 1)
        // Those of the turns before the stop was noticed come before.
        #expect(standing.order.count(of: "/next") < 10)
        standing.origin.server.stop()
        #expect(standing.origin.server.requestsCutOff == 0)
    }

    @Test func `an end at once cuts a client off that waits, which is counted`() throws {
        let standing = try Standing()
        standing.origin.server.beginEnd()
        standing.order.second.passed.reach()
        #expect(standing.waiting.readAll() != nil)
        standing.origin.server.stop()
        #expect(standing.origin.server.requestsCutOff == 1)
        #expect(standing.order.count(of: "/next") < 10)
    }

    @Test func `those who watch the origin wait for nobody`() throws {
        let order = Order()
        let origin = try TestOrigin(limits: Self.limits, handler: order)
        let watcher = try TestClient(port: origin.adminPort)
        let other = try TestClient(port: origin.httpPort)
        other.send(Self.request("/early"))
        #expect(try other.readResponse(isHead: true).status == 404)
        let next = Self.request("/next", host: "localhost")
        watcher.send(
            Self.request("/first", host: "localhost") + String(repeating: next, count: 20))
        #expect(order.first.reached.wait())
        other.send(Self.request("/other"))
        order.first.passed.reach()
        #expect(try other.readResponse(isHead: true).status == 404)
        #expect(
            order.paths == ["/early", "/first"] + Array(repeating: "/next", count: 20) + ["/other"])
    }
}
