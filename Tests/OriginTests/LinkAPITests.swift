import Associations
import Diagnostics
import Glibc
import LinkStore
import SQLite
import Services
import SiteConfiguration
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import Origin

/// An origin with a collection at `/s/*` and a store.
final class StoreOrigin {
    let origin: TestOrigin
    let service: LinkService

    /// - Parameters:
    ///   - change: of the site.
    ///   - prepare: writes what is there before the store is opened.
    init(
        limits: OriginLimits = .patient, loops: Int = 1, clock: LoopClock = LoopClock(),
        _ change: (inout TestSite) -> Void = { _ in },
        prepare: (_ store: String) throws -> Void = { _ in }
    ) throws {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
            links: {short: {match: /s/*, stored: {destinations: www.example.com}}}
            environments:
              e:
                hosts: localhost
                tls: {certificate: c, key: k}
                publish: {a: short}
                proxies: {trusted: 127.0.0.0/8, header: x-forwarded-for}
                store: links.db
                api-hosts: api.localhost
                console: {host: links.localhost}
            """
        let read = Configuration.read(Array(text.utf8), file: "w")
        let configuration = try #require(read.configuration, "\(read.diagnostics)")
        origin = try TestOrigin(
            { site, directory in
                try prepare(directory.path + "/links.db")
                site.hasStore = true
                site.apiHosts = configuration.environments[0].apiHosts
                site.consoleHost = configuration.environments[0].consoleHost
                site.identityField = configuration.environments[0].identityField
                site.webLinks = configuration.links
                site.proxies = configuration.environments[0].proxies
                change(&site)
            }, limits: limits, loops: loops, clock: clock)
        service = try #require(origin.server.links)
        try wait { if case .opening = service.state { false } else { true } }
    }

    /// What a visitor gets for a path over https, by a proxy that speaks TLS.
    func visit(_ path: String) throws -> TestResponse {
        let visitor = try TestClient(port: origin.httpPort)
        visitor.send(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n")
        return try visitor.readResponse()
    }

    var client: TestClient { get throws { try TestClient(port: origin.adminPort) } }

    /// The secret of a new token.
    func token(_ scopes: String...) throws -> String {
        let client = try client
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
        client.send(request("POST", "tokens", #"{"name": "t", "scopes": [\#(list)]}"#))
        let made = try client.readResponse().body
        return String(try #require(made.firstMatch(of: /"token": "([^"]*)"/)).1)
    }

    /// A request to the API.
    /// - Parameter token: nil for that of the machine.
    func request(
        _ method: String, _ path: String, _ json: String? = nil, _ fields: String = "",
        token: String? = nil
    ) -> String {
        let content = json.map {
            "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n"
        }
        return "\(method) /v1/\(path) HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer \(token ?? service.secret)\r\n\(fields)\(content ?? "")\r\n\(json ?? "")"
    }

    func creation(_ slug: String) -> String {
        request(
            "POST", "links",
            #"{"slug": "\#(slug)", "destination": "https://www.example.com/\#(slug)"}"#)
    }

    /// Keeps the store's thread busy until the result is called.
    /// - Parameter entered: is reached when it begins.
    func hold(_ entered: Milestone? = nil) -> @Sendable () -> Void {
        let held = HeldGate()
        _ = service.submit { _ in
            entered?.reach()
            while !held.isOpen { usleep(500) }
            return {}
        }
        return { held.open() }
    }
}

private final class HeldGate: Sendable {
    private let state = Mutex(false)
    var isOpen: Bool { state.withLock { $0 } }
    func open() { state.withLock { $0 = true } }
}

@Suite("The API of stored links, over sockets")
struct LinkAPITests {
    @Test func `a link is answered by every loop when its maker knows of it`() throws {
        let store = try StoreOrigin(loops: 4)
        let client = try store.client
        for number in 0..<300 {
            client.send(store.creation("s\(number)"))
            #expect(try client.readResponse().status == 201)
            for _ in 0..<4 {
                #expect(
                    try store.visit("/s/s\(number)").fields["location"]
                        == "https://www.example.com/s\(number)")
            }
        }
    }

    @Test func `wherever a request is divided, its answer is the same`() throws {
        let store = try StoreOrigin()
        let json = #"{"slug": "a", "destination": "https://evil.example/"}"#
        let whole = store.request("POST", "links:check", json)
        let chunked =
            "POST /v1/links:check HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + "\(store.service.secret)\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
            + "5;x=y\r\n\(json.prefix(5))\r\n\(String(json.utf8.count - 5, radix: 16))\r\n"
            + "\(json.dropFirst(5))\r\n0\r\nTrailer: x\r\n\r\n"
        let client = try store.client
        client.send(whole)
        let expected = try client.readResponse()
        #expect(expected.status == 200 && expected.body.contains("destination-not-allowed"))
        for text in [whole, chunked] {
            let bytes = Array(text.utf8)
            for position in 1..<bytes.count {
                client.send(Array(bytes[..<position]))
                if position % 16 == 0 { usleep(200) }
                client.send(Array(bytes[position...]))
                let answer = try client.readResponse()
                #expect(answer.status == 200 && answer.body == expected.body)
            }
        }
    }

    @Test func `answers keep the order of their requests`() throws {
        let store = try StoreOrigin()
        let release = store.hold()
        let client = try store.client
        client.send(
            store.creation("one") + "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + store.creation("two") + store.creation("one")
                + "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + store.request("GET", "links"))
        usleep(50_000)
        release()
        var statuses = [Int]()
        for _ in 0..<6 { statuses.append(try client.readResponse().status) }
        #expect(statuses == [201, 200, 201, 409, 404, 200])
    }

    @Test func `a loop goes on while an answer is awaited`() throws {
        let store = try StoreOrigin()
        let release = store.hold()
        let client = try store.client
        client.send(store.request("GET", "links"))
        for _ in 0..<10 {
            let other = try store.client
            other.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try other.readResponse().status == 200)
        }
        release()
        #expect(try client.readResponse().status == 200)
    }

    @Test(
        "content that is malformed gets a problem with a type",
        arguments: [
            ("x\r\n", 400, "malformed-content"),
            ("0\r\nA: \(String(repeating: "x", count: 20_000))\r\n", 431, "trailers-too-large"),
        ])
    func malformed(_ rest: String, _ status: Int, _ name: String) throws {
        let store = try StoreOrigin()
        for path in ["links", "import"] {
            let client = try store.client
            let type = path == "links" ? "application/json" : "application/x-ndjson"
            client.send(
                store.request(
                    "POST", path, nil,
                    "Content-Type: \(type)\r\nTransfer-Encoding: chunked\r\n") + rest)
            let answer = try client.readResponse()
            #expect(answer.status == status, "\(answer)")
            #expect(
                answer.body.contains("\"type\": \"/v1/problems/\(name)\""), "\(answer.body)")
        }
    }

    @Test func `content is asked for where it is used, up to its limit`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        let json = #"{"destination": "https://www.example.com/"}"#
        let whole = store.request("POST", "links", json, "Expect: 100-continue\r\n")
        client.send(String(whole.dropLast(json.count)))
        #expect(try client.readResponse().status == 100)
        client.send(json)
        #expect(try client.readResponse().status == 201)
        for (bytes, status) in [(65_536, 400), (65_537, 413)] {
            let other = try store.client
            other.send(store.request("POST", "links", String(repeating: "x", count: bytes)))
            let answer = try other.readResponse()
            #expect(answer.status == status)
            #expect(answer.body.contains(#""type": "/v1/problems/"#), "\(answer.body)")
            guard status == 413 else { continue }
            #expect(
                answer.body.contains("may have at most 65536 bytes, not 65537"), "\(answer.body)")
        }
    }

    @Test func `the name of another system is found whatever it is`() throws {
        let store = try StoreOrigin()
        let json = #"{"destination": "https://www.example.com/"}"#
        for (path, name) in [
            ("a%2Fb", "a/b"), ("50%25", "50%"), ("%252F", "%2F"), ("a+b%26c&d", "a+b&c&d"),
            ("..%2F", "../"), ("%C3%BC", "ü"), ("a%CC%81", "a\u{301}"),
        ] {
            for status in [201, 200] {
                let client = try store.client
                client.send(store.request("PUT", "links/by-external-id/\(path)", json))
                let answer = try client.readResponse()
                #expect(answer.status == status, "\(answer.body)")
                #expect(answer.body.contains(#""externalId": "\#(name)""#), "\(answer.body)")
            }
        }
        let marks = String(repeating: "%CC%81", count: 31)
        for path in ["", "%00", "a%0A", "%FF", "a\(marks)"] {
            let client = try store.client
            client.send(store.request("PUT", "links/by-external-id/\(path)", json))
            #expect(try 400..<500 ~= client.readResponse().status)
        }
    }

    @Test func `a client that leaves loses its answer, and nothing else`() throws {
        let store = try StoreOrigin()
        let release = store.hold()
        for number in 0..<20 {
            let client = try store.client
            client.send(store.creation("left\(number)"))
            usleep(2_000)
            if number % 2 == 0 { client.reset() }
        }
        release()
        // The loop may read what came last before what came first.
        try wait {
            let client = try store.client
            client.send(store.request("GET", "links?limit=100"))
            let list = try client.readResponse()
            return list.status == 200 && list.body.contains("left19")
        }
    }

    @Test func `a client that has sent all it will gets its answer`() throws {
        let store = try StoreOrigin()
        let release = store.hold()
        let client = try store.client
        client.send(store.creation("half"))
        client.finishSending()
        usleep(20_000)
        release()
        #expect(try client.readResponse().status == 201)
        #expect(client.isClosed())
    }

    @Test func `an answer that takes too long is 503, and nothing is done then`() throws {
        var limits = OriginLimits.patient
        limits.handlerSeconds = 1
        let store = try StoreOrigin(limits: limits)
        let release = store.hold()
        let lines =
            #"{"slug": "later", "destination": "https://www.example.com/"}"# + "\n"
        for request in [
            store.request("GET", "links"), store.creation("late"), store.request("GET", "export"),
            LinkTransferTests.importRequest(store, lines.utf8.count) + lines,
            LinkTransferTests.importRequest(store, lines.utf8.count, "?atomic=true") + lines,
        ] {
            let client = try store.client
            client.send(request)
            let answer = try client.readResponse()
            #expect(answer.status == 503)
            #expect(
                answer.body.contains(#""type": "/v1/problems/store-unavailable""#),
                "\(answer.body)")
        }
        release()
        var links = ""
        try wait {
            let client = try store.client
            client.send(store.request("GET", "links"))
            let list = try client.readResponse()
            links = list.body
            return list.status == 200
        }
        #expect(!links.contains("late"))
    }

    /// The change is done with others before its time is over, and the disk needs the rest of it.
    @Test func `a change that has waited for others is answered as it was done`() throws {
        var limits = OriginLimits.patient
        limits.handlerSeconds = 30
        let clock = LoopClock.stopped()
        let store = try StoreOrigin(limits: limits, clock: clock)
        func pass(seconds: Int) throws {
            clock.advance(milliseconds: seconds * 1_000)
            // The loop has seen it when it has answered what was asked later.
            for _ in 0..<2 { #expect(try store.visit("/s/none").status == 404) }
        }
        let (before, behind) = (Milestone(), Milestone())
        let release = store.hold(before)
        #expect(before.wait())
        let client = try store.client
        client.send(store.creation("waiting"))
        // The store's queue has it when the request is admitted and its content is read.
        try wait { store.service.waiting == 1 }
        let finish = store.hold(behind)
        try pass(seconds: 20)
        release()
        #expect(behind.wait())
        try pass(seconds: 20)
        finish()
        #expect(try client.readResponse().status == 201)
    }

    /// A full disk is such a store; another program's transaction is one that a test can end.
    @Test func `a store that takes no changes at the start is told before the origin is ready`()
        throws
    {
        var held: SQLiteDatabase?
        let store = try StoreOrigin(prepare: { path in
            try LinkStore(path).close()
            held = try SQLiteDatabase(path, .readWrite)
            try held?.execute("BEGIN IMMEDIATE; UPDATE store SET generation = 0")
        })
        guard case .failed(.isHeld) = store.service.state else {
            return #expect(Bool(false), "\(store.service.state)")
        }
        let client = try store.client
        client.send("GET /readyz?verbose HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let ready = try client.readResponse()
        #expect(
            ready.status == 200 && ready.body.contains("[-]store failed, known links are"),
            "\(ready.body)")
        try held?.execute("ROLLBACK")
        client.send(store.creation("a"))
        #expect(try client.readResponse().status == 201)
        #expect(store.service.state == .open)
    }

    /// Another program has a table of the index' name.
    @Test func `a store whose notes have no index answers, and says so`() throws {
        let store = try StoreOrigin(prepare: { path in
            try LinkStore(path).close()
            try SQLiteDatabase(path, .readWrite).execute(
                "DROP INDEX link_note; CREATE TABLE link_note (a)")
        })
        try wait {
            store.origin.reported.contains { event in
                guard case .service(.finding(let finding)) = event else { return false }
                return finding.message.contains("has no index of its notes, so each search reads")
                    && finding.advice?.contains("SQLITE_TMPDIR") == true
            }
        }
        #expect(store.service.state == .open)
    }

    @Test func `other paths of the listener answer as before`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        for (request, status) in [
            ("POST /metrics", 405), ("GET /v1", 404), ("GET /v2/links", 404), ("GET /v1x/", 404),
        ] {
            client.send("\(request) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.readResponse().status == status, "\(request)")
        }
        client.send("GET /v1/links HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        #expect(try client.readResponse().status == 421)
        client.send("HEAD /v1/links HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readResponse(isHead: true).status == 401)
        for (query, status) in [("", 200), ("?collection=nope", 400), ("?format=xml", 400)] {
            client.send(store.request("HEAD", "export\(query)"))
            let head = try client.readResponse(isHead: true)
            #expect(head.status == status, "\(query)")
            #expect((head.fields["waymark-history"]?.utf8.count == 16) == (status == 200))
        }
        let plain = try TestOrigin()
        let none = try TestClient(port: plain.adminPort)
        none.send("GET /v1/links HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try none.readResponse().status == 404)
    }

    @Test func `the hosts of links have no API`() throws {
        let store = try StoreOrigin()
        #expect(try store.visit("/v1/links").status == 404)
    }

    @Test func `an app asks what its link says, on the host of the link`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        client.send(store.creation("a"))
        #expect(try client.readResponse().status == 201)
        let answer = try store.visit("/_/resolve?url=https%3A%2F%2Flocalhost%2Fs%2Fa%3Fx%3D1")
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "application/json")
        #expect(answer.body.contains(#""canonical": "https://localhost/s/a""#), "\(answer.body)")
        let unknown = try store.visit("/_/resolve?url=https%3A%2F%2Flocalhost%2Fs%2Fb")
        #expect(unknown.status == 404 && unknown.body.contains("unknown"))
        #expect(try store.visit("/_/resolve").status == 400)
        #expect(try store.visit("/_/other").status == 404)
        // The API stays where it is.
        client.send("GET /_/resolve?url=x HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readResponse().status == 404)
    }

    @Test func `a store in a file has all nodes at once, and a wait is for changes of links`()
        throws
    {
        let store = try StoreOrigin()
        let client = try store.client
        /// The fields of an answer about a wait.
        func ask(_ method: String, _ path: String, _ json: String? = nil, _ fields: String = "")
            throws -> [String?]
        {
            client.send(store.request(method, path, json, "Prefer: wait=7\r\n\(fields)"))
            let answer = try client.readResponse()
            return ["\(answer.status)"]
                + ["preference-applied", "waymark-nodes"].map { answer.fields[$0] }
        }
        let link = #"{"slug": "a", "destination": "https://www.example.com/a"}"#
        #expect(try ask("POST", "links", link) == ["201", "wait=7", "1/1"])
        // Neither a refusal nor anything else has waited.
        #expect(try ask("POST", "links", link) == ["409", nil, nil])
        #expect(try ask("GET", "links") == ["200", nil, nil])
        #expect(try ask("POST", "links:check", link) == ["200", nil, nil])
        #expect(
            try ask("POST", "tokens", #"{"name": "t", "scopes": ["admin"]}"#) == ["201", nil, nil])
        let other = #"{"slug": "b", "destination": "https://www.example.com/b"}"#
        client.send(store.request("POST", "links", other, "Prefer: respond-async\r\n"))
        #expect(try client.readResponse().fields["preference-applied"] == nil)
    }

    @Test func `a host of the API answers it over https only, to tokens that were made`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        client.send(
            store.request("POST", "tokens", #"{"name": "t", "scopes": ["links.read"]}"#))
        let made = try client.readResponse().body
        let token = try #require(made.firstMatch(of: /"token": "([^"]*)"/)).1
        func ask(_ host: String, _ token: some StringProtocol, _ proto: String, _ path: String)
            throws -> Int
        {
            let client = try TestClient(port: store.origin.httpPort)
            client.send(
                "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nX-Forwarded-For: 192.0.2.1\r\n"
                    + "X-Forwarded-Proto: \(proto)\r\nAuthorization: Bearer \(token)\r\n\r\n")
            return try client.readResponse().status
        }
        #expect(try ask("api.localhost", token, "https", "/v1/links") == 200)
        #expect(try ask("API.localhost:443", token, "https", "/v1/links") == 200)
        #expect(try ask("api.localhost", store.service.secret, "https", "/v1/links") == 401)
        #expect(try ask("api.localhost", token, "http", "/v1/links") == 404)
        #expect(try ask("other.localhost", token, "https", "/v1/links") == 404)
        #expect(try ask("api.localhost", token, "https", "/other") == 404)
        #expect(
            try ask("api.localhost", token, "https", "/.well-known/apple-app-site-association")
                == 404)
    }

    @Test func `a store that cannot be opened leaves the rest as it is`() throws {
        let text = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.com.example.a}}}
            links:
              fixed: {match: /fixed, web: https://www.example.com/}
              short: {match: /s/*, stored: {destinations: www.example.com}}
            environments:
              e:
                hosts: localhost
                tls: {certificate: c, key: k}
                publish: {a: short}
                proxies: {trusted: 127.0.0.0/8, header: x-forwarded-for}
                store: links.db
            """
        let read = Configuration.read(Array(text.utf8), file: "w")
        let configuration = try #require(read.configuration, "\(read.diagnostics)")
        let origin = try TestOrigin { site, directory in
            site.hasStore = true
            site.webLinks = configuration.links
            site.proxies = configuration.environments[0].proxies
            try directory.write("links.db", Array("no database, but long enough to be read".utf8))
        }
        let service = try #require(origin.server.links)
        try wait { service.state != .opening }
        guard case .closed(.isForeign) = service.state else {
            return #expect(Bool(false), "\(service.state)")
        }
        let client = try TestClient(port: origin.adminPort)
        client.send(
            "GET /v1/links HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n")
        let answer = try client.readResponse()
        #expect(answer.status == 503 && answer.fields["retry-after"] == "5")
        client.send("GET /readyz?verbose HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let ready = try client.readResponse()
        #expect(ready.status == 503 && ready.body.contains("is no store of links"))
        #expect(ready.body.contains("[-]store failed\n"), "\(ready.body)")
        client.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try client.readResponse().status == 200)
        let metrics = try TestClient(port: origin.adminPort).get("/metrics").body
        #expect(metrics.contains("\nwaymark_store_usable 0\n"))
        let whole = try StoreOrigin()
        #expect(
            try whole.client.get("/metrics").body.contains("\nwaymark_store_usable 1\n"))
        // What is not known must not be taken for what does not exist.
        let visitor = try TestClient(port: origin.httpPort)
        func visit(_ path: String) throws -> TestResponse {
            visitor.send(
                "GET \(path) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n")
            return try visitor.readResponse()
        }
        let stored = try visit("/s/a")
        #expect(stored.status == 503 && stored.fields["retry-after"] == "5")
        #expect(try visit("/_/resolve?url=https%3A%2F%2Flocalhost%2Fs%2Fa").status == 503)
        #expect(try visit("/fixed").status == 302)
        #expect(try visit("/other").status == 404)
    }
}
