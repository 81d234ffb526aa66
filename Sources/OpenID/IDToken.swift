internal import JSONSyntax
import TLS
import URISyntax

/// A person as the provider has signed it (OpenID Connect Core 1.0 §2). There is none whose signature and claims were
/// not checked.
package struct IDToken: Sendable {
    /// The person's identifier at the provider, which is never given to another one.
    package let subject: String
    let claims: JSONValue

    package static let bytesMax = 16_384
    static let subjectBytesMax = 255
    /// The clocks of two machines may differ by so much.
    package static let skewSeconds = 60

    /// Reads and checks it (§3.1.3.7).
    /// - Parameters:
    ///   - text: a JSON Web Signature in its compact form (RFC 7515 §7.1).
    ///   - accessToken: that came with it; nil if none did.
    ///   - now: seconds since 1970.
    package init(
        _ text: String, by keys: KeySet, for attempt: SignInAttempt, of client: ProviderClient,
        accessToken: String?, at now: Int
    ) throws(OpenIDFault) {
        let claims = try Self.verified(text, by: keys)
        guard let issuer = claims["iss"]?.text else { throw .missing("iss", .token) }
        guard isSame(issuer, client.issuer) else { throw .otherIssuer(.token) }
        try Self.checkAudience(claims, client)
        try Self.checkTimes(claims, now)
        guard isSame(claims["nonce"]?.text, attempt.nonce) else { throw .otherNonce }
        if let hash = claims["at_hash"], let accessToken {
            let half = sha256(Array(accessToken.utf8)).prefix(16)
            guard isSame(hash.text, base64URL(Array(half))) else { throw .otherAccessToken }
        }
        guard let subject = claims["sub"]?.text, !subject.isEmpty else {
            throw .missing("sub", .token)
        }
        guard subject.utf8.count <= Self.subjectBytesMax else { throw .malformed(.token) }
        (self.subject, self.claims) = (subject, claims)
    }

    /// The claims of a token whose signature is right. The header chooses among the two algorithms, and among the keys of
    /// that kind: nothing else of it counts, neither keys nor URLs of keys.
    private static func verified(_ text: String, by keys: KeySet) throws(OpenIDFault) -> JSONValue {
        guard text.utf8.count <= bytesMax else { throw .malformed(.token) }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let head = strictBase64URLDecoded(parts[0]),
            let content = strictBase64URLDecoded(parts[1]),
            let signature = strictBase64URLDecoded(parts[2])
        else { throw .malformed(.token) }
        let header = try providerDocument(head, .token, bytesMax: bytesMax)
        guard let name = header["alg"]?.text else { throw .missing("alg", .token) }
        guard
            let algorithm = SignatureAlgorithm.allCases.first(where: { isSame(name, $0.rawValue) })
        else { throw .algorithm(OpenIDFault.code(name, otherwise: "another algorithm")) }
        // Access tokens and logout tokens of the same provider say so (RFC 8725 §3.11).
        guard header["crit"] == nil,
            header["typ"] == nil || isSame(header["typ"]?.text?.lowercased(), "jwt")
        else { throw .otherToken }
        guard header["kid"] == nil || header["kid"]?.text != nil else { throw .malformed(.token) }
        let key = try keys.key(header["kid"]?.text, for: algorithm)
        let message = Array(text.utf8.prefix(parts[0].count + 1 + parts[1].count))
        let isRight =
            switch algorithm {
            case .rs256: key.verifies(signature, of: message)
            case .es256: key.verifies(numbers: signature, of: message)
            }
        guard isRight else { throw .wrongSignature }
        return try providerDocument(content, .token, bytesMax: bytesMax)
    }

    private static func checkAudience(
        _ claims: JSONValue, _ client: ProviderClient
    ) throws(OpenIDFault) {
        guard let audiences = claims["aud"]?.texts else { throw .missing("aud", .token) }
        guard audiences.contains(where: { isSame($0, client.id) }) else { throw .otherAudience }
        // With several audiences, azp names the client that has asked for the token.
        if let party = claims["azp"] {
            guard isSame(party.text, client.id) else { throw .otherParty }
        } else if audiences.count > 1 {
            throw .otherParty
        }
    }

    private static func checkTimes(_ claims: JSONValue, _ now: Int) throws(OpenIDFault) {
        guard let end = claims["exp"]?.numericDate else { throw .missing("exp", .token) }
        guard let issued = claims["iat"]?.numericDate else { throw .missing("iat", .token) }
        let (early, late) = (Double(now - skewSeconds), Double(now + skewSeconds))
        guard early < end else { throw .expired }
        guard issued <= late else { throw .notYetValid }
        guard let start = claims["nbf"] else { return }
        guard let start = start.numericDate else { throw .malformed(.token) }
        guard start <= late else { throw .notYetValid }
    }
}
