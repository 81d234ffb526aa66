internal import COpenSSL

/// A public key with which signatures over SHA-256 are checked: on the curve P-256 (ES256), or of RSA (RS256,
/// RFC 8017 §8.2).
package struct VerificationKey: Sendable {
    private let key: PrivateKey

    /// A point of P-256.
    /// - Returns: nil if it is none.
    package init?(p256 x: [UInt8], _ y: [UInt8]) {
        guard x.count == 32, y.count == 32 else { return nil }
        // SubjectPublicKeyInfo of an uncompressed point (RFC 5480 §2).
        let algorithm = der(
            0x30,
            oid([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
                + oid([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]))
        self.init(subjectPublicKeyInfo: der(0x30, algorithm + der(0x03, [0, 4] + x + y)))
    }

    /// - Parameters:
    ///   - modulus: in big-endian order, of 2,048 to 4,096 bits.
    ///   - exponent: likewise, of at most 32 bits.
    /// - Returns: nil for other numbers.
    package init?(rsa modulus: [UInt8], _ exponent: [UInt8]) {
        let (n, e) = (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
        guard 256...512 ~= n.count, n[0] >= 0x80, n[n.count - 1] & 1 == 1, 1...4 ~= e.count,
            e[e.count - 1] & 1 == 1, e != [1]
        else { return nil }
        let numbers = [n, e].flatMap { number in
            der(0x02, (number[0] >= 0x80 ? [0] : []) + number)
        }
        let algorithm = der(
            0x30, oid([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]) + [0x05, 0])
        self.init(subjectPublicKeyInfo: der(0x30, algorithm + der(0x03, [0] + der(0x30, numbers))))
    }

    private init?(subjectPublicKeyInfo bytes: [UInt8]) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let key = unsafe bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return unsafe d2i_PUBKEY(nil, &start, buffer.count)
        }
        guard let key = unsafe key else { return nil }
        unsafe self.key = PrivateKey(owning: key)
    }

    /// - Parameter signature: of ES256 in DER form, as certificates have it.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// Whether a signature of ES256 in the form of RFC 7518 §3.4 is this key's.
    /// - Parameter numbers: two numbers of 32 bytes, as `SigningKey` makes them.
    package func verifies(numbers: [UInt8], of message: [UInt8]) -> Bool {
        guard numbers.count == 64 else { return false }
        let parts = [numbers.prefix(32), numbers.suffix(32)].map { part in
            let digits = Array(part.drop { $0 == 0 })
            return der(0x02, (digits.first ?? 0x80 >= 0x80 ? [0] : []) + digits)
        }
        return verifies(der(0x30, parts[0] + parts[1]), of: message)
    }
}

private func oid(_ content: [UInt8]) -> [UInt8] { der(0x06, content) }

/// An element of DER with content of less than 65,536 bytes.
private func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
        switch count {
        case ..<0x80: [UInt8(count)]
        case ..<0x100: [0x81, UInt8(count)]
        default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        }
    return [tag] + length + content
}
