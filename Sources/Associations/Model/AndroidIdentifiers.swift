private import Diagnostics
private import URISyntax

/// An Android package name: two or more segments of ASCII letters, digits and underscores with full
/// stops between them, each beginning with a letter (Android, "Set the application ID").
public struct AndroidPackage: Hashable, Sendable, CustomStringConvertible {
    /// The name, as it was written.
    public let description: String

    /// - Throws: `AndroidIdentifierError`, with a message for people.
    public init(_ text: String) throws(AndroidIdentifierError) {
        let segments = text.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count >= 2, segments.allSatisfy(isSegment) else {
            throw .invalidPackage(text)
        }
        description = text
    }
}

/// The SHA-256 of a signing certificate: 32 octets as colon-separated upper-case hex digits, the
/// only spelling that Google's verifier accepts.
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The fingerprint, as it was written.
    public let description: String

    /// - Throws: `AndroidIdentifierError`, with a message for people.
    public init(_ text: String) throws(AndroidIdentifierError) {
        let octets = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard octets.allSatisfy({ $0.count == 2 && $0.allSatisfy(isUpperHexDigit) }) else {
            throw .invalidFingerprint(text)
        }
        guard octets.count == Self.octets else {
            throw .fingerprintLength(text, octets: octets.count)
        }
        description = text
    }

    /// The number of octets of a SHA-256 hash.
    public static let octets = 32

    /// The fingerprint that a text means in lower-case letters, without colons, or with the
    /// algorithm's name before it; nil if that would be a guess.
    static func mended(_ text: String) -> CertificateFingerprint? {
        var digits = text.utf8.filter { !":- ".utf8.contains($0) }
        // Keytool and openssl print these names.
        for name in ["sha256fingerprint=", "sha256"] {
            let isNamed =
                digits.count == 2 * octets + name.utf8.count
                && zip(digits, name.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
            if isNamed { digits.removeFirst(name.utf8.count) }
        }
        let upper = digits.map { (0x61...0x66).contains($0) ? $0 & 0xDF : $0 }
        guard upper.count == 2 * octets, upper.allSatisfy(isUpperHexDigit) else { return nil }
        let pairs = stride(from: 0, to: upper.count, by: 2).map {
            String(decoding: upper[$0..<($0 + 2)], as: UTF8.self)
        }
        return try? CertificateFingerprint(pairs.joined(separator: ":"))
    }
}

/// The reason why a text is not an Android identifier. Each case has the text.
public enum AndroidIdentifierError: Error, Hashable, Sendable, CustomStringConvertible {
    case invalidPackage(String)
    case invalidFingerprint(String)
    case fingerprintLength(String, octets: Int)

    /// One line: the text in quotes, and what is wrong with it.
    public var description: String {
        switch self {
        case .invalidPackage(let text): "\(quoted(text)) is not an Android package name"
        case .invalidFingerprint(let text):
            "fingerprint \(quoted(text)) is not pairs of upper-case hexadecimal digits with colons"
                + (CertificateFingerprint.mended(text).map { "; write \"\($0)\"" } ?? "")
        case .fingerprintLength(let text, let octets):
            "fingerprint \(quoted(text)) has \(octets) octets, must have "
                + "\(CertificateFingerprint.octets)" + (octets == 20 ? "; this is a SHA-1" : "")
        }
    }
}

private func isSegment(_ segment: Substring.UTF8View.SubSequence) -> Bool {
    guard let first = segment.first, first.isLetter else { return false }
    return segment.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
}

private func isUpperHexDigit(_ byte: UInt8) -> Bool {
    byte.isDigit || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
}
