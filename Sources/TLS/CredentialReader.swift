internal import COpenSSL

/// Reads certificates and private keys from PEM texts. It keeps what many texts need: the
/// certificate of an issuer, which is in each chain of a certificate that it has signed, and
/// OpenSSL's decoders for a type of keys, because finding them takes longer than using them. It
/// belongs to one thread.
package final class CredentialReader {
    /// Certificates of issuers, by their DER form.
    private var issuers = [[UInt8]: Certificate]()
    /// By the type of keys, with OpenSSL's name.
    private var decoders = [String: KeyDecoder]()

    package init() {}

    /// Every certificate of a PEM text, in order, up to the first that cannot be read.
    func readCertificates(_ text: [UInt8]) -> [Certificate] {
        var certificates = [Certificate]()
        _ = unsafe withReadingBIO(text) { bio -> Bool? in
            var data: UnsafeMutablePointer<UInt8>?
            var count = 0
            while unsafe PEM_bytes_read_bio(
                &data, &count, nil, PEM_STRING_X509, bio, refusePassword, nil) == 1
            {
                defer { unsafe CRYPTO_free(data, nil, 0) }
                let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
                guard let certificate = certificate(bytes, isIssuer: !certificates.isEmpty) else {
                    break
                }
                certificates.append(certificate)
            }
            return true
        }
        return certificates
    }

    private func certificate(_ bytes: [UInt8], isIssuer: Bool) -> Certificate? {
        if isIssuer, let known = issuers[bytes] { return known }
        let parsed = unsafe bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_X509(nil, &start, buffer.count)
        }
        guard let parsed = unsafe parsed else { return nil }
        let certificate = unsafe Certificate(owning: parsed)
        if isIssuer { issuers[bytes] = certificate }
        return certificate
    }

    /// The first private key of a PEM text; nil if it cannot be read or is encrypted.
    /// - Parameter leaf: the certificate that it should match.
    func readPrivateKey(_ text: [UInt8], of leaf: Certificate) -> PrivateKey? {
        decodePlainKey(text, of: leaf) ?? readPrivateKey(text)
    }

    /// The same, of any type.
    func readPrivateKey(_ text: [UInt8]) -> PrivateKey? {
        unsafe withReadingBIO(text) { bio in
            guard let key = unsafe PEM_read_bio_PrivateKey(bio, nil, refusePassword, nil) else {
                return nil
            }
            return unsafe PrivateKey(owning: key)
        }
    }

    /// Reads a key of the certificate's type from a text that begins as most do; nil for any other
    /// text.
    private func decodePlainKey(_ text: [UInt8], of leaf: Certificate) -> PrivateKey? {
        guard plainKeys.contains(where: { text.starts(with: $0.utf8) }), !isEncrypted(text),
            let type = unsafe EVP_PKEY_get0_type_name(X509_get0_pubkey(leaf.pointer))
        else { return nil }
        let name = unsafe String(cString: type)
        let decoder = decoders[name] ?? KeyDecoder(name)
        decoders[name] = decoder
        return decoder?.decode(text)
    }
}

/// OpenSSL's decoder of one type of private keys.
@safe
private final class KeyDecoder {
    private let decoder: OpaquePointer
    /// The place where it stores a key.
    private let decoded: UnsafeMutablePointer<OpaquePointer?>

    init?(_ type: String) {
        let decoded = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: 1)
        unsafe decoded.initialize(to: nil)
        guard let decoder = unsafe waymark_key_decoder(decoded, type) else {
            unsafe decoded.deallocate()
            return nil
        }
        unsafe OSSL_DECODER_CTX_set_pem_password_cb(decoder, refusePassword, nil)
        unsafe (self.decoder, self.decoded) = (decoder, decoded)
    }

    deinit {
        unsafe OSSL_DECODER_CTX_free(decoder)
        unsafe decoded.deallocate()
    }

    func decode(_ text: [UInt8]) -> PrivateKey? {
        defer { ERR_clear_error() }
        let isDecoded = unsafe text.withUnsafeBufferPointer { buffer in
            var (start, count) = (buffer.baseAddress, buffer.count)
            return unsafe OSSL_DECODER_from_data(decoder, &start, &count) == 1
        }
        guard let key = unsafe decoded.pointee else { return nil }
        unsafe decoded.pointee = nil
        let owned = unsafe PrivateKey(owning: key)
        return isDecoded ? owned : nil
    }
}

/// Makes OpenSSL load everything that certificates, keys and connections need. Otherwise it would
/// do so at the first use, so a thread can do it while others read.
package func loadAlgorithms() {
    _ = KeyDecoder("EC")
    _ = IntermediateProfile.checkContext
}

private let plainKeys = ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"].map {
    "-----BEGIN \($0)-----"
}

/// Without this, OpenSSL would ask for a password on the terminal.
private let refusePassword:
    @convention(c) (
        UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?
    ) -> CInt = { _, _, _, _ in -1 }
