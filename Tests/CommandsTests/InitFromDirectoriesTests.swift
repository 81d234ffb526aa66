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
}
