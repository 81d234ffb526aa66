import SiteConfiguration
import Testing

@testable import Migration

@Suite("Files of servers")
struct ServerTests {
    private func written(
        _ text: String, _ kind: Migration.Kind, _ hosts: [String] = [], file: String = "x.conf",
        pages: [String] = []
    ) throws -> Migration.Written {
        var migration = Migration()
        migration.add(Array(text.utf8), as: kind, file: file)
        return try migration.written(
            hosts: hosts, certificates: ("a", "b"), hasPage: { pages.contains($0) })
    }

    private static func secured(_ plain: String) -> String {
        """
        <VirtualHost *:80>
          ServerName a.example
          \(plain)
        </VirtualHost>
        <VirtualHost *:443>
          ServerName a.example
          SSLEngine on
          Redirect 302 /x https://x.example/x
        </VirtualHost>
        """
    }

    @Test(
        "a redirect to https is one to the same host, in each of its forms",
        arguments: [
            ("Redirect 301 / https://a.example/", true),
            ("RewriteEngine On\nRewriteRule ^ https://a.example%{REQUEST_URI} [R=301,L]", true),
            ("Redirect 301 / https://b.example/", false),
            ("RewriteEngine On\nRewriteRule ^ https://b.example%{REQUEST_URI} [R=301,L]", false),
        ])
    func upgrades(_ plain: String, _ isUpgrade: Bool) throws {
        var migration = Migration()
        migration.add(Array(Self.secured(plain).utf8), as: .apache, file: "x.conf")
        _ = try migration.written(hosts: [], certificates: ("a", "b"), hasPage: { _ in false })
        #expect(migration.notNeeded.count == (isUpgrade ? 1 : 0))
        #expect(migration.untranslated.count == (isUpgrade ? 0 : 1), "\(migration.untranslated)")
    }

    // MARK: Grammars

    static let grammars: [(String, Migration.Kind?)] = [
        ("# proxy_redirect ServerName RewriteRule <VirtualHost\nserver {\n  listen 80;\n}", .nginx),
        ("location /app/ {\n  proxy_redirect off;\n}\n", .nginx),
        ("rewrite ^/redirect /x permanent;", .nginx),
        ("# server { location / }\nRedirect /a https://x.example/a;b\n", .apache),
        ("<VirtualHost *:80>\n  ServerName a.example\n</VirtualHost>", .apache),
        ("RewriteEngine On\nRewriteRule ^a{2}$ /b [R]", .apache),
        // A semicolon is missing in one line of several.
        ("server {\n  listen 80;\n  return 301 /b\n}\n", .nginx),
        ("# nothing\n", nil),
    ]

    @Test("are told apart by their grammar, not by a word", arguments: grammars)
    func grammar(_ text: String, _ kind: Migration.Kind?) {
        #expect(Migration.Kind(of: Array(text.utf8), path: "site.conf") == kind)
    }

