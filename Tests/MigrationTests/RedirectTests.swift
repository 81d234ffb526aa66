import Migration
import SiteConfiguration
import Testing

@Suite("Redirects of other servers")
struct RedirectTests {
    /// A file of a server, and lines of the configuration that means the same.
    struct Row: CustomTestStringConvertible {
        let kind: Migration.Kind
        let name: String
        let text: String
        let lines: [String]

        var testDescription: String { text }

        init(_ kind: Migration.Kind, _ text: String, _ lines: String..., name: String = "x.conf") {
            (self.kind, self.text, self.lines, self.name) = (kind, text, lines, name)
        }
    }

    static let netlify = [
        Row(
            .netlify, "/a  /b\n", "    match: /a",
            "    web: \"301 https://www.example.com/b?{query}\""),
        Row(
            .netlify, "# no\n\n/a https://x.example/ 302 # why\n",
            "    web: \"https://x.example/?{query}\""),
        Row(
            .netlify, "/n/:m/:y/* /b/:y/:m/:splat 302", "    match: \"/n/*/*/*\"",
            "    web: \"https://www.example.com/b/{2}/{1}/{3}?{query}\""),
        Row(
            .netlify, "/u/:name/x https://x.example/:name 302", "    exclude: \"/u/*/*/?*\"",
            "    match: \"/u/*/x\"", "    web: \"https://x.example/{1}?{query}\""),
        Row(
            .netlify, "/s id=:i t=5 /p/:i 302",
            "    match: {\"/\": /s, \"?\": {\"id\": \"?*\", \"t\": \"5\"}}",
            "    web: \"https://www.example.com/p/{query.id}\""),
        Row(.netlify, "/* /index.html 200", "    unmatched: {page: /index.html, status: 200}"),
        Row(.netlify, "/* /index.html 404", "    unmatched: {page: /index.html, status: 404}"),
        Row(.netlify, "/x /gone 410", "    web: gone"),
        Row(.netlify, "https://old.example/a /b 302", "    match: /a"),
        Row(
            .netlify, "/p/* https://api.example/:splat 200",
            "# - x.conf:1: \"/p/* https://api.example/:splat 200\": a proxy to another host has no "
                + "equal"),
        Row(.netlify, "/a /b 302 Country=at", "there is no condition such as Country=at"),
        Row(.netlify, "/a /b 302!", "public files come first, although the status has a !"),
        Row(
            .netlify, "/a /b\n/a /c", "# - x.conf:2: \"/a /c\": line 1 takes these paths before it"),
        Row(.netlify, "/only", "there is no destination"),
        Row(.netlify, "/a /b{x} 302", "https://www.example.com/b%7Bx%7D?{query}"),
        Row(.netlify, "/ä /b 302", "    match: \"/%C3%A4\""),
        Row(.netlify, "/a /page.html 200", "\"/page.html\" is not in Public"),
    ]

