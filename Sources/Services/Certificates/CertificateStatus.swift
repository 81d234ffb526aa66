import Certificates
package import Files
package import SiteConfiguration
import Sockets
package import TLS
import URISyntax

/// The state of a host's automatic certificate, by its files. Times are in seconds since 1970.
package struct CertificateStatus: Sendable {
    package let host: CertificateName
    /// The URL of the directory of the authority that has issued the certificate, or of the first one.
    package let authority: String
    /// Whether it is not the first one.
    package let isOther: Bool
    /// The beginning and the end of its validity; nil if there is no certificate.
    package let notBefore, notAfter: Int?
    /// The time of its renewal, which is before its end whatever an authority has suggested.
    package let renewAt: Int?
    /// Whether it was revoked, and is still served until there is another.
    package let isRevoked: Bool
    /// Attempts that have failed since the last that has succeeded, and the fault of the last.
    package let failures: Int
    package let lastFault: String?
    /// The next attempt after a failure, or for a host without a certificate that waits.
    package let nextTry: Int?
    /// The reason why the host waits together with others, and the end of that; nil if it does not.
    package let pauseReason: String?
    package let pausedUntil: Int?
}

extension CertificateDirectory {
    /// Of each host that gets a certificate by itself.
    package func statuses(of environment: Environment) -> [CertificateStatus] {
        let (now, suffixes) = (Clock.unixSeconds, PublicSuffixes.installed)
        var allowances = [String: OrderAllowance]()
        let hosts = environment.automaticHosts
        let entries = hosts.map { host in
            let files = HostFiles(self, host)
            for automatic in host.automatic.everyAuthority
            where allowances[automatic.authorityName] == nil {
                allowances[automatic.authorityName] = allowance(of: automatic)
            }
            return RenewalPlan.Entry(
                host: host.name.description, authorities: host.automatic.choices,
                domain: suffixes?.registeredDomain(of: host.name.domain.description),
                record: files.readRecord(), validity: files.readCertificate()?.validity)
        }
        // The pace of orders is known to the running process alone; its traces are here.
        for (authority, time) in entries.compactMap(\.lastAttempt).sorted(by: { $0.1 < $1.1 }) {
            allowances[authority]?.note(milliseconds: time * 1_000)
        }
        var plan = RenewalPlan()
        plan.take(entries) { allowances[$0] ?? OrderAllowance() }
        let turns = Dictionary(
            plan.turns(now: now, milliseconds: now * 1_000).map { ($0.entry.host, $0) },
            uniquingKeysWith: { first, _ in first })
        return zip(hosts, entries).map { host, entry in
            let turn = turns[entry.host]
            let own = entry.record.due(entry.usableValidity, now: now)
            let due = turn?.due ?? own
            // Whoever is not due waits for nothing.
            let isWaiting = entry.usableValidity == nil || own <= now
            let pause = turn?.pause
            let pausedUntil = pause?.until(for: entry.subject)
            let record = entry.record
            return CertificateStatus(
                host: host.name, authority: host.issuer(record), isOther: record.issuer != nil,
                notBefore: entry.validity?.notBefore, notAfter: entry.validity?.notAfter,
                renewAt: entry.validity.flatMap { record.renewalTime($0, now: now) },
                isRevoked: record.isRevoked, failures: record.failures,
                lastFault: record.lastFault,
                nextTry: record.failures > 0 || isWaiting && due > now
                    ? max(due, pausedUntil ?? 0, now)
                    : nil,
                pauseReason: pause?.reason, pausedUntil: pausedUntil)
        }
    }

    /// Orders a renewal of the process that looks after the certificates: the running one, or the
    /// next.
    package func orderRenewal(of name: CertificateName) throws(FileError) {
        try keep(.renewal, for: name)
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

    /// The name of the environment whose origin looks after the certificates, if it is another one than
    /// this; nil if it is this one, if none runs, or if it is not known.
    package func attendedEnvironment(besides name: String) -> String? {
        guard isAttended, let bytes = try? readFile(lock, bytesMax: 4_096).bytes, !bytes.isEmpty
        else { return nil }
        let other = String(decoding: bytes, as: UTF8.self)
        return other == name ? nil : other
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
            var authority = try CertificateAuthority(
                automatic.authority(named: files.readRecord().issuer ?? "") ?? automatic, self,
                agent: "Waymark/\(version) OpenSSL/\(openSSLVersion)")
            var revocation = Revocation(certificate: certificate.leafBytes, reason: reason)
            while !revocation.isDone {
                let request = try revocation.next(&authority.session)
                try revocation.take(try authority.send(request, .certificate), &authority.session)
            }
        } catch {
            throw RevocationError(description: "\(host) is not revoked: \(error)")
        }
        do throws(FileError) {
            // Before the certificate goes: a node that sees that it is gone, and not why, takes it back from the database.
            try keep(CertificateOrder(revoking: certificate), for: host)
        } catch {
            throw RevocationError(
                description:
                    "\(host) is revoked, but served still, because another cannot be ordered: \(error); "
                    + "run this again when that is mended")
        }
        // The process that looks after it may have taken the order already, and got another one.
        if files.readCertificate()?.leafBytes == certificate.leafBytes {
            removeFile(files.certificate)
        }
    }
}

extension RenewalPlan.Entry {
    /// The authority that was asked last, and when, as far as that is recorded.
    var lastAttempt: (authority: String, time: Int)? {
        [record.lastSuccess, record.lastFaultTime].compactMap(\.self).max().map { (issuer, $0) }
    }
}

/// The reason why a certificate was not revoked, in words.
package struct RevocationError: Error, CustomStringConvertible {
    package let description: String
}

extension HostFiles {
    /// Nil if there is none that can be served to the host.
    package func readCertificate() -> ServerCertificate? {
        (try? readFile(certificate, bytesMax: 1 << 20)).flatMap { content in
            let found = try? ServerCertificate(chain: content.bytes, key: content.bytes)
            return found.flatMap { $0.canServe(host) ? $0 : nil }
        }
    }
}
