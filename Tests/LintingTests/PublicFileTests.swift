import Diagnostics
import Linting
import Testing

@Suite("Public files below /.well-known/")
struct PublicFileTests {
    private func rules(_ path: String, _ text: String) -> [String] {
        Linter.lint(publicFile: Array(text.utf8), at: "/.well-known/\(path)", file: "f").map {
            "\($0.severity) \($0.rule.rawValue)"
        }
    }

    private static let broken = ["error well-known-form"]
    private static let doubtful = ["warning well-known-form"]

    static let files: [(path: String, text: String, rules: [String])] = [
        ("webauthn", "{\"origins\": [\"https://a.example\"]}", []),
        ("webauthn", "{\"origins\": [\"https://a.example:8443/\"], \"b\": 1}", []),
        ("webauthn", "{\"a\": 1}", broken), ("webauthn", "[]", broken),
        ("webauthn", "{\"origins\": \"https://a.example\"}", broken),
        ("webauthn", "{\"origins\": [\"https://a.example\", 1]}", broken),
        ("webauthn", "{\"origins\": [\"http://a.example\"]}", doubtful),
        ("webauthn", "{\"origins\": [\"a.example\"]}", doubtful),
        ("webauthn", "{\"origins\": [\"https://a.example\",]}", ["error json-trailing-comma"]),
        (
            "webauthn",
            "{\"origins\": [\((0..<5).map { "\"https://a\($0).example\"" }.joined(separator: ", "))]}",
            []
        ),
        (
            "webauthn",
            "{\"origins\": [\((0..<6).map { "\"https://a\($0).example\"" }.joined(separator: ", "))]}",
            ["warning related-origins-count"]
        ),
        ("passkey-endpoints", "{}", []),
        (
            "passkey-endpoints",
            "{\"enroll\": \"https://a.example/b\", \"manage\": \"https://a.example\"}", []
        ),
        ("passkey-endpoints", "[]", broken),
        ("passkey-endpoints", "{\"enroll\": \"http://a.example/b\"}", broken),
        ("passkey-endpoints", "{\"manage\": \"/b\"}", broken),
        ("passkey-endpoints", "{\"prfUsageDetails\": 1}", broken),
        ("passkey-endpoints", "{\"other\": 1}", []),
        ("applinking.json", "{\"applinking\": {\"apps\": [{\"appIdentifier\": \"1\"}]}}", []),
        ("applinking.json", "{\"applinking\": {\"apps\": [{}]}}", broken),
        ("applinking.json", "{\"applinking\": {\"apps\": []}}", broken),
        ("applinking.json", "{\"apps\": []}", broken),
        ("change-password", "<!doctype html>", ["error change-password-page"]),
        ("gpc.json", "{\"gpc\": true}", []), ("nodeinfo", "{\"links\": []}", []),
        ("assetlinks.json", "[]", ["error no-statements"]),
        ("apple-app-site-association", "{\"applinks\": 1}", ["error"]),
    ]

    @Test("one that its readers refuse is an error", arguments: files)
    func forms(_ row: (path: String, text: String, rules: [String])) {
        let found = rules(row.path, row.text)
        if row.rules == ["error"] {
            #expect(found.contains { $0.hasPrefix("error") })
        } else {
            #expect(found == row.rules)
        }
    }

    @Test func `what is no JSON says so with its place`() {
        let found = Linter.lint(
            publicFile: Array("not json".utf8), at: "/.well-known/passkey-endpoints", file: "f")
        #expect(found.contains { $0.severity == .error && $0.position?.file == "f" })
        #expect(rules("openid-configuration", "{").contains { $0.hasPrefix("error") })
    }

    @Test func `one item costs one finding, and a list of any length ends`() {
        let items = Array(repeating: "1", count: 100_000).joined(separator: ",")
        #expect(rules("webauthn", "{\"origins\": [\(items)]}").count == 100)
    }
}
