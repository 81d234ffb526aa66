import Foundation
import Testing

@Suite("waymark init --from")
struct InitFromTests {
    private static let key = Array(repeating: "A1", count: 31).joined(separator: ":") + ":B2"

    private static func apple(_ details: String, _ more: String = "") -> String {
        #"{"applinks":{"details":[\#(details)]}\#(more)}"#
    }

    private static func statement(_ package: String, _ more: String = "", login: Bool = false)
        -> String
    {
        let relation = login ? "get_login_creds" : "handle_all_urls"
        return """
            {"relation":["delegate_permission/common.\(relation)"],"target":{"namespace":\
            "android_app","package_name":"\(package)","sha256_cert_fingerprints":["\(key)"]}\(more)}
            """
    }

    /// Files, by their names, whose configuration means exactly the same.
    static let same: [[String: String]] = [
        [
            "apple-app-site-association": apple(
                #"{"appIDs":["W4X7K2M9QH.a.b"],"components":[{"/":"/x/*"}]}"#)
        ],
        [
            "apple-app-site-association": apple(
                #"{"appIDs":["W4X7K2M9QH.a.b","W4X7K2M9QH.a.c"],"components":["#
                    + #"{"/":"/x/n/*","exclude":true},{"/":"/x/*"},{"/":"/y/z","exclude":true},"#
                    + ##"{"/":"/y/?*","?":{"q":"1*"},"#":"top"},{"#":"nav*","caseSensitive":false}]}"##
            )
        ],
        [
            "apple-app-site-association": apple(
                #"{"appID":"W4X7K2M9QH.a.b","paths":["NOT /a/*","/a*","*"]}"#,
                #","webcredentials":{"apps":["W4X7K2M9QH.a.b","W4X7K2M9QH.a.z"]},"#
                    + #""appclips":{"apps":["W4X7K2M9QH.a.b.Clip"]}"#)
        ],
        ["apple-app-site-association": apple(#"{"appIDs":["W4X7K2M9QH.a.b"]}"#)],
        [
            "apple-app-site-association":
                #"{"applinks":{"substitutionVariables":{"f":["a","b*"],"g":["1","2"]},"#
                + #""defaults":{"percentEncoded":false},"details":[{"appIDs":["W4X7K2M9QH.a.b"],"#
                + #""components":[{"/":"/$(f)/$(g)/é"}]}]}}"#
        ],
        ["apple-app-site-association": #"{"webcredentials":{"apps":["W4X7K2M9QH.a.b"]}}"#],
        ["assetlinks.json": "[\(statement("com.example.shop"))]"],
        ["assetlinks.json": "[\(statement("com.example.shop", login: true))]"],
        [
            "assetlinks.json":
                "["
                + statement(
                    "com.example.shop",
                    #","relation_extensions":{"delegate_permission/common.handle_all_urls":"#
                        + #"{"dynamic_app_link_components":[{"/":"/x/*","?":{"a":"b"}},"#
                        + #"{"/":"*","exclude":true}]}}"#) + "]"
        ],
        [
            "apple-app-site-association": apple(
                #"{"appIDs":["W4X7K2M9QH.com.example.shop"],"components":[{"/":"/x/*"}]}"#),
            "assetlinks.json": "[\(statement("com.example.shop"))]",
        ],
    ]

    @Test("association files are published again with the same meaning", arguments: same)
    func means(_ files: [String: String]) throws {
        try migrated(files) { directory, outcome in
            #expect(outcome.status == 0, "\(outcome)")
            #expect(!outcome.messages.contains("differences"), "\(outcome.messages)")
            #expect(!outcome.messages.contains("not translated"), "\(outcome.messages)")
            for name in files.keys {
                let diff = try Program.run(
                    ["diff", "old/\(name)", "waymark.yaml"], in: directory)
                #expect(diff.status == 0, "\(diff)")
            }
            // The certificate has every host.
            let lint = try Program.run(["lint", "--env", "dev", "waymark.yaml"], in: directory)
            #expect(lint.status == 0, "\(lint)")
            #expect(try Program.run(["test"], in: directory).status == 0)
        }
    }

    private func migrated(
        _ files: [String: String], _ arguments: [String] = ["--from", "old"],
        _ body: (URL, Program.Outcome) throws -> Void
    ) throws {
        try inScratchDirectory { directory in
            for (name, text) in files {
                let file = directory.appending(path: "old/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            try body(directory, try Program.run(["init"] + arguments, in: directory))
        }
    }

    /// A file with something that has no equal, and what is printed.
    static let different: [(String, String, [String])] = [
        (
            "apple-app-site-association",
            apple(#"{"appIDs":["SHORT.a.b","W4X7K2M9QH.a.c"],"components":[{"/":"/x"}]}"#),
            [
                "not translated: old/apple-app-site-association:1: \"SHORT.a.b\": App ID prefix",
                "app SHORT.a.b is gone",
            ]
        ),
        (
            "apple-app-site-association",
            apple(#"{"appIDs":["W4X7K2M9QH.a.c"],"components":[{"/":"x"},{"/":"/y"}]}"#),
            ["not translated: old/apple-app-site-association:1: \"x\": pattern \"x\" must begin"]
        ),
        (
            "assetlinks.json",
            "[\(statement("a.b").replacing(":B2\"]", with: ":B2\",\"AB:CD\"]")),{\"include\":\"https://x.example/\"}]",
            [
                "includes are not followed; give the file, too", "key AB:CD is gone",
                "fingerprint \"AB:CD\" has 2 octets, must have 32",
            ]
        ),
    ]

    @Test(
        "what has no equal is a comment with file and line, and a difference", arguments: different)
    func differs(_ name: String, _ text: String, _ lines: [String]) throws {
        try migrated([name: text]) { directory, outcome in
            #expect(outcome.status == 1, "\(outcome)")
            for line in lines {
                #expect(outcome.messages.contains(line), "\(line) is not in \(outcome.messages)")
            }
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            for line in outcome.messages.split(separator: "\n") {
                let comment = line.split(separator: "waymark: not translated: ").first ?? ""
                guard line.hasPrefix("waymark: not translated: ") else { continue }
                #expect(written.contains("# - \(comment)\n"))
            }
        }
    }

    @Test func `a directory becomes one configuration, with hosts and environments of its files`()
        throws
    {
        let app = Self.apple(#"{"appIDs":["W4X7K2M9QH.a.b"],"components":[{"/":"/x/*"}]}"#)
        let files = [
            "prod/.well-known/apple-app-site-association": app,
            "dev/apple-app-site-association": app.replacing("/x/*", with: "/x/*\"},{\"/\":\"/new"),
            "nginx/site.conf":
                "server { server_name links.example.com; location = /o { return 302 https://n.example/; } }",
            "site/_redirects": "/p https://q.example/ 302",
            "node/package.json": "{}", "README.md": "x",
        ]
        try migrated(files) { directory, outcome in
            #expect(outcome.status == 0, "\(outcome)")
            #expect(!outcome.messages.contains("differences"), "\(outcome.messages)")
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            for text in ["  dev:\n", "  prod:\n", "hosts: [links.example.com]", "/o\n", "/p\n"] {
                #expect(written.contains(text), "\(text) is not in \(written)")
            }
            for name in ["prod", "dev"] {
                let lint = try Program.run(["lint", "--env", name, "waymark.yaml"], in: directory)
                #expect(lint.status == 0, "\(lint)")
            }
            let again = try Program.run(["init", "--from", "old"], in: directory)
            #expect(again.status == 1)
            #expect(
                again.messages
                    == "waymark: error: waymark.yaml exists, and is not replaced; rename "
                    + "it, or run this in another directory, and copy what you need\n")
        }
    }

    /// Files, and what `init` says of them, with its exit status.
    static let statuses: [([String: String], Int32, [String])] = [
        (["_redirects": "/a https://x.example/ 302\n"], 0, []),
        (
            ["_redirects": "/a https://x.example/ 302\n/b /c 302 Country=at\n"], 1,
            ["not translated: old/_redirects:2: \"/b /c 302 Country=at\"", "waymark.yaml lacks"]
        ),
        (
            ["_redirects": "/docs /docs/ 301\n"], 1,
            ["it would redirect for ever (/docs, /docs/", "nothing was written"]
        ),
        (
            ["site.conf": "server {\n  listen 80;\n  return 301 /b\n}\n"], 78,
            ["old/site.conf:3:14: error: \"return 301 /b\" does not end\n    write ; behind it"]
        ),
        (
            ["site.conf": "location /app/ {\n  proxy_pass http://b;\n  proxy_redirect off;\n}\n"],
            1,
            ["not translated: old/site.conf:1: \"location /app/\"", "nothing was written"]
        ),
        (
            ["public/shop/.htaccess": "RewriteEngine On\nRewriteRule ^a$ https://x.example/ [R]\n"],
            0, ["read old/public/shop/.htaccess (redirects of Apache), for paths below /shop/"]
        ),
        (
            ["apple-app-site-association": #"{"appclips":{"apps":["W4X7K2M9QH.a.b.Clip"]}}"#], 0, []
        ),
    ]

    @Test("the exit status says whether everything was translated", arguments: statuses)
    func status(_ files: [String: String], _ status: Int32, _ lines: [String]) throws {
        try migrated(files) { directory, outcome in
            #expect(outcome.status == status, "\(outcome)")
            for line in lines { #expect(outcome.messages.contains(line), "\(outcome.messages)") }
            let file = directory.appending(path: "waymark.yaml").path
            let isWritten = !lines.contains("nothing was written") && status != 78
            #expect(FileManager.default.fileExists(atPath: file) == isWritten)
            guard isWritten else { return }
            let lint = try Program.run(["lint", "--env", "dev", "waymark.yaml"], in: directory)
            #expect(lint.status == 0, "\(lint)")
        }
    }

    @Test func `an App Clip alone is of the app that its identifier names`() throws {
        let file = #"{"appclips":{"apps":["W4X7K2M9QH.a.b.Clip"]}}"#
        try migrated(["apple-app-site-association": file]) { directory, outcome in
            #expect(!outcome.messages.contains("differences"), "\(outcome.messages)")
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            #expect(written.contains("id: W4X7K2M9QH.a.b\n      clip: W4X7K2M9QH.a.b.Clip\n"))
            #expect(!written.contains("  example:"), "\(written)")
        }
    }

    @Test func `a redirect of the root is not hidden by a first page`() throws {
        try migrated(["_redirects": "/ https://x.example/ 302\n"]) { directory, outcome in
            #expect(outcome.status == 0, "\(outcome)")
            let page = directory.appending(path: "Public/index.html").path
            #expect(!FileManager.default.fileExists(atPath: page))
            let explained = try Program.run(
                ["explain", "https://localhost/", "--env", "dev", "--as", "desktop-chrome"],
                in: directory)
            #expect(explained.output.contains("https://x.example/"), "\(explained)")
        }
        try migrated(["_redirects": "/x https://x.example/ 302\n"]) { directory, _ in
            let page = directory.appending(path: "Public/index.html").path
            #expect(FileManager.default.fileExists(atPath: page))
        }
    }

    @Test func `several hosts become sites that can be served`() throws {
        let nginx = """
            server { server_name a.example www.a.example; return 301 https://b.example$request_uri; }
            server { server_name b.example; location = /x { return 302 https://x.example/; } }
            """
        try migrated(Self.bothSystems.merging(["site.conf": nginx]) { $1 }) { directory, outcome in
            #expect(outcome.status == 0, "\(outcome)")
            for name in ["prod", "dev"] {
                let lint = try Program.run(["lint", "--env", name], in: directory)
                #expect(lint.status == 0, "\(lint)")
            }
            for (url, target) in [
                ("https://a.example/p", "https://b.example/p"),
                ("https://b.example/x", "https://x.example/"),
            ] {
                let explained = try Program.run(
                    ["explain", url, "--env", "prod", "--as", "desktop-chrome"], in: directory)
                #expect(explained.output.contains(target), "\(explained)")
            }
        }
    }

    @Test func `environments of directories have hosts of their own`() throws {
        let app = Self.apple(#"{"appIDs":["W4X7K2M9QH.a.b"],"components":[{"/":"/x/*"}]}"#)
        let files = [
            "prod/apple-app-site-association": app, "staging/apple-app-site-association": app,
            "_redirects": "https://links.example.com/a https://x.example/ 302\n",
        ]
        try migrated(files) { directory, outcome in
            #expect(outcome.status == 0, "\(outcome)")
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            #expect(written.contains("  prod:\n    hosts: [links.example.com]\n"), "\(written)")
            #expect(
                written.contains("    hosts: [\"staging.localhost\"]  #")
                    || written.contains(
                        "    hosts: [staging.localhost]  #"),
                "\(written)")
        }
    }

    @Test func `a directory that is too deep does not end the search in others`() throws {
        let names = (0..<12).map { "d\($0)" }
        var files = ["d3/1/2/3/4/5/6/7/x.conf": "server { server_name z.example; return 301 /z; }"]
        for name in names {
            files["\(name)/x.conf"] =
                "server { server_name \(name).example; return 301 https://x.example/; }"
        }
        try migrated(files) { _, outcome in
            #expect(outcome.status == 0, "\(outcome)")
            for name in names {
                #expect(outcome.messages.contains("/\(name)/x.conf (redirects"), "\(outcome)")
            }
            #expect(!outcome.messages.contains("/7/x.conf"))
        }
    }

    private static let bothSystems = [
        "apple-app-site-association": apple(
            #"{"appIDs":["W4X7K2M9QH.com.example.shop"],"components":[{"/":"/x/*"}]}"#),
        "assetlinks.json": "[\(statement("com.example.shop"))]",
    ]

    @Test func `files that name a host become prod for it, and dev for this machine`() throws {
        let nginx =
            "server { server_name links.example.com www.example.com; location = /o "
            + "{ return 302 https://n.example/; } }"
        try migrated(Self.bothSystems.merging(["site.conf": nginx]) { $1 }) { directory, outcome in
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.messages.contains("waymark serve --env dev\n"))
            #expect(outcome.messages.contains("https://localhost:8443/.well-known/"))
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            #expect(written.contains("  prod:\n    hosts: [links.example.com, www.example.com]\n"))
            #expect(written.contains("    extends: prod\n    hosts: [localhost]\n"))
            // The statement without rules has no link that nothing publishes.
            #expect(!written.contains("match: \"*\""), "\(written)")
            for name in ["prod", "dev"] {
                let lint = try Program.run(["lint", "--env", name], in: directory)
                #expect(lint.status == 0 && !lint.output.contains("error"), "\(lint)")
            }
            let tests = try Program.run(["test"], in: directory)
            #expect(tests.output.contains("1 passed, 0 failed"), "\(tests)")
        }
    }

    @Test func `the comment with prod works when it is made an environment`() throws {
        func addProd(_ directory: URL) throws {
            let file = directory.appending(path: "waymark.yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let added = lines.map { line in
                line.hasPrefix("  # prod:") || line.hasPrefix("  #   ")
                    ? "  " + line.dropFirst("  # ".count) : line
            }.joined(separator: "\n")
            #expect(added.contains("\n  prod:") && added.contains("\n    extends: dev\n"))
            try added.write(to: file, atomically: true, encoding: .utf8)
            let certificates = try Program.run(["init", "--certificates-only"], in: directory)
            #expect(certificates.status == 0, "\(certificates)")
            for name in ["prod", "dev"] {
                let lint = try Program.run(["lint", "--env", name], in: directory)
                #expect(lint.status == 0, "\(lint)")
            }
            let tests = try Program.run(["test"], in: directory)
            #expect(tests.output.contains("1 passed, 0 failed"), "\(tests)")
        }
        try migrated(Self.bothSystems) { directory, _ in try addProd(directory) }
        try inScratchDirectory { directory in
            #expect(try Program.run(["init"], in: directory).status == 0)
            try addProd(directory)
        }
    }

    @Test(
        "files of a directory such as sites-enabled have any name, also in the one that is named",
        arguments: [("sites-enabled", 0), ("sites", 66)] as [(String, Int32)])
    func enabledSites(_ name: String, _ status: Int32) throws {
        let server =
            "server { server_name a.example; location = /a { return 301 https://b.example/; } }\n"
        try migrated(
            ["\(name)/shop": server, "\(name)/shop.bak": "x"],
            ["--from", "old/\(name)/", "--host", "a.example"]
        ) { _, outcome in
            #expect(outcome.status == status, "\(outcome)")
        }
    }

    static let refused: [([String], Int32)] = [
        (["--from", "no-such-file"], 66), (["--from", "empty"], 66), (["--from", "text"], 78),
        (["--from", "old", "--certificates-only"], 64), (["--from"], 64),
        (["--from", "old", "--theme", "t"], 64),
    ]

    @Test("what is no file of links writes nothing", arguments: refused)
    func refuses(_ arguments: [String], _ status: Int32) throws {
        try inScratchDirectory { directory in
            try FileManager.default.createDirectory(
                at: directory.appending(path: "empty"), withIntermediateDirectories: true)
            try Data("Hello".utf8).write(to: directory.appending(path: "text"))
            let outcome = try Program.run(["init"] + arguments, in: directory)
            #expect(outcome.status == status, "\(outcome)")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(Set(names) == ["empty", "text"])
        }
    }
}
