internal import COpenSSL
private import Glibc
private import Synchronization

/// A certificate chain, leaf first, with the matching private key.
@safe
package final class ServerCertificate: Sendable {
    let leaf: Certificate
    let key: PrivateKey
    let intermediates: [Certificate]
    /// The hosts of the leaf.
    package let names: CertificateNames
    /// A number above 0 that no other certificate of this process has.
    package let number: Int

    /// The start and the end of the leaf's validity, in seconds since 1970.
    package let notBefore: Int
    package let notAfter: Int
    /// The first end of validity in the chain, in seconds since 1970.
    package let chainNotAfter: Int
    /// Whether the chain has only the leaf, although the leaf names the URL of its issuer's
    /// certificate (RFC 5280 §4.2.2.1). Clients do not request it, and most only know root
    /// certificates.
    package let lacksIssuer: Bool
    /// The reason why TLS clients cannot get it; nil if they can.
    package let servingFault: CertificateError?

    /// - Parameters:
    ///   - chain: a PEM text of certificates, leaf first.
    ///   - key: a PEM text of the leaf's private key, unencrypted.
    ///   - reader: one reader for many certificates is faster than a new one for each.
    /// - Throws: why they cannot be used together. The period of validity is not checked.
    package init(
        chain: [UInt8], key keyText: [UInt8], _ reader: CredentialReader = CredentialReader()
    ) throws(CertificateError) {
        ERR_clear_error()
        let certificates = reader.readCertificates(chain)
        ERR_clear_error()
        guard let leaf = certificates.first else { throw .noCertificate(CredentialForm(of: chain)) }
        guard certificates.count == CredentialForm.certificateCount(chain) else {
            throw .damagedChain(certificates.count + 1)
        }
        guard let key = reader.readPrivateKey(keyText, of: leaf) else {
            let reason = OpenSSLError.drained("OpenSSL cannot read it").description
            throw isEncrypted(keyText)
                ? .encryptedKey : .noKey(CredentialForm(of: keyText), reason: reason)
        }
        (self.leaf, self.key) = (leaf, key)
        let intermediates = Array(certificates.dropFirst())
        self.intermediates = intermediates
        names = CertificateNames(leaf.dnsNames)
        number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        var ends = [Int]()
        for certificate in certificates {
            guard let end = certificate.notAfter else { throw .unreadableDate(ends.count + 1) }
            ends.append(end)
        }
        guard let begin = leaf.notBefore else { throw .unreadableDate(1) }
        (notBefore, notAfter) = (begin, ends[0])
        chainNotAfter = ends.reduce(ends[0], min)
        let fits = unsafe X509_check_private_key(leaf.pointer, key.pointer) == 1
        ERR_clear_error()
        guard fits else {
            let other = certificates.firstIndex {
                unsafe X509_check_private_key($0.pointer, key.pointer) == 1
            }
            ERR_clear_error()
            throw other.map { .leafBehind($0 + 1) } ?? .keyMismatch
        }
        let outOfOrder = zip(certificates, certificates.dropFirst()).enumerated()
            .first { !isIssued($1.0, by: $1.1) }
        ERR_clear_error()
        if let outOfOrder { throw .chainOrder(outOfOrder.offset + 1) }
        lacksIssuer =
            intermediates.isEmpty && !isIssued(leaf, by: leaf) && leaf.namesIssuerCertificate
        servingFault = Self.servingFault(leaf, key, intermediates)
        ERR_clear_error()
    }

    /// Checks whether it can be presented: the uses that it states, and OpenSSL's minimum for keys
    /// and signatures.
    private static func servingFault(
        _ leaf: Certificate, _ key: PrivateKey, _ intermediates: [Certificate]
    ) -> CertificateError? {
        // If it states the uses of its key, these must include TLS servers (RFC 5280 §4.2.1.3,
        // §4.2.1.12).
        guard unsafe X509_check_purpose(leaf.pointer, X509_PURPOSE_SSL_SERVER, 0) == 1 else {
            return .notForServers
        }
        do throws(OpenSSLError) {
            try IntermediateProfile.check(leaf, key, intermediates)
            return nil
        } catch {
            return .refused(reason: error.description)
        }
    }

    /// Whether a client that requests `host` accepts the leaf's names (RFC 9525 §6.3).
    package func covers(_ host: String) -> Bool {
        let bytes = host.utf8.map(lowerCase)
        return names.cover(bytes, 0..<bytes.count)
    }
}

private let lastNumber = Atomic<Int>(0)

