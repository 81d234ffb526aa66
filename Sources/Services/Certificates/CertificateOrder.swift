import TLS
import URISyntax

/// An order of `waymark certificates` for a host, as its file says it.
enum CertificateOrder: Equatable, Sendable {
    case renewal
    /// Another certificate in the place of one that was revoked.
    /// - Parameter leaf: the SHA-256 of that one; nil in a file of an earlier version, which means any.
    case revocation(leaf: String?)

    /// The order for a certificate that was revoked.
    init(revoking certificate: ServerCertificate) {
        self = .revocation(leaf: Self.hash(of: certificate))
    }

    /// The order of a file.
    init(_ content: [UInt8]) {
        let words =
            content.split(separator: UInt8(ascii: "\n")).first?
            .split(separator: UInt8(ascii: " ")) ?? []
        guard words.first?.elementsEqual(Self.word.utf8) == true else {
            self = .renewal
            return
        }
        self = .revocation(leaf: words.count > 1 ? String(decoding: words[1], as: UTF8.self) : nil)
    }

    /// The content of its file.
    var content: [UInt8] {
        switch self {
        case .renewal: []
        case .revocation(nil): Array("\(Self.word)\n".utf8)
        case .revocation(let leaf?): Array("\(Self.word) \(leaf)\n".utf8)
        }
    }

    private static let word = "revoked"

    /// Whether a certificate is the one that was revoked: not one that another node has got meanwhile.
    func revokes(_ certificate: ServerCertificate) -> Bool {
        guard case .revocation(let leaf) = self else { return false }
        return leaf.map { $0 == Self.hash(of: certificate) } ?? true
    }

    private static func hash(of certificate: ServerCertificate) -> String {
        sha256(certificate.leafBytes).hexadecimal
    }
}
