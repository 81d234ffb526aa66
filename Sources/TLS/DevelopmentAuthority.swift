internal import COpenSSL
private import Glibc

/// A certificate authority for development. It signs certificates for hosts of this machine, and
/// clients accept them if they are configured to trust it. Do not use it for public hosts.
package struct DevelopmentAuthority: Sendable {
    private let certificate: Certificate
    private let key: PrivateKey

    /// Makes a new authority, valid for ten years from `now` (seconds since 1970).
    package init(now: Int) throws(OpenSSLError) {
        ERR_clear_error()
        key = try makeKey()
        certificate = try makeCertificate(
            Template(
                subject: "Waymark development CA", names: [], isAuthority: true,
                notBefore: now - clockSkewSeconds, days: 3650),
            for: key, signedBy: nil)
    }

    /// Reads an authority that was made earlier.
    /// - Throws: if the texts are not a certificate and its key in PEM form.
    package init(certificate: [UInt8], key: [UInt8]) throws(CertificateError) {
        let pair = try ServerCertificate(chain: certificate, key: key)
        (self.certificate, self.key) = (pair.leaf, pair.key)
    }

    /// The authority's certificate, for clients that should trust it.
    package func certificatePEM() throws(OpenSSLError) -> [UInt8] { try pem(certificate) }
    /// The authority's private key, unencrypted.
    package func keyPEM() throws(OpenSSLError) -> [UInt8] { try pem(key) }

    /// A new key and a certificate for `names`, which are addresses or host names, with `*.` or
    /// without. It is valid for `days` from `now`. Both are in PEM form.
    /// - Parameter subject: its common name; by default the first of the names.
    package func issue(
        for names: [String], as subject: String? = nil, now: Int, days: Int = 365
    ) throws(OpenSSLError) -> (certificate: [UInt8], key: [UInt8]) {
        ERR_clear_error()
        let leafKey = try makeKey()
        let leaf = try makeCertificate(
            Template(
                subject: subject ?? names.first ?? "localhost", names: names, isAuthority: false,
                notBefore: now - clockSkewSeconds, days: days),
            for: leafKey, signedBy: (certificate, key))
        return (try pem(leaf), try pem(leafKey))
    }
}

extension ServerCertificate {
    /// A certificate that signs itself and names no host, with a new key: a server can be connected
    /// to before it has any other, but no client trusts it.
    package static func placeholder(now: Int) throws(OpenSSLError) -> ServerCertificate {
        try signingItself(
            Template(
                subject: "Waymark placeholder", names: [], isAuthority: false,
                notBefore: now - clockSkewSeconds, days: 3650))
    }

    /// The answer to a challenge (RFC 8737 §3): it signs itself, names one host, and has the digest
    /// of the key authorization in an extension of its own. It is valid for a week.
    static func challenge(
        _ host: String, digest: [UInt8], now: Int
    ) throws(OpenSSLError) -> ServerCertificate {
        try signingItself(
            Template(
                subject: "", names: [host], isAuthority: false,
                notBefore: now - clockSkewSeconds, days: 7, challenge: digest))
    }

    /// A certificate with a new key, which signs it.
    private static func signingItself(
        _ template: Template
    ) throws(OpenSSLError) -> ServerCertificate {
        ERR_clear_error()
        let key = try makeKey()
        let certificate = try makeCertificate(template, for: key, signedBy: nil)
        let (chain, secret) = (try pem(certificate), try pem(key))
        do throws(CertificateError) {
            return try ServerCertificate(chain: chain, key: secret)
        } catch {
            throw .drained("\(error)")
        }
    }
}

/// The clocks of clients may be behind ours.
private let clockSkewSeconds = 3600

private struct Template {
    let subject: String
    let names: [String]
    let isAuthority: Bool
    let notBefore: Int
    let days: Int
    /// The digest of a challenge's key authorization; empty if it is not for a challenge.
    var challenge = [UInt8]()
}

func makeKey() throws(OpenSSLError) -> PrivateKey {
    guard let key = unsafe waymark_EVP_P256() else { throw .drained("no key can be made") }
    return unsafe PrivateKey(owning: key)
}

