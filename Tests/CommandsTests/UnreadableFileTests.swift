import Foundation
import Testing

/// What is there, and cannot be read, is not told to be missing. Root may read everything, so that
/// most rows lead out of the directory, or name no file.
@Suite("Files that are there and cannot be read")
struct UnreadableFileTests {
    @Test(
        "a public directory that cannot be read is the fault, and no link test",
        arguments: Self.readers)
    func publicDirectory(_ arguments: [String], _ status: Int32) throws {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            let test = "url: \"https://localhost/a.html\", env: dev, gets: \"200\""
            try (smallestConfiguration + "expect:\n  - {\(test)}\n").write(
                toFile: path, atomically: true, encoding: .utf8)
            let files = directory.appending(path: "Public")
            try Data("a".utf8).write(to: files.appending(path: "a.html"))
            #expect(try Program.run("test", "--config", path).status == 0)
            try FileManager.default.createSymbolicLink(
                at: files.appending(path: "out"), withDestinationURL: URL(filePath: "/etc"))
            let outcome = try Program.run(arguments.map { $0 == "F" ? path : $0 })
            let said = outcome.output + outcome.messages
            #expect(outcome.status == status, "\(said)")
            #expect(said.contains("\"out\" is a symbolic link out of the public directory"))
            #expect(said.contains("[link-out-of-public]"))
            #expect(!said.contains("expectation-failed"), "\(said)")
        }
    }

    static let readers: [([String], Int32)] = [
        (["test", "--config", "F"], 78), (["lint", "F"], 1), (["lint", "F", "--env", "dev"], 78),
        (["serve", "--config", "F", "--env", "dev"], 78),
    ]

    @Test(
        "an authority that cannot be read is not replaced", arguments: ["dev-ca.pem", "dev-ca.key"])
    func authority(_ name: String) throws {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            let authority = directory.appending(path: "certs/dev-ca.pem")
            let file = directory.appending(path: "certs/\(name)")
            // More than a key has ever had.
            try Data(count: 2 << 20).write(to: file)
            let before = try Data(contentsOf: authority)
            let outcome = try Program.run(["init"], in: directory)
            #expect(outcome.status == 78, "\(outcome)")
            #expect(
                outcome.messages.contains("certs/\(name): error: cannot be read: it has 2097152"))
            #expect(try Data(contentsOf: authority) == before)
            // One that is missing is made.
            try FileManager.default.removeItem(at: file)
            #expect(try Program.run(["init"], in: directory).status == 0)
        }
    }

    @Test func `a configuration that cannot be read is not passed over by init`() throws {
        try withConfiguration(smallestConfiguration) { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
            let outcome = try Program.run(["init", "--certificates-only"], in: directory)
            #expect(outcome.status == 66, "\(outcome)")
            #expect(outcome.messages.contains("it is not a regular file"))
            try FileManager.default.removeItem(atPath: path)
            let without = try Program.run(["init", "--certificates-only"], in: directory)
            #expect(without.status == 0)
        }
    }

    @Test func `a picture that is too large to be read is not missing`() throws {
        try withConfiguration(smallestConfiguration) { path in
            let files = URL(filePath: path).deletingLastPathComponent()
            let page = files.appending(path: "page.html").path
            try "<html lang=en><title>t</title><meta property=og:image content=/big.png>".write(
                toFile: page, atomically: true, encoding: .utf8)
            let arguments = ["report", page, "--url", "https://a.example/", "--public"]
            let missing = try Program.run(arguments + [files.path])
            #expect(missing.output.contains("the file does not exist"), "\(missing.output)")
            try Data(count: 16 << 20 + 1).write(to: files.appending(path: "big.png"))
            let large = try Program.run(arguments + [files.path])
            #expect(!large.output.contains("the file does not exist"), "\(large.output)")
            let nowhere = try Program.run(arguments + [files.path + "/none"])
            #expect(nowhere.status == 66)
            #expect(nowhere.messages.contains("the directory does not exist"))
        }
    }

    @Test("trusted certificates are read as other files are", arguments: ["none", "."])
    func roots(_ path: String) throws {
        let outcome = try Program.run(
            "lint", "--check-signature", "--cacert", path,
            "Tests/Fixtures/report/apple-app-site-association")
        #expect(outcome.status == 66, "\(outcome)")
    }
}
