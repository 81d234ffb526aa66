internal import COpenSSL

/// The form of a file that should contain a certificate or a private key in PEM form.
package enum CredentialForm: Hashable, Sendable {
    case empty
    /// In PEM form, with the content that its first line names.
    case certificate, privateKey, openSSHKey, publicKey, request, keyParameters, pkcs7
    /// In PEM form, with other content.
    case otherPEM(String)
    /// In DER form, which is binary.
    case derCertificate, derPrivateKey, derEncryptedKey
    /// A binary file with certificates and keys.
    case pkcs12, javaKeyStore
    case text, binary

    /// Reads the first lines of a text, or tries OpenSSL's parsers on other bytes.
    package init(of bytes: [UInt8]) {
        let isBlank = bytes.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard !isBlank else {
            self = .empty
            return
        }
        self = Self.labelled(bytes) ?? Self.binary(bytes)
    }

    /// A phrase for the operator, as in "it is …".
    package var words: String {
        switch self {
        case .empty: "empty"
        case .certificate: "a certificate"
        case .privateKey: "a private key"
        case .openSSHKey: "a private key in OpenSSH's own form"
        case .publicKey: "a public key"
        case .request: "a request for a certificate"
        case .keyParameters: "the parameters of a key, without the key"
        case .pkcs7: "PKCS#7"
        case .otherPEM(let label): "a PEM file of \"\(label)\""
        case .derCertificate: "a certificate in DER form"
        case .derPrivateKey: "a private key in DER form"
        case .derEncryptedKey: "an encrypted private key in DER form"
        case .pkcs12: "PKCS#12, certificates and keys in one file"
        case .javaKeyStore: "a Java key store"
        case .text: "text without a line -----BEGIN …-----"
        case .binary: "binary, and neither DER nor PKCS#12"
        }
    }

    /// Whether the file contains a private key, even one that cannot be used as it is.
    package var isSecret: Bool {
        switch self {
        case .privateKey, .openSSHKey, .derPrivateKey, .derEncryptedKey, .pkcs12, .javaKeyStore:
            true
        case .empty, .certificate, .publicKey, .request, .keyParameters, .pkcs7, .otherPEM,
            .derCertificate, .text, .binary:
            false
        }
    }

    // MARK: Looking

    /// The number of certificates in a PEM text, according to its labels.
    static func certificateCount(_ bytes: [UInt8]) -> Int {
        labels(bytes).count { certificateLabels.contains($0) }
    }

    private static let certificateLabels = ["CERTIFICATE", "X509 CERTIFICATE"]

    private static func labels(_ bytes: [UInt8]) -> [String] {
        // OpenSSL skips the byte-order mark that some editors write.
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return bytes[mark...].split { $0 == 0x0A || $0 == 0x0D }.compactMap(label)
    }

    private static func labelled(_ bytes: [UInt8]) -> CredentialForm? {
        let labels = labels(bytes)
        // The parameters of a key may be before it.
        guard let label = labels.first(where: { !$0.hasSuffix(" PARAMETERS") }) ?? labels.first
        else { return nil }
        switch label {
        case _ where certificateLabels.contains(label): return .certificate
        case "OPENSSH PRIVATE KEY": return .openSSHKey
        case "PUBLIC KEY", "RSA PUBLIC KEY": return .publicKey
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": return .request
        case "PKCS7", "CMS": return .pkcs7
        default:
            if label.hasSuffix("PRIVATE KEY") { return .privateKey }
            return label.hasSuffix(" PARAMETERS") ? .keyParameters : .otherPEM(label)
        }
    }

    /// The text between `-----BEGIN ` and `-----`, if it consists of letters, digits and spaces and
    /// has the length of a label (RFC 7468 §3).
    private static func label(_ line: ArraySlice<UInt8>) -> String? {
        let (begin, end) = ("-----BEGIN ".utf8, "-----".utf8)
        guard line.starts(with: begin) else { return nil }
        let rest = line.dropFirst(begin.count)
        let label = rest.prefix { $0 != UInt8(ascii: "-") }
        guard rest.dropFirst(label.count).starts(with: end), label.count <= labelBytesMax,
            label.allSatisfy({ $0 == 0x20 || $0.isCapitalOrDigit })
        else { return nil }
        return String(decoding: label, as: UTF8.self)
    }

    private static func binary(_ bytes: [UInt8]) -> CredentialForm {
        if bytes.starts(with: [0xFE, 0xED, 0xFE, 0xED]) { return .javaKeyStore }
        // DER begins with a sequence. OpenSSL is not asked about anything else.
        guard bytes.first == 0x30 else { return bytes.contains(where: isControl) ? .binary : .text }
        defer { ERR_clear_error() }
        // The encrypted form comes first, because OpenSSL would ask for a password when it reads it
        // as a key.
        if unsafe reads(bytes, d2i_PKCS8_bio, X509_SIG_free) { return .derEncryptedKey }
        if unsafe reads(bytes, d2i_X509_bio, X509_free) { return .derCertificate }
        if unsafe reads(bytes, d2i_PKCS12_bio, PKCS12_free) { return .pkcs12 }
        if unsafe reads(bytes, d2i_PrivateKey_bio, EVP_PKEY_free) { return .derPrivateKey }
        return bytes.contains(where: isControl) ? .binary : .text
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !(0x09...0x0D).contains(byte)
    }

    /// Whether OpenSSL can read the bytes in this way; the result is freed.
    private static func reads(
        _ bytes: [UInt8],
        _ read: (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?) -> OpaquePointer?,
        _ free: (OpaquePointer?) -> Void
    ) -> Bool {
        unsafe withReadingBIO(bytes) { bio -> Bool? in
            guard let found = unsafe read(bio, nil) else { return nil }
            unsafe free(found)
            return true
        } ?? false
    }
}

extension UInt8 {
    fileprivate var isCapitalOrDigit: Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}

/// The labels of RFC 7468 are shorter.
private let labelBytesMax = 40
