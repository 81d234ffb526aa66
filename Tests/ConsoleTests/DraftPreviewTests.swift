@testable import Console
import Foundation
import JSONSyntax
import Testing

@Suite("The preview of a link as it is typed")
struct DraftPreviewTests {
    private static let html = """
        <!doctype html><html><head><title>A</title><meta property="og:title" content="Spring"></head>
        <body><h1>Spring</h1></body></html>
        """

    private static let new = [
        ("collection", "short"), ("slug", "spring"), ("destination", "https://www.example.com/"),
        ("title", "Spring"), ("note", "secret note"), ("tags", "quiet"),
    ]

    /// A console whose pages are those of drafts alone.
    private func console() throws -> TestConsole {
        let console = try TestConsole()
        console.pages = { question in
            guard question.draft?.link["slug"]?.text != nil else { return nil }
            return ServedPage(
                type: "text/html; charset=utf-8", policy: "img-src 'self'",
                content: Array(Self.html.utf8), origin: "https://go.example.com",
                languages: ["en", "de"])
        }
        return console
    }

    private func frames(_ page: PageStructure) -> [String] {
        page.hrefs.filter { $0.hasPrefix("/console/page?draft=") }
    }

    @Test("a new link is looked at without being made", arguments: [ConsoleLanguage.en, .de])
    func new(_ language: ConsoleLanguage) throws {
        let console = try console()
        let answer = console.post("new", Self.new + [("do", "check")], language)
        let page = PageStructure(answer.content)
        #expect(answer.status == 200 && page.faults == [])
        #expect(
            page.tags.filter { $0.hasPrefix("li ") || $0 == "li " }.count >= PreviewClient.all.count
        )
        #expect(page.text.contains("https://www.example.com/"))
        // Of the collection, iPhones see the page of the link.
        #expect(
            frames(page).count == 2 && frames(page).allSatisfy { $0.contains("as=iphone-safari") })
        #expect(frames(page).allSatisfy { $0.contains("in=\(language.rawValue)") })
        #expect(page.values["title"] == "Spring" && page.values["note"] == "secret note")
        #expect(console.ask("GET", ["links"]).json?["links"]?.elements?.isEmpty == true)
    }

    @Test func `a change is looked at without being saved`() throws {
        let console = try console()
        let id = try #require(console.post("new", Self.new).linkID)
        let first = PageStructure(console.get("links/\(id)/edit").content)
        #expect(first.faults == [] && frames(first).count == 2)
        #expect(frames(first).allSatisfy { $0.contains("draft=%7B%7D&id=\(id)") })
        let items = first.form.filter { $0.0 != "destination" }
        let typed = items + [("destination", "https://www.example.com/other"), ("do", "check")]
        let answer = console.post("links/\(id)/edit", typed)
        #expect(PageStructure(answer.content).text.contains("https://www.example.com/other"))
        #expect(console.link(id)?["destination"]?.text == "https://www.example.com/")
    }

    @Test func `the script gets findings and the preview at once`() throws {
        let console = try console()
        let right = try #require(
            JSONDocument(console.post("check", Self.new).content, file: "").root)
        #expect(right["errors"]?.elements?.isEmpty == true)
        #expect(right["draft"]?.text?.contains("<ul class=\"rows\">") == true)
        let wrong = try #require(
            JSONDocument(
                console.post(
                    "check", Self.new + [("ios", "url"), ("ios-url", "https://evil.example/")]
                )
                .content, file: ""
            ).root)
        #expect(wrong["errors"]?.elements?.first?["field"]?.text == "ios")
        #expect(wrong["draft"]?.text == nil)
        #expect(console.post("check", Self.new + [("link", "x")]).status == 404)
    }

    @Test func `what is refused is said at its field, and nothing is shown`() throws {
        let console = try console()
        let answer = console.post(
            "new",
            [("collection", "short"), ("destination", "https://evil.example/"), ("do", "check")])
        let page = PageStructure(answer.content)
        #expect(page.faults == [] && page.hrefs.contains("#destination") && frames(page) == [])
        #expect(page.text.contains("as soon as the form has what a link needs"))
    }

    @Test func `a frame shows the page of the draft`() throws {
        let console = try console()
        let page = PageStructure(console.post("new", Self.new + [("do", "check")]).content)
        let path = try #require(frames(page).first).replacing("/console/", with: "")
        let decoded = path.removingPercentEncoding ?? ""
        // What the page does not show is not in its path.
        #expect(
            decoded.contains("Spring") && !decoded.contains("secret") && !decoded.contains("quiet"))
        let framed = console.get(path)
        #expect(framed.status == 200 && framed.text.contains("<h1>Spring</h1>"))
        #expect(framed.field("Content-Security-Policy")?.hasPrefix("sandbox; ") == true)
        #expect(framed.text.contains("<body inert"))
        #expect(console.get(path, as: .viewer).status == 404)
        // A path that somebody sends to somebody.
        #expect(console.get(path, isTopLevel: true).status == 404)
        // The link was saved since then, so its slug is taken: the frame is empty, and the browser has no fault to report.
        _ = console.post("new", Self.new)
        let late = console.get(path)
        #expect(late.status == 404 && late.content.isEmpty)
        #expect(late.field("X-Frame-Options") == "SAMEORIGIN")
        #expect(late.field("Content-Security-Policy")?.contains("frame-ancestors 'self'") == true)
        #expect(console.get(path, isTopLevel: true).field("X-Frame-Options") == "DENY")
    }

    @Test(
        "a frame of anything else is not found",
        arguments: [
            "draft=%5B%5D&as=iphone-safari", "draft=x&as=iphone-safari",
            "draft=%7B%7D&as=iphone-safari",
            #"draft={"collection":"short","slug":"a","destination":"https://evil.example/"}&as=iphone-safari"#,
            #"draft={"collection":"none","slug":"a","destination":"https://www.example.com/"}&as=iphone-safari"#,
            #"draft={"collection":"short","slug":"a","destination":"https://www.example.com/"}&as=nobody"#,
            #"draft={"collection":"short","slug":"a","destination":"https://www.example.com/"}&as=iphone-safari,curl"#,
            // It leads a computer on.
            #"draft={"collection":"short","slug":"a","destination":"https://www.example.com/"}&as=desktop-chrome"#,
            "draft=%7B%7D&id=01900000-0000-7000-8000-000000000000&as=iphone-safari",
            "draft=%7B%7D&id=..&as=iphone-safari",
        ])
    func refused(_ query: String) throws {
        let console = try console()
        #expect(console.get("page?\(query)").status == 404)
        let near =
            #"draft={"collection":"short","slug":"a","destination":"https://www.example.com/"}&as=iphone-safari"#
        #expect(console.get("page?\(near)").status == 200)
    }

    @Test func `texts that no path can have leave the rows`() throws {
        let console = try console()
        let long =
            Self.new + [("description", String(repeating: "ä", count: 1_500)), ("do", "check")]
        let page = PageStructure(console.post("new", long).content)
        #expect(page.faults == [] && frames(page) == [])
        #expect(page.text.contains("too long for this picture"))
    }

    @Test func `a link that is not there yet, and one that leads nowhere, say so`() throws {
        let console = try console()
        let later = console.post("new", Self.new + [("from", "2031-01-01T00:00"), ("do", "check")])
        #expect(later.text.contains("The link begins at 2031-01-01 00:00 UTC"))
        let id = try #require(console.post("new", Self.new).linkID)
        let items = PageStructure(console.get("links/\(id)/edit").content).form
            .filter { $0.0 != "state" }
        let off = console.post(
            "links/\(id)/edit", items + [("state", "disabled"), ("do", "check")])
        #expect(off.text.contains("Switched off") && off.text.contains("Finds nothing (404)"))
        let over = console.post(
            "links/\(id)/edit",
            items.filter { $0.0 != "until" } + [("until", "2020-01-01T00:00"), ("do", "check")])
        #expect(over.text.contains("The link right now:"))
    }
}
