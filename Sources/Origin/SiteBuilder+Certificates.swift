import Answering
import Diagnostics
import Files
import SiteConfiguration
import Sockets
import TLS
import URISyntax

// Certificates, keys and ticket keys: read, and checked for what would fail in a handshake.

extension SiteBuilder {
    /// Reads every certificate that the environment names, and chooses one for each host.
    /// - Parameters:
    ///   - previous: what is served until now.
    ///   - speaksTLS: whether others than the one that signs are read.
    mutating func chooseCertificates(
        _ environment: Environment, after previous: HostCertificates?, speaksTLS: Bool
    ) -> HostCertificates {
        let known = previous?.known ?? KnownCertificates([])
        var configured = readCertificates(speaksTLS ? site.certificates : [], known)
        for index in configured.indices { configured[index].checkServing() }
        var signing = site.associations.signing.flatMap {
            readCertificates([$0], known).first
        }
        signing?.checkSigning()
        add((configured + [signing].compactMap(\.self)).flatMap(\.warnings))
        return HostCertificates(
            environment, configured, uncovered: findUncovered(configured), signing: signing,
            after: previous, now: now)
    }

    /// Reads certificates, many of them on as many threads as there are processors.
    private func readCertificates(
        _ files: [CertificateFiles], _ known: KnownCertificates
    ) -> [ConfiguredCertificate] {
        let threads = min(availableProcessors, 1 + files.count / certificatesPerThreadMin)
        let readShare: @Sendable (Int) -> [ConfiguredCertificate] = { [self] share in
            let reader = CredentialReader()
            return stride(from: share, to: files.count, by: threads).map {
                readCertificate(files[$0], known, reader)
            }
        }
        let others = (1..<threads).map { share in
            Background(name: "waymark-certs") { readShare(share) }
        }
        let found = [readShare(0)] + others.map(\.value)
        return files.indices.map { found[$0 % threads][$0 / threads] }
    }

    private func readCertificate(
        _ files: CertificateFiles, _ known: KnownCertificates, _ reader: CredentialReader
    ) -> ConfiguredCertificate {
        var found = ConfiguredCertificate(files: files)
        if let before = known.unchanged(files) {
            found.takeOver(before)
        } else {
            readFiles(of: &found, known, reader)
        }
        if let mode = found.keyMode {
            found.warnings += exposure(of: files.key, "private key", mode: mode)
        }
        found.checkIssuer()
        found.checkDates(now: now)
        return found
    }

    private func readFiles(
        of found: inout ConfiguredCertificate, _ known: KnownCertificates,
        _ reader: CredentialReader
    ) {
        var chain: FileContent?
        do {
            chain = try read(
                found.files.certificate, "certificate", bytesMax: pemBytesMax,
                whenMissing: "request it with an ACME client; for development, waymark init "
                    + "--certificates-only --config \(site.position.file) --env "
                    + "\(site.environment) creates certs/dev.pem")
        } catch {
            found.faults.append(error)
        }
        do {
            let key = try read(
                found.files.key, "private key", bytesMax: pemBytesMax,
                whenMissing:
                    "write the key of \(quoted(found.files.certificate.path)) to this file, "
                    + "or set `key` to its file")
            found.keyMode = key.mode
            if let chain { parse(chain, key, &found, known, reader) }
        } catch {
            found.faults.append(error)
        }
    }

    private func parse(
        _ chain: FileContent, _ key: FileContent, _ found: inout ConfiguredCertificate,
        _ known: KnownCertificates, _ reader: CredentialReader
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

    /// What is to be said of a file that holds a secret, where everybody can read it.
    private func exposure(of file: FileReference, _ what: String, mode: UInt32) -> [Diagnostic] {
        guard isReadableByAll(mode: mode) else { return [] }
        return [
            Diagnostic(
                .warning, .keyReadableByAll, at: file.position,
                "\(what) \(quoted(file.path)) has mode 0\(String(mode, radix: 8)), so every user "
                    + "of this machine can read it",
                advice: "run chmod 600, or chmod 640 if waymark reads it through a group")
        ]
    }

    /// Reports hosts that none of the certificates covers. If a certificate could not be read,
    /// nothing is reported: it may cover them.
    private func findUncovered(_ configured: [ConfiguredCertificate]) -> [BuildFault] {
        let certificates = configured.compactMap(\.certificate)
        guard let first = configured.first, certificates.count == configured.count else {
            return []
        }
        let index = CertificateIndex(certificates)
        let lacking = site.answeredHosts.filter {
            index.first(covering: $0.description) == nil
        }
        guard !lacking.isEmpty else { return [] }
        let names = certificates.flatMap(\.names.written)
        let covered =
            names.prefix(namesMax).joined(separator: ", ")
            + (names.count > namesMax ? " and \(names.count - namesMax) more" : "")
        return lacking.map { host in
            BuildFault(
                diagnostic: Diagnostic(
                    .error, .certificateLacksHost, at: first.files.certificate.position,
                    "no certificate covers host \(quoted(host.description)); they "
                        + (names.isEmpty
                            ? "have no subjectAltName, and clients ignore the common name"
                            : "cover \(covered)"),
                    advice: names.isEmpty
                        ? "request one whose subjectAltName contains DNS:\(host.description)"
                        : "add one under tls, or remove the host from \(site.environment)"),
                kind: .invalid)
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
                    let content = try read(
                        file, "ticket key file", bytesMax: pemBytesMax,
                        whenMissing: "create it: openssl rand -out \(quoted(file.path)) 80")
                    add(exposure(of: file, "ticket key file", mode: content.mode))
                    contents.append(content.bytes)
                } catch {
                    fail(error.diagnostic, kind: error.kind)
                }
            }
            guard contents.count == files.count else { return nil }
            do {
                return .sealed(try TicketKeys(files: contents))
            } catch {
                let file = files[error.index]
                fail(
                    .ticketKey, at: file.position,
                    "ticket key file \(quoted(file.path)) has \(error.bytes) bytes, must have 80 "
                        + "(or 48)", advice: "create one: openssl rand -out FILE 80")
                return nil
            }
        }
    }

    /// The association file, signed; nil where it is sent as it is, or after a fault.
    mutating func signAssociation(_ signer: LoadedCertificate?) -> [UInt8]? {
        guard let signer, let json = site.associations.aasa,
            !site.associations.isSigned
        else { return nil }
        do {
            return try signedMessage(json, by: signer.certificate)
        } catch {
            fail(.unusableCertificate, at: signer.files.certificate.position, "\(error)")
            return nil
        }
    }

    /// Nil where the environment names no certificate, or after a fault.
    mutating func makeContext(
        _ policy: TLSPolicy, _ certificates: HostCertificates, _ tickets: SessionTickets?
    ) -> TLSServerContext? {
        guard let tickets, let first = certificates.configured.first, faults.isEmpty else {
            return nil
        }
        do {
            return try TLSServerContext(
                hosts: certificates.hosts.map { ($0.name, $0.certificate?.certificate) },
                standard: certificates.standard?.certificate, tickets: tickets,
                refusesUnknownNames: policy.refusesUnknownNames)
        } catch {
            fail(.unusableCertificate, at: first.files.certificate.position, "\(error)")
            return nil
        }
    }
}

private let pemBytesMax = 1 << 20
/// For fewer, another thread takes longer to begin than it saves.
private let certificatesPerThreadMin = 16
/// So many names are enough to see which certificates these are.
private let namesMax = 20
