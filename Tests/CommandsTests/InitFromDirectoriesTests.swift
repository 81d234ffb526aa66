import Foundation
import Testing

/// Directories of servers: symbolic links, and files that belong to others.
@Suite struct InitFromDirectoriesTests {
    @Test(
        "links of a directory are read, also if they lead out of it, and one to nothing is named",
        arguments: [
            ("sites-enabled", "shop", "../sites-available/shop", 0),
            ("sites-enabled", "shop", "../sites-available/gone", 66),
            ("conf.d", "shop.conf", "../sites-available/shop", 0),
            ("conf.d", "shop", "../sites-available/shop", 66),
            ("etc", "sites-enabled/shop", "../../sites-available/shop", 0),
        ] as [(String, String, String, Int32)])
    func linkedSites(_ name: String, _ link: String, _ target: String, _ status: Int32) throws {
        try inScratchDirectory { directory in
            func make(_ name: String) throws {
                try FileManager.default.createDirectory(
                    at: directory.appending(path: name), withIntermediateDirectories: true)
            }
            try make("sites-available")
            try Data(
                "server { server_name a.example; location = /a { return 301 https://b.example/; } }\n"
                    .utf8
            ).write(to: directory.appending(path: "sites-available/shop"))
            let path = directory.appending(path: "\(name)/\(link)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: path.path, withDestinationPath: target)
            let outcome = try Program.run(
                ["init", "--from", name, "--host", "a.example"], in: directory)
            #expect(outcome.status == status, "\(outcome)")
            let isNamed = outcome.messages.contains("not read: \(name): \"\(link)\" is")
            #expect(isNamed == target.hasSuffix("gone"), "\(outcome)")
            #expect(outcome.messages.contains("read \(name)/\(link) ") == (status == 0))
        }
    }

    private static let server =
        "server { server_name a.example; location = /a { return 301 https://b.example/; } }\n"
    private static let site = "a.example {\n\tredir /a https://b.example/\n}\n"

    /// Files of a directory; whether the last one redirects all paths of the site.
    static let parts: [([(String, String)], Bool)] = [
        ([("a.conf", server), ("part.conf", "return 410;\n")], false),
        ([("a.conf", server), ("part.conf", "rewrite ^(.*)$ https://x.example/;\n")], false),
        ([("a.conf", server), ("part.conf", "server { return 410; }\n")], false),
        (
            [
                ("a.conf", server),
                ("part.conf", "server { server_name a.example c.example; return 410; }\n"),
            ],
            true
        ),
        ([("part.conf", "return 410;\n")], true),
        ([("Caddyfile", site), ("part.caddy", "redir * https://x.example/\n")], false),
        ([("part.caddy", "redir * https://x.example/\n")], true),
        (
            [
                ("sites-enabled/a", server),
                ("conf-enabled/x.conf", "Redirect /x https://b.example/\n"),
                ("conf-available/part.conf", "Redirect gone /\n"),
            ], false
        ),
        (
            [("sites-enabled/a", server), ("conf-enabled/part.conf", "Redirect gone /\n")], true
        ),
    ]

    @Test("what no host is known to include is not done for all paths", arguments: parts)
    func part(_ files: [(String, String)], _ isForAll: Bool) throws {
        try inScratchDirectory { directory in
            for (name, text) in files {
                let file = directory.appending(path: "old/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            let outcome = try Program.run(
                ["init", "--from", "old", "--host", "a.example"], in: directory)
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            #expect(written.contains("\"/*\"") == isForAll, "\(outcome)\n\(written)")
            let isListed = outcome.messages.contains("the file names no host")
            let isRead = files.last.map { !$0.0.contains("available") } ?? false
            #expect(isListed == (!isForAll && isRead), "\(outcome)")
        }
    }

    @Test(
        "what is put aside, and the schema that init writes, are not read",
        arguments: [
            ("sites-enabled.bak/old.conf", false, 0), ("sites-enabled/old.conf", true, 0),
            ("conf.d.old/a/old.conf", false, 0), ("backup/old.conf", true, 0),
            // These may count: nobody can tell from the name alone.
            ("sites-enabled/shop.bak", false, 1), ("sites-enabled-2024/old", false, 1),
            ("old.sites-enabled/old.conf", false, 1), ("my-conf.d/old.conf", true, 0),
            ("sites-enabled-ssl/old", true, 0),
            ("conf.d/shop.bak", false, 0),
            ("sites-disabled/old.conf", false, 1), ("sites-available-2024/old.conf", false, 0),
            ("backup/sites-enabled/old", false, 1), ("shared/sites-enabled/old", true, 0),
            ("sites-enabled/shop.bak.d/old.conf", false, 1),
            ("sites-enabled/shop.d/old.conf", true, 0), ("conf.d/2024/old.conf", true, 0),
            ("conf.d/old.example.com/old.conf", true, 0),
            ("conf.d/redirects-2024/old.conf", true, 0),
            ("conf.d/tmp/old.conf", true, 0),
        ] as [(String, Bool, Int32)])
    func aside(_ name: String, _ isRead: Bool, _ status: Int32) throws {
        try inScratchDirectory { directory in
            // The name of the directory itself says nothing.
            for (name, text) in [
                ("sites-enabled/shop", Self.server),
                (name, Self.server.replacing("/a", with: "/old")),
                ("waymark.schema.json", #"{"properties": {"relation": {"applinks": {}}}}"#),
            ] {
                let file = directory.appending(path: "www.bak/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            let outcome = try Program.run(
                ["init", "--from", "www.bak", "--host", "a.example"], in: directory)
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            #expect(written.contains("/a\n") && written.contains("/old") == isRead, "\(written)")
            #expect(
                outcome.status == status && !outcome.messages.contains("schema.json ("),
                "\(outcome)")
            #expect(outcome.messages.contains("not read: www.bak/") == (status != 0), "\(outcome)")
            guard status != 0 else { return }
            // What is named counts.
            try FileManager.default.removeItem(at: directory.appending(path: "waymark.yaml"))
            let parts = name.components(separatedBy: "/")
            let isIn = name.contains("enabled/shop.bak")
            let place = parts.prefix(isIn ? 2 : 1).joined(separator: "/")
            let both = try Program.run(
                ["init", "--from", "www.bak", "www.bak/\(place)", "--host", "a.example"],
                in: directory)
            #expect(both.status == 0 && both.messages.contains("read www.bak/\(name) ("), "\(both)")
        }
    }

    @Test(
        "a link to a directory elsewhere is named where servers read its files",
        arguments: [
            ("nginx/sites-enabled", ["nginx"], 1), ("nginx/conf.d", ["nginx"], 1),
            ("nginx/latest", ["nginx"], 0),
            ("nginx/sites-enabled", ["nginx", "nginx/sites-enabled"], 0),
            ("nginx/sites-enabled", ["."], 0),
        ] as [(String, [String], Int32)])
    func linkedDirectory(_ link: String, _ paths: [String], _ status: Int32) throws {
        try inScratchDirectory { directory in
            for (name, text) in [
                ("rel/v1/shop", Self.server.replacing("/a", with: "/linked")),
                ("nginx/x.conf", Self.server),
            ] {
                let file = directory.appending(path: "in/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            try FileManager.default.createSymbolicLink(
                atPath: directory.appending(path: "in/\(link)").path,
                withDestinationPath: "../rel/v1")
            let outcome = try Program.run(
                ["init", "--from"] + paths.map { "in/\($0)" } + ["--host", "a.example"],
                in: directory)
            #expect(outcome.status == status, "\(outcome)")
            let isNamed = outcome.messages.contains("not read: in/nginx: \"")
            #expect(isNamed == (status == 1), "\(outcome)")
        }
    }

    @Test(
        "a copy that is read all the same is not named as unread",
        arguments: [
            (true, "sites-enabled"), (false, "conf.d/old"), (false, "/etc/nginx/conf.d/old"),
            (false, "conf.d/*"),
            (false, nil),
        ] as [(Bool, String?)])
    func readCopy(_ isLink: Bool, _ included: String?) throws {
        try inScratchDirectory { directory in
            let copy = isLink ? "sites-enabled-2024" : "conf.d/old"
            for (name, text) in [
                ("\(copy)/x.conf", Self.server.replacing("/a", with: "/old")),
                ("conf.d/y.conf", Self.server),
                (
                    "nginx.conf",
                    "http { include conf.d/*.conf;"
                        + (included.map { " include \($0)/*.conf;" } ?? "") + " }\n"
                ),
            ] {
                let file = directory.appending(path: "nginx/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            let link = directory.appending(path: "nginx/sites-enabled")
            if isLink {
                try FileManager.default.createSymbolicLink(
                    atPath: link.path, withDestinationPath: "sites-enabled-2024")
            }
            let outcome = try Program.run(
                ["init", "--from", "nginx"] + (included == nil ? ["nginx/\(copy)"] : [])
                    + ["--host", "a.example"], in: directory)
            #expect(outcome.status == 0 && !outcome.messages.contains("not read"), "\(outcome)")
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            #expect(written.contains("/old"), "\(written)")
        }
    }

    @Test(
        "what only looks like an include leaves a copy a copy",
        arguments: [
            ("nginx.conf", "http { include conf.d/*.conf; # include conf.d/old/*.conf;\n}\n"),
            ("nginx.conf", "# include conf.d/old/*.conf;\nhttp { include conf.d/*.conf; }\n"),
            ("package.json", #"{"note": "we include conf.d/old/*.conf;"}"#),
            ("sites-available/off.conf", "include conf.d/old/*.conf;\n"),
        ])
    func notIncluded(_ name: String, _ text: String) throws {
        try inScratchDirectory { directory in
            for (name, text) in [
                ("conf.d/old/x.conf", Self.server.replacing("/a", with: "/old")),
                ("conf.d/y.conf", Self.server), ("sites-enabled/z", Self.server), (name, text),
            ] {
                let file = directory.appending(path: "nginx/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            let outcome = try Program.run(
                ["init", "--from", "nginx", "--host", "a.example"], in: directory)
            #expect(
                outcome.status == 1 && outcome.messages.contains("not read: nginx/conf.d/old"),
                "\(outcome)")
        }
    }

    @Test(
        "a second directory of a server, beside the first, is a copy with a date",
        arguments: [("nginx-2024", 1), ("nginx.old", 0), ("nginx2", 0), ("nginx-ssl", 0)]
            as [(String, Int32)])
    func secondServer(_ name: String, _ status: Int32) throws {
        try inScratchDirectory { directory in
            for (place, text) in [
                ("nginx", Self.server), (name, Self.server.replacing("/a", with: "/old")),
            ] {
                let sites = directory.appending(path: "etc/\(place)/sites-enabled")
                try FileManager.default.createDirectory(
                    at: sites, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: sites.appending(path: "shop"))
            }
            let outcome = try Program.run(
                ["init", "--from", "etc", "--host", "a.example"], in: directory)
            #expect(outcome.status == status, "\(outcome)")
            let isNamed = outcome.messages.contains("not read: etc/\(name): its name is that of a")
            #expect(isNamed == (status == 1), "\(outcome)")
        }
    }

    @Test(
        "a JSON Schema of a server's file is not such a file",
        arguments: [
            (
                #"{"properties":{"hosting":{"redirects":[{"source":"/a","destination":"/b"}]}}}"#,
                false
            ),
            (#"{"hosting":{"type": "object","redirects":[]}}"#, false),
            (#"{"applinks":{"type" : "object"}}"#, false),
            (##"{"applinks":{"$ref":"#/a"},"webcredentials":{"$ref":"#/b"}}"##, false),
            (
                #"{"hosting":{"redirects":[{"source":"/a","destination":"https://b.example/","type":301}]}}"#,
                true
            ),
        ])
    func schemas(_ text: String, _ isRead: Bool) throws {
        try inScratchDirectory { directory in
            let place = directory.appending(path: "old")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: place.appending(path: "some.json"))
            let outcome = try Program.run(
                ["init", "--from", "old", "--host", "a.example"], in: directory)
            #expect(outcome.messages.contains("read old/some.json") == isRead, "\(outcome)")
        }
    }

    @Test(
        "directories of packages are passed over, and one line says so",
        arguments: [
            (["node_modules/x", "vendor/y", "public"], "node_modules and 1 more"),
            (["venv/x", "public"], "venv"), (["modules/x", "public"], nil),
            (["src/vendor", "public"], nil),
        ])
    func packages(_ directories: [String], _ named: String?) throws {
        try inScratchDirectory { directory in
            for name in directories {
                let place = directory.appending(path: "old/\(name)")
                try FileManager.default.createDirectory(
                    at: place, withIntermediateDirectories: true)
                try Data("/\(name) https://x.example/ 301\n".utf8).write(
                    to: place.appending(path: "_redirects"))
            }
            let outcome = try Program.run(["init", "--from", "old"], in: directory)
            let text = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            #expect(
                text.contains("/public") && text.contains("/\(directories[0])") == (named == nil))
            let lines = outcome.messages.split(separator: "\n").filter {
                $0.contains("passed over")
            }
            #expect(lines.count == (named == nil ? 0 : 1), "\(outcome)")
            if let named {
                #expect(lines.first?.contains(": passed over: old/\(named), ") == true, "\(lines)")
            }
        }
    }

    @Test func `a .htaccess of documents elsewhere is named, unless it was read`() throws {
        try inScratchDirectory { directory in
            let documents = directory.appending(path: "www")
            try FileManager.default.createDirectory(
                at: documents, withIntermediateDirectories: true)
            try Data(
                "<VirtualHost *:443>\nServerName a.example\nDocumentRoot \"\(documents.path)\"\n"
                    .appending("Redirect /a https://b.example/\n</VirtualHost>\n").utf8
            ).write(to: directory.appending(path: "site.conf"))
            func run(_ paths: String...) throws -> Program.Outcome {
                try? FileManager.default.removeItem(at: directory.appending(path: "waymark.yaml"))
                return try Program.run(["init", "--from"] + paths, in: directory)
            }
            #expect(try run("site.conf").status == 0)
            try Data("Redirect /b https://b.example/\n".utf8).write(
                to: documents.appending(path: ".htaccess"))
            let outcome = try run("site.conf")
            #expect(outcome.status == 1)
            #expect(
                outcome.messages.contains(
                    "not read: \(documents.path)/.htaccess, which counts for site.conf:3: give "),
                "\(outcome)")
            #expect(try !run("site.conf", "www").messages.contains("not read"))
        }
    }

    @Test func `an app for Android without a key has a place for it`() throws {
        try inScratchDirectory { directory in
            for (name, text) in [
                ("build.gradle", "android { defaultConfig { applicationId 'com.example.shop' } }"),
                ("translators.csv", "language,people\nGerman,Anna\n"),
                (
                    "src/main/AndroidManifest.xml",
                    """
                    <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
                    <activity android:name=".Main" android:exported="true"><intent-filter android:autoVerify="true">
                    <action android:name="android.intent.action.VIEW"/>
                    <category android:name="android.intent.category.DEFAULT"/>
                    <category android:name="android.intent.category.BROWSABLE"/>
                    <data android:scheme="https" android:host="shop.example.com"/></intent-filter></activity>
                    </application></manifest>
                    """
                ),
            ] {
                let file = directory.appending(path: "app/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            let outcome = try Program.run(["init", "--from", "app"], in: directory)
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.messages.contains("to complete: sha256 in waymark.yaml"), "\(outcome)")
            #expect(
                outcome.messages.contains("not read: app/translators.csv: no destinations"),
                "\(outcome)")
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            for part in ["package: com.example.shop\n", "- \"00:00:", "hosts: [shop.example.com]"] {
                #expect(written.contains(part), "\(written)")
            }
            let lint = try Program.run(["lint", "waymark.yaml"], in: directory)
            #expect(lint.output.contains("[fingerprint-placeholder]"), "\(lint)")
        }
    }
}
