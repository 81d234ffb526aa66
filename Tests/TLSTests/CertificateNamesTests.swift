import COpenSSL
import TestSupport
import TLS
import Testing

@Suite("Which hosts a certificate is for (RFC 9525 §6.3)")
struct CertificateNamesTests {
    @Test(
        "a host is covered by its own name, or by a wildcard for its first label",
        arguments: [
            ("a.example", "a.example", true), ("A.Example", "a.example", true),
            ("a.example", "b.example", false), ("a.example", "x.a.example", false),
            ("*.b.example", "x.b.example", true), ("*.B.Example", "xn--bcher-kva.b.example", true),
            ("*.b.example", "b.example", false), ("*.b.example", "x.y.b.example", false),
            ("*.example", "b.example", false), ("*", "localhost", false),
            ("x*.b.example", "xy.b.example", false), ("*x.b.example", "yx.b.example", false),
            ("a.*.example", "a.b.example", false), ("*.*.example", "a.b.example", false),
            (".b.example", "x.b.example", false), ("a.example.", "a.example", false),
            ("", "a.example", false), ("\u{212A}.example", "k.example", false),
        ])
    func coverage(_ name: String, _ host: String, _ isCovered: Bool) {
        let names = CertificateNames([Array(name.utf8)])
        let padded = Array("<\(host)>".utf8)
        #expect(names.cover(padded, 1..<padded.count - 1) == isCovered)
    }

    /// OpenSSL takes partial wildcards unless told otherwise; RFC 9525 knows none.
    @Test func `names cover what OpenSSL says that they do`() throws {
        var random = SplitMix()
        let authority = try DevelopmentAuthority(now: ServerCertificateTests.now)
        var certificates = [ServerCertificate]()
        var (hosts, covered) = ([String](), 0)
        for _ in 0..<100 {
            let names = (0...Int.random(in: 0..<6, using: &random)).map { _ in
                name(isPattern: true, &random)
            }
            let issued = try authority.issue(for: names, now: ServerCertificateTests.now)
            let certificate = try ServerCertificate(chain: issued.certificate, key: issued.key)
            #expect(certificate.names.written == names)
            certificates.append(certificate)
            let reference = try Reference(issued.certificate)
            let made = (0..<40).map { _ in name(isPattern: false, &random) }
            for host in made {
                let wanted = reference.covers(host)
                covered += wanted ? 1 : 0
                #expect(
                    certificate.covers(host) == wanted,
                    "\(host) and \(names), seed \(random.seed)")
            }
            hosts += made
        }
        #expect(covered > 10)
        let index = CertificateIndex(certificates)
        for host in hosts {
            #expect(
                index.first(covering: host) == certificates.firstIndex { $0.covers(host) },
                "\(host), seed \(random.seed)")
        }
    }

    /// Few labels, so that names and hosts meet.
    private func name(isPattern: Bool, _ random: inout SplitMix) -> String {
        let labels = ["a", "b", "xn--b", "a-b", "ab"]
        let patterns = ["*", "*", "a*", "*b", "A", "x--"]
        let count = Int.random(in: 1...4, using: &random)
        let parts = (0..<count).map { position in
            let odds = isPattern ? (position == 0 ? 2 : 12) : 0
            return odds > 0 && Int.random(in: 0..<odds, using: &random) == 0
                ? patterns[Int.random(in: patterns.indices, using: &random)]
                : labels[Int.random(in: labels.indices, using: &random)]
        }
        return parts.joined(separator: ".")
    }
}

/// A certificate that OpenSSL is asked about itself.
private final class Reference {
    private let certificate: OpaquePointer

    init(_ pem: [UInt8]) throws {
        let bio = BIO_new_mem_buf(pem, CInt(pem.count))
        defer { BIO_free(bio) }
        certificate = try #require(PEM_read_bio_X509(bio, nil, nil, nil))
    }

    deinit { X509_free(certificate) }

    func covers(_ host: String) -> Bool {
        let flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
        return X509_check_host(certificate, host, host.utf8.count, CUnsignedInt(flags), nil) == 1
    }
}
