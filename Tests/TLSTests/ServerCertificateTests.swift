import Foundation
import TLS
import Testing

@Suite("Certificates")
struct ServerCertificateTests {
    static let now = 1_795_000_000

    private func issue(_ names: [String]) throws -> (certificate: [UInt8], key: [UInt8]) {
        try DevelopmentAuthority(now: Self.now).issue(for: names, now: Self.now)
    }

    @Test func `a certificate covers the names that it states and no others`() throws {
        let issued = try issue(["a.example", "*.b.example"])
        let certificate = try ServerCertificate(chain: issued.certificate, key: issued.key)
        #expect(certificate.covers("a.example") && certificate.covers("x.b.example"))
        #expect(!certificate.covers("b.example") && !certificate.covers("x.a.example"))
        #expect(!certificate.covers("x.y.b.example") && !certificate.covers("c.example"))
        #expect(certificate.names.written == ["a.example", "*.b.example"])
        #expect(certificate.notBefore == Self.now - 3600)
        #expect(certificate.notAfter == Self.now - 3600 + 365 * 86400)
    }

    @Test func `a key of another certificate does not fit`() throws {
        let (one, other) = (try issue(["a.example"]), try issue(["a.example"]))
        #expect(throws: CertificateError.keyMismatch) {
            try ServerCertificate(chain: one.certificate, key: other.key)
        }
    }

    @Test func `a chain stands in the order of its signatures`() throws {
        let authority = try DevelopmentAuthority(now: Self.now)
        let root = try authority.certificatePEM()
        let leaf = try authority.issue(for: ["a.example"], now: Self.now)
        let whole = try ServerCertificate(chain: leaf.certificate + root, key: leaf.key)
        #expect(whole.chainNotAfter == whole.notAfter)
        let stranger = try DevelopmentAuthority(now: Self.now).certificatePEM()
        for (chain, number) in [
            (leaf.certificate + stranger, 1), (leaf.certificate + leaf.certificate, 1),
            (leaf.certificate + root + leaf.certificate, 2),
        ] {
            #expect(throws: CertificateError.chainOrder(number)) {
                try ServerCertificate(chain: chain, key: leaf.key)
            }
        }
    }

    /// One of them was taken for the end of time, and the origin ended where it said so.
    @Test func `a date that is none is refused, wherever it stands`() throws {
        let authority = try DevelopmentAuthority(now: Self.now)
        let root = try authority.certificatePEM()
        let leaf = try authority.issue(for: ["a.example"], now: Self.now)
        for position in 0..<2 {
            let chain = try spoilDate(of: leaf.certificate, position) + root
            #expect(throws: CertificateError.unreadableDate(1)) {
                try ServerCertificate(chain: chain, key: leaf.key)
            }
        }
        let spoilt = try leaf.certificate + spoilDate(of: root, 1)
        #expect(throws: CertificateError.unreadableDate(2)) {
            try ServerCertificate(chain: spoilt, key: leaf.key)
        }
    }

    /// A certificate in PEM form whose date of this number, from 0, is no date any more.
    private func spoilDate(of pem: [UInt8], _ position: Int) throws -> [UInt8] {
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n")
        var bytes = Array(try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined())))
        // UTCTime (RFC 5280 §4.1.2.5.1): its tag, 13 bytes, the year first.
        let dates = bytes.indices.filter { bytes[$0...].starts(with: [0x17, 0x0D]) }
        bytes[dates[position] + 2] = UInt8(ascii: "x")
        let text = Data(bytes).base64EncodedString(options: .lineLength64Characters)
        return Array("-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8)
    }

    @Test func `the mark that some editors put in front is passed over`() throws {
        let authority = try DevelopmentAuthority(now: Self.now)
        let leaf = try authority.issue(for: ["a.example"], now: Self.now)
        let chain = try leaf.certificate + authority.certificatePEM()
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let marked = try ServerCertificate(chain: mark + chain, key: mark + leaf.key)
        #expect(marked.names.written == ["a.example"])
        #expect(throws: CertificateError.noCertificate(.privateKey)) {
            try ServerCertificate(chain: mark + leaf.key, key: leaf.key)
        }
        #expect(throws: CertificateError.damagedChain(2)) {
            try ServerCertificate(chain: mark + chain.dropLast(100), key: leaf.key)
        }
    }

    @Test func `texts that are no certificate or no key say so`() throws {
        let issued = try issue(["a.example"])
        #expect(throws: CertificateError.noCertificate(.privateKey)) {
            try ServerCertificate(chain: issued.key, key: issued.key)
        }
        #expect(throws: CertificateError.noCertificate(.empty)) {
            try ServerCertificate(chain: [], key: issued.key)
        }
        #expect(throws: CertificateError.self) {
            try ServerCertificate(chain: issued.certificate, key: issued.certificate)
        }
        let encrypted =
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n"
        #expect(throws: CertificateError.encryptedKey) {
            try ServerCertificate(chain: issued.certificate, key: Array(encrypted.utf8))
        }
    }

    @Test func `an authority is taken up again from its texts`() throws {
        let authority = try DevelopmentAuthority(now: Self.now)
        let again = try DevelopmentAuthority(
            certificate: try authority.certificatePEM(), key: try authority.keyPEM())
        #expect(try again.certificatePEM() == authority.certificatePEM())
    }

    @Test func `the digest is the standard's`() {
        let hex = sha256(Array("abc".utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        #expect(
            hex.joined() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