    static let apache = [
        Row(
            .apache, "Redirect /s https://x.example/t", "    match: /s",
            "    web: \"https://x.example/t?{query}\"", "    match: \"/s/*\"",
            "    web: \"https://x.example/t/{1}?{query}\""),
        Row(.apache, "redirect permanent \"/s p\" https://x.example/", "    match: \"/s%20p\""),
        Row(
            .apache, "Redirect 301 / https://x.example/", "    match: \"/*\"",
            "    web: \"301 https://x.example/{1}?{query}\""),
        Row(
            .apache, "Redirect gone /s", "      - \"/s/*\"", "    web: gone"),
        Row(
            .apache, "RedirectPermanent /s /t", "    web: \"301 https://www.example.com/t?{query}\""
        ),
        Row(
            .apache, "RedirectMatch ^/i/(.*)\\.gif$ https://c.example/$1.jpg",
            "    match: \"/i/*.gif\"", "    web: \"https://c.example/{1}.jpg?{query}\""),
        Row(
            .apache, "RedirectMatch 404 /secret", "    match: \"*/secret*\"", "    web: not-found"),
        Row(
            .apache, "RedirectMatch ^/(a|b)$ https://x.example/$1", "    match: /a",
            "    match: /b",
            "    web: \"https://x.example/b?{query}\""),
        Row(
            .apache, "RedirectMatch ^/u/([^/]+)/?$ https://x.example/$1",
            "    exclude: \"/u/*/?*\"", "    match: \"/u/*/\""),
        Row(
            .apache, "RedirectMatch ^/(?!x) https://x.example/",
            "patterns look neither ahead nor back"),
        Row(.apache, "RedirectMatch ^/a+ https://x.example/", "patterns cannot repeat a character"),
        Row(
            .apache,
            "RewriteEngine On\nRewriteRule ^shop/([0-9]+)$ https://x.example/p/$1 [R=302,NC,L]",
            "* matches any text, where the expression has [0-9]",
            "    match: {\"/\": \"/shop/*/\", caseSensitive: false}",
            "    web: \"https://x.example/p/{1}?{query}\"", name: "x/.htaccess"),
        Row(
            .apache,
            "RewriteEngine On\nRewriteCond %{HTTP_COOKIE} x\nRewriteRule ^ https://x.example/ [R]",
            "it has the condition %{HTTP_COOKIE} x, and there are no conditions"),
        Row(
            .apache, "RewriteEngine On\nRewriteRule ^a$ b [L]",
            "it rewrites a path within the server"),
        Row(
            .apache, "RewriteRule ^a$ https://x.example/ [R]",
            "# - x.conf:1: \"RewriteRule ^a$ https://x.example/ [R]\": there is no RewriteEngine On here"
        ),
        Row(
            .apache, "RewriteRule ^/a$ https://x.example/ [R]\nRewriteEngine On", "    match: /a"),
        Row(
            .apache, "RewriteEngine On\nRewriteRule ^a$ https://x.example/ [R]\nRewriteEngine Off",
            "RewriteEngine is off"),
        Row(
            .apache, "RewriteRule ^a$ https://x.example/ [R]",
            "there is no RewriteEngine On here; write it if a directory above has it",
            name: "x/.htaccess"),
        Row(
            .apache, "RewriteRule ^a$ b [R]\nRewriteEngine On\nRewriteBase /c",
            "    web: \"https://www.example.com/c/b?{query}\"", name: "x/.htaccess"),
        Row(
            .apache, "RewriteEngine On\nRewriteBase /c/\nRewriteRule ^a$ /b [R]",
            "    web: \"https://www.example.com/b?{query}\"", name: "x/.htaccess"),
        Row(
            .apache, "RewriteEngine On\nRewriteBase c/\nRewriteRule ^a$ /b [R]",
            "Apache refuses RewriteBase c/, which does not begin with a slash",
            name: "x/.htaccess"),
        Row(
            .apache, "RewriteEngine On\nRewriteBase /$1/%1\nRewriteRule ^(a)$ $1 [R]",
            "RewriteBase /$1/%1 has a $ or a %", name: "x/.htaccess"),
        Row(
            .apache, "RewriteEngine On\nRewriteBase /$1/\nRewriteRule ^a$ /b [R]",
            "    web: \"https://www.example.com/b?{query}\"", name: "x/.htaccess"),
        Row(
            .apache, "<Location /x>\nRedirect /a /b\n</Location>\nRedirect /c /d",
            "it applies only within <Location /x>", "    match: /c"),
        Row(.apache, "Redirect \\\n /a \\\n https://x.example/", "    match: /a"),
        Row(
            .apache,
            "RewriteEngine On\nRewriteRule ^/(de|en)/(.*)$ https://x.example/$1/$2 [R,L,NC]",
            "letters of the destination have the case of the expression"),
        Row(
            .apache, "FallbackResource /index.html",
            "    unmatched: {page: /index.html, status: 200}"),
        Row(.apache, "FallbackResource /other.php", "\"/other.php\" is not in Public"),
        Row(.apache, "RewriteOptions InheritBefore", "the rules that it inherits are not read"),
        Row(
            .apache, "<IfModule !rewrite_module>\nRedirect /a https://x.example/\n</IfModule>",
            "<IfModule !rewrite_module> is not met where redirects are"),
        Row(
            .apache, "<IfModule mod_x.c>\nRedirect /a https://x.example/\n</IfModule>",
            "it applies only within <IfModule mod_x.c>"),
        Row(
            .apache, "ErrorDocument 404 /index.html",
            "    unmatched: {page: /index.html, status: 404}"),
    ]

