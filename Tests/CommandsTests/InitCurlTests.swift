import Foundation
import Testing

/// The line with which a new site is tried.
@Suite("waymark init, the curl line")
struct InitCurlTests {
    private static let apple =
        #"{"applinks":{"details":[{"appIDs":["W4X7K2M9QH.a.b"],"components":[{"/":"/x/*"}]}]}}"#
    private static let android = """
        [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {
        "namespace": "android_app", "package_name": "com.example.shop",
        "sha256_cert_fingerprints": ["KEY"]}}]
        """.replacing("KEY", with: Array(repeating: "A1", count: 31).joined(separator: ":") + ":B2")

    @Test(
        "it asks for what the site has",
        arguments: [
            (["assetlinks.json": android], "/.well-known/assetlinks.json"),
            (
                ["assetlinks.json": android, "apple-app-site-association": apple],
                "/.well-known/apple-app-site-association"
            ),
            (
                ["_redirects": "/old/* https://www.example.com/new/:splat 301\n"],
                "/.well-known/apple-app-site-association"
            ),
        ])
    func triedPath(files: [String: String], path: String) throws {
        try inScratchDirectory { directory in
            let old = directory.appending(path: "old")
            try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
            for (name, text) in files {
                try Data(text.utf8).write(to: old.appending(path: name))
            }
            let outcome = try Program.run(
                ["init", "--from", "old", "--host", "a.example"], in: directory)
            let line = outcome.messages.split(separator: "\n").last {
                $0.contains("and try it: curl")
            }
            #expect(
                line?.hasSuffix("https://localhost:8443\(path)") == true, "\(outcome.messages)")
        }
    }

    @Test func `the curl line that init prints gets the association file`() throws {
        try inScratchDirectory { directory in
            let outcome = try Program.run(["init", "--host", "links.example.com"], in: directory)
            #expect(outcome.status == 0)
            #expect(
                outcome.messages.contains(
                    "curl --cacert certs/dev-ca.pem --resolve links.example.com:8443:127.0.0.1 "
                        + "https://links.example.com:8443/.well-known/apple-app-site-association\n")
            )
            let written = try String(
                contentsOf: directory.appending(path: "waymark.yaml"), encoding: .utf8)
            #expect(written.hasPrefix("# yaml-language-server: $schema=waymark.schema.json\n"))
            #expect(try Program.run(["test"], in: directory).output.contains("1 passed, 0 failed"))
            let schema = try Data(contentsOf: directory.appending(path: "waymark.schema.json"))
            #expect(
                try schema
                    == Data(
                        contentsOf: Program.repository.appending(
                            path: "docs/waymark.schema.json")))
        }
    }
}
