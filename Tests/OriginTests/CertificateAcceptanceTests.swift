import Files
import Services
import SiteConfiguration
import Sockets
import TLS
import TestSupport
import Testing
import URISyntax

@testable import Origin

/// Which of the certificates that are issued take the place of the one before.
@Suite("Accepted certificates")
struct CertificateAcceptanceTests {
    private let directory: TemporaryDirectory
    private let now = Clock.unixSeconds
    private let name: CertificateName

    init() throws {
        directory = try TemporaryDirectory()
        name = CertificateName(try HostName("a.example"))
    }

    @Test(arguments: [10, 11, 350])
    func `a chain that clients find too long does not replace a good one`(count: Int) throws {
        let authority = try DevelopmentAuthority(now: now)
        let (leaf, key) = try authority.issue(for: ["a.example"], now: now)
        let root = try authority.certificatePEM()
        let before = try ServerCertificate(chain: leaf + root, key: key)
        let chain = leaf + (1..<count).flatMap { _ in root }
        #expect(accept(chain, key, after: before) == (count > 10 ? nil : count))
        // It is better than none.
        #expect(accept(chain, key, after: nil) == count)
    }

    /// The number of certificates that are accepted; nil if it is refused.
    private func accept(
        _ chain: [UInt8], _ key: [UInt8], after before: ServerCertificate?, at time: Int? = nil
    ) -> Int? {
        try? CertificateAcceptance.accept(
            chain, key: key, for: name, after: before, now: time ?? now
        ).chainCount
    }

    /// - Parameter extensions: of the leaf. Some authorities say where their certificate is, and some do not.
    @Test(arguments: ["", "authorityInfoAccess=caIssuers;URI:http://ca.example/i.der"])
    func `a leaf alone does not replace a chain that is valid`(extensions: String) throws {
        let made = shell(
            """
            cd \(directory.path) && set -e
            new() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=$1 \
                -keyout $1.key -out $1.csr; }
            sign() { openssl x509 -req -in $1.csr -CA $2.pem -CAkey $2.key -CAcreateserial \
                -days 30 -extfile $1.txt -out $1.pem; }
            new root; openssl x509 -req -in root.csr -signkey root.key -days 60 -out root.pem
            new issuer; printf 'basicConstraints=critical,CA:TRUE\\n' > issuer.txt
            sign issuer root
            new leaf; printf '%s\\n' subjectAltName=DNS:a.example '\(extensions)' > leaf.txt
            sign leaf issuer
            """)
        try #require(made.status == 0, "\(made.output)")
        func read(_ name: String) throws -> [UInt8] {
            try readFile("\(directory.path)/\(name)", bytesMax: 65_536).bytes
        }
        let (leaf, key, issuer) = (
            try read("leaf.pem"), try read("leaf.key"), try read("issuer.pem")
        )
        let whole = try ServerCertificate(chain: leaf + issuer, key: key)
        let alone = try ServerCertificate(chain: leaf, key: key)
        let later = now + 60
        #expect(accept(leaf, key, after: whole, at: later) == nil)
        #expect(accept(leaf + issuer, key, after: whole, at: later) == 2)
        #expect(accept(leaf + issuer, key, after: alone, at: later) == 2)
        // Where the one before is no better, or is over, it is taken.
        #expect(accept(leaf, key, after: alone, at: later) == 1)
        #expect(accept(leaf, key, after: nil, at: later) == 1)
    }

    @Test func `a root that is sent no more is not missed`() throws {
        let authority = try DevelopmentAuthority(now: now)
        let (leaf, key) = try authority.issue(for: ["a.example"], now: now)
        let before = try ServerCertificate(chain: leaf + authority.certificatePEM(), key: key)
        #expect(accept(leaf, key, after: before) == 1)
    }
}
