import Testing

@testable import TLS

/// Answers to challenges of `tls-alpn-01` (RFC 8737); Tests/Tools/check-acme lets Pebble ask for them.
@Suite("Challenges over TLS")
struct ChallengeCertificateTests {
    private let now = 1_795_000_000

    @Test func `the certificate has the digest in its own critical extension, and one name`() throws
    {
        let challenges = ChallengeCertificates()
        try challenges.set("a.example", keyAuthorization: "token.thumbprint", now: now)
        let certificate = try #require(challenges.certificate(for: Array("a.example".utf8)))
        #expect(certificate.names.written == ["a.example"])
        #expect(certificate.isValid(at: now))
        // The object identifier, critical, and an octet string with an octet string of 32 bytes.
        let form: [UInt8] = [
            0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x1F, 0x01, 0x01, 0xFF, 0x04,
            0x22, 0x04, 0x20,
        ]
        #expect(
            certificate.leafBytes.contains(form + sha256(Array("token.thumbprint".utf8))))
        // It signs itself, and neither subject nor issuer has a name.
        #expect(certificate.intermediates.isEmpty)
        #expect(challenges.certificate(for: Array("b.example".utf8)) == nil)
        challenges.remove("a.example")
        #expect(challenges.certificate(for: Array("a.example".utf8)) == nil)
    }

    @Test(arguments: [
        (["acme-tls/1"], true), (["acme-tls/1", "http/1.1"], false), (["http/1.1"], false),
        (["acme-tls/1", "acme-tls/1"], false), (["acme-tls/2"], false), ([], false),
    ])
    func `only who offers nothing else is an authority`(names: [String], isAuthority: Bool) {
        let body = names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        let list = [UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
        for end in 0...list.count {
            let found = list.prefix(end).withContiguousStorageIfAvailable {
                unsafe offersOnlyChallenges($0)
            }
            #expect(found == (isAuthority && end == list.count), "\(end) bytes")
        }
    }
}

extension ServerCertificate {
    fileprivate func isValid(at now: Int) -> Bool { notBefore < now && now < notAfter }
}
