import Diagnostics
import Files
import HTTPMessages
import SiteConfiguration
import TLS
import URISyntax

// Certificates, keys and ticket keys: read, and checked for what would fail in a handshake.

extension SnapshotBuilder {
    /// Reads every certificate that the environment names, and chooses one for each host.
    /// - Parameters:
    ///   - previous: what is served until now.
    ///   - speaksTLS: whether others than the one that signs are read.
    mutating func chooseCertificates(
        after previous: HostCertificates?, speaksTLS: Bool
    ) -> HostCertificates {
        let known = previous?.read ?? [:]
        let files = speaksTLS ? environment.certificates : []
        var configured = files.map { readCertificate($0, known) }
        for index in configured.indices { configured[index].checkServing() }
        var signing = environment.associations.signing.map { readCertificate($0, known) }
        signing?.checkSigning()
        return HostCertificates(
            environment, configured, uncovered: findUncovered(configured), signing: signing,
            after: previous, now: now)
    }

    /// - Parameter known: certificates that were read before, by the digest of what was read.
    private mutating func readCertificate(
        _ files: CertificateFiles, _ known: [[UInt8]: ServerCertificate]
    ) -> ConfiguredCertificate {
        var found = ConfiguredCertificate(files: files)
        var chain: [UInt8]?
        do {
            chain = try read(
                files.certificate, "certificate", bytesMax: pemBytesMax,
                whenMissing: "let an ACME client fetch it; for development, waymark init "
                    + "--certificates-only --config \(environment.position.file) --env "
                    + "\(environment.name) makes certs/dev.pem"
            ).bytes
        } catch {
            found.faults.append(error)
        }
        do {
            let key = try readSecret(
                files.key, "private key",
                whenMissing: "put there the key of \(quoted(files.certificate.path)), or name its "
                    + "file")
            if let chain { parse(chain, key, &found, known) }
        } catch {
            found.faults.append(error)
        }
        return found
    }

    private mutating func parse(
        _ chain: [UInt8], _ key: [UInt8], _ found: inout ConfiguredCertificate,
        _ known: [[UInt8]: ServerCertificate]
    ) {
        found.digest = sha256(chain) + sha256(key)
        do {
            let certificate: ServerCertificate
            if let before = known[found.digest] {
                certificate = before
            } else {
                certificate = try ServerCertificate(chain: chain, key: key)
            }
            found.certificate = certificate
            let loaded = LoadedCertificate(files: found.files, certificate: certificate)
            checkIssuer(loaded)
            if let fault = checkDates(loaded) { found.faults.append(fault) }
        } catch {
            found.fail(error)
        }
    }

    /// Reads what nobody else should.
    private mutating func readSecret(
        _ file: FileReference, _ what: String, whenMissing: String
    ) throws(BuildFault) -> [UInt8] {
        let content = try read(file, what, bytesMax: pemBytesMax, whenMissing: whenMissing)
        if content.isReadableByAll {
            warn(
                .keyReadableByAll, at: file.position,
                "\(what) \(quoted(file.path)) has mode 0\(String(content.mode, radix: 8)), with "
                    + "which every user of this machine can read it",
                advice: "chmod 600 it, or chmod 640 where waymark reads it through a group")
        }
        return content.bytes
    }

    /// Browsers on a desktop know how to help themselves; phones, and who fetches association files
    /// for them, do not.
    private mutating func checkIssuer(_ loaded: LoadedCertificate) {
        guard loaded.certificate.lacksIssuer else { return }
        let file = loaded.files.certificate
        warn(
            .certificateLacksIssuer, at: file.position,
            "\(quoted(file.path)) holds the host's certificate alone, without its issuer's, which "
                + "phones and fetchers need",
            advice: "name the file of the whole chain; certbot's is fullchain.pem, not cert.pem")
    }

    /// What is wrong with its dates; that it ends soon is a warning.
    private mutating func checkDates(_ loaded: LoadedCertificate) -> BuildFault? {
        let (certificate, file) = (loaded.certificate, loaded.files.certificate)
        let (name, position) = (quoted(file.path), file.position)
        let finding: Diagnostic
        if certificate.notAfter > now, certificate.chainNotAfter <= now {
            finding = Diagnostic(
                .error, .expiredCertificate, at: position,
                "an issuer's certificate in \(name) expired on \(loaded.end.date)",
                advice: "renew the certificate, or take the chain that the authority issues now")
        } else if certificate.notBefore > now {
            let date = String(decoding: HTTPDate.format(certificate.notBefore), as: UTF8.self)
            finding = Diagnostic(
                .error, .certificateNotYetValid, at: position,
                "certificate \(name) is not valid before \(date)",
                advice: "look at this machine's clock")
        } else if let ending = loaded.end.finding(now: now) {
            finding = ending
        } else {
            return nil
        }
        guard finding.severity == .error else {
            add([finding])
            return nil
        }
        return BuildFault(diagnostic: finding, kind: .invalid)
    }

    /// A host that none of the certificates names is a mistake of the configuration, or of whoever
    /// has them issued. Where one cannot be read, the host may be its.
    private func findUncovered(_ configured: [ConfiguredCertificate]) -> [BuildFault] {
        let certificates = configured.compactMap(\.certificate)
        guard let first = configured.first, certificates.count == configured.count else {
            return []
        }
        let index = CertificateIndex(certificates)
        let lacking = environment.answeredHosts.filter {
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
                        ? "let one be issued whose subjectAltName holds DNS:\(host.description)"
                        : "add one under tls, or take the host out of \(environment.name)"),
                kind: .invalid)
        }
    }

    /// The tickets that the environment asks for: those of `automatic` where it names no files;
    /// nil after a fault.
    mutating func loadTickets(_ automatic: TicketKeys) -> SessionTickets? {
        switch environment.tls.tickets {
        case .off: return .off
        case .automatic: return .sealed(automatic)
        case .files(let files):
            var contents = [[UInt8]]()
            for file in files {
                do {
                    contents.append(
                        try readSecret(
                            file, "ticket key file",
                            whenMissing: "make it: openssl rand -out \(quoted(file.path)) 80"))
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
                        + "(or 48)", advice: "make one with: openssl rand -out FILE 80")
                return nil
            }
        }
    }

    /// Nil where the environment names no certificate, or after a fault.
    mutating func makeContext(
        _ certificates: HostCertificates, _ tickets: SessionTickets?
    ) -> TLSServerContext? {
        guard let tickets, let first = certificates.configured.first, faults.isEmpty else {
            return nil
        }
        do {
            return try TLSServerContext(
                hosts: certificates.hosts.map { ($0.name, $0.certificate?.certificate) },
                standard: certificates.standard?.certificate, tickets: tickets,
                refusesUnknownNames: environment.tls.refusesUnknownNames)
        } catch {
            fail(.unusableCertificate, at: first.files.certificate.position, "\(error)")
            return nil
        }
    }
}

private let pemBytesMax = 1 << 20
/// So many names are enough to see which certificates these are.
private let namesMax = 20
