import Answering
package import Diagnostics
import Files
package import SiteConfiguration
import Sockets
import TLS

/// Reads the certificates, keys and ticket keys of an environment, and checks them for what would
/// fail in a handshake.
struct CertificateReading {
    /// Seconds since 1970.
    let now: Int
    private let known: KnownCertificates
    private(set) var faults = [BuildFault]()
    private(set) var warnings = [Diagnostic]()

    /// - Parameter previous: what is served until now.
    init(after previous: HostCertificates?, now: Int) {
        (self.now, known) = (now, previous?.known ?? KnownCertificates([]))
    }

    /// Chooses a certificate for each host of the sites, and reads those that sign.
    /// - Parameters:
    ///   - previous: what is served until now.
    ///   - signing: what the sites sign with, by their names.
    mutating func chooseCertificates(
        _ sites: [Site], _ ownHosts: [APIHost], after previous: HostCertificates?,
        signing: [SigningCertificate],
        speaksTLS: Bool
    ) -> HostCertificates {
        var (files, seen) = ([CertificateFiles](), Set<CertificateFiles>())
        if speaksTLS {
            for site in sites { files += site.certificates.filter { seen.insert($0).inserted } }
        }
        let owner = sites.first { !$0.certificates.isEmpty }
        var configured = readCertificates(files, of: owner)
        for index in configured.indices { configured[index].checkServing() }
        warnings += (configured + signing.map(\.configured)).flatMap(\.warnings)
        return HostCertificates(
            sites, ownHosts, configured, signing: signing, after: previous, now: now)
    }

    /// The certificate that signs a site's association file; nil where it is not signed.
    mutating func signingCertificate(
        of site: Site, after previous: HostCertificates?
    ) -> SigningCertificate? {
        guard let files = site.associations.signing,
            var configured = readCertificates([files], of: site).first
        else { return nil }
        configured.checkSigning()
        let before = previous?.signing.first { $0.site == site.name }?.signer
        let kept = before.flatMap { $0.certificate.isValid(at: now) ? $0 : nil }
        return SigningCertificate(
            site: site.name, configured: configured, signer: configured.usable ?? kept)
    }

    /// Reads certificates, many of them on as many threads as there are processors.
    private func readCertificates(
        _ files: [CertificateFiles], of site: Site?
    ) -> [ConfiguredCertificate] {
        let threads = min(availableProcessors, 1 + files.count / certificatesPerThreadMin)
        let readShare: @Sendable (Int) -> [ConfiguredCertificate] = { [self] share in
            let reader = CredentialReader()
            return stride(from: share, to: files.count, by: threads).map {
                readCertificate(files[$0], of: site, reader)
            }
        }
        let others = (1..<threads).map { share in
            Background(name: "waymark-certs") { readShare(share) }
        }
        let found = [readShare(0)] + others.map(\.value)
        return files.indices.map { found[$0 % threads][$0 / threads] }
    }

    private func readCertificate(
        _ files: CertificateFiles, of site: Site?, _ reader: CredentialReader
    ) -> ConfiguredCertificate {
        var found = ConfiguredCertificate(files: files)
        if let before = known.unchanged(files) {
            found.takeOver(before)
        } else {
            readFiles(of: &found, site, reader)
        }
        if let mode = found.keyMode {
            found.warnings += exposure(ofKeyFile: files.key, "private key", mode: mode)
        }
        found.checkIssuer()
        found.checkDates(now: now)
        return found
    }

    private func readFiles(
        of found: inout ConfiguredCertificate, _ site: Site?, _ reader: CredentialReader
    ) {
        guard found.files.automaticHost == nil || FileStamp(of: found.files.key.path) != nil else {
            found.isAwaited = true
            return
        }
        var chain: FileContent?
        do {
            let example =
                site.map {
                    "; for development, waymark init --certificates-only --config "
                        + "\($0.position.file) --env \($0.environment) creates certs/dev.pem beside it"
                } ?? ""
            chain = try readInput(
                found.files.certificate, "certificate", bytesMax: pemBytesMax,
                whenMissing: "request it with an ACME client" + example)
        } catch {
            found.faults.append(error)
        }
        do {
            let key = try readInput(
                found.files.key, "private key", bytesMax: pemBytesMax,
                whenMissing:
                    "write the key of \(quoted(found.files.certificate.path)) to this file, "
                    + "or set `key` to its file")
            if CredentialForm(of: key.bytes).isSecret { found.keyMode = key.mode }
            if let chain { parse(chain, key, &found, reader) }
        } catch {
            found.faults.append(error)
        }
    }

