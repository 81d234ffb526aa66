import AccessLog
import Testing

@Suite("Secrets in paths and queries of the console")
struct SecretTests {
    @Test(
        "what somebody could use or read is left out of the line",
        arguments: [
            ("/console/page", "?draft=x", "/console/page"),
            ("/console/openid", "?code=x", "/console/openid"),
            ("/console/sign-in/x", "", "/console/sign-in/"),
            // Others stay as they are.
            ("/console/pages", "?draft=x", "/console/pages?draft=x"),
            ("/console/links", "?q=x", "/console/links?q=x"),
        ])
    func hidden(_ path: String, _ query: String, _ kept: String) {
        let whole = "GET \(path)\(query) HTTP/1.1"
        let text = Array(whole.utf8)
        var entry = AccessEntry()
        entry.requestLine = 0..<text.count
        entry.path = 4..<4 + path.utf8.count
        entry.target = 4..<4 + path.utf8.count + query.utf8.count
        entry.hideSecret(text)
        func shown(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        #expect(shown(entry.target) == kept && kept.hasPrefix(shown(entry.path)))
        #expect(shown(entry.requestLine) == (kept == path + query ? whole : "GET \(kept)"))
    }
}
