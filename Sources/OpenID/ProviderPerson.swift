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
        return owner[claim]?.texts ?? []
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
        let bytes = text.utf8.prefix(128).map { byte -> UInt8 in
            let small = 0x41...0x5A ~= byte ? byte | 0x20 : byte
            let isPlain =
                0x30...0x39 ~= small || 0x61...0x7A ~= small || "._@-".utf8.contains(small)
            return isPlain ? small : UInt8(ascii: "-")
        }
        let begun = bytes.drop { !(0x30...0x39 ~= $0 || 0x61...0x7A ~= $0) }
        return String(decoding: begun.prefix(40), as: UTF8.self)
    }
}
