import Testing

@testable import Answering

@Suite("Media types of public files")
struct MediaTypeTests {
    @Test(
        "a name decides the type",
        arguments: [
            ("a/b.HTML", "text/html; charset=utf-8"), ("a.b/c", "application/octet-stream"),
            (".well-known/webauthn", "application/json"),
            (".well-known/passkey-endpoints", "application/json"),
            (".well-known/nodeinfo", "application/json"),
            (".well-known/gpc.json", "application/json"),
            (".well-known/security.txt", "text/plain; charset=utf-8"),
            (
                ".well-known/apple-developer-merchantid-domain-association",
                "text/plain; charset=utf-8"
            ),
            // Elsewhere, and in another letter case, they are other files.
            ("webauthn", "application/octet-stream"),
            (".well-known/a/webauthn", "application/octet-stream"),
            (".well-known/WebAuthn", "application/octet-stream"),
        ])
    func type(_ name: String, _ type: String) {
        #expect(MediaTypes.type(of: name).text == type)
    }
}
