import Foundation
import TestSupport
import Testing

@Suite("waymark lint of public files below /.well-known/")
struct PublicWellKnownTests {
    private func lint(
        _ keys: String = "", _ files: [String: String], environment: Bool = false
    ) throws -> Program.Outcome {
        let text = smallestConfiguration.replacing(
            "hosts: [localhost]", with: "hosts: [localhost]\(keys)")
        return try withConfiguration(text) { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
                .appending(path: "Public")
            for (name, content) in files {
                let file = directory.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(content.utf8).write(to: file)
            }
            return try Program.run(["lint", path] + (environment ? ["--env", "dev"] : []))
        }
    }

    @Test("a file that its readers refuse is an error with its place", arguments: [false, true])
    func refused(_ environment: Bool) throws {
        let files = [
            ".well-known/webauthn": "{\"a\": 1}", ".well-known/passkey-endpoints": "not json",
            ".well-known/change-password": "<p>",
        ]
        let outcome = try lint("", files, environment: environment)
        for part in [
            "Public/.well-known/webauthn:1:1: error: the file has no list `origins` [well-known-form]",
            "Public/.well-known/passkey-endpoints:1:1: error: ", "[change-password-page]",
        ] {
            #expect(outcome.output.contains(part), "\(part): \(outcome.output)")
        }
        #expect(environment || outcome.status == 1)
    }

    @Test func `files that are right are accepted, and so is another name`() throws {
        let outcome = try lint(
            "",
            [
                ".well-known/webauthn": "{\"origins\": [\"https://a.example\"]}",
                ".well-known/passkey-endpoints": "{}", ".well-known/security.txt": "Contact: a",
                ".well-known/change-password/index.html": "<p>", "webauthn": "text",
            ])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!outcome.output.contains("well-known-form"))
        #expect(!outcome.output.contains("change-password-page"))
    }

    @Test func `public association files are linted where none is generated`() throws {
        let outcome = try lint("", [".well-known/assetlinks.json": "{\"a\": 1}"])
        #expect(outcome.output.contains("Public/.well-known/assetlinks.json:1:"), "\(outcome)")
        #expect(outcome.status == 1)
        let hidden = try lint("", [".well-known/apple-app-site-association": "{"])
        #expect(hidden.output.contains("[hidden-action]") && hidden.status == 0, "\(hidden)")
        let key = "\n    webauthn: [\"https://a.example\"]"
        let other = try lint(key, [".well-known/webauthn": "{\"a\": 1}"])
        #expect(other.output.contains("[hidden-action]"), "\(other.output)")
        #expect(!other.output.contains("[well-known-form]"))
    }

    @Test func `an argument that is not UTF-8 is refused, and says why`() throws {
        let outcome = try Program.run(["app"], redirecting: "\"$(printf 'a\\377.ipa')\"")
        #expect(outcome.status == 64)
        #expect(
            outcome.messages.contains("is not UTF-8"), "\(outcome)")
        let other = try Program.run(["app"], redirecting: "\"$(printf 'a\\303\\244.ipa')\"")
        #expect(other.status == 66 && !other.messages.contains("not UTF-8"), "\(other)")
    }
}
