import Foundation
import TestSupport
import Testing

@Suite("What explain says, beside what is served")
struct ExplainBesideServeTests {
    /// Addresses whose answer depends on more than the site: on what the client sends as its host,
    /// on the server name in TLS, and on the store.
    static let addresses = [
        "https://localhost/s/known", "https://localhost/s/unknown",
        "https://127.0.0.1/s/known", "https://[::1]/s/known", "http://127.0.0.1/s/known",
        "http://LOCALHOST/s/known", "https://LocalHost/s/known", "https://localhost./s/known",
        "https://localhost:443/page", "https://localhost/page", "http://localhost:80/page",
        "https://localhost/_/resolve?url=https%3A%2F%2Flocalhost%2Fs%2Fknown",
        "https://localhost/_/resolve?url=https%3A%2F%2Flocalhost%2Fs%2Funknown",
        "https://localhost/_/resolve?url=https%3A%2F%2Flocalhost%2Fpage",
        "https://localhost/_/resolve?url=nonsense",
        "https://localhost/_/resolve?url=", "https://localhost/_/resolve?url=%zz",
        "https://localhost/_/resolve?url=https%3A%2F%2Fother.test%2Fs%2Fa",
        "https://localhost/_/resolve",
        "https://localhost/_/opens", "https://localhost/_/other", "https://localhost/robots.txt",
        "https://localhost/.well-known/apple-app-site-association",
        // What apps ask is asked of hosts that are served.
        "https://other.example.org/_/resolve", "http://other.example.org/_/resolve",
        "https://127.0.0.1/_/resolve", "https://other.example.org/_/opens",
    ]

    @Test func `has the same status, fields and content`() throws {
        let site = try StoreSite()
        _ = try site.create(
            "--collection", "short", "--slug", "known", "https://www.example.com/known")
        for address in Self.addresses {
            let explained = try site.object(
                site.run(
                    "explain", "--config", "waymark.yaml", "--env", "test", "--format", "json",
                    address))
            let response = try #require(explained["response"] as? [String: Any])
            let port = address.hasPrefix("https:") ? site.origin.https : site.origin.http
            let content = site.path("content")
            let head = shellOutput(
                "curl --silent --insecure --globoff --connect-to ::127.0.0.1:\(port) "
                    + "--user-agent '' --dump-header - --output \(content) '\(address)'")
            let lines = head.split(whereSeparator: \.isNewline).filter {
                !$0.hasPrefix("Date: ") && !$0.hasPrefix("Connection: ")
            }
            let fields = try #require(response["headers"] as? [String: String])
            let said = fields.filter { $0.key != "Date" && $0.key != "Connection" }
                .map { "\($0.key): \($0.value)" }
            #expect(said.sorted() == lines.dropFirst().map(String.init).sorted(), "\(address)")
            let status = try #require(response["status"] as? Int)
            #expect(lines.first?.contains(" \(status) ") == true, "\(address): \(status), \(head)")
            let hash = shellOutput("sha256sum < \(content)").prefix(64)
            #expect(response["bodySHA256"] as? String == String(hash), "\(address)")
        }
    }
}
