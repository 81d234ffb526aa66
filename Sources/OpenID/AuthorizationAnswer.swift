/// The answer that a provider lets a browser bring (RFC 6749 §4.1.2, RFC 9207). Anybody can make one.
package struct AuthorizationAnswer: Sendable {
    private let values: [String: String]

    private static let names = ["code", "error", "iss", "state"]
    private static let codeBytesMax = 4_096

    /// - Parameter items: of the query, decoded.
    package init(_ items: [(name: String, value: String)]) throws(OpenIDFault) {
        var values = [String: String]()
        for item in items {
            guard let name = Self.names.first(where: { isSame($0, item.name) }) else { continue }
            // RFC 6749 §3.1: a parameter is there once.
            guard values.updateValue(item.value, forKey: name) == nil else {
                throw .malformed(.answer)
            }
        }
        self.values = values
    }

    /// Whether it is one to this attempt.
    package func isAnswer(to attempt: SignInAttempt) -> Bool {
        isSame(values["state"], attempt.state)
    }

    /// The code, after a check of the issuer (RFC 9207 §2.4). Everything else is checked with the tokens.
    package func code(_ metadata: ProviderMetadata) throws(OpenIDFault) -> String {
        if let issuer = values["iss"] {
            guard isSame(issuer, metadata.issuer) else { throw .otherIssuer(.answer) }
        } else if metadata.namesItself {
            throw .noIssuer
        }
        if let error = values["error"] { throw .refused(OpenIDFault.code(error)) }
        guard let code = values["code"], !code.isEmpty else { throw .missing("code", .answer) }
        guard code.utf8.count <= Self.codeBytesMax else { throw .malformed(.answer) }
        return code
    }
}

extension OpenIDFault {
    /// An error code or the name of an algorithm for the log: letters, digits and a few marks, as those of the standards have.
    static func code(_ text: String, otherwise: String = "another error") -> String {
        let isPlain = text.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "._-".utf8.contains($0)
        }
        return isPlain && 1...64 ~= text.utf8.count ? text : otherwise
    }
}
