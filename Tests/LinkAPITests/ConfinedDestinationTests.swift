import Associations
import Foundation
import LinkAPI
import LinkStore
import Resolution
import TestSupport
import Testing

/// A link of a collection that may lead to a part of a host stays there, whatever a visitor asks for.
@Suite struct ConfinedDestinationTests {
    private static let configuration = """
        version: 1
        apps: {shop: {ios: {id: ABCDE12345.com.example.shop}}}
        links:
          only: {match: /s/*, stored: {destinations: www.example.com/only/}}
          free: {match: /f/*, stored: {destinations: www.example.com}}
        environments:
          prod:
            hosts: [go.example.com]
            tls: {certificate: c.pem, key: k.pem}
            publish: {shop: [only]}
            store: var/links.db
        """
    private static let templates = [
        "https://www.example.com/only/{query.x}/y", "https://www.example.com/only/{query.x}",
        "https://www.example.com/only/a{query.x}b/y", "https://www.example.com/only/.{query.x}/y",
        "https://www.example.com/only/%252{query.x}%252e/y",
        "https://www.example.com/only/{query}/y",
        "https://www.example.com/only{path}", "https://www.example.com/only/{1}/{query.x}?{query}",
    ]

    private func api() throws -> TestAPI {
        let api = try TestAPI(Self.configuration)
        for (number, template) in Self.templates.enumerated() {
            for collection in ["only", "free"] {
                _ = try api.create(
                    #"{"collection": "\#(collection)", "slug": "t\#(number)", "web": {"default": "\#(template)"}}"#
                )
            }
        }
        return api
    }

