internal import COpenSSL
private import Synchronization

/// The certificates with which challenges of `tls-alpn-01` are answered (RFC 8737), by their hosts.
/// One thread sets them, and handshakes on any thread look for them: only those whose client offers
/// the protocol `acme-tls/1` and no other, which no client does but an authority.
package final class ChallengeCertificates: Sendable {
    private let certificates = Mutex([[UInt8]: ServerCertificate]())

    /// No challenges.
    package init() {}

    /// Answers the challenge of a host, in lower case.
    /// - Parameter keyAuthorization: of RFC 8555 §8.1.
    package func set(_ host: String, keyAuthorization: String, now: Int) throws(OpenSSLError) {
        let certificate = try ServerCertificate.challenge(
            host, digest: sha256(Array(keyAuthorization.utf8)), now: now)
        certificates.withLock { $0[Array(host.utf8)] = certificate }
    }

    /// Answers none for the host any more.
    package func remove(_ host: String) {
        _ = certificates.withLock { $0.removeValue(forKey: Array(host.utf8)) }
    }

    func certificate(for host: [UInt8]) -> ServerCertificate? { certificates.withLock { $0[host] } }
}

/// Whether a list of protocols (RFC 7301 §3.1) has the one of challenges, and no other.
func offersOnlyChallenges(_ list: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe list.count == challengeProtocol.count + 3
        && list[0] == 0 && Int(list[1]) == challengeProtocol.count + 1
        && Int(list[2]) == challengeProtocol.count
        && list.dropFirst(3).elementsEqual(challengeProtocol)
}

let challengeProtocol = Array("acme-tls/1".utf8)