    static let nginx = [
        Row(
            .nginx, "server { location = /a { return 302 https://x.example/; } }", "    match: /a",
            "    web: \"https://x.example/\""),
        Row(
            .nginx, "location /a { return 301 https://x.example$request_uri; }",
            "    match: \"/a*\"", "    web: \"301 https://x.example{path}?{query}\""),
        Row(
            .nginx,
            "server { location / { return 302 https://z.example/; }\n"
                + " location /app/ { proxy_pass http://b; } }",
            "    exclude: \"/app/*\"", "    match: \"/*\"",
            "# - x.conf:2: \"location /app/\": what it serves is not a redirect"),
        Row(
            .nginx, "server { rewrite ^/o/(.*)$ https://x.example/$1 permanent; }",
            "    match: \"/o/*\"", "    web: \"301 https://x.example/{1}?{query}\""),
        Row(
            .nginx, "rewrite ^/o$ https://x.example/? redirect;", "    web: \"https://x.example/\""),
        Row(
            .nginx, "location ~* \"^/(?:x|y)/(\\d{4})$\" { return 302 /n?y=$1&$args; }",
            "    match: {\"/\": \"/x/*/\", caseSensitive: false}",
            "    web: \"https://www.example.com/n?y={1}&{query}\""),
        Row(
            .nginx, "server { server_name www.example.com; return 301 https://$host$request_uri; }",
            "# Not needed:", "plain HTTP is redirected to https anyway"),
        Row(
            .nginx,
            "server { return 301 https://n.example$request_uri; location /a { return 404; } }",
            "    match: \"/*\"", "    web: \"301 https://n.example{path}?{query}\"",
            "the server's own `return` comes before it"),
        Row(.nginx, "location /a { return 410; }", "    web: gone"),
        Row(.nginx, "location /a { return 200 'x'; }", "there is no answer with status 200"),
        Row(.nginx, "if ($http_x) { return 302 /b; }", "Waymark has no condition such as `if`"),
        Row(
            .nginx, "location ~* ^/(de|en)/(.*)$ { return 302 https://x.example/$1/$2; }",
            "letters of the destination have the case of the expression"),
        Row(.nginx, "location /a { return 302 /b?v=$cookie_v; }", "the destination uses something"),
        Row(
            .nginx, "error_page 404 /index.html;", "    unmatched: {page: /index.html, status: 404}"
        ),
        Row(.nginx, "map $uri $to { /a /b; }", "maps are not read; give their entries as a CSV"),
    ]