    static let names: [(String, String, Migration.Kind?)] = [
        ("vercel.json", "{}", .vercel), ("firebase.json", "{}", .firebase),
        ("Caddyfile", "a.example {\n}", .caddy), ("site.caddy", "", .caddy),
        ("x.json", #"{"redirects":[{"source":"/a","destination":"/b"}]}"#, .vercel),
        ("x.json", #"{"hosting":{"redirects":[]}}"#, .firebase), ("x.json", "{}", nil),
    ]

    @Test("of hosting services are known by name or content", arguments: names)
    func named(_ name: String, _ text: String, _ kind: Migration.Kind?) {
        #expect(Migration.Kind(of: Array(text.utf8), path: name) == kind)
    }

    @Test(
        "a table that a directory has counts if it has destinations",
        arguments: [
            ("/a,/b\n", true), ("spring,https://www.example.com/\n", true),
            ("from,to\n/a,https://b.example/\n", true),
            ("language,people\nGerman,\"Anna, Bert\"\n", false), ("a\n", false), ("", false),
            // What is damaged is told.
            ("a,\"b\n", true),
        ])
    func tables(_ text: String, _ isKnown: Bool) {
        #expect(Migration.hasDestinations(Array(text.utf8)) == isKnown)
    }

    static let faults: [(Migration.Kind, String, String)] = [
        (
            .nginx, "server {\n  return 301 /b\n}",
            "x.conf:2:14: error: \"return 301 /b\" does not end\n    write ; behind it"
        ),
        (
            .nginx, "location /a {\n return 301 /b\n}\nlocation /c { return 301 /d; }",
            "x.conf:2:13: error: \"return 301 /b\" does not end\n    write ; behind it"
        ),
        (
            .nginx, "return 301 /b\nlocation /c { return 301 /d; }",
            "x.conf:1:12: error: \"return 301 /b\" does not end\n    write ; behind it"
        ),
        (
            .nginx, "server {\n",
            "x.conf:1:1: error: the block of \"server\" is not closed\n    write }"
        ),
        (.nginx, "a b;\n }", "x.conf:2:2: error: there is no { for this }\n    remove it"),
        (
            .nginx, "{ }",
            "x.conf:1:1: error: a block has no name\n    write a directive in front of {"
        ),
        (
            .nginx, "return 301 \"/b;\n",
            "x.conf:1:12: error: a quotation mark has no partner\n    write the second one"
        ),
        (
            .caddy, "a.example {\n",
            "x.conf:1:1: error: the block of \"a.example {\" is not closed\n"
                + "    write }"
        ),
        (.vercel, "{\"redirects\": [}", "x.conf:1:16: error: "),
    ]

    @Test("that their server refuses are faults with line and column", arguments: faults)
    func fault(_ kind: Migration.Kind, _ text: String, _ message: String) {
        var migration = Migration()
        migration.add(Array(text.utf8), as: kind, file: "x.conf")
        #expect(
            migration.faults.first?.description.hasPrefix(message) == true, "\(migration.faults)")
    }

    // Long texts are no arguments, because the descriptions of those take minutes.

    @Test func `a long file in one line has the grammar of its beginning`() {
        let text = "server { " + String(repeating: "location /a { return 301 /b; } ", count: 9_999)
        #expect(Migration.Kind(of: Array(text.utf8), path: "site.conf") == .nginx)
    }

    @Test func `blocks have a limited depth`() {
        for (kind, text, place) in [
            (Migration.Kind.nginx, "a {", "1:99"), (.caddy, "a {\n", "33:1"),
        ] {
            var migration = Migration()
            let bytes = Array(String(repeating: text, count: 100_000).utf8)
            migration.add(bytes, as: kind, file: "x.conf")
            let message = migration.faults.first?.description
            #expect(
                message == "x.conf:\(place): error: blocks have more than 32 levels\n"
                    + "    move some out")
        }
    }

    // MARK: Hosts

    @Test func `hosts with other redirects are other sites`() throws {
        let result = try written(
            """
            server { server_name a.example www.a.example; return 301 https://b.example$request_uri; }
            server { server_name b.example; location = /x { return 302 https://x.example/; } }
            """, .nginx)
        let sites = result.configuration.environments[0].sites
        #expect(sites.map(\.hostPatterns) == [["a.example", "www.a.example"], ["b.example"]])
        #expect(result.lost == [])
        #expect(result.hosts.contains("b-example.localhost"))
    }

