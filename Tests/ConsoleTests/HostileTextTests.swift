@testable import Console
import Foundation
import LinkIndex
import LinkStore
import Testing
import Visits

/// Texts that would be markup, script or another field, if a page did not escape them.
@Suite("Texts from outside on the pages of the console")
struct HostileTextTests {
    static let texts = [
        "<script>alert(1)</script>", "</title><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)", "\" autofocus onfocus=alert(1) x=\"", "javascript:alert(1)",
        "</textarea><script>alert(1)</script>", "</style><script>alert(1)</script>",
        "<svg/onload=alert(1)>", "<!--", "-->", "]]>", "&lt;script&gt;", "&#x3C;script&#x3E;",
        "{name}",
        "{count}", "%3Cscript%3E", "<iframe srcdoc=\"<script>alert(1)</script>\">",
        "<base href=//x>",
        "<a href=javascript:alert(1)>x</a>", "<math><mtext></mtext></math>", "${7*7}", "{{7*7}}",
        "\u{202E}evil", "\u{200B}", "<\u{0301}script>", "\"\u{0301}><b>", "＜script＞",
        "'-alert(1)-'",
        "<plaintext>", "<xmp>", "<details open ontoggle=alert(1)>", "</option></select><script>",
        "<form action=//x><button>", "<meta http-equiv=refresh content=0;url=//x>",
    ]

    /// The tags of a page with a link that has the text everywhere it can.
    private static func tags(_ text: String, _ paths: [String]) throws -> [[String]] {
        let console = try TestConsole()
        let json = try #require(
            String(
                data: JSONSerialization.data(withJSONObject: [
                    "collection": "short", "slug": "a", "destination": "https://www.example.com/",
                    "page": ["title": text, "description": text], "note": text, "tags": [text],
                    "app": ["data": ["k": text]],
                ]), encoding: .utf8))
        let id = try console.make(json)
        console.ask(
            "PATCH", ["links", id], #"{"note": "other", "page": {"title": "t"}}"#, ["if-match": "*"]
        )
        console.ask(
            "PATCH", ["links", id],
            json.replacing(#""collection":"short","#, with: "")
                .replacing(#","slug":"a""#, with: "").replacing(#""slug":"a","#, with: ""),
            ["if-match": "*"])
        try console.visits.use { store throws(StoreError) in
            var batch = VisitBatch()
            batch.add(LinkDay(link: 1, day: console.now / 86_400), referrer: text, 3)
            batch.add(VisitKey(link: 1, hour: console.now / 3_600, .visit), 3)
            // What can be a short name has a way to its form, and these cannot.
            batch.addMiss(CollectionName("short").number, console.now / 3_600, "/s/%" + text, 2)
            try store.add(batch)
        }
        return paths.map { path in
            let escaped = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let path = path.replacing("ID", with: id).replacing("TEXT", with: escaped)
            let page = PageStructure(console.get(path).content)
            #expect(page.faults == [], "\(path)")
            return page.tags
        }
    }

    private static let paths = [
        "", "links", "links/ID", "links/ID/edit", "links/ID/preview", "misses",
        "links?q=TEXT", "links?tag=TEXT", "visits?by=tag&and=campaign&campaign=TEXT",
        "visits?by=tag&and=platform", "visits?by=link&tag=TEXT", "visits?zone=TEXT&compare=TEXT",
        "visits?from=TEXT&collection=TEXT", "links?collection=TEXT", "preview?url=TEXT",
        "new?destination=TEXT&slug=TEXT&title=TEXT&ios=TEXT&after=TEXT", "links/TEXT",
        "links/ID?done=TEXT", "links?done=deleted&link=TEXT&was=TEXT",
    ]

    private static let plain = Result { try tags("word", paths) }

    @Test("they change no tag", arguments: texts)
    func harmless(_ text: String) throws {
        let plain = try Self.plain.get()
        let hostile = try Self.tags(text, Self.paths)
        for (path, (one, other)) in zip(Self.paths, zip(plain, hostile)) {
            #expect(one == other, "\(path)")
        }
    }

    @Test("a refused form has them as they were typed", arguments: texts)
    func kept(_ text: String) throws {
        let console = try TestConsole()
        let form = [
            ("collection", "short"), ("slug", text), ("title", text), ("destination", text),
            ("note", text), ("tags", text), ("utm_source", text), ("app-data", text),
            ("until", text), ("ios", "url"), ("ios-url", text),
        ]
        let answer = console.post("new", form)
        #expect(answer.status >= 400)
        let page = PageStructure(answer.content)
        #expect(page.faults == [])
        for name in [
            "slug", "title", "destination", "note", "tags", "utm_source", "app-data", "until",
            "ios-url",
        ] {
            #expect(page.values[name] == text, "\(name)")
        }
    }
}
