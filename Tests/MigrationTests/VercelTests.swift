import Testing

@testable import Migration

/// The truth is Vercel's own: packages/routing-utils in its repository, with path-to-regexp 6.1.0.
@Suite("Redirects of Vercel")
struct VercelTests {
    private func written(_ rules: String..., others: String = "") throws -> Migration.Written {
        var migration = Migration()
        let text = "{\"redirects\": [\n\(rules.joined(separator: ",\n"))\n]\(others)}"
        migration.add(Array(text.utf8), as: .vercel, file: "vercel.json")
        return try migration.written(
            hosts: ["a.example"], certificates: ("a", "b"), hasPage: { $0 == "/index.html" })
    }

    private func rule(_ source: String, _ destination: String) -> String {
        let text = source.replacing("\\", with: "\\\\")
        return "{\"source\": \"\(text)\", \"destination\": \"\(destination)\"}"
    }

    // MARK: Sources

    static let expressions = [
        ("/a", "^/a$"), ("/next(\\.js)?", "^/next(\\.js)?$"), ("/e/(.*)", "^/e/(.*)$"),
        ("/a/:id(\\d+)/:rest*", "^/a/(\\d+)/(.*)$"), ("/a/:b?", "^/a(?:/([^/]+))?$"),
        ("/:b?", "^/([^/]+)?$"), ("/m/:u*/end", "^/m(?:/(.+))?/end$"),
        ("/another-catch/:hello+", "^/another-catch/(.+)$"),
        ("/feature-{:slug}", "^/feature-([^/]+)$"), ("/d{/:p}?", "^/d(?:/([^/]+))?$"),
        ("/d{/:p}", "^/d/([^/]+)$"), ("/d{-x}?", "^/d(?:-x)?$"), ("/d{-x}", "^/d-x$"),
        ("/b/:l(en|es)?", "^/b(?:/(en|es))?$"), ("/:l(en|es)?/x", "^(?:/(en|es))?/x$"),
        ("/s/(.*)?", "^/s(?:/(.*))?$"), ("/j(/.*)?", "^/j(/.*)?$"),
        ("/i/:a.html", "^/i/([^/]+)\\.html$"), ("/f/:a-:b", "^/f/([^/]+)-([^/]+)$"),
        ("/x.:ext?", "^/x(?:\\.([^/]+))?$"), ("/x{-:a-y}?", "^/x(?:-([^/]+)-y)?$"),
        ("/o\\(x\\)\\?\\:y", "^/o\\(x\\)\\?:y$"), ("/a[b]", "^/a\\[b\\]$"),
        ("/:1/:a_b", "^/([^/]+)/([^/]+)$"), ("/a/:b(x(?:y)?)", "^/a/(x(?:y)?)$"),
        // They repeat a group, which no pattern can say.
        ("/q/:p(\\d+)*", "^/q(?:/((?:\\d+)(?:/(?:\\d+))*))?$"),
        ("/q{-:p}+", "^/q(?:-((?:[^/]+)(?:-(?:[^/]+))*))$"), ("/q-:p*", "^/q-([^/]+)*$"),
    ]

    @Test("a source is the same regular expression", arguments: expressions)
    func expression(_ source: String, _ expected: String) throws {
        #expect(try PathTemplate(source.utf8, isSource: true).expression == expected)
    }