    @Test func `the same host over https only is no redirect`() throws {
        let result = try written(
            """
            server { listen 80; server_name a.example www.a.example;
              return 301 https://a.example$request_uri; }
            server { listen 443 ssl; server_name a.example;
              location = /x { return 302 https://x.example/; } }
            """, .nginx)
        #expect(result.lost == [])
        #expect(
            result.configuration.environments[0].sites.map(\.hostPatterns) == [
                ["www.a.example"], ["a.example"],
            ])
    }

    @Test func `an option for hosts chooses sites, or gives the only one another host`() throws {
        let text =
            "https://a.example/x https://x.example/a\nhttps://b.example/x https://x.example/b\n"
        let chosen = try written(text, .netlify, ["b.example"])
        #expect(chosen.configuration.environments[0].sites.map(\.hostPatterns) == [["b.example"]])
        #expect(chosen.lost.count == 1)
        let renamed = try written(
            "https://a.example/x https://x.example/a", .netlify, ["new.example"])
        #expect(renamed.configuration.environments[0].sites[0].hostPatterns == ["new.example"])
        #expect(renamed.lost == [])
    }

    // MARK: Loops

    static let loops = [
        ("/docs /docs/ 301", 1), ("/a /b\n/b /a", 2), ("/a /b\n/b /c\n/c /a", 3),
        ("/a /b\n/b /c", 0), ("/x/* /x/:splat", 1), ("/a https://www.example.com/a", 1),
        ("/a http://www.example.com/a/", 1), ("/a https://www.example.com:8443/a", 0),
    ]

    @Test("redirects that never end are not written", arguments: loops)
    func loop(_ text: String, _ lost: Int) throws {
        let result = try written(text, .netlify, ["www.example.com"])
        #expect(result.lost.count { $0.contains("redirect for ever") } == lost, "\(result.lost)")
    }

    @Test func `a redirect to the page with the slash stays`() throws {
        let result = try written(
            "/docs /docs/ 301", .netlify, ["www.example.com"], pages: ["/docs/"])
        #expect(result.lost == [])
    }

    @Test(
        "a file that its server refuses is an error with the cure",
        arguments: [
            (
                "rewrite ^/([a-z]{2})/x$ /y permanent;", .nginx,
                "x:1:17: error: the { in \"^/([a-z]{2})/x$\" begins a block, because"
            ),
            (
                "rewrite ^/([a-z]{,3})$ /y permanent;", .nginx,
                "x:1:17: error: the { in \"^/([a-z]{,3})$\" begins a block, because"
            ),
            (
                "location ~ ^/a{2}$ { return 301 /b; }", .nginx,
                "x:1:15: error: the { in \"^/a{2}$\" begins a block, because"
            ),
            (
                "location ~ ^/\\p{L}+$ { return 301 /b; }", .nginx,
                "x:1:16: error: the { in \"^/\\\\p{L}+$\" begins a block, because"
            ),
            (
                "if ($uri ~ ^/[0-9]{4}/) { return 301 /b; }", .nginx,
                "x:1:19: error: the { in \"^/[0-9]{4}/)\" begins a block, because"
            ),
            (
                "map $uri $x { ~^/a{2}$ /b; }", .nginx,
                "x:1:19: error: the { in \"~^/a{2}$\" begins a block, because"
            ),
            (
                "server_name ~^a{2}\\.example$;", .nginx,
                "x:1:16: error: the { in \"~^a{2}\\\\.example$\" begins a block, because"
            ),
            (
                "return 301 https://x.example/a{b;", .nginx,
                "x:1:31: error: the { in \"https://x.example/a{b\" begins a block, because"
            ),
            ("return 301 \"/b\"x;", .nginx, "x:1:16: error: \"/b\" is followed by more than"),
            ("return 301 /b;;", .nginx, "x:1:15: error: there is no directive in front of this ;"),
            ("location /a { };", .nginx, "x:1:16: error: there is no directive in front of"),
            ("location /a{2 3;}", .nginx, "x:1:13: error: \"2\" is not the name of a directive"),
            ("location /a{2 {}}", .nginx, "x:1:13: error: \"2\" is not the name of a directive"),
            ("location = /a;b {", .nginx, "x:1:1: error: \"location = /a\" has no block"),
            ("if ($uri = /a) return 301 /b;", .nginx, "x:1:1: error: \"if ($uri = /a) return"),
            ("return 301 $;", .nginx, "x:1:12: error: a $ in \"$\" is not followed by the name"),
            ("return 301 /$/a;", .nginx, "x:1:12: error: a $ in \"/$/a\" is not followed by"),
            ("return $;", .nginx, "x:1:8: error: a $ in \"$\" is not followed by the name"),
            ("return 301 /${host;", .nginx, "x:1:12: error: a $ in \"/${host\" is not followed"),
            ("rewrite ^/a$ /b$ permanent;", .nginx, "x:1:14: error: a $ in \"/b$\" is not"),
            ("\u{FEFF}Redirect /a /b", .apache, "x:1:1: error: the file begins with a byte-order"),
            ("\u{FEFF}return 301 /b;", .nginx, "x:1:1: error: the file begins with a byte-order"),
        ] as [(String, Migration.Kind, String)])
    func isRefused(_ text: String, _ kind: Migration.Kind, _ line: String) {
        var migration = Migration()
        migration.add(Array(text.utf8), as: kind, file: "x")
        let lines = migration.faults.flatMap(\.lines)
        #expect(lines.first?.hasPrefix(line) == true, "\(lines)")
    }

    @Test(
        "braces in quotation marks, and of blocks, are no error",
        arguments: [
            "rewrite \"^/([a-z]{2})/x$\" /y permanent;", "location /a{return 301 /b;}",
            "location /a{ return 301 /b; }", "rewrite ^/a$ /${host}1 permanent;",
            "location ~ '^/a{2}$'{return 301 /b;}", "location /2{return 301 /b;}",
            "location /a{}", "if ($uri ~ \"^/a{2}\") { return 301 /b; }", "rewrite ^/a}b$ /y;",
            "server_name \"~^a{2}\\.example$\";", "map $uri $x { \"~^/a{2}$\" /b; }",
            "map $uri $x { 2 3; location /a; default $; }", "return 301 $scheme://$_a${b_1}/$1;",
            "rewrite ^/a$ /$1$is_args permanent;", "upstream u { server 10.0.0.1; }",
            "location /a { SecRulesEnabled; }", "geo $x { 10.0.0.0/8 1; }",
        ])
    func isTaken(_ text: String) {
        var migration = Migration()
        migration.add(Array(text.utf8), as: .nginx, file: "x")
        #expect(migration.faults.isEmpty)
    }

    @Test(
        "what takes more of a site, or ends otherwise, is a difference",
        arguments: [
            ("RewriteRule ^([0-9]+)$ https://x.example/p/$1", "takes all of /*/"),
            ("RewriteRule ^p/([0-9]+)$ https://x.example/p/$1", nil),
            ("RewriteRule ^([^/]+)$ https://x.example/p/$1", nil),
            ("RewriteRule ^opt(/.*)?$ https://x.example/opt$1", "for /opt/ the destination has no"),
            ("RewriteRule ^opt(/.*)?$ https://x.example/opt", nil),
            ("RewriteRule ^opt(?:/(.*))?$ https://x.example/opt$1", nil),
        ] as [(String, String?)])
    func differs(_ rule: String, _ difference: String?) throws {
        let found = try written("RewriteEngine On\n\(rule) [R=301,L]\n", .apache, file: ".htaccess")
        let all = found.differing.joined(separator: "\n")
        #expect(difference.map(all.contains) ?? all.isEmpty, "\(all)")
    }

    @Test(
        "the reason is what is missing",
        arguments: [
            ("RewriteRule ^n/([0-9]{4})-([0-9][0-9])$ https://x.example/$2/$1", "uses a group of"),
            ("RewriteRule ^n/(.*)$ https://x.example/%{TIME}/$1", "uses something that a URL"),
        ])
    func reasons(_ rule: String, _ reason: String) throws {
        let found = try written("RewriteEngine On\n\(rule) [R=301,L]\n", .apache, file: ".htaccess")
        #expect(found.lost.first?.contains("the destination \(reason)") == true, "\(found.lost)")
    }

    @Test func `a class of characters in a glob is no exclusion`() throws {
        for (glob, reason) in [
            ("/j/[0-9]", "patterns have no classes of characters"),
            ("/j/!(a)", "patterns cannot exclude text"),
        ] {
            let rule = #"{"source":"\#(glob)","destination":"/x","type":301}"#
            let found = try written(#"{"hosting":{"redirects":[\#(rule)]}}"#, .firebase)
            #expect(found.lost.first?.contains(reason) == true, "\(found.lost)")
        }
    }

    @Test func `an empty list of old routes of Vercel is nothing to translate`() throws {
        let redirect = #"{"source":"/a","destination":"https://x.example/"}"#
        for (routes, lost) in [("[]", 0), (#"[{"src":"/b"}]"#, 1)] {
            let text = #"{"redirects":[\#(redirect)],"routes":\#(routes)}"#
            #expect(try written(text, .vercel).lost.count == lost)
        }
    }

    static let applications: [(String, Migration.Kind, Bool)] = [
        ("location / { root /w; try_files $uri $uri/ /index.html; }", .nginx, true),
        ("location / { try_files $uri =404; }", .nginx, false),
        ("location / { try_files $uri /index.php?$args; }", .nginx, false),
        ("location /app { try_files $uri /index.html; }", .nginx, false),
        ("location / { try_files $uri /index.html; proxy_pass http://a; }", .nginx, false),
        ("/* /index.html 200", .netlify, true), ("FallbackResource /index.html", .apache, true),
        (#"{"rewrites":[{"source":"/(.*)","destination":"/index.html"}]}"#, .vercel, true),
        (
            #"{"hosting":{"rewrites":[{"source":"**","destination":"/index.html"}]}}"#, .firebase,
            true
        ),
    ]

    @Test("an application in one page answers every other path", arguments: applications)
    func application(_ text: String, _ kind: Migration.Kind, _ isTranslated: Bool) throws {
        let result = try written(text, kind, pages: ["/index.html"])
        let line = "    unmatched: {page: /index.html, status: 200}\n"
        #expect(result.text.contains(line) == isTranslated, "\(result.text)")
        #expect(result.lost.isEmpty == isTranslated, "\(result.lost)")
    }

    // MARK: Accidents

    @Test func `links that lose more than a location takes are named, once`() throws {
        func lost(_ location: String) throws -> [String] {
            try written(
                "server { server_name a.example; location ~ \(location) "
                    + "{ return 302 https://x.example/?a=$request_uri; } "
                    + "location / { return 301 https://x.example$request_uri; } }", .nginx
            ).lost.filter { $0.contains("leave out") }
        }
        #expect(
            try lost("^/([^/]+)/([^/]+)$")
                == ["x.conf:1: \"location ~ ^/([^/]+)/([^/]+)$\": links leave out /*/*/"])
        #expect(try lost("^/a/(.*)$") == [])
    }

    @Test func `a line that becomes several links has one message of a kind`() throws {
        var migration = Migration()
        migration.add(
            Array(
                ("RedirectMatch 301 ^/(.*)$ https://x.example/\n"
                    + "RedirectMatch 301 ^/(a|b|c)/d$ https://y.example/\n").utf8),
            as: .apache, file: ".htaccess")
        let written = try migration.written(
            hosts: ["a.example"], certificates: ("a", "b"), hasPage: { _ in false })
        let (wrong, hidden) = migration.wrongRedirects(written.configuration) { _ in false }
        let all = written.notNeeded + hidden
        #expect(wrong == [] && all.count { $0.hasPrefix(".htaccess:2:") } <= 1, "\(all)")
    }

    @Test func `no text is an accident`() {
        let texts = [
            "server { listen 443 ssl; server_name a.example *.b.example; location ~ ^/(a|b)/?$ "
                + "{ return 301 https://$host/$1?x=${arg_y}; } rewrite ^/a$ /b? permanent; }",
            "<VirtualHost *:443>\nServerName a\nRewriteCond %{HTTP_HOST} ^a\\.b$ [NC]\n"
                + "RewriteRule ^a/(.*)$ \\%3A$1%{X} [R=301,QSA,NE]\n</VirtualHost>",
            "/a id=:i https://x.example/:i 301! Country=at\nhttps://a.example/* /:splat\n",
            "/a?=&b,\"x\"\"\",404\n;;\n",
            "{\n}\na.example {\n@x path /a*\nredir @x {re.a.1}{uri} 301\nhandle /b {\nredir c\n}\n}",
            #"{"redirects":[{"source":"/:a(\\d)*","destination":":a$1","has":[{"type":"host"}]}]}"#,
            #"{"hosting":[{"redirects":[{"source":"{,a}/@(b","destination":"/"}]}]}"#,
        ]
        var random = SystemRandomNumberGenerator()
        let pieces = Array("{}()[]<>\"'\\;,#$%:*?/@ \n\r\t\u{0}=&|^".utf8) + [0xFF, 0xC3]
        for round in 0..<3_000 {
            var bytes = Array(texts[round % texts.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let end = min(bytes.count, place + Int.random(in: 0...3, using: &random))
                let piece = pieces.randomElement(using: &random) ?? 0
                bytes.replaceSubrange(place..<end, with: [piece])
            }
            for kind in Migration.Kind.allCases where kind != .apple && kind != .android {
                var migration = Migration()
                migration.add(bytes, as: kind, file: ".htaccess", below: "/x/")
                _ = Migration.Kind(of: bytes, path: "x")
            }
        }
    }
}
