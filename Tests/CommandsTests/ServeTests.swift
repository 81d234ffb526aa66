import Foundation
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
        #expect(outcome.messages.contains("give each a port of its own"))
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
        "init refuses what is no host, and an environment of nothing",
        arguments: [["--host", "bad host"], ["--host", "-a"], ["--env", "prod"]])
    func refusals(_ options: [String]) throws {
        #expect(try Program.run(["init"] + options).status == 64)
    }
}
