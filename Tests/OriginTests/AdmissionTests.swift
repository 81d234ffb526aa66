import Glibc
import LinkStore
import Services
import Snapshots
import TestSupport
import Testing

@testable import Origin

@Suite("Requests to the API are let in by their heads")
struct AdmissionTests {
    private static func head(
        _ store: StoreOrigin, _ path: String, _ length: Int, token: String? = nil,
        type: String = "application/json", _ fields: String = ""
    ) -> String {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return "POST /v1/\(path) HTTP/1.1\r\nHost: localhost\r\n\(authorization)"
            + "Content-Type: \(type)\r\nContent-Length: \(length)\r\n\(fields)\r\n"
    }

    /// The store's thread does nothing meanwhile.
    @Test func `who has no token is refused before anything is taken`() throws {
        let store = try StoreOrigin()
        let release = store.hold()
        defer { release() }
        for path in ["links", "links:check", "import", "tokens"] {
            let client = try store.client
            client.send(Self.head(store, path, 60_000))
            let refused = try client.readResponse()
            #expect(refused.status == 401, "\(path)")
            #expect(refused.fields["www-authenticate"] == "Bearer")
            #expect(client.isClosed())
        }
        for path in ["export", "links", "audit", "visits"] {
            let client = try store.client
            client.send("GET /v1/\(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try client.readResponse().status == 401)
        }
        #expect(store.service.imports.count + store.service.exports.count == 0)
        #expect(store.service.requests.count == 0)
    }

    @Test func `exports of tokens go on beside any number of requests without one`() throws {
        let store = try StoreOrigin()
        var strangers = [TestClient]()
        for number in 0..<24 {
            let stranger = try store.client
            stranger.send(
                number % 2 == 0
                    ? "GET /v1/export HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    : Self.head(store, "import", 1_000_000_000, type: "text/csv"))
            strangers.append(stranger)
            let client = try store.client
            client.send(store.request("GET", "export"))
            #expect(try client.readResponse().status == 200)
        }
    }

    static let expectations: [(path: String, token: String?, type: String, length: Int, Int)] = [
        ("links", "links.create", "application/json", 65_536, 100),
        ("links", nil, "application/json", 2, 401),
        ("links", "links.read", "application/json", 2, 403),
        ("links", "links.create", "text/plain", 2, 415),
        ("links", "links.create", "application/json", 65_537, 413),
        ("import", "links.create", "text/csv", 1_000_000_000, 100),
        ("import", nil, "text/csv", 2, 401), ("import", "links.read", "text/csv", 2, 403),
        ("import", "links.create", "application/json", 2, 415),
        ("import?mode=upsert", "links.create", "text/csv", 2, 403),
        ("import?atomic=true", "links.create", "text/csv", 16 << 20, 100),
        ("import?atomic=true", "links.create", "text/csv", 16 << 20 + 1, 413),
        ("import?format=firebase", "links.create", "application/x-ndjson", 2, 415),
        ("export", "links.read", "text/csv", 2, 405), ("nothing", "links.read", "a/b", 2, 404),
    ]

    @Test("content is asked for where it would be taken", arguments: expectations)
    func expects(
        _ path: String, _ scope: String?, _ type: String, _ length: Int, _ status: Int
    ) throws {
        let store = try StoreOrigin()
        let token = try scope.map { try store.token($0) }
        let client = try store.client
        client.send(
            Self.head(store, path, length, token: token, type: type, "Expect: 100-continue\r\n"))
        #expect(try client.readResponse().status == status)
    }

    @Test func `a refusal keeps the connection where the content came with the head`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        for _ in 0..<3 {
            client.send(Self.head(store, "links", 2) + "{}" + store.request("GET", "links"))
            #expect(try client.readResponse().status == 401)
            #expect(try client.readResponse().status == 200)
        }
        let half = try store.client
        half.send(Self.head(store, "links", 4) + "{}")
        #expect(try half.readResponse().status == 401)
        #expect(half.isClosed())
    }

    @Test func `a token is taken with any number of spaces before it`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        for (credentials, status) in [
            ("Bearer \(store.service.secret)", 200), ("Bearer   \(store.service.secret)", 200),
            ("bearer \(store.service.secret)", 200), ("Bearer", 401), ("Bearer  ", 401),
            ("Bearer\(store.service.secret)", 401), ("Basic \(store.service.secret)", 401),
            ("Bearer \(store.service.secret) x", 401),
        ] {
            client.send(
                "GET /v1/links HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(credentials)\r\n\r\n"
            )
            #expect(try client.readResponse().status == status, "\(credentials.prefix(8))")
        }
    }

