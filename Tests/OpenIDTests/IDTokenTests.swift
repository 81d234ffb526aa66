import TLS
import Testing
import URISyntax

@testable import OpenID

@Suite("ID tokens")
struct IDTokenTests {
    @Test func `a token of either algorithm is taken`() throws {
        let provider = try TestProvider()
        #expect(try provider.check().subject == "248289761001")
        #expect(try provider.check(RSAFixture.token).subject == "248289761001")
    }

    /// A claim, its value, and what comes of it: nil if the token is taken.
    private static let claimRows: [(String, String?, OpenIDFault?)] = [
        ("iss", "\"https://id.example.com/\"", .otherIssuer(.token)),
        ("iss", "\"https://ID.example.com\"", .otherIssuer(.token)),
        ("iss", "\"https://evil.example\"", .otherIssuer(.token)),
        ("iss", nil, .missing("iss", .token)),
        ("iss", "[\"https://id.example.com\"]", .missing("iss", .token)),
        ("aud", "[\"waymark\"]", nil), ("aud", "\"waymark2\"", .otherAudience),
        ("aud", "\"Waymark\"", .otherAudience), ("aud", "[\"other\"]", .otherAudience),
        ("aud", "[]", .otherAudience), ("aud", nil, .missing("aud", .token)),
        ("aud", "[\"waymark\",1]", .missing("aud", .token)),
        ("aud", "[\"waymark\",\"other\"]", .otherParty),
        ("azp", "\"waymark\"", nil), ("azp", "\"other\"", .otherParty), ("azp", "1", .otherParty),
        ("nonce", "\"x\"", .otherNonce), ("nonce", nil, .otherNonce),
        ("exp", "\(TestProvider.now - 59)", nil), ("exp", "\(TestProvider.now - 60)", .expired),
        ("exp", "0", .expired), ("exp", nil, .missing("exp", .token)),
        ("exp", "\"\(TestProvider.now + 500)\"", .missing("exp", .token)),
        ("exp", "1e400", .malformed(.token)), ("exp", "1.7958e9", nil),
        ("iat", "\(TestProvider.now + 60)", nil), ("iat", "\(TestProvider.now + 61)", .notYetValid),
        ("iat", nil, .missing("iat", .token)),
        ("nbf", "\(TestProvider.now + 60)", nil), ("nbf", "\(TestProvider.now + 61)", .notYetValid),
        ("nbf", "\"soon\"", .malformed(.token)),
        ("sub", "\"\"", .missing("sub", .token)), ("sub", nil, .missing("sub", .token)),
        ("sub", "248289761001", .missing("sub", .token)),
        ("sub", "\"\(String(repeating: "x", count: 255))\"", nil),
        ("sub", "\"\(String(repeating: "x", count: 256))\"", .malformed(.token)),
        ("x", "\"\(String(repeating: "x", count: 17_000))\"", .malformed(.token)),
        ("x", "\"\(String(repeating: "x", count: 11_000))\"", nil),
    ]

    @Test("claims", arguments: claimRows.indices)
    func claims(_ index: Int) throws {
        let (name, value, fault) = Self.claimRows[index]
        var provider = try TestProvider()
        TestProvider.set(name, value, in: &provider.claims)
        try expect(provider, fault)
    }

    /// Likewise of the header.
    private static let headerRows: [(String, String?, OpenIDFault?)] = [
        ("alg", "\"none\"", .algorithm("none")), ("alg", "\"HS256\"", .algorithm("HS256")),
        ("alg", "\"es256\"", .algorithm("es256")), ("alg", "\"ES384\"", .algorithm("ES384")),
        ("alg", "\"a b\"", .algorithm("another algorithm")),
        ("alg", nil, .missing("alg", .token)), ("alg", "[\"ES256\"]", .missing("alg", .token)),
        // The key of this kid is of EC.
        ("alg", "\"RS256\"", .unknownKey),
        ("kid", "\"rsa\"", .unknownKey), ("kid", "\"EC\"", .unknownKey), ("kid", nil, nil),
        ("kid", "7", .malformed(.token)),
        ("typ", nil, nil), ("typ", "\"jwt\"", nil), ("typ", "\"at+jwt\"", .otherToken),
        ("typ", "\"logout+jwt\"", .otherToken), ("typ", "1", .otherToken),
        ("crit", "[\"exp\"]", .otherToken), ("crit", "[]", .otherToken),
        ("jwk", "{}", nil), ("jku", "\"https://evil.example/\"", nil),
    ]

    @Test("headers", arguments: headerRows.indices)
    func headers(_ index: Int) throws {
        let (name, value, fault) = Self.headerRows[index]
        var provider = try TestProvider()
        TestProvider.set(name, value, in: &provider.header)
        try expect(provider, fault)
    }

    private func expect(_ provider: TestProvider, _ fault: OpenIDFault?) throws {
        let token = try provider.token
        if let fault {
            #expect(throws: fault) { try provider.check(token) }
        } else {
            #expect(try !provider.check(token).subject.isEmpty)
        }
    }

