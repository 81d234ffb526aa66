import Testing

@testable import Migration

/// Files that a redirect file names, and those that an origin has itself.
@Suite struct OtherFileTests {
    private static func lost(
        _ files: [(text: String, kind: Migration.Kind, name: String)], found: [String] = []
    ) throws -> Migration.Written {
        var migration = Migration()
        for file in files {
            migration.add(Array(file.text.utf8), as: file.kind, file: file.name)
        }
        for path in found { migration.found.addNamed(path) }
        migration.found.addFile("etc/conf.d/a.conf", isRead: true)
        migration.found.addFile("etc/conf.d/README", isRead: false)
        migration.found.addDirectory("etc/conf.d")
        migration.found.addDirectory("etc/empty")
        return try migration.written(
            hosts: [], certificates: ("a", "b"), hasPage: { _ in false })
    }

    static let includes: [(include: String, isRead: Bool)] = [
        ("conf.d/*.conf", true), ("/etc/nginx/conf.d/*.conf", true), ("conf.d/a.conf", true),
        ("empty/*.conf", true), ("conf.d/*", false), ("conf.d/b.conf", false),
        ("other/*.conf", false), ("x/conf.d/a.conf", false), ("mime.types", true),
        ("conf.d/[ab].conf", true), ("conf.d/?.conf", true), ("conf.d/[ab]*", false),
        ("snippets/given.conf", true), ("/etc/nginx/snippets/given.conf", true),
        ("snippets/*.conf", false), ("snippets/other.conf", false),
    ]

    @Test("an include is followed if all of its files are read", arguments: includes)
    func follows(_ path: String, _ isRead: Bool) throws {
        let text = "http { include \(path); server { server_name a.example; return 301 /x; } }"
        let lost = try Self.lost(
            [(text, .nginx, "nginx.conf")], found: ["old/snippets/given.conf"]
        ).lost.filter { $0.contains("include ") }
        #expect(lost.isEmpty == isRead, "\(lost)")
        #expect(lost.allSatisfy { $0.contains(" read: give ") && $0.contains(" to --from, too") })
    }

    @Test(
        "an include within a host means its place, also if its files were read",
        arguments: [
            ("snippets/given.conf", "was read by itself, for all hosts and paths"),
            ("snippets/other.conf", "\"snippets/other.conf\" was not read: give it to --from, too"),
            ("conf.d/*", "not all of \"conf.d/*\" was read: give its directory to --from, too"),
            ("empty/*.conf", nil), ("fastcgi_params", nil),
        ])
    func includesInHosts(_ path: String, _ reason: String?) throws {
        let files = [
            (
                "server { server_name a.example; include \(path); return 301 https://b.example/; }",
                Migration.Kind.nginx, "a.conf"
            ),
            (
                "<VirtualHost *:443>\nServerName a.example\nInclude \(path)\n"
                    + "Redirect /a https://b.example/\n</VirtualHost>\n", .apache, "b.conf"
            ),
        ]
        for file in files {
            let lost = try Self.lost([file], found: ["snippets/given.conf"]).lost.filter {
                $0.contains(path)
            }
            #expect(lost.count == (reason == nil ? 0 : 1), "\(lost)")
            if let reason { #expect(lost.first?.contains(reason) == true, "\(lost)") }
        }
    }

    @Test(
        "maps, and files of directories with another name, are named",
        arguments: [
            (
                "RewriteMap shop txt:/etc/apache2/shop.txt",
                "the map \"txt:/etc/apache2/shop.txt\" is not read: give its entries"
            ),
            ("AccessFileName .access", "rename them to .htaccess"),
            ("AccessFileName .htaccess", nil),
        ])
    func otherFiles(_ line: String, _ reason: String?) throws {
        let lost = try Self.lost([("\(line)\nRedirect /a https://b.example/\n", .apache, "a.conf")])
            .lost
        #expect(lost.count == (reason == nil ? 0 : 1), "\(lost)")
        if let reason { #expect(lost.first?.contains(reason) == true, "\(lost)") }
    }

    private static let apple =
        #"{"applinks":{"details":[{"appIDs":["W4X7K2M9QH.a.c"],"components":[{"/":"/x"}]}]}}"#

    /// A redirect file, whether the link remains, and whether a line says why it does not.
    static let ownFiles: [(String, Migration.Kind, Bool)] = [
        ("/.well-known/apple-app-site-association https://x.example/a 301", .netlify, false),
        ("/.well-known/assetlinks.json https://x.example/a 301", .netlify, false),
        ("/apple-app-site-association /a 302", .netlify, false),
        ("/.well-known/assetlinks.json/* https://x.example/a 301", .netlify, false),
        ("/assetlinks.json https://x.example/a 301", .netlify, true),
        ("/.well-known/assetlinks.json5 https://x.example/a 301", .netlify, true),
        ("/.well-known/* https://x.example/:splat 301", .netlify, true),
        ("Redirect /apple-app-site-association https://x.example/a", .apache, false),
        (
            "RewriteEngine On\nRewriteRule ^\\.well-known/(apple-app-site-association|assetlinks\\.json)$ "
                + "https://x.example/$1 [R=301]", .apache, false
        ),
        ("location = /apple-app-site-association { return 404; }", .nginx, false),
        ("location = /apple-app-site-association2 { return 404; }", .nginx, true),
    ]

    @Test("an answer for an association file is no link, which a line says", arguments: ownFiles)
    func ownFile(_ text: String, _ kind: Migration.Kind, _ isLink: Bool) throws {
        let name = kind == .apache ? ".htaccess" : "x.conf"
        let written = try Self.lost([
            (Self.apple, .apple, "apple-app-site-association"), (text + "\n", kind, name),
        ])
        let rows = written.text.split(separator: "\n").map { $0.drop { $0 == " " } }
        let isWritten = rows.contains {
            $0.hasPrefix("match: ")
                && ($0.contains("site-association") || $0.contains("assetlinks.json")
                    || $0.contains("well-known"))
        }
        #expect(isWritten == isLink, "\(written.text)")
        let lines = written.lost.filter { $0.contains("Waymark serves ") }
        #expect(lines.isEmpty == isLink, "\(written.lost)")
        #expect(lines.allSatisfy { $0.hasPrefix("\(name):") })
    }

    @Test func `a page for an association file is not needed if the file was read`() throws {
        let page = "/.well-known/apple-app-site-association /aasa.json 200\n"
        let alone = try Self.lost([(page, .netlify, "_redirects")])
        #expect(alone.lost.count == 1 && alone.lost[0].contains("give its content to --from"))
        let both = try Self.lost([
            (Self.apple, .apple, "apple-app-site-association"), (page, .netlify, "_redirects"),
        ])
        #expect(both.lost == [] && both.notNeeded.count == 1, "\(both.lost)")
    }
}
