import TLS
import Testing

@testable import Certificates
import URISyntax

/// What requests are signed with (RFC 7515, RFC 7517, RFC 7638).
@Suite("Signed JSON")
struct SignedJSONTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
        ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
    ])
    func `the texts of RFC 4648 §10, without padding`(plain: String, text: String) {
        #expect(base64URL(Array(plain.utf8)) == text)
        #expect(base64URLDecoded(text) == Array(plain.utf8))
    }

    @Test func `every byte comes back, in the alphabet for URLs`() {
        let bytes = (UInt8.min...UInt8.max).map(\.self)
        let text = base64URL(bytes)
        #expect(base64URLDecoded(text) == bytes)
        #expect(text.utf8.contains(UInt8(ascii: "_")) && text.utf8.contains(UInt8(ascii: "-")))
        #expect(!text.utf8.contains(UInt8(ascii: "+")) && !text.utf8.contains(UInt8(ascii: "=")))
    }

    @Test func `keys of authorities may be padded and in the usual alphabet`() {
        #expect(base64URLDecoded("+/+/") == [0xFB, 0xFF, 0xBF])
        #expect(base64URLDecoded("Zg==") == [0x66])
        for wrong in ["Z", "Zm9vY", "Zm 9", "Zm9v!", "=Zm9"] {
            #expect(base64URLDecoded(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `a signature has two numbers of 32 bytes, with their leading zeros`() throws {
        let key = try SigningKey()
        // A number begins with a zero byte in one of 256, so some of these do.
        for index in 0..<1_000 {
            let signature = try key.sign(Array("message \(index)".utf8))
            #expect(signature.count == 64)
        }
    }

    @Test func `a key is the same after it was written and read`() throws {
        let key = try SigningKey()
        let again = try SigningKey(pem: try key.pem())
        #expect((again.x, again.y) == (key.x, key.y))
        #expect(again.thumbprint == key.thumbprint)
        #expect(key.thumbprint.utf8.count == 43)
        #expect(throws: OpenSSLError.self) { try SigningKey(pem: Array("no key".utf8)) }
    }

    /// Of the key in the example of RFC 7515 appendix A.3.1.
    @Test func `a thumbprint is the digest of the members in their order`() throws {
        let secret = try #require(
            base64URLDecoded("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"))
        let (x, y) = try (
            #require(base64URLDecoded("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")),
            #require(base64URLDecoded("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        )
        // ECPrivateKey (RFC 5915 §3) on P-256, with the public key.
        let structure: [[UInt8]] = [
            [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20], secret,
            [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07],
            [0xA1, 0x44, 0x03, 0x42, 0x00, 0x04], x, y,
        ]
        let text = base64URL(structure.flatMap(\.self)).utf8.map { byte in
            byte == UInt8(ascii: "-")
                ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
        }
        let lines = stride(from: 0, to: text.count, by: 64).map {
            String(decoding: text[$0..<min($0 + 64, text.count)], as: UTF8.self)
        }
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        let pem =
            "-----BEGIN EC PRIVATE KEY-----\n" + lines.joined(separator: "\n") + padding
            + "\n-----END EC PRIVATE KEY-----\n"
        let key = try SigningKey(pem: Array(pem.utf8))
        #expect(base64URL(key.x) == "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
        #expect(base64URL(key.y) == "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
        #expect(key.thumbprint == "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U")
    }

    @Test func `the code of RFC 4231, test case 2`() throws {
        let code = try hmacSHA256(
            Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(code.prefix(4) == [0x5B, 0xDC, 0xC1, 0x46] && code.suffix(2) == [0x38, 0x43])
    }
}
