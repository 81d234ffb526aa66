import Memory
import Resolution
import SiteConfiguration
import TestSupport
import Testing

@testable import Answering

@Suite("Answers that a path decides alone")
struct FixedRedirectAnswerTests {
    private let site: PreparedSite

    init() throws {
        let text = """
            version: 1
            apps: {app: {name: App, ios: {id: W4X7K2M9QH.com.example.app}}}
            links:
              one: {match: /one, page: {title: One}, web: "https://www.example.com/1?a=b"}
              two: {match: /two, web: "308 https://www.example.com/2"}
              app: {match: /app, page: {title: App}}
              all: {match: /dl/*, page: {title: All}, web: "https://www.example.com/d/{1}?a=b"}
              end: {match: /e/*, web: "307 https://www.example.com/{1}"}
            environments:
              test:
                hosts: [localhost]
                tls: {certificate: certs/dev.pem, key: certs/dev.key}
                publish: {app: [app]}

            """
        let (read, findings) = Configuration.read(
            Array(text.utf8), file: "w", directory: "/nowhere")
        site = try PreparedSite.prepare(
            try #require(read?.environments.first, "\(findings)"), now: 1_000)
    }

    private func get(
        _ target: String, as client: String = "iphone-safari", method: String = "GET"
    ) throws -> TestResponse {
        let agent = try #require(VisitorProfile.userAgent(of: client))
        let request =
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nUser-Agent: \(agent)\r\n\r\n"
        var predictor = Predictor(SiteTable([site]), now: 1_000)
        let bytes = predictor.answer(Array(request.utf8), isSecure: true, now: 1_000)
        return try #require(TestResponse(bytes, isHead: method == "HEAD"))
    }

    /// A slash at the end makes no difference to links, and lets the rules decide.
    @Test(
        arguments: [
            ("/one", 302, "https://www.example.com/1?a=b"),
            ("/two", 308, "https://www.example.com/2"),
        ])
    func `they are those of the rules`(_ path: String, _ status: Int, _ location: String) throws {
        #expect(site.redirects.find(Array(path.utf8), 0..<path.utf8.count) != nil)
        let (answer, decided) = (try get(path), try get(path + "/"))
        #expect(answer.status == status && answer.fields["location"] == location)
        #expect(answer == decided && answer.body.isEmpty)
        #expect(try get(path, method: "HEAD") == decided)
        #expect(try get("https://localhost\(path)") == decided)
    }

    @Test func `other requests for the path are decided by the rules`() throws {
        #expect(try get("/one", as: "messages-preview").status == 200)
        #expect(try get("/two", as: "googlebot").status == 308)
        #expect(
            try get("/one?utm_source=x").fields["location"]
                == "https://www.example.com/1?a=b&utm_source=x")
        #expect(try get("/%6Fne") == get("/one"))
        #expect(try get("/on").status == 404)
        #expect(try get("/app").status == 404)
    }

    @Test(
        arguments: [
            ("/dl/x", 302, "https://www.example.com/d/x?a=b"),
            ("/dl/A-b_9", 302, "https://www.example.com/d/A-b_9?a=b"),
            ("/e/file", 307, "https://www.example.com/file"),
        ])
    func `a segment is carried as the rules do`(
        _ path: String, _ status: Int, _ location: String
    ) throws {
        #expect(site.redirects.find(Array(path.utf8), 0..<path.utf8.count) != nil)
        let answer = try get(path)
        #expect(answer.status == status && answer.fields["location"] == location)
        #expect(answer.body.isEmpty)
        #expect(try get(path, method: "HEAD") == answer)
        #expect(try get("https://localhost\(path)") == answer)
        #expect(try get("https://LOCALHOST\(path)?") == answer)
        let escaped = path.dropLast() + "%" + String(path.utf8.last ?? 0, radix: 16)
        #expect(try get(String(escaped)) == answer)
    }

    @Test func `other requests for a folder are decided by the rules`() throws {
        #expect(try get("/dl/x", as: "messages-preview").status == 200)
        #expect(
            try get("/dl/x?utm_source=y").fields["location"]
                == "https://www.example.com/d/x?a=b&utm_source=y")
        #expect(try get("/dl/x/y").fields["location"] == "https://www.example.com/d/x/y?a=b")
        #expect(try get("/dl/x.y").fields["location"] == "https://www.example.com/d/x.y?a=b")
        #expect(try get("/dl/").fields["location"] == "https://www.example.com/d/?a=b")
        #expect(try get("/DL/x").status == 404)
        #expect(try get("/dlx").status == 404)
    }

    /// What is too long is answered as the rules do, and no octet sooner.
    @Test func `a URL has a limit with its segment`() throws {
        let most = 16_384 - "https://www.example.com/".utf8.count
        for (count, isFound) in [(most, true), (most + 1, false)] {
            let path = "/e/" + String(repeating: "x", count: count)
            let found = site.redirects.find(Array(path.utf8), 0..<path.utf8.count)
            #expect((found != nil) == isFound)
        }
    }

    /// The answer to a request with content waits for it, when the request is no longer there.
    @Test func `an answer can wait without the request`() throws {
        var writer = ResponseWriter(SiteTable([site]), capacity: 4096, now: 1_000)
        let path = Array("/dl/abc".utf8)
        let found = try #require(site.redirects.find(path, 0..<path.count))
        let answer = writer.detached(.fixed(found.location, found.status), from: path)
        guard case .found(let location, .found) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(location == Array("https://www.example.com/d/abc?a=b".utf8))
        let isUnchanged = writer.output.isEmpty
        #expect(isUnchanged)
    }
}
