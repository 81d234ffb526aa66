import Foundation
@testable import Console
import JSONSyntax
import Testing
import TLS
import URISyntax

@Suite("The pages of the console")
struct PageTests {
    private static let paths = [
        "", "help/components", "links", "links?state=all&q=a", "links/ID", "links/ID/edit",
        "links/ID/preview", "new", "links?state=archived", "codes", "codes?id=ID&do=tag",
        "codes?do=tag", "preview?url=https://go.example.com/s/a",
        "preview", "preview?url=https://go.example.com/s/info", "visits", "misses", "help",
        "visits?by=day&and=platform&zone=Europe/Berlin&compare=1&tag=mail",
        "visits?by=tag&period=7",
        "visits?by=link&and=day&compare=1", "visits?by=campaign&and=outcome&period=own",
        "links?done=deleted&link=ID&was=active", "links/ID?done=created",
        "collections", "audit", "people", "people?name=ben", "tokens", "health",
    ]

    private func console() throws -> (TestConsole, id: String) {
        let console = try TestConsole()
        let id = try console.make(
            #"""
            {"collection": "short", "slug": "a", "destination": "https://www.example.com/?utm_source=mail",
             "page": {"title": "Spring", "description": "Sale"}, "web": {"android": "store"},
             "tags": ["mail", "print"], "note": "For Ben", "until": "2030-01-01T00:00:00Z",
             "app": {"path": "/p/1", "data": {"k": "v"}}, "after": "landing"}
            """#)
        console.ask("POST", ["people"], #"{"name": "ben", "collections": ["short"]}"#)
        console.ask("PATCH", ["links", id], #"{"note": "For Bea"}"#, ["if-match": "*"])
        return (console, id)
    }

    @Test("it is well-formed, in every language and for every role", arguments: paths)
    func wellFormed(_ path: String) throws {
        let (console, id) = try console()
        for language in ConsoleLanguage.allCases {
            for role in ConsoleRole.allCases {
                let answer = console.get(path.replacing("ID", with: id), as: role, language)
                let isForm = path.hasSuffix("/edit") || path == "new"
                let isOfAdmins = ["people", "tokens", "health"].contains { path.hasPrefix($0) }
                guard role != .viewer || !isForm, role == .admin || !isOfAdmins else {
                    #expect(answer.status == 403)
                    continue
                }
                let page = PageStructure(answer.content)
                #expect(answer.status == 200)
                #expect(page.faults == [])
                #expect(!page.text.contains("{"), "a value is missing")
                #expect(answer.text.contains("<html lang=\"\(language.rawValue)\">"))
                #expect(answer.content.count < 100_000)
                #expect(
                    page.hrefs.allSatisfy {
                        $0.hasPrefix("/console/") || $0.hasPrefix("#")
                            || $0.hasPrefix("https://go.example.com/.well-known/")
                    })
            }
        }
    }

    @Test("its texts are of one language", arguments: paths)
    func languages(_ path: String) throws {
        let (console, id) = try console()
        let pages = ConsoleLanguage.allCases.map { language in
            PageStructure(console.get(path.replacing("ID", with: id), as: .admin, language).content)
        }
        // Words of the API are marked as those of another language.
        #expect(pages[0].tags == pages[1].tags.filter { $0 != "span class lang" })
        #expect(pages[0].text.contains("Signed in as Anna"))
        #expect(pages[1].text.contains("Angemeldet als Anna"))
        for word in ["Signed in", "Overview", "Back", "Search", "Switch off", "Ends"] {
            #expect(!pages[1].text.contains(word), "\(word)")
        }
    }

    @Test func `a browser may use its one style and its scripts`() throws {
        let answer = try TestConsole().get("")
        let page = PageStructure(answer.content)
        let policy = try #require(answer.field("Content-Security-Policy"))
        for (name, text) in [("style", page.style), ("script", page.script)] {
            let digest = sha256(Array(text.utf8))
            #expect(policy.contains("\(name)-src 'sha256-\(base64(digest))'"))
            #expect(!text.isEmpty && !text.contains("</"))
        }
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(page.script.utf8.count < 10_240 && Console.icon.type == "image/svg+xml")
    }

    private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    @Test("a page without a session says what to do", arguments: ConsoleLanguage.allCases)
    func notices(_ language: ConsoleLanguage) {
        let setting = ConsoleSetting(environment: "prod", language: language, isSecure: true)
        let form = [(name: "title", value: "\"><script>"), (name: "do", value: "save")]
        let notices: [(ConsoleNotice, Int)] = [
            (.signIn(action: "/console/sign-in/x"), 200), (.linkInvalid, 403),
            (.signInNeeded(path: "/console/links/x"), 401), (.signedOut, 200),
            (.sessionEnded(action: "/console/new", form: form), 401), (.otherOrigin, 403),
            (.tooMany(retryAfterSeconds: 7), 429), (.notFound, 404), (.notAllowed, 403),
            (.methodNotAllowed, 405), (.formTooLarge, 413), (.otherForm, 415),
            (.storeUnavailable, 503), (.notSent(action: "/console/new", form: form), 503),
            (.failed, 500), (.signedInByProxy, 200), (.unknownPerson(nil), 403),
            (.unknownPerson("<b>mallory</b>"), 403), (.passkeyInvalid, 403),
            (.tooMany(retryAfterSeconds: 7, action: "/console/new", form: form), 429),
            (.tooOften(retryAfterSeconds: 7), 429),
        ]
        for (notice, status) in notices {
            let answer = Console.notice(notice, setting)
            let page = PageStructure(answer.content)
            #expect(answer.status == status && page.faults == [])
            #expect(!page.tags.contains { $0.hasPrefix("nav") })
            // The path of a sign-in link is in no referring URL, and forms have an origin.
            #expect(answer.field("Referrer-Policy") == "strict-origin")
        }
        for notice in [4, 13, 19].map({ notices[$0].0 }) {
            let page = Console.notice(notice, setting)
            #expect(page.text.contains(#"name="title" value="&quot;&gt;&lt;script&gt;""#))
            #expect(page.text.contains(" data-kept"))
        }
        // Who was too fast goes on where they wanted to, but to no other site.
        for (address, way) in [
            ("/console/links?q=a&tag=b", "/console/links?q=a&tag=b"),
            ("//evil.example/x", "/console/"),
        ] {
            let asked = ConsoleSetting(
                address: address, environment: "prod", language: language, isSecure: true)
            let page = PageStructure(Console.notice(notices[20].0, asked).content)
            #expect(page.hrefs.contains(way) && !page.hrefs.contains("//evil.example/x"))
            #expect(page.text.contains(language == .en ? "Too many requests" : "Zu viele Anfragen"))
        }
        // Whoever only chose a language has typed nothing that could be lost.
        let chosen = [(name: "back", value: "/console/"), (name: "language", value: "de")]
        let ended = ConsoleNotice.sessionEnded(action: "/console/language", form: chosen)
        #expect(!Console.notice(ended, setting).text.contains(" data-kept"))
        #expect(
            Console.notice(notices[17].0, setting).text.contains(">&lt;b&gt;mallory&lt;/b&gt;<"))
        #expect(Console.notice(notices[6].0, setting).field("Retry-After") == "7")
        // Who comes from elsewhere without the cookie goes on from here with it.
        #expect(Console.notice(notices[2].0, setting).text.contains(#"href="/console/links/x""#))
    }

    @Test func `a language is chosen with a cookie`() throws {
        let answer = try TestConsole().post("language", [("language", "de")], as: .viewer)
        #expect(answer.status == 303 && answer.field("Location") == "/console/")
        #expect(
            answer.field("Set-Cookie")?.hasPrefix("waymark-language=de; Path=/console/") == true)
        let other = try TestConsole().post("language", [("language", "de\r\nX: y")])
        #expect(other.status == 400 && other.field("Set-Cookie") == nil)
    }

    @Test func `a form leads to a page of the console alone`() {
        #expect(Console.isOwn("/console/visits?by=tag", "/console/"))
        for path in [
            "https://evil.example/", "//evil.example", "/console", "/console/\r\nX: y",
            "/console/ä", "/console/" + String(repeating: "a", count: 6_000),
        ] {
            #expect(!Console.isOwn(path, "/console/"), "\(path)")
        }
    }

    @Test(
        "a page that does not exist is not found",
        arguments: ["x", "links/ID/x", "links/x", "new/x", "visits/x"])
    func unknown(_ path: String) throws {
        let (console, id) = try console()
        let answer = console.get(path.replacing("ID", with: id))
        #expect(answer.status == 404 && PageStructure(answer.content).faults == [])
    }

    @Test func `the code is a picture of the API`() throws {
        let (console, id) = try console()
        let picture = console.get("links/\(id)/code.svg")
        #expect(picture.type == "image/svg+xml" && picture.text.contains("<svg"))
        let slug = try #require(console.link(id)?["slug"]?.text)
        for (query, type, name) in [
            ("mm=25&format=pdf&own=", "application/pdf", "-25mm.pdf"),
            ("mm=own&own=500&format=svg", "image/svg+xml", "-500mm.svg"),
            ("mm=50&own=80&format=pdf", "application/pdf", "-80mm.pdf"),
            ("format=png", "image/png", "-50mm.png"),
        ] {
            let file = console.get("links/\(id)/code?\(query)")
            #expect(
                file.type == type
                    && file.field("Content-Disposition")?.hasSuffix("=\"code-\(slug)\(name)\"")
                        == true
            )
        }
        for query in ["mm=own&own=501", "mm=own", "mm=x%0d%0aA:b", "mm=9&format=pdf", "format=gif"]
        {
            let answer = console.get("links/\(id)/code?\(query)")
            #expect(answer.status == 400 && PageStructure(answer.content).faults == [], "\(query)")
        }
        #expect(console.get("links/x/code.svg").status == 404)
    }

    @Test("a code that is too small says so", arguments: ConsoleLanguage.allCases)
    func smallCode(_ language: ConsoleLanguage) throws {
        let (console, id) = try console()
        for format in ["pdf", "svg", "png"] {
            let answer = console.get("links/\(id)/code?mm=own&own=10&format=\(format)", language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 400 && page.faults == [])
            let least = language == .en ? "at least 11 mm." : "mindestens 11 mm."
            #expect(page.text.contains(least) && !page.text.contains("must be"), "\(page.text)")
            #expect(page.text.contains(ConsoleText.sideTooSmall(language)))
            #expect(page.values["own"] == "10")
            #expect(
                console.get("links/\(id)/code?mm=own&own=11&format=\(format)").status == 200)
        }
        let other = PageStructure(console.get("links/\(id)/code?own=501", language).content)
        #expect(other.text.contains(ConsoleText.sideRefused(language)))
    }

    @Test(
        "a choice that no page offers is refused, and nothing is done",
        arguments: [
            ("links/selected", [("do", "erase"), ("value", "x")]),
            ("links/selected", [("do", ""), ("value", "x")]),
            ("import", [("do", "apply")]), ("import", [("mode", "replace")]),
            ("import", [("format", "xlsx")]), ("import", [("step", "done")]),
            ("links/ID/edit", [("do", "erase")]), ("new", [("do", "publish")]),
        ])
    func foreignChoices(_ path: String, _ form: [(String, String)]) throws {
        let (console, id) = try console()
        let before = console.link(id)?["updated"]?.text
        let answer = console.post(
            path.replacing("ID", with: id),
            form + [
                ("id", id), ("text", "destination\nhttps://www.example.com/2"), ("slug", "b"),
                ("collection", "short"), ("destination", "https://www.example.com/2"),
            ])
        #expect(answer.status == 400 && PageStructure(answer.content).faults == [])
        #expect(answer.text.contains("no page offers"))
        #expect(console.link(id)?["updated"]?.text == before)
        #expect(console.ask("GET", ["links"]).json?["links"]?.elements?.count == 1)
        #expect(console.get("links/\(id)/code?format=gif").text.contains("no page offers"))
    }
}