/// Whether one certificate is the issuer of the other, by name and by signature (RFC 5280 §6.1.3).
private func isIssued(_ certificate: Certificate, by issuer: Certificate) -> Bool {
    guard unsafe X509_check_issued(issuer.pointer, certificate.pointer) == X509_V_OK,
        let key = unsafe X509_get0_pubkey(issuer.pointer)
    else { return false }
    return unsafe X509_verify(certificate.pointer, key) == 1
}

extension ServerCertificate {
    /// The number of certificates that are sent, the leaf included.
    package var chainCount: Int { 1 + intermediates.count }

    /// Whether its issuer's certificate is not sent, whether or not clients have it.
    package var isAlone: Bool {
        defer { ERR_clear_error() }
        return intermediates.isEmpty && !isIssued(leaf, by: leaf)
    }

    /// Whether certificates are sent that clients do not have: others than roots.
    package var hasIntermediate: Bool {
        defer { ERR_clear_error() }
        return intermediates.contains { !isIssued($0, by: $0) }
    }

    /// Whether a host of this name can be answered with it, apart from its dates.
    package func canServe(_ host: String) -> Bool { servingFault == nil && covers(host) }

    /// The leaf, in DER form.
    package var leafBytes: [UInt8] {
        unsafe bytesWritten { unsafe i2d_X509_bio($0, leaf.pointer) == 1 } ?? []
    }

    /// The identifier of its issuer's key and its serial number, as a request for information about
    /// its renewal names them (RFC 9773 §4.1); nil if it does not name the key.
    package var renewalIdentifier: (issuerKey: [UInt8], serial: [UInt8])? {
        guard let key = unsafe X509_get0_authority_key_id(leaf.pointer),
            let serial = unsafe X509_get0_serialNumber(leaf.pointer),
            let number = unsafe ASN1_INTEGER_to_BN(serial, nil)
        else { return nil }
        defer { unsafe BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: unsafe Int(waymark_BN_bytes(number)))
        unsafe BN_bn2bin(number, &bytes)
        // In DER, a first octet above 127 would make it negative.
        if bytes.first.map({ $0 > 127 }) ?? true { bytes.insert(0, at: 0) }
        let count = unsafe Int(ASN1_STRING_length(key))
        return unsafe (
            [UInt8](UnsafeBufferPointer(start: ASN1_STRING_get0_data(key), count: count)), bytes
        )
    }
}

extension Certificate {
    /// The DNS names of the certificate (RFC 5280 §4.2.1.6).
    var dnsNames: [[UInt8]] {
        defer { ERR_clear_error() }
        guard let list = unsafe X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else {
            return []
        }
        let stack = OpaquePointer(list)
        defer { unsafe GENERAL_NAMES_free(stack) }
        return unsafe (0..<OPENSSL_sk_num(stack)).compactMap { index in
            guard let item = unsafe OPENSSL_sk_value(stack, index) else { return nil }
            let name = unsafe item.assumingMemoryBound(to: GENERAL_NAME.self).pointee
            guard unsafe name.type == GEN_DNS, let text = unsafe name.d.dNSName else { return nil }
            let count = unsafe Int(ASN1_STRING_length(text))
            return unsafe [UInt8](
                UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: count))
        }
    }

    /// In seconds since 1970; nil if the date is invalid.
    var notBefore: Int? { unsafe unixSeconds(X509_get0_notBefore(pointer)) }
    var notAfter: Int? { unsafe unixSeconds(X509_get0_notAfter(pointer)) }

    /// Whether it names the URL of its issuer's certificate.
    var namesIssuerCertificate: Bool {
        guard let list = unsafe X509_get_ext_d2i(pointer, NID_info_access, nil, nil) else {
            ERR_clear_error()
            return false
        }
        let stack = OpaquePointer(list)
        defer { unsafe AUTHORITY_INFO_ACCESS_free(stack) }
        return unsafe (0..<OPENSSL_sk_num(stack)).contains { index in
            guard let item = unsafe OPENSSL_sk_value(stack, index) else { return false }
            let access = unsafe item.assumingMemoryBound(to: ACCESS_DESCRIPTION.self).pointee
            return unsafe OBJ_obj2nid(access.method) == NID_ad_ca_issuers
        }
    }
}

/// Whether the key of a PEM text is encrypted, in either of the two forms.
func isEncrypted(_ text: [UInt8]) -> Bool {
    text.split(separator: UInt8(ascii: "\n")).contains { line in
        line.starts(with: "-----BEGIN ENCRYPTED".utf8)
            || line.starts(with: "Proc-Type: 4,ENCRYPTED".utf8)
    }
}

private func unixSeconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int? {
    var parts = unsafe tm()
    guard unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return unsafe timegm(&parts)
}