    /// Forms in which servers differ from patterns.
    static let exactly = [
        Row(
            .apache, "RewriteEngine On\nRewriteRule ^s\\ t$ https://x.example/u\\ v [R]",
            "    match: \"/s%20t\"", "    web: \"https://x.example/u%20v?{query}\"",
            name: "x/.htaccess"),
        Row(
            .apache, "RewriteEngine On\nRewriteRule ^x\\%3Ay$ https://x.example/ [R]",
            "it needs a path with %253A, which is answered with 400", name: "x/.htaccess"),
        Row(
            .apache, "RewriteEngine On\nRewriteRule ^x\\%y$ https://x.example/ [R]",
            "    match: \"/x%25y\"", name: "x/.htaccess"),
        Row(
            .apache, "RewriteEngine On\nRewriteRule ^p$ https://x.example/a%20b [R,NE]",
            "    web: \"https://x.example/a0b?{query}\"", name: "x/.htaccess"),
        Row(
            .apache, "RewriteEngine On\nRewriteRule ^p$ https://x.example/%0 [R]",
            "the destination uses something", name: "x/.htaccess"),
        Row(
            .nginx,
            "server { server_name www.example.com; location /e { return 302 https://x.example/e; }\n"
                + "location / { return 302 https://x.example/home; } }",
            "    match: \"/e*\"", "    match: \"/*\""),
        Row(
            .caddy, "www.example.com {\nredir /ends*.html https://x.example/\n}",
            "    exclude: {\"/\": \"/ends*/?*\", caseSensitive: false}",
            "    match: {\"/\": \"/ends*.html\", caseSensitive: false}", name: "Caddyfile"),
        Row(
            .caddy, "www.example.com {\nredir /x? https://x.example/\n}",
            "? matches any character, where the expression has [^/]", name: "Caddyfile"),
        Row(
            .caddy, "www.example.com {\nredir /e%20* https://x.example/\n}",
            "    exclude: {\"/\": \"/e%20*/?*\", caseSensitive: false}", name: "Caddyfile"),
        Row(
            .caddy, "www.example.com {\nredir /pre* https://x.example/\n}",
            "    match: {\"/\": \"/pre*\", caseSensitive: false}", name: "Caddyfile"),
        Row(
            .caddy,
            "www.example.com {\n@a path_regexp ^/a\nhandle @a {\nredir /b https://x.example/\n}\n}",
            "its matcher has no equal", name: "Caddyfile"),
    ]

    static let csv = [
        Row(.csv, "/a,https://x.example/a", "    match: /a", "    web: \"https://x.example/a\""),
        Row(.csv, "path;destination\n/a;/b", "    web: \"https://www.example.com/b\""),
        Row(
            .csv, "\"/a,b\",\"https://x.example/?q=\"\"1\"\"\"", "    match: \"/a,b\"", "?q=%221%22"
        ),
        Row(.csv, "/a/*\thttps://x.example/{1}\t302", "    match: \"/a/*\"", "x.example/{1}\""),
        Row(.csv, "/a?id=3,https://x.example/", "    match: {\"/\": /a, \"?\": {\"id\": \"3\"}}"),
        Row(.csv, "https://old.example/a?x,https://x.example/", "{\"x\": \"\"}"),
        Row(.csv, "/a,https://x.example/,308", "    web: \"308 https://x.example/\""),
        Row(.csv, "/a,,410", "    match: /a", "    web: gone"),
        Row(.csv, "/a,,404", "    match: /a", "    web: not-found"),
        Row(.csv, "/a,/b,307", "    web: \"307 https://www.example.com/b\""),
        Row(.csv, "/a,https://x.example/,303", "302 instead of 303", "web: \"https://x.example/\""),
        Row(.csv, "/a,", "the destination is not a URL"),
        Row(.csv, "/a,,200", "200 is not the status of a redirect"),
        Row(.csv, "/a,ftp://x", "the destination is not a URL"),
        Row(.csv, "/a/*,https://x.example/*/b", "    web: \"https://x.example/{1}/b\""),
        Row(.csv, "/a,https://x.example/*", "    web: \"https://x.example/*\""),
        Row(.csv, "/a/*,https://x.example/*/*", "{2} needs as many stars in each pattern"),
        Row(.csv, "/a,https://x.example/{2}", "{2} needs as many stars in each pattern"),
        Row(.csv, "/a,https://u:p@x.example/", "# - x.conf:1: "),
    ]

