import Certificates
import Diagnostics
package import Files
package import SiteConfiguration
import Sockets
import TLS
package import URISyntax

/// What is known of a host's automatic certificate, from its files. Times are in seconds since 1970.
package struct CertificateStatus: Sendable {
    package let host: HostName
    package let authority: String
    /// The end of its validity; nil if there is none.
    package let notBefore, notAfter: Int?
    package let renewAt: Int?
    /// Attempts that have failed since the last that has succeeded, and the fault of the last.
    package let failures: Int
    package let lastFault: String?
    package let nextTry: Int?
}

extension CertificateDirectory {
    /// Of each host that gets a certificate by itself.
    package func statuses(of environment: Environment) -> [CertificateStatus] {
        environment.automaticHosts.map { host in
            let files = HostFiles(self, host)
            let (record, certificate) = (files.readRecord(), files.readCertificate())
            return CertificateStatus(
                host: host.name, authority: host.automatic.directory,
                notBefore: certificate?.notBefore, notAfter: certificate?.notAfter,
                renewAt: certificate == nil ? nil : record.renewAt,
                failures: record.failures, lastFault: record.lastFault,
                nextTry: record.failures > 0 ? record.nextTry : nil)
        }
    }

    /// Orders a renewal of the process that looks after the certificates: the running one, or the
    /// next.
    package func orderRenewal(of host: HostName) throws(FileError) {
        try replaceFile("\(renewals)/\(host)", [], mode: 0o600)
    }

    /// Whether a process looks after the certificates.
    package var isAttended: Bool {
        do throws(FileError) {
            _ = try FileLock(path: lock)
            return false
        } catch {
            return error == .taken
        }
    }

    /// Revokes a host's certificate with its authority, removes it, and orders another.
    /// - Parameter reason: the number of RFC 5280 §5.3.1.
    /// - Throws: why not, in words.
    package func revoke(
        _ automaticHost: AutomaticHost, reason: Int, version: String
    ) throws(RevocationError) {
        let (host, automatic) = (automaticHost.name, automaticHost.automatic)
        let files = HostFiles(self, automaticHost)
        guard let certificate = files.readCertificate() else {
            throw RevocationError(description: "\(host) has no automatic certificate")
        }
        do throws(IssuanceFault) {
            var authority = try Authority(
                automatic, self, agent: "Waymark/\(version) OpenSSL/\(openSSLVersion)")
            var revocation = Revocation(certificate: certificate.leafBytes, reason: reason)
            while !revocation.isDone {
                let request = try revocation.next(&authority.session)
                try revocation.take(
                    try authority.send(request, .certificate), &authority.session)
            }
        } catch {
            throw RevocationError(description: "\(host) is not revoked: \(error)")
        }
        removeFile(files.certificate)
        try? orderRenewal(of: host)
    }
}

/// Why a certificate was not revoked, in words.
package struct RevocationError: Error, CustomStringConvertible {
    package let description: String
}

extension HostFiles {
    func readCertificate() -> ServerCertificate? {
        (try? readFile(certificate, bytesMax: 1 << 20)).flatMap {
            try? ServerCertificate(chain: $0.bytes, key: $0.bytes)
        }
    }
}
