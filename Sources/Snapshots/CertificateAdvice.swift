import Diagnostics
import SiteConfiguration
import TLS

// What to do about certificates and keys that cannot be used.

extension CertificateError {
    func advice(_ files: CertificateFiles) -> String? {
        switch self {
        case .noCertificate(let form): form.adviceForCertificate(quoted(files.certificate.path))
        case .noKey(let form, _): form.adviceForKey(quoted(files.key.path))
        case .encryptedKey: "decrypt it: openssl pkey -in \(quoted(files.key.path)) -out NEW"
        case .keyMismatch:
            "the certificate is \(quoted(files.certificate.path)); both must be from the same renewal"
        case .damagedChain, .unreadableDate: "get the chain again from the authority"
        case .notForServers: "request a certificate with the extended key usage serverAuth"
        case .refused: "request a certificate for a P-256 ECDSA key, or an RSA key of 2048 bits"
        case .chainOrder, .leafBehind:
            "write the host's certificate first, then its issuer's, and so on; certbot's "
                + "fullchain.pem has this order"
        }
    }
}

extension CredentialForm {
    fileprivate func adviceForCertificate(_ file: String) -> String {
        switch self {
        case .derCertificate: "convert it: openssl x509 -inform DER -in \(file) -out NEW"
        case .pkcs12: "extract it: openssl pkcs12 -in \(file) -nokeys -out NEW"
        case .pkcs7: "extract it: openssl pkcs7 -in \(file) -print_certs -out NEW"
        case .javaKeyStore: Self.adviceForKeyStore(file)
        case .privateKey:
            "it contains a private key: set `key` to it, and `certificate` to the certificate's file"
        case .request: "use the certificate that the authority issued for it"
        default: Self.usual
        }
    }

    fileprivate func adviceForKey(_ file: String) -> String {
        switch self {
        case .derPrivateKey: "convert it: openssl pkey -inform DER -in \(file) -out NEW"
        case .derEncryptedKey: "decrypt it: openssl pkcs8 -inform DER -in \(file) -out NEW"
        case .pkcs12: "extract it: openssl pkcs12 -in \(file) -nocerts -nodes -out NEW"
        case .javaKeyStore: Self.adviceForKeyStore(file)
        case .openSSHKey: "convert a copy of it: ssh-keygen -p -N '' -m PEM -f COPY"
        case .certificate:
            "it contains a certificate: set `certificate` to it, and `key` to the private key's file"
        case .request, .publicKey, .keyParameters:
            "use the private key that belongs to it; \(Self.usual)"
        default: Self.usual
        }
    }

    private static func adviceForKeyStore(_ file: String) -> String {
        "convert it: keytool -importkeystore -srckeystore \(file) -deststoretype pkcs12 "
            + "-destkeystore NEW; then extract both with openssl pkcs12"
    }

    private static let usual =
        "it must contain -----BEGIN and -----END lines; certbot's files are fullchain.pem and "
        + "privkey.pem"
}
