import Foundation
import Testing

/// Symbolic links in a directory of `init --from`.
@Suite struct InitFromLinksTests {
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
            let isNamed = outcome.messages.contains("not read: \(name): \(link) is")
            #expect(isNamed == target.hasSuffix("gone"), "\(outcome)")
            #expect(outcome.messages.contains("read \(name)/\(link) ") == (status == 0))
        }
    }
}
