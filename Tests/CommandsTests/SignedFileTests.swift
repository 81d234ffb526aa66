import Foundation
import Testing

@Suite("Signed association files")
struct SignedFileTests {
    private static let json = """
        {"applinks": {"details": [
          {"appIDs": ["8LQ3T5XW7R.com.example.one"], "components": [{"/": "/buy/*"}]}]}}
        """

    /// A directory with the file signed by openssl in DER, and in BER as a stream.
    private func withSignedFiles(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try Data(Self.json.utf8).write(to: directory.appending(path: "plain"))
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.currentDirectoryURL = directory
        shell.arguments = [
            "-ec",
            """
            openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 -subj /CN=x \
                2>/dev/null
            sign="openssl cms -sign -in plain -signer cert -inkey key -nodetach -binary"
            sign="$sign -outform DER"
            $sign -out der
            $sign -stream -out ber
            openssl cms -sign -in plain -signer cert -inkey key -nodetach -outform PEM -out pem
            openssl smime -sign -in plain -signer cert -inkey key -nodetach -out mail
            sed s/buy/sell/ der > broken-length
            sed s/buy/pay/ der > forged
            """,
        ]
        try shell.run()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0)
        try body(directory.path)
    }

    @Test func `their content is read, and rules are found in it`() throws {
        try withSignedFiles { directory in
            for file in ["der", "ber"] {
                let match = try Program.run(
                    "match", "https://e.com/buy/1", "--aasa", "\(directory)/\(file)")
                #expect(match.status == 0, "\(file): \(match.messages)")
                let lint = try Program.run("lint", "\(directory)/\(file)", "--format", "json")
                #expect(lint.status == 0)
                #expect(lint.output.contains("signed-file"))
                #expect(!lint.output.contains("error"))
                let text = try Program.run("lint", "\(directory)/\(file)")
                #expect(text.output.contains("  1 | {\"applinks\": {\"details\": [\n    | ^\n"))
            }
        }
    }

    @Test func `as text it is refused, with the form that systems read`() throws {
        try withSignedFiles { directory in
            for (file, form) in [("pem", "PEM"), ("mail", "S/MIME")] {
                let lint = try Program.run("lint", "\(directory)/\(file)")
                #expect(lint.status == 1)
                #expect(lint.output.contains("file is \(form) text"), "\(lint.output)")
                #expect(lint.output.contains("-outform DER"))
                #expect(lint.output.split(separator: "\n").count { $0.contains(": error: ") } == 1)
            }
        }
    }

    @Test func `the signature is checked when that is asked for`() throws {
        try withSignedFiles { directory in
            func lint(_ file: String, _ options: String...) throws -> Program.Outcome {
                try Program.run(["lint", "\(directory)/\(file)"] + options)
            }
            for file in ["der", "ber"] {
                let trusted = try lint(file, "--check-signature", "--cacert", "\(directory)/cert")
                #expect(trusted.status == 0, "\(trusted.output)")
            }
            let stranger = try lint("der", "--check-signature")
            #expect(stranger.status == 1 && stranger.output.contains("[signature]"))
            let forged = try lint(
                "forged", "--check-signature", "--cacert", "\(directory)/cert")
            #expect(forged.status == 1 && forged.output.contains("[signature]"))
            #expect(try lint("forged").status == 0)
        }
    }

    @Test func `what only looks signed is refused, and does not crash`() throws {
        try withSignedFiles { directory in
            let bytes = try Data(contentsOf: URL(filePath: "\(directory)/ber"))
            for length in stride(from: 3, to: bytes.count, by: 97) {
                let cut = "\(directory)/cut"
                try bytes.prefix(length).write(to: URL(filePath: cut))
                let outcome = try Program.run("lint", cut, "--as", "aasa")
                #expect([0, 1].contains(outcome.status), "\(length)")
            }
            // One finding, and no list of bytes that are no UTF-8; whatever it is taken for.
            for kind in [[], ["--as", "assetlinks"]] {
                try Data(contentsOf: URL(filePath: "\(directory)/der")).prefix(90)
                    .write(to: URL(filePath: "\(directory)/cut"))
                let outcome = try Program.run(["lint", "\(directory)/cut"] + kind)
                #expect(outcome.status == 1)
                #expect(outcome.output.contains("cut:1:1: error: file is binary"))
                #expect(!outcome.output.contains("UTF-8"))
            }
        }
    }
}
