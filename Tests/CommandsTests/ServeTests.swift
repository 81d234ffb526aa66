import Foundation
import TestSupport
import Testing

@Suite("waymark serve and init, before they begin")
struct ServeTests {
    @Test(
        "two listeners do not share a port",
        arguments: [
            ["--https", "127.0.0.1:18444", "--http", "127.0.0.1:18444"],
            ["--https", ":18444", "--http", "127.0.0.1:18444"],
            ["--https", "127.0.0.1:18444", "--admin", ":18444"],
        ])
    func collisions(_ listeners: [String]) throws {
        let outcome = try Program.run(["serve", "--env", "dev"] + listeners)
        #expect(outcome.status == 64)
        #expect(outcome.messages.contains("give each its own port"))
    }

    @Test func `an address that is not here is said to be so`() throws {
        let outcome = try withServableSite {
            try Program.run(
                "serve", "--config", $0, "--env", "dev", "--https", "192.0.2.1:18445", "--http",
                "off", "--admin", "off")
        }
        #expect(outcome.status == 71)
        #expect(outcome.messages.contains("[address-not-here]"))
    }

    @Test func `an error of one site is logged once, at the start and at each reload`() throws {
        try inScratchDirectory { directory in
            let house = directory.appending(path: "house")
            try FileManager.default.copyItem(
                at: Program.repository.appending(path: "Tests/Fixtures/sites/links-house"),
                to: house)
            let certificates = try Program.run(
                ["init", "--certificates-only", "--env", "dev"], in: house)
            #expect(certificates.status == 0, "\(certificates)")
            func breakSite(_ name: String) throws {
                let file = house.appending(path: "sites/\(name).yaml")
                let text = try String(contentsOf: file, encoding: .utf8)
                try (text + "no-key: 1\n").write(to: file, atomically: true, encoding: .utf8)
            }
            func errors(_ name: String, _ log: String) -> Int {
                log.split(separator: "\n").count {
                    $0.contains("/\(name).yaml:") && $0.contains("no key \"no-key\"")
                }
            }
            try breakSite("news")
            let origin = try RunningOrigin(
                house.appending(path: "waymark.yaml"), environment: "dev")
            #expect(errors("news", origin.log) == 1, "\(origin.log)")
            let start = origin.log
            try breakSite("shop")
            #expect(waits { origin.log.contains("waymark: reloaded dev") }, "\(origin.log)")
            let reload = String(origin.log.dropFirst(start.count))
            #expect(errors("news", reload) == 1 && errors("shop", reload) == 1, "\(reload)")
        }
    }

    /// A start that ends at once, because its configuration is wrong in two places.
    private func refusal(_ options: [String], isJournal: Bool = false) throws -> [Substring] {
        let text = smallestConfiguration + "    hots: [a]\n    robots: maybe\n"
        let outcome = try withConfiguration(text, named: "way\nmark.yaml") {
            try Program.run(
                ["serve", "--config", $0, "--env", "dev"] + options, isJournal: isJournal)
        }
        #expect(outcome.status == 78)
        return outcome.messages.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test func `each fault is a line, also of a file with a strange name`() throws {
        let lines = try refusal([])
        #expect(lines.count == 3 && lines.last == "")
        for line in lines.dropLast() {
            #expect(line.contains("/way\\nmark.yaml:") && line.contains(": error: "))
        }
        #expect(lines.first?.hasSuffix("[unknown-key]; did you mean \"hosts\"?") == true)
    }

    @Test func `journald is told how bad it is, and others are not`() throws {
        for line in try refusal([], isJournal: true).dropLast() { #expect(line.hasPrefix("<3>")) }
        for line in try refusal([]).dropLast() { #expect(line.hasPrefix("/")) }
    }

    @Test func `JSON has a member for each part of a fault`() throws {
        for line in try refusal(["--log-format", "json"], isJournal: true).dropLast() {
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let members = try #require(event as? [String: Any])
            #expect(members["level"] as? String == "error")
            #expect((members["file"] as? String)?.hasSuffix("/way\nmark.yaml") == true)
            #expect(members["line"] is Int && members["rule"] is String)
        }
    }

    @Test func `a level and a form that are none are refused`() throws {
        for option in ["--log-level", "--log-format"] {
            let outcome = try Program.run("serve", "--env", "dev", option, "loud")
            #expect(outcome.status == 64)
        }
    }

    @Test func `init writes every host, and a configuration that lint accepts`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let made = try Program.run(
            ["init", "--host", "a.example", "--host", "b.example"], in: directory)
        #expect(made.status == 0)
        #expect(made.messages.contains("waymark: next: "))
        let file = directory.appending(path: "waymark.yaml").path
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("hosts: [a.example, b.example]"))
        #expect(try Program.run("lint", file).status == 0)
        // Another host takes none of the configuration's away.
        _ = try Program.run(["init", "--host", "c.example"], in: directory)
        let lint = try Program.run(["lint", "--env", "dev", "waymark.yaml"], in: directory)
        #expect(!lint.output.contains("certificate-lacks-host"))
        // Again, without hosts: those of the configuration that is there now.
        let again = try Program.run(["init"], in: directory)
        #expect(again.status == 0)
        #expect(again.messages.contains("kept certs/dev.pem"))
    }

    @Test func `init writes the templates of a theme, and leaves alone what is there`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let made = try Program.run("init", "--theme", directory.path)
        #expect(made.status == 0)
        let landing = directory.appending(path: "landing.mustache")
        #expect(try String(contentsOf: landing, encoding: .utf8).contains("{{{head}}}"))
        try "mine".write(to: landing, atomically: true, encoding: .utf8)
        let again = try Program.run("init", "--theme", directory.path)
        #expect(again.status == 0 && again.messages.contains("kept \(landing.path)"))
        #expect(try String(contentsOf: landing, encoding: .utf8) == "mine")
    }

    @Test(
        "init names what it cannot write",
        arguments: [
            (
                ["--certificates", "no/such"],
                "\"no/such\" cannot be written: the directory does", 74
            ),
            (
                ["--theme", "file"],
                "\"file\" cannot be written: it is not a directory", 74
            ),
            (["--certificates", "made"], "", 0),
        ])
    func unwritable(_ options: [String], _ message: String, _ status: Int32) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try "".write(to: directory.appending(path: "file"), atomically: true, encoding: .utf8)
        let outcome = try Program.run(["init"] + options, in: directory)
        #expect(outcome.status == status)
        #expect(message.isEmpty || outcome.messages.contains(message))
    }

    @Test(
        "init refuses what is no host, and an environment of nothing",
        arguments: [["--host", "bad host"], ["--host", "-a"], ["--env", "prod"]])
    func refusals(_ options: [String]) throws {
        #expect(try Program.run(["init"] + options).status == 64)
    }
}
