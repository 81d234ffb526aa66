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
}