    @Test(
        "a source that Vercel refuses is named",
        arguments: [
            ("/k/a?", "a ? is behind neither"), ("/k*", "a * is behind neither"),
            ("/a/:", "a : is followed by no name"), ("/a/:-b", "a : is followed by no name"),
            ("/a/(", "a ( has no )"), ("/a/)", "a ) has no ("), ("/a/()", "no expression"),
            ("/a/(?:b)", "begins with a ?"), ("/a/((b))", "within a group"),
            ("/a{b", "or no }"), ("/a}", "a } has no {"), ("/a{:b:c}", "more than text around"),
            ("/a{b{c}}", "more than text around"), ("/a\\", "ends with a backslash"),
        ])
    func refused(_ source: String, _ reason: String) throws {
        let found = try written(rule("/b", "/c"), rule(source, "https://x.example/"))
        #expect(found.lost.count == 1, "\(found.lost)")
        #expect(
            found.lost.first?.hasPrefix("vercel.json:3: ") == true
                && found.lost.first?.contains("Vercel refuses its source: ") == true
                && found.lost.first?.contains(reason) == true, "\(found.lost)")
    }

    // MARK: Destinations

    /// What Vercel's `convertRedirects` writes for these.
    static let locations: [(String, String, String)] = [
        ("/next(\\.js)?", "https://nextjs.org", "https://nextjs.org"),
        ("/proxy-port/([a-z]{1,})", "https://x.example:8080/$1", "https://x.example:8080/$1"),
        ("/old/:segment/path", "/new/path/:segment", "/new/path/$1"),
        ("/catchall/:hello*", "/catchall/:hello*/", "/catchall/$1/"),
        ("/another-catch/:hello+", "/another-catch/:hello+/", "/another-catch/$1/"),
        ("/hello/:world*", "/something#:world*", "/something#$1"),
        (
            "/external/:id", "https://x.example/?s=g#/guides/:id/page?dynamic=code",
            "https://x.example/?s=g#/guides/$1/page?dynamic=code"
        ),
        ("/optional/:id?", "/api/optional/:id?", "/api/optional/$1"),
        ("/feature-{:slug}", "/blog-{:slug}", "/blog-$1"),
        ("/hello/:world", "/somewhere?else={:world}", "/somewhere?else=$1"),
        ("/b/:l(en|es)?", "/x/:l?", "/x/$1"), ("/d{/:p}?", "/d{/:p}?", "/d/$1"),
        ("/o/:id", "/o/:id?/x", "/o/$1?%2Fx="),
        ("/o/:id", "/o/:id?a=b&c&d=x+y&e=:id?", "/o/$1?a=b&c=&d=x%20y&e=$1"),
        ("/o/:id", "/o/:id?u=https://b.example/:id", "/o/$1?u=https%3A%2F%2Fb.example%2F$1"),
        ("/o/:id", "/o/:id?a=1&b=2&a=3", "/o/$1?a=1&a=3&b=2"),
        ("/o/:id", "/o/x:id", "/o/x$1"), ("/o/:id", "/c++/:id", "/c++/$1"),
        ("/o/:id", "/p/%41%24/:id", "/p/%41$/$1"), ("/o/:id", "/o/{-:id-}", "/o/-$1-"),
        ("/o/:id", "https://:id.x.example:8080/p", "https://$1.x.example:8080/p"),
        ("/o/:a/:a", "/p/:a", "/p/$2"),
        ("/o", "/p?u=https://b.example", "/p?u=https://b.example"),
        ("/o/(.*)", "/p/$1?a", "/p/$1?a"),
    ]

    @Test("a destination is the same Location", arguments: locations)
    func location(_ source: String, _ destination: String, _ expected: String) throws {
        let template = try PathTemplate(source.utf8, isSource: true)
        let made = try VercelDestination(of: template, names: []).location(destination)
        #expect(made == expected)
    }

    @Test func `names of conditions come before those of the source`() throws {
        let template = try PathTemplate("/hello/:a/:first".utf8, isSource: true)
        let destination = VercelDestination(of: template, names: ["a", "u"])
        #expect(try destination.location("/x/:first/:a?v=:u") == "/x/$2/$a?v=$u")
        #expect(throws: PathTemplate.Fault.self) { try destination.location("/x/:none") }
    }

    @Test(
        "a destination that Vercel refuses, or takes otherwise than it looks, is named",
        arguments: [
            ("/o/:id", "/p/:none", "has :none"), ("/o/:id", "/p?a=:none", "has :none"),
            ("/o/:id", "https://:none.x.example/", "has :none"), ("/o", "/p/:id", "has :id"),
            ("/o/:id", "https://x.example{/:id}", "a host that Vercel cannot read"),
            ("/o/:id", "/p/(x)/:id", "has a group"), ("/o", "/p/A_(b)", "has a group"),
            ("/o/(.*)", "/p/{$1}", "braces"), ("/o/:id", "/p/{x}/:id", "braces"),
            ("/o/:id", "https://x.example/{-:id}", "braces"),
            ("/o/:id", "/p/{:id}y", "$1y in its destination"),
            ("/o/:id", "/p/\\\\:id", "a backslash in its destination"),
            ("/o/(.*)", "/p/$1a", "$1a in its destination"),
            ("/o/(.*)", "/p/$2", "$2 in its destination"),
            ("/o/:id", "/c++/:id*", "Vercel refuses its destination"),
            ("/o/:id", "/p?:id=1", "changes the query"),
            ("/o/:id", "/p/:id?2=a", "changes the query"),
        ])
    func refusedDestination(_ source: String, _ destination: String, _ reason: String) throws {
        let found = try written(rule("/b", "/c"), rule(source, destination))
        #expect(found.lost.count == 1, "\(found.lost)")
        #expect(
            found.lost.first?.hasPrefix("vercel.json:3: ") == true
                && found.lost.first?.contains(reason) == true, "\(found.lost)")
    }

    // MARK: Links

    static let links: [(String, String, [String])] = [
        ("/next(\\.js)?", "https://x.example/n", ["/next", "/next.js", "https://x.example/n"]),
        (
            "/feature-{:slug}", "https://x.example/b-:slug",
            ["/feature-*", "https://x.example/b-{1}"]
        ),
        (
            "/hello/:w", "https://x.example/s?else={:w}",
            ["/hello/*", "https://x.example/s?else={1}"]
        ),
        (
            "/optional/:id?", "https://x.example/o/:id?",
            [
                "/optional", "/optional/*", "https://x.example/o/{1}?{query}",
                "https://x.example/o/?{query}",
            ]
        ),
        (
            "/b/:l(en|es)?", "https://x.example/:l/x",
            ["/b", "/b/en", "/b/es", "https://x.example/en/x", "https://x.example/es/x"]
        ),
        ("/:l(en|es)?/about", "https://x.example/a", ["/about", "/en/about", "/es/about"]),
        ("/d{/:p}?", "https://x.example/d", ["/d", "/d/*"]),
        (
            "/x/:id", "https://x.example/#/g/:id/p?dynamic",
            ["/x/*", "https://x.example/?{query}#/g/{1}/p?dynamic"]
        ),
    ]

    @Test("syntax of a source becomes patterns, and none of it is text", arguments: links)
    func link(_ source: String, _ destination: String, _ texts: [String]) throws {
        let found = try written(rule(source, destination))
        #expect(found.lost.isEmpty && found.differing.isEmpty, "\(found.lost) \(found.differing)")
        for text in texts { #expect(found.text.contains(text), "\(text): \(found.text)") }
        #expect(
            !["%7B", "%7D", "%3F", "%2B", "%28"].contains(where: found.text.contains),
            "\(found.text)")
    }

    @Test(
        "what no pattern can say is not translated",
        arguments: [
            "/q/:p(\\d+)*", "/q/:p(\\d+)+", "/q{-:p}+", "/q-:p*", "/q/:a:b", "/q{x}*",
            "/q/((?!a).*)",
        ])
    func untranslated(_ source: String) throws {
        let found = try written(rule("/b", "/c"), rule(source, "https://x.example/"))
        #expect(found.lost.count == 1 && found.lost.first?.hasPrefix("vercel.json:3: ") == true)
    }

    @Test(
        "a member of another type is refused, and not left out",
        arguments: [
            (#""has": {"type": "host", "value": "a.example"}"#, "has"), (#""has": "x""#, "has"),
            (#""statusCode": "301""#, "statusCode"), (#""permanent": 1"#, "permanent"),
            (#""statusCode": 301, "permanent": true"#, "permanent"),
            (#""statusCode": 301"#, nil), (#""permanent": true"#, nil), (#""has": []"#, nil),
        ] as [(String, String?)])
    func type(_ member: String, _ name: String?) throws {
        let found = try written(
            #"{"source": "/a", \#(member), "destination": "https://x.example/"}"#,
            rule("/b", "https://x.example/b"))
        #expect(found.lost.count == (name == nil ? 0 : 1), "\(found.lost)")
        #expect(
            name.map { found.lost.first?.contains("Vercel refuses its \($0)") == true } ?? true)
    }

    @Test(
        "conditions are taken as they are meant, or named",
        arguments: [
            (#"{"type": "query", "key": "p", "value": "1"}"#, nil),
            (#"{"type": "query", "key": "p", "value": {"re": "1"}}"#, nil),
            (#"{"type": "query", "key": "p", "value": {"eq": "1"}}"#, "with such a value"),
            (
                #"{"type": "query", "key": "p", "value": {"re": "1", "neq": "2"}}"#,
                "with such a value"
            ),
            (#"{"type": "host", "value": "a\\.example"}"#, nil),
            (#"{"type": "host", "value": "\\w.example"}"#, "for the host"),
        ] as [(String, String?)])
    func condition(_ condition: String, _ reason: String?) throws {
        let found = try written(
            #"{"source": "/a", "has": [\#(condition)], "destination": "https://x.example/"}"#,
            rule("/b", "https://x.example/b"))
        #expect(found.lost.count == (reason == nil ? 0 : 1), "\(found.lost)")
        #expect(reason.map { found.lost.first?.contains($0) == true } ?? true, "\(found.lost)")
    }

    @Test(
        "a page of all paths is the same for each of them",
        arguments: [
            (#"{"source": "/(.*)", "destination": "/index.html"}"#, 0),
            (#"{"source": "/(.*)", "destination": "/$1"}"#, 1),
            (#"{"source": "/:path*", "destination": "/:path*"}"#, 1),
            (#"{"source": "/(.*)", "destination": "/i.html", "missing": [{"type": "host"}]}"#, 1),
        ])
    func page(_ rewrite: String, _ lost: Int) throws {
        let found = try written(rule("/b", "/c"), others: ", \"rewrites\": [\(rewrite)]")
        #expect(found.lost.count == lost, "\(found.lost)")
    }

    // MARK: Other services

    @Test(
        "syntax of Netlify and Firebase is none of a link's text",
        arguments: [
            ("/a/:x https://x.example/$x", .netlify, nil),
            ("/a* https://x.example/", .netlify, "a star has no equal but at the end"),
            ("/*/a https://x.example/", .netlify, "a star has no equal but at the end"),
            ("/a/* https://x.example/:splat", .netlify, nil),
            ("/:a.html https://x.example/", .netlify, "a name such as :slug"),
            ("/a-:b https://x.example/", .netlify, "a name such as :slug"),
            ("/a:1/:b https://x.example/:b", .netlify, nil),
            ("/a?b=1 https://x.example/", .netlify, "a path has no query"),
            ("https://a.example/a?b=1 https://x.example/", .netlify, "a path has no query"),
            ("/a b=1 https://x.example/", .netlify, nil),
            ("/a#b https://x.example/", .netlify, "do not send a fragment"),
            ("/* /:splat 200", .netlify, ""), ("/* /index.html 200", .netlify, nil),
        ] as [(String, Migration.Kind, String?)])
    func otherService(_ text: String, _ kind: Migration.Kind, _ reason: String?) throws {
        var migration = Migration()
        migration.add(Array("/z https://x.example/z\n\(text)\n".utf8), as: kind, file: "_redirects")
        let found = try migration.written(
            hosts: ["a.example"], certificates: ("a", "b"), hasPage: { $0 == "/index.html" })
        #expect(found.lost.isEmpty == (reason == nil), "\(found.lost)\n\(found.text)")
        guard let reason else { return }
        #expect(found.lost.first?.hasPrefix("_redirects:2: ") == true, "\(found.lost)")
        #expect(reason.isEmpty || found.lost.first?.contains(reason) == true, "\(found.lost)")
    }

    @Test(
        "a query of Firebase's destination is none behind a name",
        arguments: [
            ("https://x.example/:b?", 0), ("https://x.example/:b?c=1", 1),
            ("https://x.example/:b/?c=1", 0), ("https://x.example/:b*", 0),
            ("https://x.example/:b(x)", 1), ("https://x.example/$b", 0),
        ])
    func firebase(_ destination: String, _ lost: Int) throws {
        var migration = Migration()
        let rule = #"{"source": "/a/:b", "destination": "\#(destination)", "type": 301}"#
        migration.add(
            Array(#"{"hosting": {"redirects": [\#(rule)]}}"#.utf8), as: .firebase, file: "f.json")
        let found = try migration.written(
            hosts: ["a.example"], certificates: ("a", "b"), hasPage: { _ in false })
        #expect(found.lost.count == lost, "\(found.lost)")
    }
}
