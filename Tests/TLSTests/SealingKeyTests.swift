import Testing

@testable import TLS

@Suite("Keys that encrypt content (AES-256-GCM, RFC 5869)") struct SealingKeyTests {
    private static let secret = Array("0123456789abcdef0123456789abcdef".utf8)

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
        }
    }

    @Test(
        "keys are derived as in RFC 5869, A.1 and A.3",
        arguments: [
            (
                "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            (
                "", "",
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            ),
        ])
    func derives(salt: String, info: String, expected: String) throws {
        let secret = [UInt8](repeating: 0x0B, count: 22)
        let found = try hkdfSHA256(
            secret, salt: Self.bytes(salt), info: Self.bytes(info), count: 42)
        #expect(found == Self.bytes(expected))
    }

    @Test func `content is opened with its key and as its own alone`() throws {
        let key = try SealingKey(secret: Self.secret, purpose: "test")
        let content = Array("a private key".utf8)
        let sealed = try key.seal(content, as: "a.example")
        #expect(key.open(sealed, as: "a.example") == content)
        #expect(try key.seal([], as: "a").count == 29)
        #expect(key.open(try key.seal([], as: "a"), as: "a") == [])
        #expect(key.open(sealed, as: "b.example") == nil)
        let others = try [
            SealingKey(secret: Self.secret + [0], purpose: "test"),
            SealingKey(secret: Self.secret, purpose: "tests"),
        ]
        for other in others {
            #expect(other.id != key.id && other.open(sealed, as: "a.example") == nil)
        }
        #expect(try SealingKey(secret: Self.secret, purpose: "test").id == key.id)
        // Each time with another nonce.
        #expect(try key.seal(content, as: "a.example") != sealed)
    }

    @Test func `a change of any byte, and any cut, is noticed`() throws {
        let key = try SealingKey(secret: Self.secret, purpose: "test")
        let sealed = try key.seal(Array("content".utf8), as: "name")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(key.open(changed, as: "name") == nil, "byte \(index)")
            #expect(key.open(Array(sealed[..<index]), as: "name") == nil, "cut at \(index)")
        }
        #expect(key.open(sealed + [0], as: "name") == nil)
    }
}