    @Test func `a link keeps where it leads when that is narrowed, and can be disabled`() throws {
        let wide = Self.configuration.replacing("www.example.com/only/", with: "\"*\"")
        let before = try TestAPI(wide)
        let link = #"""
            {"collection": "only", "slug": "a", "destination": "https://old.example.com/",
             "web": {"ios": "landing", "android": "https://old.example.com/a"}}
            """#
        let id = try before.create(link)["id"]
        let api = try TestAPI(Self.configuration, files: before.store)
        func change(_ json: String) -> APIResponse {
            api.ask("PATCH", "links/\(id)", json, ["if-match": "*"])
        }
        for json in [
            #"{"state": "disabled"}"#, #"{"note": "lost"}"#, #"{"tags": ["x"]}"#,
            #"{"until": "2030-01-01T00:00:00Z"}"#, #"{"archived": true}"#,
            #"{"web": {"android": null}}"#, #"{"destination": "https://www.example.com/only/b"}"#,
        ] { #expect(change(json).status == 200, "\(json)") }
        for json in [
            #"{"destination": "https://old.example.com/other"}"#,
            #"{"web": {"android": "https://old.example.com/b"}}"#,
        ] { #expect(change(json).status == 422, "\(json)") }
        let exported = try api.exported([("format", "ndjson")])
        let again = try api.importing(
            exported, [("mode", "upsert")], type: "application/x-ndjson")
        #expect(counts(again) == [0, 0, 1, 0], "\(again)")
    }

    private func location(_ api: TestAPI, _ path: String) -> String? {
        guard let url = try? LinkURL("https://go.example.com\(path)") else { return nil }
        var scratch = LinkScratch()
        scratch.index = api.store.index
        let agent = VisitorProfile.userAgent(of: "desktop-chrome") ?? ""
        let decision = api.sites[0].resolver.decide(
            url, for: Visitor(userAgent: agent), at: nil, &scratch)
        guard case .redirect(let location, _) = decision.answer else { return nil }
        return String(decoding: location, as: UTF8.self)
    }

    /// What servers make of a path: each reading of it that some of them have.
    private static func readings(_ path: String) -> Set<[UInt8]> {
        var all: Set = [Array(path.utf8)]
        for _ in 0..<4 {
            for reading in all {
                all.insert(decoded(reading))
                all.insert(reading.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 })
                let segments = reading.split(separator: 0x2F, omittingEmptySubsequences: false)
                all.insert(
                    Array(
                        segments.map { $0.prefix { $0 != UInt8(ascii: ";") } }.joined(separator: [
                            0x2F
                        ])))
            }
        }
        return all
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var (result, index) = ([UInt8](), 0)
        while index < text.count {
            let digits = text[(index + 1)...].prefix(2)
            if text[index] == UInt8(ascii: "%"), digits.count == 2,
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                result.append(byte)
                index += 3
            } else {
                result.append(text[index])
                index += 1
            }
        }
        // Overlong forms and full-width characters.
        var written = String(decoding: result, as: UTF8.self)
        for (other, plain) in [("\u{FF0E}", "."), ("\u{FF0F}", "/"), ("\u{2024}", ".")] {
            written = written.replacing(other, with: plain)
        }
        return written.utf8.elementsEqual(result) ? result : Array(written.utf8)
    }

    private static func leaves(_ location: String) -> Bool {
        let prefix = "https://www.example.com"
        guard location.hasPrefix(prefix + "/only/") else { return true }
        let path = location.dropFirst(prefix.count).prefix { $0 != "?" && $0 != "#" }
        return readings(String(path)).contains { reading in
            var depth = 0
            for segment in reading.split(separator: 0x2F) {
                if segment.elementsEqual("..".utf8) { depth -= 1 } else { depth += 1 }
                if depth < 1 { return true }
            }
            return false
        }
    }

    static let spellings = [
        "..", "..;", "..;a=b", "%2e%2e", "%252e%252e", "%25252e%25252e", ".%2e", "%2e.", "..%2f..",
        "..%252f..", "..%5c..", "..\\..", "%2e%2e%2f", "/../", "a/../..", "%c0%ae%c0%ae",
        "%c0%ae%c0%ae%c0%af", "%e0%80%ae%e0%80%ae", "%uff0e%uff0e", "%u002e%u002e", "..%00",
        "..%20",
        "..%09", "%EF%BC%8E%EF%BC%8E", "%E2%80%A4%E2%80%A4", "..%3b", "..%3fx", "..%23",
        "%2%65%2%65",
        "%%32%65%%32%65", "e", "%65", "E", ".", "", "x/..", "%2fx%2f..%2f..%2f..", "+..", "..+",
    ]

    @Test("no spelling leads out of the part", arguments: spellings)
    func staysWithin(_ spelling: String) throws {
        let api = try api()
        for number in Self.templates.indices {
            for path in [
                "/s/t\(number)?x=\(spelling)", "/s/t\(number)?\(spelling)",
                "/s/t\(number)/?x=\(spelling)&\(spelling)",
            ] {
                if let location = location(api, path) {
                    #expect(!Self.leaves(location), "\(path): \(location)")
                }
            }
        }
    }

    @Test func aRandomSpellingStaysWithin() throws {
        let api = try api()
        var random = SplitMix()
        let parts = [
            ".", "..", "/", "\\", ";", "%", "2", "5", "e", "%2e", "%2f", "%5c", "%25", "%c0", "%ae",
            "%af", "a", "%00", "?", "#", "%3b", "&", "=", "+", "u", "f", "%EF%BC%8E",
        ]
        for _ in 0..<4_000 {
            let text = (0..<Int.random(in: 1...8, using: &random))
                .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let path = "/s/t\(Int.random(in: Self.templates.indices, using: &random))?x=\(text)"
            if let location = location(api, path) {
                #expect(!Self.leaves(location), "seed \(random.seed): \(path): \(location)")
            }
        }
    }

    @Test(arguments: [
        ("a", "https://www.example.com/only/a/y"),
        ("a-b_c.d~e", "https://www.example.com/only/a-b_c.d~e/y"),
        ("", "https://www.example.com/only/y"),
        ("F%C3%BC%C3%9Fe", "https://www.example.com/only/F%C3%BC%C3%9Fe/y"),
        ("a+b", "https://www.example.com/only/a%20b/y"),
        ("%E6%97%A5", "https://www.example.com/only/%E6%97%A5/y"),
        ("..x", "https://www.example.com/only/..x/y"),
        ("1.2", "https://www.example.com/only/1.2/y"),
    ])
    func aNameIsPassedOn(value: String, expected: String) throws {
        #expect(location(try api(), "/s/t0?x=\(value)") == expected)
    }

    @Test func aCollectionThatMayLeadAnywhereOnAHostIsNotConfined() throws {
        let api = try api()
        #expect(location(api, "/f/t0?x=a%2Fb") == "https://www.example.com/only/a%2Fb/y")
        #expect(location(api, "/f/t0?x=..") == nil)
    }

    /// A placeholder in the part itself would be allowed for one value, and lead elsewhere with others.
    @Test(arguments: [
        ("https://www.example.com/{query.x}/", false), ("https://www.example.com{path}", false),
        ("https://www.example.com/onl{query.x}/", false),
        ("https://www.example.com/only/{query.x}", true),
        ("https://www.example.com/only/%c0%ae%c0%ae/x", false),
        ("https://www.example.com/only/%EF%BC%8E%EF%BC%8E/x", false),
        ("https://www.example.com/only/%u002e%u002e/x", false),
        ("https://www.example.com/only/...a", true),
        ("https://www.example.com/only/F%FC", true),
    ])
    func thePartIsBeforeThePlaceholder(template: String, isAllowed: Bool) throws {
        for part in ["only/", "x", "only/x"] {
            let api = try TestAPI(
                Self.configuration.replacing(
                    "www.example.com/only/", with: "www.example.com/\(part)"))
            let answer = api.ask(
                "POST", "links", #"{"collection": "only", "web": {"default": "\#(template)"}}"#)
            let isWithin = isAllowed && part == "only/"
            #expect(answer.status == (isWithin ? 201 : 422), "\(part): \(answer.text)")
        }
    }

    @Test func aPathThatIsEscapedOftenCostsLittle() throws {
        let api = try TestAPI(Self.configuration)
        let url = "https://www.example.com/only/%" + String(repeating: "25", count: 1_000) + "2e"
        let answer = api.ask("POST", "links", #"{"collection": "only", "destination": "\#(url)"}"#)
        #expect(answer.status == 422, "\(answer.text)")
    }
}