    private func parse(
        _ chain: FileContent, _ key: FileContent, _ found: inout ConfiguredCertificate,
        _ reader: CredentialReader
    ) {
        found.digest = sha256(chain.bytes) + sha256(key.bytes)
        let stamps = [chain.stamp, key.stamp]
        if stamps.allSatisfy({ $0.isSettled(at: now) }) { found.stamps = stamps }
        do throws(CertificateError) {
            if let before = known.byDigest[found.digest] {
                found.certificate = before
            } else {
                found.certificate = try ServerCertificate(
                    chain: chain.bytes, key: key.bytes, reader)
            }
        } catch {
            found.fail(error)
        }
    }

    /// The tickets that the environment asks for: those of `automatic` where it names no files;
    /// nil after a fault.
    mutating func loadTickets(_ policy: TLSPolicy, _ automatic: TicketKeys) -> SessionTickets? {
        switch policy.tickets {
        case .off: return .off
        case .automatic: return .sealed(automatic)
        case .files(let files):
            var contents = [[UInt8]]()
            for file in files {
                do {
                    let content = try readInput(
                        file, "ticket key file", bytesMax: pemBytesMax,
                        whenMissing: "create it: openssl rand -out \(quoted(file.path)) 80")
                    warnings += exposure(ofKeyFile: file, "ticket key file", mode: content.mode)
                    contents.append(content.bytes)
                } catch {
                    faults.append(error)
                }
            }
            guard contents.count == files.count else { return nil }
            do {
                return .sealed(try TicketKeys(files: contents))
            } catch {
                let file = files[error.index]
                faults.append(
                    BuildFault(
                        diagnostic: Diagnostic(
                            .error, .ticketKey, at: file.position,
                            "ticket key file \(quoted(file.path)) has \(error.bytes) bytes, must "
                                + "have 80 (or 48)",
                            advice: "create one: openssl rand -out FILE 80"), kind: .invalid))
                return nil
            }
        }
    }

    /// Nil where no site names a certificate, or after a fault.
    mutating func makeContext(
        _ policy: TLSPolicy, _ certificates: HostCertificates, _ tickets: SessionTickets?,
        _ challenges: ChallengeCertificates?
    ) -> TLSServerContext? {
        guard let tickets, let first = certificates.configured.first, faults.isEmpty else {
            return nil
        }
        do {
            return try TLSServerContext(
                hosts: certificates.named, standard: certificates.standard?.certificate,
                tickets: tickets,
                refusesUnknownNames: policy.refusesUnknownNames, challenges: challenges)
        } catch {
            faults.append(.unusable(first.files.certificate, "\(error)"))
            return nil
        }
    }
}

/// The certificate that signs a site's association file.
struct SigningCertificate: Sendable {
    /// The site's name; nil where there is only one.
    let site: String?
    let configured: ConfiguredCertificate
    /// The one that signs, read now or before.
    let signer: LoadedCertificate?

    /// A site's association file, signed; nil where it is sent as it is.
    func sign(_ associations: PublishedAssociations) throws(BuildFault) -> [UInt8]? {
        guard let signer, let json = associations.aasa, !associations.isSigned else { return nil }
        do {
            return try signedMessage(json, by: signer.certificate)
        } catch {
            throw .unusable(signer.files.certificate, "\(error)")
        }
    }
}

extension BuildFault {
    fileprivate static func unusable(_ file: FileReference, _ reason: String) -> BuildFault {
        BuildFault(
            diagnostic: Diagnostic(.error, .unusableCertificate, at: file.position, reason),
            kind: .invalid)
    }
}

package let pemBytesMax = 1 << 20
/// For fewer, another thread takes longer to begin than it saves.
private let certificatesPerThreadMin = 16

/// The warning about a file that holds a secret, where everybody can read it.
package func exposure(ofKeyFile file: FileReference, _ what: String, mode: UInt32) -> [Diagnostic] {
    guard isReadableByAll(mode: mode) else { return [] }
    return [
        Diagnostic(
            .warning, .keyReadableByAll, at: file.position,
            "\(what) \(quoted(file.path)) has mode 0\(String(mode, radix: 8)), so every user "
                + "of this machine can read it",
            advice: "run chmod 600, or chmod 640 if waymark reads it through a group")
    ]
}
