internal import JSONSyntax
import TLS

/// A person of a provider, with what it says of them.
package struct ProviderPerson: Sendable {
    private let issuer: String
    private let subject: String
    /// The ID token's, and then the UserInfo response's.
    private var claims: [JSONValue]

    package init(_ token: IDToken, issuer: String) {
        (self.issuer, subject, claims) = (issuer, token.subject, [token.claims])
    }

    package static let userInfoBytesMax = 65_536

    /// Adds what the UserInfo endpoint says (OpenID Connect Core 1.0 §5.3.2), if it says it of the same person.
    package mutating func add(userInfo bytes: [UInt8]) throws(OpenIDFault) {
        let root = try providerDocument(bytes, .userInfo, bytesMax: Self.userInfoBytesMax)
        guard isSame(root["sub"]?.text, subject) else { throw .otherSubject }
        claims.append(root)
    }

    /// The groups of the person: the texts of a claim, or its only text. Nil if the claim is not there. An e-mail address
    /// counts if the provider has verified it, because elsewhere anybody can give any.
    package func groups(_ claim: String) -> [String]? {
        guard let owner = claims.first(where: { $0[claim] != nil }) else { return nil }
        if isSame(claim, "email") {
            let flag = owner["email_verified"]
            guard flag?.boolean == true || isSame(flag?.text, "true") else { return [] }
        }
        // Something else among them is no reason to forget the others.
        return owner[claim]?.elements?.compactMap(\.text) ?? owner[claim]?.texts ?? []
    }

    // MARK: The name

    /// The end of the names that the person can have: it follows from the issuer and the identifier there, with 80 bits.
    /// Nobody else gets it, whatever they call themselves.
    package var ending: String {
        let digest = sha256(Array("openid\nperson\n\(issuer)\n\(subject)".utf8))
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
        var (text, bits, count) = ([UInt8(ascii: "+")], 0, 0)
        for byte in digest.prefix(10) {
            (bits, count) = ((bits << 8 | Int(byte)) & 0xFFFF, count + 8)
            while count >= 5 {
                count -= 5
                text.append(letters[bits >> count & 31])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The name of a new person: a readable part from the claims, and the ending.
    package var name: String {
        let said = ["preferred_username", "email", "name"].lazy
            .compactMap { claim in claims.lazy.compactMap { $0[claim]?.text }.first }
            .map(Self.readable).first { !$0.isEmpty }
        return (said ?? "person") + ending
    }

    /// A text with what names of people can have, which is as long as they can be with the ending.
    private static func readable(_ text: String) -> String {
        let bytes = text.unicodeScalars.prefix(128).flatMap { scalar -> [UInt8] in
            let small = scalar.properties.lowercaseMapping
            if let plain = plain[small] { return Array(plain.utf8) }
            // The small letter of İ is an i with a mark.
            let isMarked = small.unicodeScalars.dropFirst().allSatisfy {
                $0.properties.canonicalCombiningClass != .notReordered
            }
            guard isMarked, let byte = small.utf8.first, byte < 0x80 else {
                // A mark over the letter before.
                return scalar.properties.canonicalCombiningClass == .notReordered ? [hyphen] : []
            }
            let isPlain = 0x30...0x39 ~= byte || 0x61...0x7A ~= byte || "._@-".utf8.contains(byte)
            return [isPlain ? byte : hyphen]
        }
        let begun = bytes.drop { !(0x30...0x39 ~= $0 || 0x61...0x7A ~= $0) }
        return String(decoding: begun.prefix(40), as: UTF8.self)
    }

    private static let hyphen = UInt8(ascii: "-")

    /// Letters of Latin with marks, and what people write in their place.
    private static let plain: [String: String] = {
        var plain = [
            "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "å": "aa",
        ]
        for (letter, marked) in [
            ("a", "àáâãāăą"), ("c", "çćĉċč"), ("d", "ďđð"), ("e", "èéêëēĕėęě"), ("g", "ĝğġģ"),
            ("h", "ĥħ"),
            ("i", "ìíîïĩīĭįı"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľŀł"), ("n", "ñńņňŉŋ"),
            ("o", "òóôõøōŏő"),
            ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťŧț"), ("u", "ùúûũūŭůűų"), ("w", "ŵ"),
            ("y", "ýÿŷ"), ("z", "źżž"),
        ] {
            for scalar in marked.unicodeScalars { plain[String(scalar)] = letter }
        }
        return plain
    }()
}
