import Foundation
import Testing

@testable import TLS

@Suite("Reading many certificates and keys")
struct CredentialReaderTests {
    private static let now = 1_795_000_000

    /// A form of private keys, and how openssl makes one.
    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let command: String

        init(_ name: String, _ command: String) {
            (testDescription, self.command) = (name, command)
        }
    }

    static let forms = [
        Form("EC", "openssl ecparam -name prime256v1 -genkey -noout"),
        Form("EC with its parameters before it", "openssl ecparam -name prime256v1 -genkey"),
        Form("EC in PKCS#8", "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384"),
        Form("RSA", "openssl genrsa -traditional 2048"),
        Form("RSA in PKCS#8", "openssl genrsa 2048"),
        Form("Ed25519", "openssl genpkey -algorithm ED25519"),
    ]

    @Test("one reader reads keys of each form, also behind a damaged one", arguments: forms)
    func reads(_ form: Form) throws {
        let reader = CredentialReader()
        let damaged = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"
        for _ in 0..<2 {
            let key = Array(output("\(form.command) 2>/dev/null").utf8)
            let text = String(decoding: key, as: UTF8.self)
            let chain = Array(
                output("openssl req -x509 -key /dev/stdin -subj /CN=a << 'END'\n\(text)END\n").utf8)
            let certificate = try ServerCertificate(chain: chain, key: key, reader)
            #expect(certificate.servingFault == nil)
            #expect(reader.readPrivateKey(Array(damaged.utf8), of: certificate.leaf) == nil)
            #expect(throws: CertificateError.keyMismatch) {
                let other = Array(output("\(form.command) 2>/dev/null").utf8)
                return try ServerCertificate(chain: chain, key: other, reader)
            }
        }
    }

    @Test func `an issuer's certificate is parsed once for all chains`() throws {
        let authority = try DevelopmentAuthority(now: Self.now)
        let root = try authority.certificatePEM()
        let reader = CredentialReader()
        let read = try ["a.example", "b.example"].map { name in
            let leaf = try authority.issue(for: [name], now: Self.now)
            return try ServerCertificate(chain: leaf.certificate + root, key: leaf.key, reader)
        }
        #expect(read[0].intermediates[0] === read[1].intermediates[0])
        #expect(read[0].leaf !== read[1].leaf && read[1].covers("b.example"))
    }

    private func output(_ command: String) -> String {
        guard let pipe = popen(command, "r") else { return "" }
        defer { pclose(pipe) }
        return String(
            decoding: FileHandle(fileDescriptor: fileno(pipe)).readDataToEndOfFile(),
            as: UTF8.self)
    }
}
