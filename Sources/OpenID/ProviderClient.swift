import URISyntax

/// The console as a client of one provider.
package struct ProviderClient: Equatable, Sendable {
    package let issuer: String
    package let id: String
    /// The page of the console to which the provider sends browsers back.
    package let redirect: String

    package init(issuer: String, id: String, redirect: String) {
        (self.issuer, self.id, self.redirect) = (issuer, id, redirect)
    }

    /// The request for the tokens of a code (OpenID Connect Core 1.0 §3.1.3.1).
    /// - Returns: the fields of the request, besides those of every one, and its content.
    package func tokenRequest(
        _ metadata: ProviderMetadata, code: String, verifier: String, secret: String
    ) -> (fields: [String], content: [UInt8]) {
        var fields = [
            "Content-Type: application/x-www-form-urlencoded", "Accept: application/json",
        ]
        var items = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ]
        if metadata.takesBasic {
            // RFC 6749 §2.3.1: both parts are encoded as those of forms.
            let pair = "\(id.queryEscaped):\(secret.queryEscaped)"
            fields.append("Authorization: Basic \(base64(Array(pair.utf8)))")
        } else {
            items += [("client_id", id), ("client_secret", secret)]
        }
        return (fields, Array(formEncoded(items).utf8))
    }
}
