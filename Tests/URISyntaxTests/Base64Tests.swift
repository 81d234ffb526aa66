import Testing

@testable import URISyntax

@Suite struct Base64Tests {
    @Test(
        "the test vectors of RFC 4648 §10, and both alphabets",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(_ text: String, _ encoded: String) {
        let bytes = Array(text.utf8)
        #expect(base64(bytes) == encoded)
        #expect(base64URL(bytes) == encoded.replacing("=", with: ""))
        #expect(base64URLDecoded(encoded) == bytes && base64URLDecoded(base64URL(bytes)) == bytes)
    }

    @Test func `the last two digits tell the alphabets apart`() {
        #expect(base64([0xFB, 0xEF, 0xFF]) == "++//" && base64URL([0xFB, 0xEF, 0xFF]) == "--__")
    }
}