    @Test func `a repeated member is refused, wherever it is`() throws {
        for isHeader in [true, false] {
            var provider = try TestProvider()
            if isHeader {
                provider.header.append(("alg", "\"ES256\""))
            } else {
                provider.claims.append(("sub", "\"1\""))
            }
            #expect(throws: OpenIDFault.malformed(.token)) { try provider.check() }
        }
    }

    @Test func `an unsigned token is none`() throws {
        var provider = try TestProvider()
        let parts = try provider.token.split(separator: ".")
        for text in [
            "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", "..", "",
            "\(parts[0])..\(parts[2])",
            "\(parts[0]).\(parts[1]).\(parts[2]).", "\(parts[0]).\(parts[1]).\(parts[2])=",
            "\(parts[0]).\(parts[1]).+\(parts[2].dropFirst())",
        ] {
            #expect(throws: OpenIDFault.self, "\(text)") { try provider.check(text) }
        }
        TestProvider.set("alg", "\"none\"", in: &provider.header)
        provider.signature = []
        #expect(throws: OpenIDFault.algorithm("none")) { try provider.check() }
        // HMAC with the public key as its secret.
        #expect(throws: OpenIDFault.algorithm("HS256")) {
            try provider.check(RSAFixture.codedToken)
        }
    }

    @Test func `a signature is of this key and of these bytes`() throws {
        var provider = try TestProvider()
        let (right, other) = (try provider.token, try TestProvider().token)
        #expect(try !provider.check(right).subject.isEmpty)
        #expect(throws: OpenIDFault.wrongSignature) { try provider.check(other) }
        for count in [0, 1, 63, 65, 70, 128] {
            provider.signature = [UInt8](repeating: 0x30, count: count)
            #expect(throws: OpenIDFault.wrongSignature) { try provider.check() }
        }
        provider.signature = [UInt8](repeating: 0, count: 64)
        #expect(throws: OpenIDFault.wrongSignature) { try provider.check() }
        let parts = RSAFixture.token.split(separator: ".")
        TestProvider.set("sub", "\"2\"", in: &provider.claims)
        let swapped = "\(parts[0]).\(try provider.token.split(separator: ".")[1]).\(parts[2])"
        #expect(throws: OpenIDFault.wrongSignature) { try provider.check(swapped) }
    }

    @Test func `a token is of one client, attempt and access token`() throws {
        var provider = try TestProvider()
        let other = SignInAttempt(String(repeating: "B", count: 43), of: TestProvider.client)
        #expect(throws: OpenIDFault.otherNonce) {
            try provider.check(at: TestProvider.now, other, TestProvider.client)
        }
        let hash = base64URL(Array(sha256(Array("secret".utf8)).prefix(16)))
        TestProvider.set("at_hash", "\"\(hash)\"", in: &provider.claims)
        #expect(try !provider.check(accessToken: "secret").subject.isEmpty)
        #expect(throws: OpenIDFault.otherAccessToken) { try provider.check(accessToken: "Secret") }
    }

    @Test func `a key is found by its name, its kind and its use`() throws {
        var provider = try TestProvider()
        let token = try provider.token
        func check(_ name: String, _ value: String?) throws -> IDToken {
            try IDToken(
                token, by: provider.keySet { TestProvider.set(name, value, in: &$0) },
                for: TestProvider.attempt, of: TestProvider.client, accessToken: nil,
                at: TestProvider.now)
        }
        for (name, value) in [
            ("use", "\"sig\""), ("alg", "\"ES256\""), ("key_ops", "[\"verify\"]"), ("x5c", "[]"),
        ] { #expect(try !check(name, value).subject.isEmpty, "\(name)") }
        for (name, value) in [
            ("use", "\"enc\""), ("alg", "\"ES384\""), ("alg", "1"), ("key_ops", "[\"sign\"]"),
            ("kty", "\"RSA\""), ("kty", "\"oct\""), ("crv", "\"P-384\""), ("kid", "\"other\""),
            ("kid", nil), ("x", "\"\(base64URL([UInt8](repeating: 1, count: 32)))\""),
            ("x", "\"AA\""), ("y", nil),
        ] {
            #expect(throws: OpenIDFault.unknownKey, "\(name)") { try check(name, value) }
        }
        // Two keys of one name: which of them is meant, nobody says.
        let second = try SigningKey()
        provider.more =
            #",{"kty":"EC","crv":"P-256","kid":"ec","x":"\#(base64URL(second.x))","y":"\#(base64URL(second.y))"}"#
        #expect(throws: OpenIDFault.ambiguousKey) { try provider.check(token) }
        #expect(try !provider.check(RSAFixture.token).subject.isEmpty)
        // A key of RSA that is too short is none.
        #expect(throws: OpenIDFault.unknownKey) {
            let keys = try KeySet(
                Array(#"{"keys":[{"kty":"RSA","kid":"rsa","n":"wQ","e":"AQAB"}]}"#.utf8))
            _ = try keys.key("rsa", for: .rs256)
        }
    }

    @Test(
        "what is no key set",
        arguments: ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#, "{", "<html>"])
    func noKeySet(_ text: String) {
        #expect(throws: OpenIDFault.self) { try KeySet(Array(text.utf8)) }
    }
}
