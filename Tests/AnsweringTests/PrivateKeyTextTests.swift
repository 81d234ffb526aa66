import Testing

@testable import Answering

@Suite("Private keys among public files")
struct PrivateKeyTextTests {
    private static let line = String(repeating: "MIIEvQ+/", count: 8)
    private static func key(_ label: String, _ body: String = line) -> String {
        "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }

    @Test(
        "a key is found, whatever stands around it",
        arguments: [
            key("PRIVATE KEY"), key("RSA PRIVATE KEY"), key("ENCRYPTED PRIVATE KEY"),
            key("OPENSSH PRIVATE KEY"), key("PGP PRIVATE KEY BLOCK", "\n" + line),
            key("EC PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n" + line),
            "const key = `-" + key("PRIVATE KEY") + "`",
            #"{"private_key": "-----BEGIN PRIVATE KEY-----\n"# + line + #"\n-----END"}"#,
            key("CERTIFICATE") + key("PRIVATE KEY"),
        ])
    func isFound(_ text: String) {
        for length in 0..<12 {
            let before = String(repeating: "a", count: length)
            #expect(holdsPrivateKey(Array((before + text).utf8)))
        }
        // Only what the key's line is needed for can be cut off.
        #expect(!holdsPrivateKey(Array(text.utf8.prefix(40))))
    }

    @Test(
        "what is no key is served",
        arguments: [
            "", "-", "-----", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----",
            key("CERTIFICATE"), key("PUBLIC KEY"), key("PRIVATE KEY", "MIIEvQ..."),
            "<p>It begins with -----BEGIN PRIVATE KEY-----, and is secret.</p>",
            String(repeating: "-", count: 100),
        ])
    func isNotFound(_ text: String) { #expect(!holdsPrivateKey(Array(text.utf8))) }
}

private func holdsPrivateKey(_ bytes: [UInt8]) -> Bool { Answering.holdsPrivateKey(bytes.span) }
