import JSONSyntax

/// The answer of a provider's token endpoint (OpenID Connect Core 1.0 §3.1.3.3).
package struct TokenAnswer: Sendable {
    package let idToken: String
    package let accessToken: String?

    package static let bytesMax = 65_536

    /// - Parameter status: of the response.
    package init(_ bytes: [UInt8], status: Int) throws(OpenIDFault) {
        guard status == 200 else {
            let root = try? providerDocument(bytes, .tokens, bytesMax: Self.bytesMax)
            throw .refused(
                root?["error"]?.text.map { OpenIDFault.code($0) } ?? "the status \(status)")
        }
        let root = try providerDocument(bytes, .tokens, bytesMax: Self.bytesMax)
        guard let idToken = root["id_token"]?.text else { throw .missing("id_token", .tokens) }
        self.idToken = idToken
        let type = root["token_type"]?.text?.lowercased()
        let token = root["access_token"]?.text
        // It goes into a field.
        let isPlain = token?.utf8.allSatisfy { 0x21...0x7E ~= $0 } ?? false
        accessToken = isSame(type, "bearer") && isPlain ? token : nil
    }
}
