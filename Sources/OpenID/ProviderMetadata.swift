import JSONSyntax
package import URISyntax

/// The configuration of a provider, as it publishes it (OpenID Connect Discovery 1.0 §3).
package struct ProviderMetadata: Equatable, Sendable {
    package let issuer: String
    package let authorization, token, keys: WebURL
    /// Nil if it has none.
    package let userInfo: WebURL?
    /// The scopes that it says to know; nil if it says nothing of them.
    package let scopes: [String]?
    /// Whether it promises to name itself in its answers to browsers (RFC 9207 §3).
    package let namesItself: Bool
    /// Whether it takes the secret in the field Authorization; else in the content.
    package let takesBasic: Bool

    package static let bytesMax = 131_072

    /// The URL of an issuer's configuration (§4).
    package static func location(of issuer: String) -> String {
        let base = issuer.utf8.last == UInt8(ascii: "/") ? issuer.utf8.dropLast() : issuer.utf8[...]
        return "\(Substring(base))/.well-known/openid-configuration"
    }

    /// - Parameter issuer: that was asked; the document must name it byte for byte (§4.3).
    package init(_ bytes: [UInt8], of issuer: String) throws(OpenIDFault) {
        let root = try providerDocument(bytes, .metadata, bytesMax: Self.bytesMax)
        guard let named = root["issuer"]?.text else { throw .missing("issuer", .metadata) }
        guard isSame(named, issuer) else { throw .otherIssuer(.metadata) }
        self.issuer = issuer
        // For a first look, a provider on this machine may be without TLS, and then its endpoints, too.
        let host = (try? WebURL(issuer)).flatMap { $0.isSecure ? nil : $0.host }
        func endpoint(_ name: String) throws(OpenIDFault) -> WebURL? {
            guard let text = root[name]?.text else { return nil }
            guard let url = try? WebURL(text), !text.utf8.contains(UInt8(ascii: "#")),
                url.isSecure || url.host == host
            else { throw .insecure(name) }
            return url
        }
        guard let authorization = try endpoint("authorization_endpoint") else {
            throw .missing("authorization_endpoint", .metadata)
        }
        guard let token = try endpoint("token_endpoint") else {
            throw .missing("token_endpoint", .metadata)
        }
        guard let keys = try endpoint("jwks_uri") else { throw .missing("jwks_uri", .metadata) }
        (self.authorization, self.token, self.keys) = (authorization, token, keys)
        userInfo = try endpoint("userinfo_endpoint")
        scopes = root["scopes_supported"]?.texts
        namesItself = root["authorization_response_iss_parameter_supported"]?.boolean ?? false
        let ways = root["token_endpoint_auth_methods_supported"]?.texts ?? ["client_secret_basic"]
        takesBasic = ways.contains { isSame($0, "client_secret_basic") }
        guard takesBasic || ways.contains(where: { isSame($0, "client_secret_post") }) else {
            throw .noAuthentication
        }
    }
}
