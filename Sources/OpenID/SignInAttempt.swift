import TLS
import URISyntax

/// An attempt to sign in at a provider. Its secret is in a cookie of the browser that makes it, and everything that the
/// provider gets or signs follows from that and from the client: so any node can go on with it, and the answer of one
/// provider is none to the question of another.
package struct SignInAttempt: Sendable {
    /// By which the answer is found to be one to this attempt (RFC 6749 §10.12).
    package let state: String
    /// By which the ID token is found to be one of this attempt.
    package let nonce: String
    /// By which the code can be used by this attempt alone (RFC 7636 §4.1).
    package let verifier: String
    /// By which the store knows it.
    package let hash: [UInt8]
    private let client: ProviderClient

    /// - Parameter secret: at least 256 bits by chance.
    package init(_ secret: String, of client: ProviderClient) {
        func derived(_ purpose: String) -> [UInt8] {
            // Nothing before the secret has a line feed, so no two purposes have one input.
            let parts = ["openid", purpose, client.issuer, client.id, client.redirect, secret]
            return sha256(Array(parts.joined(separator: "\n").utf8))
        }
        state = base64URL(derived("state"))
        nonce = base64URL(derived("nonce"))
        verifier = base64URL(derived("verifier"))
        hash = derived("attempt")
        self.client = client
    }

    /// The URL at which the provider signs the person in (OpenID Connect Core 1.0 §3.1.2.1, RFC 7636 §4.3).
    package func location(_ metadata: ProviderMetadata, scopes: [String]?) -> String {
        let items = [
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", client.redirect),
            ("scope", Self.scopes(scopes, metadata).joined(separator: " ")), ("state", state),
            ("nonce", nonce), ("code_challenge", base64URL(sha256(Array(verifier.utf8)))),
            ("code_challenge_method", "S256"),
        ]
        let endpoint = metadata.authorization.description
        let mark = endpoint.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return endpoint + mark + formEncoded(items)
    }

    /// The scopes that are asked for: those that are set; else of the usual ones those that the provider knows, because
    /// some refuse others.
    private static func scopes(_ chosen: [String]?, _ metadata: ProviderMetadata) -> [String] {
        let wanted: [String]
        if let chosen {
            wanted = chosen
        } else if let known = metadata.scopes {
            wanted = ["profile", "email", "groups"].filter { name in
                known.contains { isSame($0, name) }
            }
        } else {
            wanted = ["profile", "email"]
        }
        return ["openid"] + wanted.filter { !isSame($0, "openid") }
    }
}