    @Test(
        "mean the same as links, or are comments with file and line",
        arguments: netlify + apache + nginx + exactly + csv)
    func rows(_ row: Row) throws {
        var migration = Migration()
        migration.add(Array(row.text.utf8), as: row.kind, file: row.name)
        let written = try migration.written(
            hosts: ["www.example.com"], certificates: ("a", "b"),
            hasPage: { $0 == "/index.html" })
        for line in row.lines {
            #expect(written.text.contains(line), "\(line) is not in \(written.text)")
        }
        #expect(!written.text.contains("\n\n\n"))
        let (wrong, hidden) = migration.wrongRedirects(written.configuration) { _ in false }
        #expect(wrong == [])
        #expect(hidden == [])
    }

    @Test func `a destination on the host that was asked is none below a wildcard`() throws {
        var migration = Migration()
        let text =
            "server { server_name a.example *.b.example;\nlocation /q/ { return 301 https://$host/z; }\n"
            + "location = /r { return 301 /s; }\nlocation = /t { return 301 https://x.example/; } }\n"
        migration.add(Array(text.utf8), as: .nginx, file: "x.conf")
        let written = try migration.written(
            hosts: [], certificates: ("a", "b"), hasPage: { _ in false })
        #expect(written.lost.map { $0.prefix(9) } == ["x.conf:2:"], "\(written.lost)")
        #expect(written.differing.map { $0.prefix(9) } == ["x.conf:3:"], "\(written.differing)")
        #expect(written.text.contains("301 https://a.example/z"))
        #expect(!written.text.contains("www.b.example/z"))
    }

    @Test func `a star that can take nothing is a difference`() throws {
        var migration = Migration()
        let text =
            "location ~ ^/g/([^/]+)/(.+)$ { return 301 https://x.example/$2; }\n"
            + "location ~ ^/h/([^/]+)/(.*)$ { return 301 https://x.example/$2; }\n"
        migration.add(Array(text.utf8), as: .nginx, file: "x.conf")
        let written = try migration.written(
            hosts: ["a.example"], certificates: ("a", "b"), hasPage: { _ in false })
        #expect(written.lost == [])
        #expect(
            written.differing == [
                "x.conf:1: \"return 301 https://x.example/$2\": the link also takes paths of /g/*/* in "
                    + "which star 2 is empty"
            ])
    }

    @Test func `a redirect that an earlier one hides is not needed`() throws {
        var migration = Migration()
        migration.add(Array("/a/* /b 302\n/a/x /c 302".utf8), as: .netlify, file: "_redirects")
        let written = try migration.written(
            hosts: ["www.example.com"], certificates: ("a", "b"), hasPage: { _ in false })
        let (wrong, hidden) = migration.wrongRedirects(written.configuration) { _ in false }
        #expect(wrong == [])
        #expect(
            hidden == [
                "_redirects:2: https://www.example.com/a/x is answered by link a, which is before it"
            ])
    }

    static let kinds: [(String, String, Migration.Kind?)] = [
        ("public/_redirects", "/a /b", .netlify), ("x/.htaccess", "Redirect /a /b", .apache),
        ("site.conf", "<VirtualHost *>\nRedirect /a /b", .apache),
        ("site.conf", "server { return 301 /; }", .nginx), ("r.csv", "x", .csv),
        ("apple-app-site-association", "{", .apple), ("x.json", "{\"appLinks\": {}}", .apple),
        ("x.json", "[{\"relation\": []}]", .android),
        (".well-known/assetlinks.json", "[]", .android),
        ("package.json", "{\"name\": 1}", nil), ("README", "Hello", nil), ("-", "/a,/b", .csv),
        ("-", "/a /b", .netlify), ("conveyor.conf", "// Shop\ninclude \"#!gradlew\"", nil),
        ("google-services.json", "{\"client\": [{\"package_name\": \"a.b\"}]}", nil),
        ("x.json", "[{\"target\": {\"sha256_cert_fingerprints\": []}}]", .android),
    ]

    @Test("the kind of a file comes from its name and content", arguments: kinds)
    func kind(_ name: String, _ text: String, _ kind: Migration.Kind?) {
        #expect(Migration.Kind(of: Array(text.utf8), path: name) == kind)
    }
}
