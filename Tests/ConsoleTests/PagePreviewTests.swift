@testable import Console
import Markup
import TLS
import Testing
import URISyntax

@Suite("The page of a link in the preview")
struct PagePreviewTests {
    private static let html = """
        <!doctype html><html lang="fr"><head><meta charset="utf-8"><title>A</title>
        <meta property="og:title" content="Spring &lt;b>"><meta property="og:image" content="javascript:x">
        <style>a{color:red}@media (prefers-color-scheme: dark){a{color:blue}}</style>
        <script>alert(1)</script></head><body class="a"><img src="/a.png"><a href="/b">B</a></body></html>
        """

    private func console() throws -> (TestConsole, String) {
        let console = try TestConsole()
        console.pages = { question in
            ServedPage(
                type: "text/html; charset=utf-8",
                policy:
                    "default-src 'none'; script-src 'sha256-x'; img-src 'self' https://i.example; style-src 'sha256-y'",
                content: Array(Self.html.utf8), origin: "https://go.example.com",
                languages: ["en", "de"])
        }
        let id = try console.make(
            #"{"collection": "short", "slug": "a", "web": "landing", "page": {"title": "T"}}"#)
        return (console, id)
    }

    private static let url = "url=https://go.example.com/s/a"

    @Test func `the page is shown apart from the console, without its scripts`() throws {
        let (console, _) = try console()
        let page = console.get("page?\(Self.url)&as=iphone-safari&in=de&scheme=dark", as: .viewer)
        #expect(page.status == 200 && page.field("X-Frame-Options") == "SAMEORIGIN")
        let style = "a{color:red}@media (min-width:0){a{color:blue}}"
        let hash = base64(sha256(Array(style.utf8)))
        #expect(
            page.field("Content-Security-Policy")
                == "sandbox; default-src 'none'; style-src 'sha256-\(hash)'; "
                + "img-src https://go.example.com https://i.example; base-uri https://go.example.com; "
                + "form-action 'none'; frame-ancestors 'self'")
        #expect(page.fields.filter { $0.name == "Content-Security-Policy" }.count == 1)
        #expect(page.text.contains("<head><base href=\"https://go.example.com/\">"))
        // What the page leads to is in no frame of the console.
        #expect(page.text.contains("<body inert class=\"a\">") && !page.text.contains("alert"))
        #expect(!page.text.contains("<script") && !page.text.contains("</script"))
        let light = console.get("page?\(Self.url)&as=iphone-safari&scheme=light")
        #expect(light.text.contains("@media (max-width:0){a{color:blue}}"))
    }

    @Test(
        "what a person may not know of has no page",
        arguments: [
            "url=https://other.example/&as=iphone-safari",
            "url=https://go.example.com/s/a&as=nobody",
            "url=https://go.example.com/s/a", "as=iphone-safari", "url=x%20y&as=iphone-safari",
            // What is no page of a link, and could be a file of any size.
            "url=https://go.example.com/s/info&as=desktop-chrome",
            "url=https://go.example.com/video.mp4&as=desktop-chrome",
        ])
    func refused(_ query: String) throws {
        let (console, _) = try console()
        #expect(console.get("page?\(query)").status == 404)
    }

    @Test("a link and a URL have frames and a card", arguments: [ConsoleLanguage.en, .de])
    func frames(_ language: ConsoleLanguage) throws {
        let (console, id) = try console()
        for path in ["links/\(id)/preview", "preview?\(Self.url)"] {
            let answer = console.get(path, language)
            let page = PageStructure(answer.content)
            #expect(
                page.faults == [] && page.tags.filter { $0.hasPrefix("iframe sandbox") }.count == 2)
            #expect(page.hrefs.filter { $0.contains("scheme=dark") }.count == 1)
            #expect(page.hrefs.contains { $0.contains("in=\(language.rawValue)&scheme=light") })
            #expect(
                answer.text.contains("Spring &lt;b&gt;") || answer.text.contains("Spring &lt;b>"))
            // The words of the card are of the page's language.
            #expect(answer.text.contains(#"<div lang="fr">"#))
            #expect(answer.text.contains("javascript:x") && !page.hrefs.contains("javascript:x"))
            #expect(answer.field("Content-Security-Policy")?.contains("frame-src 'self'") == true)
        }
        console.pages = { _ in nil }
        let none = console.get("links/\(id)/preview")
        #expect(none.status == 200 && PageStructure(none.content).faults == [])
        #expect(none.text.contains("There is nothing: whoever asks"))
    }

    @Test(
        "the pages of stores are known in each form of their address",
        arguments: [
            ("https://apps.apple.com/app/id123456789", true),
            ("https://apps.apple.com:443/app/id123456789", true),
            ("https://play.google.com:443/store/apps/details?id=a.b", true),
            ("https://play.google.com/about", false), ("https://apps.apple.com:8443/", false),
            ("http://apps.apple.com/", false), ("https://apps.apple.com.example/", false),
            ("/apps.apple.com/", false),
        ])
    func stores(_ location: String, _ isStore: Bool) {
        #expect(PreviewRow.isStore(location) == isStore)
    }

    @Test func `a link that nobody gets says so`() throws {
        let (console, _) = try console()
        console.pages = { _ in nil }
        func preview(_ slug: String, _ more: String) throws -> String {
            let content = #""collection": "short", "slug": "\#(slug)""#
            let destination = #""destination": "https://www.example.com/b""#
            let id = try console.make("{\(content), \(destination)\(more)}")
            return console.get("links/\(id)/preview").text
        }
        let plain = try preview("b", "")
        #expect(plain.contains("Chats get no card") && !plain.contains("The link right now"))
        let off = try preview("c", #", "state": "disabled""#)
        #expect(off.contains("The link right now") && off.contains("Switched off"))
        #expect(off.contains("There is nothing") && !off.contains("Chats get no card"))
        let later = try preview("d", #", "from": "2031-01-01T00:00:00Z""#)
        #expect(later.contains("Not started") && later.contains("2031-01-01 00:00 UTC"))
    }
}
