import Diagnostics
import SiteConfiguration
import TLS

// What to do about certificates and keys that cannot be used.

extension CertificateError {
    /// Nil where the error says it.
    func advice(_ files: CertificateFiles) -> String? {
        switch self {
        case .noCertificate(let form): form.adviceForCertificate(quoted(files.certificate.path))
        case .noKey(let form, _): form.adviceForKey(quoted(files.key.path))
        case .encryptedKey: "decrypt it: openssl pkey -in \(quoted(files.key.path)) -out NEW"
        case .keyMismatch:
            "the certificate is \(quoted(files.certificate.path)); both must be of one renewal, "
                + "perhaps only one of them was replaced"
        case .damagedChain, .unreadableDate: "take the chain anew from where it came"
        case .notForServers: "let one be issued whose extended key usage holds serverAuth"
        case .refused: "let one be issued for an ECDSA key of P-256, or an RSA key of 2048 bits"
        case .chainOrder: nil
        }
    }
}

extension CredentialForm {
    fileprivate func adviceForCertificate(_ file: String) -> String {
        switch self {
        case .derCertificate: "convert it: openssl x509 -inform DER -in \(file) -out NEW"
        case .pkcs12: "take it out: openssl pkcs12 -in \(file) -nokeys -out NEW"
        case .pkcs7: "take it out: openssl pkcs7 -in \(file) -print_certs -out NEW"
        case .javaKeyStore: Self.adviceForKeyStore(file)
        case .privateKey: "perhaps `certificate` and `key` are exchanged; \(Self.usual)"
        case .request: "name the certificate that the authority made of it"
        default: Self.usual
        }
    }

    fileprivate func adviceForKey(_ file: String) -> String {
        switch self {
        case .derPrivateKey: "convert it: openssl pkey -inform DER -in \(file) -out NEW"
        case .derEncryptedKey: "decrypt it: openssl pkcs8 -inform DER -in \(file) -out NEW"
        case .pkcs12: "take it out: openssl pkcs12 -in \(file) -nocerts -nodes -out NEW"
        case .javaKeyStore: Self.adviceForKeyStore(file)
        case .openSSHKey: "convert a copy of it: ssh-keygen -p -N '' -m PEM -f COPY"
        case .certificate: "perhaps `certificate` and `key` are exchanged; \(Self.usual)"
        case .request, .publicKey, .keyParameters:
            "name the private key that was made with it; \(Self.usual)"
        default: Self.usual
        }
    }

    private static func adviceForKeyStore(_ file: String) -> String {
        "convert it: keytool -importkeystore -srckeystore \(file) -deststoretype pkcs12 "
            + "-destkeystore NEW; then take both out with openssl pkcs12"
    }

    private static let usual =
        "it must hold what -----BEGIN and -----END lines enclose; certbot's files are "
        + "fullchain.pem and privkey.pem"
}