    @Test func `a request has one Idempotency-Key, and not a list of them`() throws {
        let store = try StoreOrigin()
        let link = #"{"collection": "short", "destination": "https://www.example.com/"}"#
        let client = try store.client
        func create(_ keys: String...) throws -> (Int, String) {
            let fields = keys.map { "Idempotency-Key: \($0)\r\n" }.joined()
            client.send(store.request("POST", "links", link, fields))
            let answer = try client.readResponse()
            return (answer.status, answer.body)
        }
        let first = try create("a, b")
        #expect(first.0 == 201)
        #expect(try create("a, b") == first)
        for keys in [("a", "b"), ("a", "a")] {
            let refused = try create(keys.0, keys.1)
            #expect(refused.0 == 400 && refused.1.contains("there are several"), "\(refused)")
        }
        // It means nothing where nothing is kept.
        client.send(
            store.request("GET", "links", nil, "Idempotency-Key: a\r\nIdempotency-Key: b\r\n"))
        #expect(try client.readResponse().status == 200)
    }

    @Test func `a token that was removed is refused by every loop when its remover knows`() throws {
        let store = try StoreOrigin(loops: 4)
        let token = try store.token("links.read")
        func ask() throws -> Int {
            let client = try store.client
            client.send(store.request("GET", "links", token: token))
            return try client.readResponse().status
        }
        for _ in 0..<8 { #expect(try ask() == 200) }
        let admin = try store.client
        admin.send(store.request("GET", "tokens"))
        let id = try #require(admin.readResponse().body.firstMatch(of: /"id": ([0-9]+)/)).1
        admin.send(store.request("DELETE", "tokens/\(id)"))
        #expect(try admin.readResponse().status == 204)
        for _ in 0..<8 { #expect(try ask() == 401) }
    }

    @Test func `content of a token that was removed meanwhile changes nothing`() throws {
        let store = try StoreOrigin()
        let token = try store.token("links.create")
        let client = try store.client
        let json = #"{"slug": "late", "destination": "https://www.example.com/"}"#
        client.send(Self.head(store, "links", json.utf8.count, token: token))
        try wait { store.service.requests.count > 0 }
        let admin = try store.client
        admin.send(store.request("DELETE", "tokens/1"))
        #expect(try admin.readResponse().status == 204)
        client.send(json)
        #expect(try client.readResponse().status == 401)
        #expect(try store.visit("/s/late").status == 404)
    }

    @Test func `a token has 64 requests under way, and takes no others' places`() throws {
        var limits = OriginLimits.patient
        limits.adminConnectionsMax = 128
        let store = try StoreOrigin(limits: limits)
        let token = try store.token("links.read")
        let other = try store.token("links.read")
        let release = store.hold()
        var waiting = [TestClient]()
        for _ in 0..<64 {
            let client = try store.client
            client.send(store.request("GET", "links", token: token))
            waiting.append(client)
        }
        try wait { store.service.requests.count >= 64 }
        let next = try store.client
        next.send(store.request("GET", "links", token: token))
        let refused = try next.readResponse()
        #expect(refused.status == 429 && refused.fields["retry-after"] == "1")
        let others = try store.client
        others.send(store.request("GET", "links", token: other))
        release()
        #expect(try others.readResponse().status == 200)
        for client in waiting { #expect(try client.readResponse().status == 200) }
        try wait { store.service.requests.count == 0 }
        next.send(store.request("GET", "links", token: token))
        #expect(try next.readResponse().status == 200)
    }

    @Test func `the store's thread draws no codes`() throws {
        let store = try StoreOrigin()
        let client = try store.client
        client.send(store.creation("a"))
        let made = try client.readResponse().body
        let id = try #require(made.firstMatch(of: /"id": "([^"]*)"/)).1
        // Every thread that draws is busy.
        let gates = (0..<8).map { _ in Milestone() }
        let isTaken = gates.map { gate in
            store.service.sideWork.submit(for: 99) { _ = gate.wait() }
        }
        #expect(!isTaken.contains(false))
        let drawing = try store.client
        drawing.send(store.request("GET", "links/\(id)/qr?format=png&size=256"))
        try wait { store.service.requests.count > 0 }
        client.send(store.creation("b"))
        #expect(try client.readResponse().status == 201)
        gates.forEach { $0.reach() }
        let drawn = try drawing.readResponse()
        #expect(drawn.status == 200 && drawn.fields["content-type"] == "image/png")
    }

    @Test func `what apps ask has the methods that it names`() throws {
        let store = try StoreOrigin()
        let visitor = try TestClient(port: store.origin.httpPort)
        for (request, status, allow) in [
            ("GET /_/opens", 405, "POST, OPTIONS"), ("PUT /_/opens", 405, "POST, OPTIONS"),
            ("OPTIONS /_/opens", 204, "POST, OPTIONS"),
            ("POST /_/resolve?url=x", 405, "GET, HEAD, OPTIONS"),
            ("OPTIONS /_/resolve?url=x", 204, "GET, HEAD, OPTIONS"),
            ("GET /_/resolve?url=x", 404, nil), ("OPTIONS /_/other", 204, "GET, HEAD, OPTIONS"),
        ] as [(String, Int, String?)] {
            visitor.send(
                "\(request) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n\r\n")
            let answer = try visitor.readResponse()
            #expect(answer.status == status && answer.fields["allow"] == allow, "\(request)")
        }
    }

    /// The certificates of the site's host and of the API's are two, and the first is the default.
    @Test(
        "a host of the API is answered over its own certificate (RFC 9110 §7.4)",
        arguments: [
            ("api.localhost", "200"), ("localhost", "421"), (nil, "421"), ("evil.example", "421"),
        ] as [(String?, String)])
    func misdirected(_ name: String?, _ status: String) throws {
        let store = try StoreOrigin { site in
            site.certificateNames = ["localhost"]
            site.olderNames = ["api.localhost"]
        }
        let token = try store.token("links.create", "links.read")
        let json = #"{"destination": "https://www.example.com/"}"#
        let server = name.map { "-servername \($0)" } ?? "-noservername"
        func ask(_ request: String) -> String {
            let text = request.replacing("Host: localhost", with: "Host: api.localhost")
                .replacing("\r\n", with: "\\r\\n")
            let answer = shell(
                "printf '\(text)' | openssl s_client -quiet -connect "
                    + "127.0.0.1:\(store.origin.httpsPort) \(server) 2>/dev/null"
            ).output
            return String(answer.dropFirst(9).prefix(3))
        }
        let close = "Connection: close\r\n"
        #expect(ask(store.request("GET", "links", nil, close, token: token)) == status)
        let made = ask(store.request("POST", "links", json, close, token: token))
        #expect(made == (status == "200" ? "201" : status))
        // A client may repeat a request with 421 elsewhere, and there is nothing elsewhere (§15.5.20).
        for target in [
            "GET /", "GET /v1", "GET /v2/links", "POST /V1/links", "GET /%761/links",
            "GET /readyz", "GET /.well-known/apple-app-site-association", "GET /v1/nope",
        ] {
            let text = "\(target) HTTP/1.1\r\nHost: localhost\r\n\(close)\r\n"
            #expect(
                ask(text.replacing("%", with: "%%")) == (status == "200" ? "404" : status),
                "\(target)")
        }
    }
}
