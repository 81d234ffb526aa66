import Foundation
import Testing

@Suite("Well-known names on the command line")
struct WellKnownCommandTests {
    private static let keys = """
        hosts: [localhost]
            webauthn: ["https://a.example"]
            passkey-endpoints: {manage: "https://a.example/keys"}
            change-password: https://a.example/password
        """
    private let text = smallestConfiguration.replacing("hosts: [localhost]", with: Self.keys)

    @Test func `render prints what is served, or that nothing is`() throws {
        try withConfiguration(text) { path in
            let source = ["--config", path, "--env", "dev"]
            let origins = try Program.run(["render", "webauthn"] + source)
            #expect(origins.output == "{\n  \"origins\": [\n    \"https://a.example\"\n  ]\n}\n")
            let pages = try Program.run(["render", "passkey-endpoints"] + source)
            #expect(pages.output == "{\n  \"manage\": \"https://a.example/keys\"\n}\n")
            let apps = try Program.run(["render", "applinking"] + source)
            #expect(apps.status == 1 && apps.output.isEmpty)
            #expect(apps.messages.contains("serves no .well-known/applinking.json"))
        }
    }

    @Test(
        "explain and test say what the origin does",
        arguments: [
            ("webauthn", "the origins that may use the host's passkeys", "200"),
            ("passkey-endpoints", "the pages for passkeys", "200"),
            (
                "change-password", "a redirect to https://a.example/password",
                "302 https://a.example/password"
            ),
            ("applinking.json", "the environment publishes nothing there", "404"),
        ])
    func explain(_ name: String, _ words: String, _ gets: String) throws {
        let url = "https://localhost/.well-known/\(name)"
        let test = "expect:\n  - {url: \"\(url)\", env: dev, gets: \"\(gets)\"}\n"
        try withConfiguration(text + test) { path in
            let told = try Program.run(
                "explain", url, "--config", path, "--env", "dev", "--as", "desktop-chrome")
            #expect(told.output.contains(words), "\(told.output)")
            #expect(told.output.contains(String(gets.prefix(3))))
            #expect(try Program.run("test", "--config", path).status == 0)
        }
    }

    @Test func `diff names each change, with the URL where it shows`() throws {
        try withConfiguration(text) { new in
            try withConfiguration(smallestConfiguration) { old in
                let outcome = try Program.run("diff", old, new)
                #expect(outcome.status == 1)
                for name in ["webauthn", "passkey-endpoints", "change-password"] {
                    #expect(outcome.output.contains("/.well-known/\(name)"), "\(outcome.output)")
                }
                #expect(outcome.output.contains("https://a.example/password"))
                #expect(try Program.run("diff", new, new).status == 0)
            }
        }
    }
}
