import Foundation
import Testing

@Suite("Redirects that never end")
struct RedirectLoopTests {
    /// The links of a site, and the paths of the first redirect that never ends; nil for none.
    static let rows: [(String, String?)] = [
        ("a: {match: /a, web: \"302 https://localhost/a\"}", #""/a", "/a""#),
        ("a: {match: /a, web: \"302 https://localhost/a/\"}", #""/a", "/a/", "/a/""#),
        ("a: {match: /a, web: \"302 http://localhost/a\"}", #""/a", "/a""#),
        ("a: {match: /a, web: {ios: \"https://localhost/a\"}}", #""/a", "/a""#),
        (
            "a: {match: /a, web: \"https://localhost/b\"}\n"
                + "  b: {match: /b, web: \"https://localhost/a\"}", #""/a", "/b", "/a""#
        ),
        (
            "a: {match: /a, web: \"https://localhost/b\"}\n"
                + "  b: {match: /b, web: \"https://localhost/c\"}\n"
                + "  c: {match: /c, web: \"https://localhost/b\"}", #""/a", "/b", "/c", "/b""#
        ),
        (
            "a: {match: /a/*, web: \"https://localhost/b/{1}\"}\n"
                + "  b: {match: /b/*, web: \"https://localhost/a/{1}\"}",
            #""/a/example", "/b/example", "/a/example""#
        ),
        ("a: {match: /a, web: \"https://localhost/x/../a\"}", #""/a", "/a""#),
        ("a: {match: /a, web: \"https://localhost/x/%2E%2e/./a?b=c\"}", #""/a", "/a", "/a""#),
        (
            "a: {match: /a, until: 2020-01-01T00:00:00Z, after: \"https://localhost/a\", "
                + "web: landing}", #""/a", "/a""#
        ),
        (
            "a: {match: /a, until: 2099-01-01T00:00:00Z, after: landing, "
                + "web: \"https://localhost/a\"}", #""/a", "/a""#
        ),
        (
            "a: {match: /a, until: 2020-01-01T00:00:00Z, after: \"https://localhost/b\", "
                + "web: landing}\n"
                + "  b: {match: /b, from: 2020-01-01T00:00:00Z, web: \"https://localhost/a\"}",
            #""/a", "/b", "/a""#
        ),
        (
            "a: {match: /a, until: 2020-01-01T00:00:00Z, after: \"https://localhost/b\", "
                + "web: landing}\n"
                + "  b: {match: /b, until: 2020-01-01T00:00:00Z, web: \"https://localhost/a\", "
                + "after: landing}", nil
        ),
        // No example is the link's own, so its target is.
        (
            "a: {match: /p/*, exclude: /p/e*, web: \"https://localhost/p/x\"}", #""/p/x", "/p/x""#
        ),
        ("a: {match: /p/*, exclude: [/p/e*, /p/x], web: \"https://localhost/p/x\"}", nil),
        (
            "b: {match: /*, exclude: /a, web: \"https://localhost/a\"}\n"
                + "  a: {match: /*, web: not-found, until: 2020-01-01T00:00:00Z, "
                + "after: \"https://localhost/\"}", #""/", "/a", "/""#
        ),
        (
            "b: {match: /*, exclude: /a, web: \"https://localhost/a\"}\n"
                + "  a: {match: /*, web: not-found, until: 2020-01-01T00:00:00Z, "
                + "after: landing}", nil
        ),
        ("a: {match: /a, web: \"https://localhost/x/../b\"}", nil),
        ("a: {match: /a, web: \"https://localhost/b\"}", nil),
        ("a: {match: /a, web: \"https://www.example.com/a\"}", nil),
        ("a: {match: /a, web: \"https://localhost:8443/a\"}", nil),
        // A public file has the path, and comes first.
        ("a: {match: /page.html, web: \"https://localhost/page.html\"}", nil),
        ("a: {match: /docs, web: \"https://localhost/docs/\"}", nil),
    ]

    @Test(
        "are an error for `lint --env` and `serve`, unless a public file ends them", arguments: rows
    )
    func loop(_ links: String, _ paths: String?) throws {
        try expectLoop(links, of: "link \"a\"", paths)
    }

    /// A setting of the environment, and the links that lead to it.
    static let settings: [(String, String, String, String?)] = [
        (
            "change-password: \"https://localhost/pw\"",
            "a: {match: /pw, web: \"https://localhost/.well-known/%63hange-password\"}",
            "link \"a\"", #""/pw", "/.well-known/%63hange-password", "/pw""#
        ),
        (
            "change-password: \"https://localhost/pw\"",
            "a: {match: /p*, exclude: /pw, web: \"https://localhost/.well-known/change-password\"}",
            "", nil
        ),
        (
            "change-password: \"https://www.example.com/pw\"",
            "a: {match: /*, web: \"https://localhost/.well-known/change-password\"}", "", nil
        ),
        (
            "change-password: \"https://localhost/.well-known/%63hange-password\"", "",
            "`change-password`", #""/.well-known/%63hange-password""#
        ),
        // A pattern for all paths is not asked below `/.well-known/`.
        ("unmatched: \"https://localhost/.well-known/x\"", "", "", nil),
        ("", "a: {match: /*, web: \"https://localhost/.well-known/assetlinks.json\"}", "", nil),
        ("", "a: {match: /*, web: \"https://localhost/.well-known/x\"}", "", nil),
        (
            "", "a: {match: /.well-known/x, web: \"https://localhost/.well-known/x\"}",
            "link \"a\"", #""/.well-known/x", "/.well-known/x""#
        ),
    ]

    @Test("and those through names below /.well-known/", arguments: settings)
    func wellKnown(_ setting: String, _ links: String, _ subject: String, _ paths: String?) throws {
        try expectLoop(links, setting, of: subject, paths)
    }

    private func expectLoop(
        _ links: String, _ setting: String = "", of subject: String, _ paths: String?
    ) throws {
        try inScratchDirectory { directory in
            let files = FileManager.default
            try files.createDirectory(
                at: directory.appending(path: "Public/docs"), withIntermediateDirectories: true)
            for name in ["page.html", "docs/index.html"] {
                try Data("<!doctype html><title>x</title>".utf8).write(
                    to: directory.appending(path: "Public/\(name)"))
            }
            let text = """
                version: 1
                apps: {app: {ios: {id: K3W9Q7M2XA.com.example.app}}}
                links:
                  open: {match: "/open/*"}
                  \(links)
                environments:
                  dev:
                    hosts: [localhost]
                    tls: {certificate: certs/dev.pem, key: certs/dev.key}
                    publish: {app: [open]}
                    \(setting)

                """
            try Data(text.utf8).write(to: directory.appending(path: "waymark.yaml"))
            _ = try Program.run(["init", "--certificates-only"], in: directory)
            let lint = try Program.run(["lint", "--env", "dev", "waymark.yaml"], in: directory)
            guard let paths else {
                #expect(!lint.output.contains("redirect-loop"), "\(lint)")
                return
            }
            #expect(lint.status != 0)
            #expect(lint.output.contains("error: \(subject)"), "\(lint)")
            #expect(lint.output.contains("[redirect-loop]"), "\(lint)")
            guard !lint.output.contains("redirect again, so browsers") else { return }
            #expect(lint.output.contains(paths), "\(lint)")
            let served = try Program.run(
                ["serve", "--env", "dev", "--https", "127.0.0.1:0", "--http", "off"],
                in: directory)
            #expect(served.status == 78, "\(served)")
            #expect(served.messages.contains("[redirect-loop]"), "\(served)")
        }
    }

    /// `lint` finds it by its template, and by walking it as a start does.
    @Test func `one is said once, where it is written`() throws {
        try inScratchDirectory { directory in
            let lines = [
                "version: 1", "apps: {app: {ios: {id: K3W9Q7M2XA.com.example.app}}}", "links:",
                "  open: {match: \"/open/*\"}",
                "  x: {match: /x/*, web: \"https://localhost/x/y/{1}\"}", "environments:", "  dev:",
                "    hosts: [localhost]",
                "    tls: {certificate: certs/dev.pem, key: certs/dev.key}",
                "    publish: {app: [open]}", "    unmatched: \"https://localhost{path}\"", "",
            ]
            try FileManager.default.createDirectory(
                at: directory.appending(path: "Public"), withIntermediateDirectories: true)
            try Data(lines.joined(separator: "\n").utf8).write(
                to: directory.appending(path: "waymark.yaml"))
            _ = try Program.run(["init", "--certificates-only"], in: directory)
            let lint = try Program.run(["lint", "--env", "dev", "waymark.yaml"], in: directory)
            let found = lint.output.split(separator: "\n").filter {
                $0.contains("[redirect-loop]")
            }
            #expect(found.count == 2, "\(lint)")
            #expect(found.first?.hasPrefix("waymark.yaml:5:") == true, "\(lint)")
            #expect(found.last?.hasPrefix("waymark.yaml:11:16: ") == true, "\(lint)")
        }
    }
}
