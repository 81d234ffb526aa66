import Diagnostics
package import TLS
import URISyntax

/// A request's content with its signature: a JSON Web Signature in its flattened form, as RFC 8555
/// §6.2 requires it.
enum SignedJSON {
    /// Signs with an account's key, by ES256 (RFC 7518 §3.4).
    /// - Parameters:
    ///   - payload: nil for a request that only reads, whose payload is the empty text (RFC 8555
    ///     §6.3).
    ///   - account: the account's URL; nil before it is known, for its key in place of it.
    static func sign(
        _ payload: JSONText?, to url: String, nonce: String, account: String?, _ key: SigningKey
    ) throws(OpenSSLError) -> [UInt8] {
        let protected = JSONText.object([
            ("alg", .string("ES256")), ("nonce", .string(nonce)), ("url", .string(url)),
            account.map { ("kid", .string($0)) } ?? ("jwk", key.publicJSON),
        ])
        return try flattened(protected, payload) { text throws(OpenSSLError) in try key.sign(text) }
    }

    /// The member by which a new account is bound to one that the authority knows already (RFC 8555
    /// §7.3.4).
    static func externalAccountBinding(
        _ external: ExternalAccount, to url: String, _ key: SigningKey
    ) throws(OpenSSLError) -> JSONText {
        let protected = JSONText.object([
            ("alg", .string("HS256")), ("kid", .string(external.id)), ("url", .string(url)),
        ])
        let (first, second) = (
            base64URL(Array(protected.compact.utf8)), base64URL(Array(key.publicJSON.compact.utf8))
        )
        let code = try hmacSHA256(Array("\(first).\(second)".utf8), key: external.key)
        return members(first, second, code)
    }

    private static func flattened(
        _ protected: JSONText, _ payload: JSONText?,
        _ sign: ([UInt8]) throws(OpenSSLError) -> [UInt8]
    ) throws(OpenSSLError) -> [UInt8] {
        let first = base64URL(Array(protected.compact.utf8))
        let second = base64URL(Array((payload?.compact ?? "").utf8))
        let signature = try sign(Array("\(first).\(second)".utf8))
        return Array(members(first, second, signature).compact.utf8)
    }

    private static func members(_ first: String, _ second: String, _ code: [UInt8]) -> JSONText {
        .object([
            ("protected", .string(first)), ("payload", .string(second)),
            ("signature", .string(base64URL(code))),
        ])
    }
}

/// An account with an authority outside ACME, and the key that it shares with us.
package struct ExternalAccount: Hashable, Sendable {
    package let id: String
    package let key: [UInt8]

    package init(id: String, key: [UInt8]) {
        self.id = id
        self.key = key
    }
}

extension SigningKey {
    /// The public key (RFC 7517), with the members in the order of its thumbprint.
    var publicJSON: JSONText {
        .object([
            ("crv", .string("P-256")), ("kty", .string("EC")), ("x", .string(base64URL(x))),
            ("y", .string(base64URL(y))),
        ])
    }

    /// The thumbprint of the public key (RFC 7638), 43 characters. With it, anybody can answer a
    /// challenge for the account, and nothing else.
    package var thumbprint: String {
        // Without any white space, and these members alone.
        let text =
            #"{"crv":"P-256","kty":"EC","x":""# + base64URL(x) + #"","y":""# + base64URL(y)
            + #""}"#
        return base64URL(sha256(Array(text.utf8)))
    }
}
