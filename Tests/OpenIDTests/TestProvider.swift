import TLS
import URISyntax

@testable import OpenID

/// A provider with one key of ES256, whose tokens a test can spoil.
struct TestProvider {
    static let issuer = "https://id.example.com"
    static let client = ProviderClient(
        issuer: issuer, id: "waymark", redirect: "https://links.example.com/console/openid")
    static let attempt = SignInAttempt(String(repeating: "A", count: 43), of: client)
    static let now = 1_795_780_100

    let key: SigningKey
    /// The members of the header and of the claims, as JSON.
    var header = [("alg", "\"ES256\""), ("kid", "\"ec\""), ("typ", "\"JWT\"")]
    var claims = [
        ("iss", "\"\(issuer)\""), ("aud", "\"waymark\""), ("sub", "\"248289761001\""),
        ("nonce", "\"\(attempt.nonce)\""), ("iat", "\(now - 100)"), ("exp", "\(now + 500)"),
    ]
    /// In place of the right one.
    var signature: [UInt8]?
    /// Of the key set.
    var more = ""

    init() throws { key = try SigningKey() }

    /// Changes a member, adds one, or without a value removes one.
    static func set(_ name: String, _ value: String?, in members: inout [(String, String)]) {
        let index = members.firstIndex { $0.0 == name }
        if let index { members.remove(at: index) }
        if let value { members.append((name, value)) }
    }

    static func json(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    var token: String {
        get throws {
            let text = [header, claims].map { base64URL(Array(Self.json($0).utf8)) }
                .joined(separator: ".")
            return "\(text).\(base64URL(try signature ?? key.sign(Array(text.utf8))))"
        }
    }

    /// - Parameter change: of the members of the key.
    func keySet(
        _ change: (inout [(String, String)]) -> Void = { _ in }
    ) throws(OpenIDFault) -> KeySet {
        var members = [
            ("kty", "\"EC\""), ("crv", "\"P-256\""), ("kid", "\"ec\""),
            ("x", "\"\(base64URL(key.x))\""), ("y", "\"\(base64URL(key.y))\""),
        ]
        change(&members)
        let rsa = #"{"kty":"RSA","kid":"rsa","n":"\#(RSAFixture.modulus)","e":"AQAB","use":"sig"}"#
        return try KeySet(Array(#"{"keys":[\#(rsa),\#(Self.json(members))\#(more)]}"#.utf8))
    }

    func check(
        _ text: String? = nil, accessToken: String? = nil, at now: Int = Self.now,
        _ attempt: SignInAttempt = Self.attempt, _ client: ProviderClient = Self.client
    ) throws -> IDToken {
        try IDToken(
            text ?? token, by: keySet(), for: attempt, of: client, accessToken: accessToken, at: now
        )
    }
}
