import Associations
import Testing

/// What Google's verifier takes from a file; `Tests/Tools/check-statements` asks the same of
/// Google's own tests.
@Suite("The statements of an assetlinks.json (Google, compatibility suite)")
struct PublishedAssetLinksTests {
    private static let links = "delegate_permission/common.handle_all_urls"
    private static let key = Array(repeating: "A1", count: 32).joined(separator: ":")
    private static let app = app(key)
    private static let site = statement(#"{"namespace": "web", "site": "https://b.example"}"#)

    private static func app(_ key: String, _ package: String = "com.example.app") -> String {
        statement(
            """
            {"namespace": "android_app", "package_name": "\(package)",
             "sha256_cert_fingerprints": ["\(key)"]}
            """)
    }

    private static func statement(_ target: String, _ relation: String = links) -> String {
        #"{"relation": ["\#(relation)"], "target": \#(target)}"#
    }

    private static func include(_ url: String) -> String { #"{"include": "\#(url)"}"# }

    private func read(
        _ text: String, isSecure: Bool = true, _ includes: [String: String] = [:]
    ) -> PublishedAssetLinks {
        PublishedAssetLinks(
            text.utf8, isSecure: isSecure, includes: includes.mapValues { Array($0.utf8) })
    }

    // MARK: One file

    @Test(
        "what Google accepts is valid, whatever people should change in it",
        arguments: [
            ("[]", 0), ("[\(app)]", 1), ("[\(app), \(site)]", 2), ("[\(app), \(app)]", 2),
            ("[\(app(Array(repeating: "00", count: 32).joined(separator: ":")))]", 1),
            ("[\(app(Array(repeating: "11", count: 32).joined(separator: ":")))]", 1),
            ("[\(statement(#"{"namespace": "web", "site": "HTTPS://B.example.:443"}"#))]", 1),
            (
                "[\(statement(#"{"namespace": "web", "site": "https://b.c"}"#, "navigate/x"))]",
                1
            ),
        ])
    func accepts(_ text: String, _ count: Int) {
        let links = read(text)
        #expect(links.verdict == .valid)
        #expect(links.faults == [])
        #expect(links.statements.count == count)
    }

    @Test(
        "a statement that Google refuses is left out, and its neighbours count",
        arguments: [
            "{}", "5", #"{"relation": ["\#(links)"]}"#,
            app(key.lowercased()), app("A1"), app("YOUR_KEY"), app(""), app(key, "app"),
            app(key, ""), app(key, "com.exa mple"),
            statement(#"{"namespace": "ios_app", "appid": "1"}"#), statement(#""https://b.c""#),
            statement(#"{"namespace": "web"}"#),
            statement(#"{"namespace": "web", "site": "https://b.example/"}"#),
            statement(#"{"namespace": "web", "site": "b.example"}"#),
            statement(#"{"namespace": "web", "site": "https://b.example"}"#, "x"),
            statement(#"{"namespace": "web", "site": "https://b.example"}"#, "a/B"),
            #"{"relation": [], "target": {"namespace": "web", "site": "https://b.example"}}"#,
            #"{"relation": "\#(links)", "target": {"namespace": "web", "site": "https://b.c"}}"#,
            #"{"include": "https://b.example/x", "target": {}}"#,
            #"{"include": "https://b.example/x", "relation": []}"#,
            include("https://b.example:99999/x"), include("mailto:x"), #"{"include": 1}"#,
        ])
    func refuses(_ statement: String) throws {
        let links = read("[\(Self.app),\n\(statement), \(Self.site)]")
        #expect(links.verdict == .invalid)
        #expect(links.faults.map(\.code) == [.malformedContent])
        #expect(try #require(links.faults.first).line >= 2)
        #expect(
            links.statements.map(\.target) == [
                .app(package: "com.example.app", fingerprint: Self.key),
                .website(origin: "https://b.example"),
            ])
        #expect(links.missingIncludes == [])
    }

    @Test(
        "a text that is not one array of JSON has no statements",
        arguments: ["", "[\(app),]", "[\(app)", "[] []", "42", "\"a\"", app, "<html>"])
    func refusesAll(_ text: String) {
        let links = read(text)
        #expect(links.verdict == .invalid)
        #expect(links.faults.map(\.code) == [.malformedContent])
        #expect(links.statements == [])
    }

    @Test func `what is asked is one relation, app and key`() {
        let links = read("[\(Self.app), \(Self.site)]")
        #expect(links.grants(Self.links, package: "com.example.app", fingerprint: Self.key))
        #expect(!links.grants("a/b", package: "com.example.app", fingerprint: Self.key))
        #expect(!links.grants(Self.links, package: "com.example.app2", fingerprint: Self.key))
        #expect(!links.grants(Self.links, package: "com.example.app", fingerprint: "A2"))
        #expect(links.grants(Self.links, site: "https://B.example:443"))
        for other in ["http://b.example", "https://b.example:444", "https://c.example", "x"] {
            #expect(!links.grants(Self.links, site: other))
        }
    }

    // MARK: Includes

    private static let url = "https://c.example/list.json"

    @Test func `what a given file states counts as if it stood here`() {
        let text = "[\(Self.include(Self.url)), \(Self.site)]"
        let links = read(text, [Self.url: "[\(Self.app)]"])
        #expect(links.verdict == .valid)
        #expect(links.statements.map(\.includeDepth) == [0, 1])
        #expect(links.grants(Self.links, package: "com.example.app", fingerprint: Self.key))
        #expect(links.missingIncludes == [])
    }

    @Test func `without it the verdict depends on it`() {
        let text = "[\(Self.include(Self.url)), \(Self.include(Self.url)), \(Self.site)]"
        let links = read(text)
        #expect(links.verdict == .dependsOnIncludes)
        #expect(links.missingIncludes == [Self.url])
        #expect(links.statements.count == 1)
        // Another file is no help, and what is refused is refused whatever the include says.
        #expect(read(text, ["https://c.example/": "[]"]).verdict == .dependsOnIncludes)
        #expect(read("[{}, \(Self.include(Self.url))]").verdict == .invalid)
    }

    @Test func `an include that is not JSON takes nothing from the rest`() {
        let links = read(
            "[\(Self.include(Self.url)), \(Self.site)]", [Self.url: "[\(Self.app), {x}]"])
        #expect(links.verdict == .invalid)
        #expect(links.faults.map(\.file) == [Self.url])
        #expect(links.statements.count == 1)
    }

    @Test(
        "an https file, and what it leads to, includes https files alone",
        arguments: [
            (true, "https", nil), (false, "http", nil), (false, "https", nil),
            (true, "http", .secureAssetIncludesInsecure),
        ] as [(Bool, String, PublishedAssetLinks.Fault.Code?)])
    func security(
        _ isSecure: Bool, _ scheme: String, _ code: PublishedAssetLinks.Fault.Code?
    ) {
        let url = "\(scheme)://c.example/a"
        let links = read("[\(Self.include(url))]", isSecure: isSecure, [url: "[\(Self.app)]"])
        #expect(links.faults.map(\.code) == [code].compactMap(\.self))
        #expect(links.statements.isEmpty == (code != nil))
        // The same one include further on.
        let within = read(
            "[\(Self.include(Self.url))]", isSecure: false,
            [Self.url: "[\(Self.include("http://c.example/a"))]", "http://c.example/a": "[]"])
        #expect(within.faults.map(\.code) == [.secureAssetIncludesInsecure])
    }

    @Test func `files that include one another are read once, and reported`() {
        let other = "https://c.example/other.json"
        let links = read(
            "[\(Self.include(Self.url))]",
            [
                Self.url: "[\(Self.include(other)), \(Self.app)]",
                other: "[\(Self.include(Self.url))]",
            ])
        #expect(links.faults.map(\.code) == [.fetchBudgetExhausted])
        #expect(links.statements.count == 1)
        #expect(links.grants(Self.links, package: "com.example.app", fingerprint: Self.key))
    }

    @Test("so many includes are followed, and no more", arguments: [10, 11])
    func budget(_ count: Int) {
        let urls = (0..<count).map { "https://c.example/\($0)" }
        var files = [String: String]()
        for (number, url) in urls.enumerated() {
            files[url] = "[\(Self.app(Self.key, "com.example.app\(number)"))]"
        }
        let links = read("[\(urls.map(Self.include).joined(separator: ","))]", files)
        #expect(links.statements.count == PublishedAssetLinks.includesMax)
        #expect(
            links.faults.map(\.code)
                == (count > PublishedAssetLinks.includesMax ? [.fetchBudgetExhausted] : []))
    }
}
