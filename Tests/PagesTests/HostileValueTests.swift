import Foundation
import Markup
import Pages
import SiteConfiguration
import Testing

private let harmlessHead = Outline(HeadMarkup(fullModel()).bytes)

@Suite("No value becomes markup")
struct HostileValueTests {
    @Test func `there are hundreds of hostile values`() {
        #expect(Set(hostileValues.map { Array($0.utf8) }).count >= 200)
    }

    @Test("a program sees the same elements and attributes", arguments: hostileValues)
    func heads(_ value: String) {
        let outline = Outline(HeadMarkup(fullModel { _ in value }).bytes)
        #expect(outline.elements == harmlessHead.elements)
        #expect(outline.texts.count == harmlessHead.texts.count)
    }

    @Test("structured data stays JSON, and says the value", arguments: hostileValues)
    func structuredData(_ value: String) throws {
        let outline = Outline(HeadMarkup(fullModel { _ in value }).bytes)
        let script = try #require(outline.texts.last { $0.hasPrefix("{\"@context\"") })
        let json = try JSONSerialization.jsonObject(with: Data(script.utf8)) as? [String: Any]
        let nodes = try #require(json?["@graph"] as? [[String: Any]])
        #expect(nodes.last?["name"] as? String == value)
        #expect(nodes[2]["@type"] as? String == value)
    }

    @Test("as an address a value leads to http, https or nowhere", arguments: hostileValues)
    func addresses(_ value: String) {
        var model = fullModel()
        model.url = value
        model.image?.url = value
        model.video?.url = value
        model.app?.iosURL = value
        model.app?.argument = value
        model.icons.icon = value
        model.alternates = [.init(language: value, url: value)]
        model.organization?.logo = value
        for text in statements(SummaryPage(model, destination: value).html) {
            guard !text.hasPrefix("script"), !text.hasPrefix("apple-itunes") else { continue }
            for scheme in ["javascript:", "data:", "vbscript:", "file:", "blob:", "x-safari"] {
                #expect(!text.lowercased().contains(" = \(scheme)"))
            }
            #expect(!text.contains(" = //"))
        }
    }

    @Test("behind an address of ours a value stays in its place", arguments: hostileValues)
    func paths(_ value: String) {
        func page(_ path: String) -> [UInt8] {
            var model = fullModel()
            model.url = "https://e.com/\(path)"
            model.app?.argument = "https://e.com/\(path)"
            return SummaryPage(model, destination: "https://e.com/\(path)").html
        }
        let outline = Outline(page(value))
        #expect(outline.elements == Outline(page("a")).elements)
        for text in outline.values where text.utf8.starts(with: "app-id=".utf8) {
            #expect(text.utf8.count { $0 == UInt8(ascii: ",") } == 1)
        }
        for text in outline.values where text.utf8.starts(with: "https:".utf8) {
            #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        }
    }
}

@Suite("Addresses that may stand in a page (RFC 3986)")
struct PageURLTests {
    @Test(
        "of the web, and without doubt about the host",
        arguments: [
            ("https://e.com", "https://e.com"), ("HTTP://e.com/", "HTTP://e.com/"),
            ("https://[::1]:8443/a?b#c", "https://[::1]:8443/a?b#c"),
            (
                "https://e.com/ä \"'<>\\^`{|}%41",
                "https://e.com/%C3%A4%20%22'%3C%3E%5C%5E%60%7B%7C%7D%41"
            ),
            ("https://e.com\\@f.com/", nil), ("https://u:p@e.com/", nil), ("https://", nil),
            ("https:///a", nil), ("https:e.com", nil), (" https://e.com", nil), ("", nil),
            ("https://é.com/", nil), ("https://e.com\u{0}/", nil), ("/a", nil), ("shop://a", nil),
            ("javascript:alert(1)", nil), ("https\u{301}://e.com", nil),
        ])
    func web(_ text: String, _ url: String?) {
        #expect(PageURL(text)?.description == url)
    }

    @Test(
        "a path of this host, where that will do",
        arguments: [
            ("/a", "/a"), ("/", "/"), ("", nil), ("//e.com", nil), ("/\\e.com", nil), ("a", nil),
            ("https://e.com/", "https://e.com/"), ("/a b", "/a%20b"),
        ])
    func paths(_ text: String, _ url: String?) {
        #expect(PageURL(text, allowsPath: true)?.description == url)
    }

    @Test func `the origin is what a policy names`() {
        #expect(PageURL("https://e.com:8443/a")?.origin == "https://e.com:8443")
        #expect(PageURL("/a", allowsPath: true)?.origin == nil)
    }
}
