import Foundation
import Pages
import Testing

@Suite("What previews are told of a link")
struct LinkSummaryTests {
    private func html(_ change: (inout LinkSummary) -> Void = { _ in }) -> String {
        var summary = LinkSummary(title: "A title", url: "https://e.com/a")
        change(&summary)
        return String(decoding: summary.html, as: UTF8.self)
    }

    @Test func `all that the link has is said once`() {
        let page = html {
            $0.description = "About it"
            $0.image = "https://e.com/i.jpg"
            $0.siteName = "Shop"
            $0.appStoreIdentifier = "412366298"
            $0.destination = "https://www.e.com/"
        }
        for line in [
            "<title>A title</title>", "<meta name=\"description\" content=\"About it\">",
            "<link rel=\"canonical\" href=\"https://e.com/a\">",
            "<meta name=\"apple-itunes-app\" content=\"app-id=412366298, "
                + "app-argument=https://e.com/a\">",
            "<meta property=\"og:title\" content=\"A title\">",
            "<meta property=\"og:url\" content=\"https://e.com/a\">",
            "<meta property=\"og:image\" content=\"https://e.com/i.jpg\">",
            "<meta property=\"og:site_name\" content=\"Shop\">",
            "<meta name=\"twitter:card\" content=\"summary_large_image\">",
            "<a href=\"https://www.e.com/\">Shop</a>",
        ] {
            #expect(page.components(separatedBy: line).count == 2, "\(line)")
        }
    }

    @Test func `what is not there leaves nothing behind`() {
        let page = html()
        for word in ["description", "og:image", "apple-itunes-app", "<p>", "og:site_name"] {
            #expect(!page.contains(word))
        }
        #expect(page.contains("content=\"summary\""))
    }

    static let hostile = [
        "<script>alert(1)</script>", "\"><script>", "' onload='x", "</title><b>", "a\"\u{301}b",
        "\"\u{20D2}", "&lt;b&gt;", "<!--", "]]>", "\u{0}<\u{0}", "\r\n<b>", "\u{2028}",
        "<\u{301}b>",
        "javascript:alert(1)", "${x}", "{{x}}", "\u{FEFF}<", "&#60;b", "`", "<svg/onload=x>",
    ]

    @Test("no value becomes markup", arguments: hostile)
    func hostileValues(_ value: String) {
        let harmless = html {
            ($0.title, $0.description, $0.siteName) = ("t", "d", "s")
            ($0.destination, $0.appStoreIdentifier) = ("https://e.com/", "1")
        }
        let page = html {
            ($0.title, $0.description, $0.siteName) = (value, value, value)
            ($0.destination, $0.appStoreIdentifier) = ("https://e.com/\(value)", "1")
            $0.url = "https://e.com/\(value)"
        }
        // The same number of tags, and of attributes.
        for byte in [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\"")] {
            let count = page.utf8.count { $0 == byte }
            #expect(count == harmless.utf8.count { $0 == byte }, "\(value)")
        }
        #expect(!page.utf8.contains(UInt8(ascii: "'")))
        #expect(!page.utf8.contains(0))
    }

    @Test(
        "only http and https stand behind links",
        arguments: [
            ("javascript:alert(1)", false), ("JaVaScRiPt:x", false), ("data:text/html,x", false),
            ("//e.com/", false), (" https://e.com/", false), ("https://e.com/", true),
            ("HTTP://e.com/", true),
        ])
    func schemes(_ url: String, _ isLinked: Bool) {
        #expect(html { $0.destination = url }.contains("<a href=") == isLinked)
    }

    @Test func `a comma cannot add a parameter to the banner`() {
        let page = html {
            $0.appStoreIdentifier = "1"
            $0.url = "https://e.com/a, app-clip-display=card"
        }
        #expect(page.contains("app-argument=https://e.com/a%2C app-clip-display=card\""))
        #expect(!html { $0.appStoreIdentifier = "1, app-clip-display=card" }.contains("itunes"))
    }
}