private func makeCertificate(
    _ template: Template, for key: PrivateKey, signedBy issuer: (Certificate, PrivateKey)?
) throws(OpenSSLError) -> Certificate {
    guard let pointer = unsafe X509_new() else { throw .drained("no certificate can be made") }
    let certificate = unsafe Certificate(owning: pointer)
    let serial = try randomBytes(16)
    let isReady =
        unsafe X509_set_version(pointer, 2) == 1  // Counted from 0: version 3.
        && setSerial(pointer, serial) && setSubject(pointer, template.subject)
        && setIssuer(pointer, issuer?.0)
        && ASN1_TIME_set(X509_getm_notBefore(pointer), template.notBefore) != nil
        && ASN1_TIME_set(
            X509_getm_notAfter(pointer), template.notBefore + template.days * 86400) != nil
        && X509_set_pubkey(pointer, key.pointer) == 1
        && addExtensions(pointer, template, issuer?.0)
        && X509_sign(pointer, (issuer?.1 ?? key).pointer, EVP_sha256()) > 0
    guard isReady else { throw .drained("the certificate cannot be made") }
    return certificate
}

private func setSerial(_ certificate: OpaquePointer, _ bytes: [UInt8]) -> Bool {
    // A serial number is positive (RFC 5280 §4.1.2.2).
    var bytes = bytes
    bytes[0] = bytes[0] & 0x7F | 0x40
    guard let number = unsafe BN_bin2bn(bytes, CInt(bytes.count), nil) else { return false }
    defer { unsafe BN_free(number) }
    return unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
}

private func setSubject(_ certificate: OpaquePointer, _ name: String) -> Bool {
    guard !name.isEmpty else { return true }
    // A common name has at most 64 characters (RFC 5280 appendix A.1).
    let text = Array(name.utf8.prefix(64))
    return unsafe X509_NAME_add_entry_by_txt(
        X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, text, CInt(text.count), -1,
        0
    ) == 1
}

private func setIssuer(_ certificate: OpaquePointer, _ issuer: Certificate?) -> Bool {
    unsafe X509_set_issuer_name(
        certificate, X509_get_subject_name(issuer?.pointer ?? certificate)) == 1
}

private func addExtensions(
    _ certificate: OpaquePointer, _ template: Template, _ issuer: Certificate?
) -> Bool {
    var context = unsafe X509V3_CTX()
    unsafe X509V3_set_ctx(&context, issuer?.pointer ?? certificate, certificate, nil, nil, 0)
    var extensions = [(NID_subject_key_identifier, "hash")]
    if template.isAuthority {
        extensions.append((NID_basic_constraints, "critical,CA:TRUE,pathlen:0"))
        extensions.append((NID_key_usage, "critical,keyCertSign,cRLSign"))
    } else {
        extensions.append((NID_authority_key_identifier, "keyid"))
        extensions.append((NID_basic_constraints, "critical,CA:FALSE"))
        extensions.append((NID_key_usage, "critical,digitalSignature"))
        extensions.append((NID_ext_key_usage, "serverAuth"))
        let names = template.names.map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }
        if !names.isEmpty {
            extensions.append((NID_subject_alt_name, names.joined(separator: ",")))
        }
    }
    if !template.challenge.isEmpty {
        let isAdded = unsafe waymark_X509_add_challenge(
            certificate, template.challenge, CInt(template.challenge.count))
        guard isAdded == 1 else { return false }
    }
    for (kind, value) in extensions {
        guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, kind, value) else {
            return false
        }
        defer { unsafe X509_EXTENSION_free(made) }
        guard unsafe X509_add_ext(certificate, made, -1) == 1 else { return false }
    }
    return true
}

private func isAddress(_ name: String) -> Bool {
    name.utf8.contains(UInt8(ascii: ":"))
        || name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
}

func pem(_ certificate: Certificate) throws(OpenSSLError) -> [UInt8] {
    let text = unsafe bytesWritten { unsafe PEM_write_bio_X509($0, certificate.pointer) == 1 }
    guard let text else { throw .drained("the certificate cannot be written") }
    return text
}

func pem(_ key: PrivateKey) throws(OpenSSLError) -> [UInt8] {
    let text = unsafe bytesWritten {
        unsafe PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) == 1
    }
    guard let text else { throw .drained("the key cannot be written") }
    return text
}
