import PasskeySupport
import Passkeys
import TestSupport
import Testing
import URISyntax

/// People who sign in with passkeys, whose authenticator is one of the tests; a real browser's is in check-browser.
@Suite("Passkeys of the console")
struct ConsolePasskeyTests {
    private static func device() throws -> TestAuthenticator {
        var device = try TestAuthenticator()
        (device.host, device.origin) = ("links.localhost", "https://links.localhost")
        return device
    }

    private static func form(_ items: [(String, [UInt8])]) -> String {
        items.map { "\($0.0)=\(base64URL($0.1))" }.joined(separator: "&")
    }

    private static func challenge(in answer: TestResponse) throws -> [UInt8] {
        let text = try #require(
            answer.body.firstMatch(of: /"challenge": ?"([^"]*)"/), "\(answer)")
        return try #require(base64URLDecoded(String(text.1)))
    }

    /// Adds a passkey to the person who is signed in.
    private static func add(
        _ device: inout TestAuthenticator, _ browser: Browser, name: String = "phone"
    ) throws -> TestResponse {
        device.challenge = try challenge(in: browser.ask("POST", "/console/passkeys/challenge"))
        return try browser.ask("POST", "/console/passkeys", creation(device, name: name))
    }

    /// The form of a new passkey.
    private static func creation(_ device: TestAuthenticator, name: String = "phone") -> String {
        "name=\(name)&"
            + form([
                ("client", device.clientData("create")),
                ("attestation", device.attestation(of: device.created())),
            ])
    }

    private static func content(_ device: TestAuthenticator) throws -> String {
        let answer = try device.answer()
        return form([
            ("id", device.id), ("client", answer.clientData), ("data", answer.authenticatorData),
            ("signature", answer.signature), ("user", []),
        ])
    }

    /// Signs in as a browser does.
    private static func signIn(
        _ device: inout TestAuthenticator, _ browser: Browser, next: String = ""
    ) throws -> TestResponse {
        device.challenge = try challenge(in: browser.ask("POST", "/console/sign-in/challenge"))
        let content = try content(device) + "&next=\(next)"
        return try browser.ask("POST", "/console/sign-in/passkey", content)
    }

    @Test func `one is added, signs in, and is removed`() throws {
        let store = try StoreOrigin()
        var device = try Self.device()
        let anna = try store.signedIn("anna", #", "role": "editor""#)
        let added = try Self.add(&device, anna)
        #expect(added.status == 200 && added.body.contains(">phone</th>"), "\(added.body)")
        let other = Browser(store)
        #expect(try other.status == 401)
        let answer = try Self.signIn(&device, other)
        #expect(answer.status == 303 && answer.fields["location"] == "/console/")
        #expect(try other.ask("GET", "/console/").body.contains("anna"))
        // Other rights end sessions, and leave the passkey.
        _ = try store.link("anna", #", "role": "viewer""#)
        #expect(try other.status == 401)
        let again = try Self.signIn(&device, other, next: "/console/visits%3Fby=tag")
        #expect(again.status == 303 && again.fields["location"] == "/console/visits?by=tag")
        let audit = try store.audit
        #expect(audit.contains("add passkey phone") && audit.contains("sign in with passkey phone"))
        // It is known already.
        #expect(try Self.add(&device, other).status == 422)
        let id = base64URL(device.id)
        // It is the only one, and is removed by saying so twice.
        let asked = try other.ask("POST", "/console/passkeys/remove", "id=\(id)")
        #expect(asked.status == 409 && asked.body.contains("phone is your only passkey"))
        #expect(asked.body.contains("name=\"sure\" value=\"1\""))
        let removed = try other.ask("POST", "/console/passkeys/remove", "id=\(id)&sure=1")
        #expect(
            removed.status == 303 && removed.fields["location"] == "/console/passkeys?done=removed")
        #expect(try Self.signIn(&device, Browser(store)).status == 403)
    }

    @Test(
        "a name that is refused is said, and stays",
        arguments: [
            ("", "Write a name.", ""), ("%20%20", "Write a name.", ""),
            (
                String(repeating: "%C3%A4", count: 97), "longer than 64 characters",
                String(repeating: "ä", count: 97)
            ),
            ("a%07b", "character that cannot be seen", "a\u{FFFD}b"),
        ])
    func refusedName(_ name: String, _ words: String, _ kept: String) throws {
        let store = try StoreOrigin()
        var device = try Self.device()
        let anna = try store.signedIn("anna")
        let refused = try Self.add(&device, anna, name: name)
        #expect(refused.status == 422 && refused.body.contains(words), "\(refused.body)")
        #expect(refused.body.contains("value=\"\(kept)\"") && refused.body.contains("Error:"))
        // Markup is a name like others.
        let added = try Self.add(&device, anna, name: "%3Cb%3E%22")
        #expect(added.status == 200 && added.body.contains(">&lt;b&gt;&quot;</th>"))
        #expect(added.body.contains("With a second one"))
        // A second one, and then each can go without a question.
        var second = try Self.device()
        second.id = [4]
        let both = try Self.add(&second, anna, name: "tablet")
        #expect(both.status == 200 && !both.body.contains("With a second one"))
        let id = base64URL(second.id)
        #expect(try anna.ask("POST", "/console/passkeys/remove", "id=\(id)").status == 303)
    }

    @Test func `a challenge is good once, and for what it was made for`() throws {
        let store = try StoreOrigin()
        var device = try Self.device()
        let anna = try store.signedIn("anna")
        #expect(try Self.add(&device, anna).status == 200)
        #expect(try Self.signIn(&device, Browser(store)).status == 303)
        // What was sent before, word for word.
        let replay = Browser(store)
        #expect(
            try replay.ask("POST", "/console/sign-in/passkey", Self.content(device)).status == 403)
        // Another one of the same person takes its place.
        var later = try Self.device()
        later.id = [4]
        later.challenge = try Self.challenge(
            in: anna.ask("POST", "/console/passkeys/challenge"))
        let stale = Self.creation(later)
        #expect(try Self.add(&later, anna, name: "next").status == 200)
        later.id = [5]
        #expect(try anna.ask("POST", "/console/passkeys", stale).status == 422)
        // A challenge of the person's own page does not sign in.
        device.challenge = try Self.challenge(
            in: anna.ask("POST", "/console/passkeys/challenge"))
        #expect(
            try replay.ask("POST", "/console/sign-in/passkey", Self.content(device)).status == 403)
        // One of nobody, or of somebody else, adds none.
        let bob = try store.signedIn("bob")
        var second = try Self.device()
        second.id = [1, 2, 3]
        for browser in [Browser(store), anna] {
            let path = browser === anna ? "passkeys" : "sign-in"
            second.challenge = try Self.challenge(
                in: browser.ask("POST", "/console/\(path)/challenge"))
            #expect(
                try bob.ask("POST", "/console/passkeys", Self.creation(second)).status == 422)
        }
        second.challenge = [UInt8](repeating: 0, count: 32)
        let content = try Self.content(second)
        #expect(try replay.ask("POST", "/console/sign-in/passkey", content).status == 403)
        #expect(try replay.status == 401)
    }

    /// Each refusal is one and the same answer.
    @Test func `an answer that is not right says nothing`() throws {
        var bodies = Set<String>()
        let spoiled: [(inout TestAuthenticator) -> Void] = [
            { $0.id = [9] }, { $0.origin = "https://localhost" }, { $0.host = "localhost" },
            { $0.flags = 1 }, { $0.type = "webauthn.create" },
        ]
        for spoil in spoiled {
            // A store for each, because attempts are slowed down.
            let store = try StoreOrigin()
            var device = try Self.device()
            #expect(try Self.add(&device, store.signedIn("anna")).status == 200)
            var wrong = device
            spoil(&wrong)
            let answer = try Self.signIn(&wrong, Browser(store))
            #expect(answer.status == 403 && answer.fields["set-cookie"] == nil)
            bodies.insert(answer.body)
            #expect(try Self.signIn(&device, Browser(store)).status == 303)
        }
        let store = try StoreOrigin()
        for content in ["", "id=x", "id=%00&client=e30&data=&signature=", "client=&&&"] {
            let answer = try Browser(store).ask("POST", "/console/sign-in/passkey", content)
            #expect(answer.status == 403, "\(content)")
            bodies.insert(answer.body)
        }
        #expect(bodies.count == 1)
    }

    @Test func `the admin listener has none`() throws {
        let store = try StoreOrigin()
        let local = try store.signedIn("anna", onHost: false)
        let page = try local.ask("GET", "/console/passkeys")
        #expect(page.status == 200 && page.body.contains("own host"))
        for path in ["passkeys/challenge", "sign-in/challenge", "sign-in/passkey"] {
            let answer = try local.ask("POST", "/console/\(path)")
            #expect(answer.status == 404 || answer.status == 403, "\(path)")
        }
        #expect(try Browser(store).ask("GET", "/console/sign-in/challenge").status == 403)
        for path in ["passkeys", "passkeys/challenge", "passkeys/remove"] {
            #expect(try Browser(store).ask("POST", "/console/\(path)").status == 401, "\(path)")
        }
    }

    /// A person removes their own alone.
    @Test func `a passkey of another person is none`() throws {
        let store = try StoreOrigin()
        var device = try Self.device()
        #expect(try Self.add(&device, store.signedIn("anna")).status == 200)
        let bob = try store.signedIn("bob", #", "role": "admin""#)
        let id = base64URL(device.id)
        let answer = try bob.ask("POST", "/console/passkeys/remove", "id=\(id)")
        #expect(answer.status == 303 && answer.fields["location"] == "/console/passkeys")
        #expect(try Self.signIn(&device, Browser(store)).status == 303)
        // With its person, it goes.
        let client = try store.client
        client.send(store.request("DELETE", "people/anna"))
        #expect(try client.readResponse().status == 204)
        #expect(try Self.signIn(&device, Browser(store)).status == 403)
    }
}
