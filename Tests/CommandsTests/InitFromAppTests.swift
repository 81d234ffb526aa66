import Foundation
import TestSupport
import Testing

@Suite("waymark init --from with apps")
struct InitFromAppTests {
    private static let expo = """
        {"expo": {"name": "Shop", "slug": "shop", "ios": {"bundleIdentifier": "com.example.shop",
        "appleTeamId": "ABCDE12345", "associatedDomains": ["applinks:shop.example.com"]}}}
        """

    private func configuration(_ from: [String], in directory: URL) throws -> String {
        let outcome = try Program.run(["init", "--from"] + from, in: directory)
        let path = directory.appending(path: "waymark.yaml").path
        return FileManager.default.contents(atPath: path).map {
            String(decoding: $0, as: UTF8.self)
        }
            ?? "\(outcome)"
    }

    @Test(
        "the directory of a project is read like its files",
        arguments: [".", "shop", "shop/app.json"])
    func project(_ path: String) throws {
        try inScratchDirectory { directory in
            let place = directory.appending(path: "shop")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data(Self.expo.utf8).write(to: place.appending(path: "app.json"))
            let text = try configuration([path], in: directory)
            #expect(text.contains("ABCDE12345.com.example.shop"), "\(text)")
            #expect(text.contains("shop.example.com"), "\(text)")
        }
    }

    @Test func `association files say more than the project beside them`() throws {
        try inScratchDirectory { directory in
            try Data(Self.expo.utf8).write(to: directory.appending(path: "app.json"))
            let file = #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.other"]}]}}"#
            try Data(file.utf8).write(to: directory.appending(path: "apple-app-site-association"))
            let text = try configuration(["."], in: directory)
            #expect(text.contains("com.example.other"), "\(text)")
            #expect(!text.contains("com.example.shop"), "\(text)")
        }
    }

    @Test func `a directory without a file that is read has a status`() throws {
        try inScratchDirectory { directory in
            try FileManager.default.createDirectory(
                at: directory.appending(path: "empty"), withIntermediateDirectories: true)
            let outcome = try Program.run(["init", "--from", "empty"], in: directory)
            #expect(outcome.status == 66)
            #expect(outcome.messages.contains("no list of redirects and no app"), "\(outcome)")
        }
    }

    @Test func `an environment with an underscore in its name has a host without`() throws {
        try inScratchDirectory { directory in
            for (name, package) in [("my_test", "com.example.test"), ("prod", "com.example.shop")] {
                let place = directory.appending(path: "app/\(name)/.well-known")
                try FileManager.default.createDirectory(
                    at: place, withIntermediateDirectories: true)
                let key = (0..<32).map { _ in "AB" }.joined(separator: ":")
                let statement =
                    #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","#
                    + #""package_name":"\#(package)","sha256_cert_fingerprints":["\#(key)"]}}]"#
                try Data(statement.utf8).write(to: place.appending(path: "assetlinks.json"))
            }
            let text = try configuration(["app"], in: directory)
            #expect(text.contains("my_test:"), "\(text)")
            #expect(text.contains("my-test.localhost"), "\(text)")
        }
    }

    @Test func `an Android app alone brings its paths`() throws {
        try inScratchDirectory { directory in
            let file = repository("Tests/Fixtures/app/files/shop.apk")
            let text = try configuration([file], in: directory)
            #expect(text.contains("match: \"/item/*\""), "\(text)")
            #expect(!text.contains("match: \"*\""), "\(text)")
        }
    }

    @Test func `a wildcard does not say which hosts the site has`() throws {
        try inScratchDirectory { directory in
            let text = Self.expo.replacingOccurrences(of: "shop.example.com", with: "*.example.com")
            try Data(text.utf8).write(to: directory.appending(path: "app.json"))
            let outcome = try Program.run(["init", "--from", "app.json"], in: directory)
            #expect(
                outcome.messages.contains(
                    "not known: which hosts below example.com the site has: give them with --host"),
                "\(outcome)")
            let path = directory.appending(path: "waymark.yaml").path
            let written = FileManager.default.contents(atPath: path).map {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(written?.contains("hosts: [example.com") == false, "\(written ?? "")")
        }
        try inScratchDirectory { directory in
            let text = Self.expo.replacingOccurrences(of: "shop.example.com", with: "*.example.com")
            try Data(text.utf8).write(to: directory.appending(path: "app.json"))
            let outcome = try Program.run(
                ["init", "--host", "www.example.com", "--from", "app.json"], in: directory)
            #expect(!outcome.messages.contains("not known"), "\(outcome)")
        }
    }
}
