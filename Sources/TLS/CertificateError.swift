internal import COpenSSL
private import Glibc
private import Synchronization

/// The reason why a certificate and a key cannot be used, with a message for the operator.
package enum CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    case noCertificate(CredentialForm)
    /// OpenSSL's reason is only useful if the file looks like a key.
    case noKey(CredentialForm, reason: String)
    case encryptedKey
    case keyMismatch
    /// The certificate with this number, from 1, cannot be read.
    case damagedChain(Int)
    /// The private key is that of the certificate with this number, from 1, and not of the first.
    case leafBehind(Int)
    /// The certificate with this number, from 1, is not signed by the next one.
    case chainOrder(Int)
    /// The certificate with this number, from 1, has an invalid date (RFC 5280 §4.1.2.5).
    case unreadableDate(Int)
    /// It states uses that do not include TLS servers.
    case notForServers
    /// OpenSSL refuses it, mostly because it is too weak.
    case refused(reason: String)

    package var description: String {
        switch self {
        case .noCertificate(.certificate): "the certificate is damaged"
        case .noCertificate(let form): "no certificate in PEM form: it is \(form.words)"
        case .noKey(.privateKey, let reason): "the private key is damaged: \(reason)"
        case .noKey(let form, _): "no private key in PEM form: it is \(form.words)"
        case .encryptedKey: "the private key is encrypted"
        case .keyMismatch: "the private key does not fit the certificate"
        case .damagedChain(let number): "certificate \(number) of the chain is damaged"
        case .chainOrder(let number):
            "certificate \(number) of the chain is not signed by the next one"
        case .leafBehind(let number):
            "the private key is that of certificate \(number) in the file, but the host's "
                + "certificate must be the first"
        case .unreadableDate(let number):
            "a validity date of certificate \(number) cannot be read"
        case .notForServers:
            "the certificate's key usage does not allow TLS servers"
        case .refused(let reason): reason
        }
    }

    /// Whether the key's file is at fault, and not the certificate's.
    package var concernsKey: Bool {
        switch self {
        case .noCertificate, .damagedChain, .chainOrder, .leafBehind, .unreadableDate,
            .notForServers, .refused:
            false
        case .noKey, .encryptedKey, .keyMismatch: true
        }
    }
}
