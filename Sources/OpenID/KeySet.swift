import JSONSyntax
internal import TLS

/// An algorithm of signatures (RFC 7518 §3.1) that ID tokens may have.
enum SignatureAlgorithm: String, CaseIterable {
    case rs256 = "RS256"
    case es256 = "ES256"
}

/// The public keys with which a provider signs (RFC 7517 §5). Those of other kinds and for other purposes are left out.
package struct KeySet: Sendable {
    private let keys: [(id: String?, algorithm: SignatureAlgorithm, key: VerificationKey)]

    package static let bytesMax = 131_072
    private static let keysMax = 100

    package init(_ bytes: [UInt8]) throws(OpenIDFault) {
        let root = try providerDocument(bytes, .keys, bytesMax: Self.bytesMax)
        guard let listed = root["keys"]?.elements else { throw .missing("keys", .keys) }
        guard listed.count <= Self.keysMax else { throw .malformed(.keys) }
        keys = listed.compactMap { item in
            guard Self.isToVerify(item), let (algorithm, key) = Self.read(item) else { return nil }
            // A key that says its algorithm is for no other (RFC 7517 §4.4).
            guard item["alg"] == nil || isSame(item["alg"]?.text, algorithm.rawValue) else {
                return nil
            }
            return (item["kid"]?.text, algorithm, key)
        }
    }

    private static func isToVerify(_ item: JSONValue) -> Bool {
        (item["use"] == nil || isSame(item["use"]?.text, "sig"))
            && (item["key_ops"] == nil
                || item["key_ops"]?.texts?.contains { isSame($0, "verify") } == true)
    }

    private static func read(
        _ item: JSONValue
    ) -> (algorithm: SignatureAlgorithm, key: VerificationKey)? {
        func number(_ name: String) -> [UInt8]? {
            item[name]?.text.flatMap { strictBase64URLDecoded(Substring($0).utf8) }
        }
        switch item["kty"]?.text {
        case let kind where isSame(kind, "RSA"):
            guard let n = number("n"), let e = number("e"), let key = VerificationKey(rsa: n, e)
            else { return nil }
            return (.rs256, key)
        case let kind where isSame(kind, "EC") && isSame(item["crv"]?.text, "P-256"):
            guard let x = number("x"), let y = number("y"), let key = VerificationKey(p256: x, y)
            else { return nil }
            return (.es256, key)
        default: return nil
        }
    }

    /// The key of a token.
    /// - Parameter id: that the token names; without one, only one key may fit.
    func key(_ id: String?, for algorithm: SignatureAlgorithm) throws(OpenIDFault)
        -> VerificationKey
    {
        let fitting = keys.filter { key in
            key.algorithm == algorithm && (id.map { isSame(key.id, $0) } ?? true)
        }
        guard let first = fitting.first else { throw .unknownKey }
        guard fitting.count == 1 else { throw .ambiguousKey }
        return first.key
    }
}
