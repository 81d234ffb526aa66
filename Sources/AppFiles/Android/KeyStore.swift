private import Associations

/// A key that signs an app, by its certificate.
package struct AppSigningKey: Hashable, Sendable {
    /// Its name in the key store; nil for a certificate alone.
    package let alias: String?
    /// The SHA-256 as `assetlinks.json` has it; nil if the certificate is not read.
    package let fingerprint: String?
    /// Nil for a certificate that is read.
    package let unread: Unread?

    /// The reason why a certificate is not read.
    package enum Unread: Hashable, Sendable {
        case needsPassword
        /// It is encrypted in another way; the name for people.
        case algorithm(String)
    }

    /// Whether it is one that Android's tools make for each developer.
    package let isForDebugging: Bool

    init(
        alias: String?, fingerprint: String?, isForDebugging: Bool = false, unread: Unread? = nil
    ) {
        (self.alias, self.fingerprint, self.unread) = (alias, fingerprint, unread)
        self.isForDebugging = isForDebugging
    }

    /// - Parameter certificate: in DER.
    init(alias: String?, _ certificate: [UInt8]) {
        self.init(
            alias: alias, fingerprint: certificateFingerprint(certificate),
            isForDebugging: isOfDebugKey(certificate))
    }
}

/// Reads the certificates of key stores: those of Java's own form without a password, and of PKCS #12 with one where
/// they are encrypted. A certificate in DER or PEM is read, too.
enum KeyStore {
    /// Nil for another file.
    /// - Parameter passwords: those that are tried.
    static func keys(
        in bytes: [UInt8], _ passwords: [[UInt8]] = []
    ) throws(FormatFault) -> [AppSigningKey]? {
        let magic = bytes.big(4, at: 0)
        guard magic == 0xFEED_FEED || magic == 0xCECE_CECE else {
            if let certificate = pemCertificate(bytes) ?? derCertificate(bytes) {
                return [AppSigningKey(alias: nil, certificate)]
            }
            return try PersonalExchange.keys(in: bytes, passwords)
        }
        guard bytes.count <= AppFileLimits.keyStoreBytesMax else {
            throw FormatFault(
                "is a key store of \(bytes.count) bytes, may have \(AppFileLimits.keyStoreBytesMax)"
            )
        }
        return try javaKeys(bytes)
    }

    private static let damaged = FormatFault(
        "is a damaged key store", advice: "copy it again; keytool -list must read it")

    /// - Throws: if a key store has more of its parts than it may have.
    static func check(_ count: Int, _ parts: String) throws(FormatFault) {
        guard count > AppFileLimits.certificatesMax else { return }
        throw FormatFault(
            "is a key store with \(count) \(parts), may have \(AppFileLimits.certificatesMax)",
            advice: "give the certificate of the key that signs the release")
    }

    /// The form JKS: numbers and lengths, the most significant byte first, and a hash at the end.
    private static func javaKeys(_ bytes: [UInt8]) throws(FormatFault) -> [AppSigningKey] {
        guard let version = bytes.big(4, at: 4), version == 1 || version == 2,
            let count = bytes.big(4, at: 8)
        else { throw damaged }
        try check(count, "entries")
        var (keys, offset) = ([AppSigningKey](), 12)
        for _ in 0..<count {
            guard let kind = bytes.big(4, at: offset), kind == 1 || kind == 2 else {
                throw damaged
            }
            let alias = try sized(bytes, 2, at: offset + 4)
            // The time of its making lies between.
            offset = alias.end + 8
            var chain = 1
            if kind == 1 {
                offset = try sized(bytes, 4, at: offset).end
                guard let length = bytes.big(4, at: offset) else { throw damaged }
                (chain, offset) = (length, offset + 4)
            }
            try check(chain, "certificates of a key")
            for number in 0..<chain {
                if version == 2 { offset = try sized(bytes, 2, at: offset).end }
                let certificate = try sized(bytes, 4, at: offset)
                offset = certificate.end
                // The first is that of the key.
                if kind == 1, number == 0 {
                    keys.append(
                        AppSigningKey(
                            alias: bytes.text(alias.content), Array(bytes[certificate.content])))
                }
            }
        }
        guard offset + 20 == bytes.count else { throw damaged }
        guard !keys.isEmpty else {
            throw FormatFault(
                "is a key store without keys, only with certificates of others",
                advice: "give the key store that signs the release")
        }
        return keys
    }

    /// A field with its length before it.
    private static func sized(
        _ bytes: [UInt8], _ size: Int, at offset: Int
    ) throws(FormatFault) -> (content: Range<Int>, end: Int) {
        guard let length = bytes.big(size, at: offset),
            let content = bytes.part(offset + size, length)
        else { throw damaged }
        return (content.indices, content.endIndex)
    }

    /// Whether an element is a certificate: what is signed, the algorithm, and the signature (RFC 5280
    /// §4.1).
    private static func derCertificate(_ bytes: [UInt8]) -> [UInt8]? {
        let reader = ElementReader(bytes: bytes)
        guard bytes.first == 0x30, let whole = reader.element(at: 0, depth: 0),
            whole.end == bytes.count, case let parts = reader.children(of: whole),
            parts.map(\.tag) == [0x30, 0x30, 0x03]
        else { return nil }
        return bytes
    }

    /// The first certificate of a text (RFC 7468).
    private static func pemCertificate(_ bytes: [UInt8]) -> [UInt8]? {
        let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
        let isMark: (UInt8) -> Bool = { " \t\r\n\u{FEFF}".utf8.contains($0) }
        let text = bytes.prefix(AppFileLimits.signatureFileBytesMax).drop(while: isMark)
        // Tools of OpenSSL write what a certificate says before it.
        guard bytes.count <= AppFileLimits.signatureFileBytesMax,
            ["-----BEGIN", "Bag Attributes", "Certificate:"].contains(where: {
                text.starts(with: $0.utf8)
            })
        else { return nil }
        let lines = text.split { $0 == 0x0A || $0 == 0x0D }
        guard let first = lines.firstIndex(where: { $0.elementsEqual(begin.utf8) }),
            let last = lines[first...].firstIndex(where: { $0.elementsEqual(end.utf8) })
        else { return nil }
        return base64(lines[(first + 1)..<last].joined()).flatMap { derCertificate($0) }
    }

    /// Nil for a text that is not base64 (RFC 4648 §4).
    private static func base64(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var (result, bits, count, pads) = ([UInt8](), 0, 0, 0)
        for byte in text {
            let digit: Int
            switch byte {
            case 0x41...0x5A: digit = Int(byte) - 0x41
            case 0x61...0x7A: digit = Int(byte) - 0x61 + 26
            case 0x30...0x39: digit = Int(byte) - 0x30 + 52
            case UInt8(ascii: "+"): digit = 62
            case UInt8(ascii: "/"): digit = 63
            case UInt8(ascii: "="):
                pads += 1
                continue
            default: return nil
            }
            guard pads == 0 else { return nil }
            (bits, count) = ((bits << 6 | digit) & 0xFFFF, count + 6)
            guard count >= 8 else { continue }
            count -= 8
            result.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return pads <= 2 ? result : nil
    }
}
