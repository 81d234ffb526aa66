import Diagnostics
import Files
import HTTPMessages
import SiteConfiguration
import TLS
import URISyntax

// Certificates, keys and ticket keys: read, and checked for what would fail in a handshake.

/// A certificate and the files that it came from.
struct LoadedCertificate {
    let files: CertificateFiles
    let certificate: ServerCertificate

    var end: CertificateEnd {
        CertificateEnd(file: files.certificate, seconds: certificate.chainNotAfter)
    }
}

extension SnapshotBuilder {
    mutating func loadCertificate(_ files: CertificateFiles) -> LoadedCertificate? {
        let chain = load(
            files.certificate, "certificate", bytesMax: pemBytesMax,
            whenMissing: "let an ACME client fetch it; for development, waymark init "
                + "--certificates-only --config \(environment.place.file) --env "
                + "\(environment.name) makes certs/dev.pem")
        let key = loadSecret(
            files.key, "private key",
            whenMissing: "put there the key of \(quoted(files.certificate.path)), or name its file")
        guard let chain, let key else { return nil }
        do {
            let certificate = try ServerCertificate(chain: chain.bytes, key: key)
            let loaded = LoadedCertificate(files: files, certificate: certificate)
            checkDates(loaded)
            checkIssuer(loaded)
            return loaded
        } catch {
            let file = error.concernsKey ? files.key : files.certificate
            fail(
                "unusable-certificate", at: file.place, "\(quoted(file.path)): \(error)",
                advice: error.advice(files))
            return nil
        }
    }

    /// Reads what nobody else should.
    private mutating func loadSecret(
        _ file: FileReference, _ what: String, whenMissing: String
    ) -> [UInt8]? {
        guard
            let content = load(file, what, bytesMax: pemBytesMax, whenMissing: whenMissing)
        else { return nil }
        if content.isReadableByAll {
            warn(
                "key-readable-by-all", at: file.place,
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
            "certificate-lacks-issuer", at: file.place,
            "\(quoted(file.path)) holds the host's certificate alone, without its issuer's, which "
                + "phones and fetchers need",
            advice: "name the file of the whole chain; certbot's is fullchain.pem, not cert.pem")
    }

    private mutating func checkDates(_ loaded: LoadedCertificate) {
        let (certificate, file) = (loaded.certificate, loaded.files.certificate)
        let (name, place) = (quoted(file.path), file.place)
        if certificate.notAfter > now, certificate.chainNotAfter <= now {
            fail(
                "expired-certificate", at: place,
                "an issuer's certificate in \(name) expired on \(date(certificate.chainNotAfter))",
                advice: "renew the certificate, or take the chain that the authority issues now")
        } else if certificate.notBefore > now {
            fail(
                "certificate-not-yet-valid", at: place,
                "certificate \(name) is not valid before \(date(certificate.notBefore))",
                advice: "look at this machine's clock")
        } else if let finding = loaded.end.finding(now: now) {
            add([finding])
        }
    }

    private func date(_ seconds: Int) -> String {
        String(decoding: HTTPDate.format(seconds), as: UTF8.self)
    }

    /// One for clients, or for signing, looks like any other until somebody connects.
    mutating func checkUses(_ certificates: [LoadedCertificate]) {
        for loaded in certificates where !loaded.certificate.isForServers {
            let file = loaded.files.certificate
            fail(
                "unusable-certificate", at: file.place,
                "\(quoted(file.path)): the certificate is not for TLS servers, by the key usage "
                    + "that it states",
                advice: "let one be issued whose extended key usage holds serverAuth")
        }
    }

    /// Every answered host must be covered, or its links die before a byte is sent.
    mutating func checkCoverage(_ certificates: [LoadedCertificate]) {
        guard let first = environment.certificates.first,
            certificates.count == environment.certificates.count
        else { return }
        for host in environment.answeredHosts
        where !certificates.contains(where: { $0.certificate.covers(host.description) }) {
            let names = certificates.flatMap(\.certificate.names)
            let isNameless = names.isEmpty
            fail(
                "certificate-lacks-host", at: first.certificate.place,
                "no certificate covers host \(quoted(host.description)); they "
                    + (isNameless
                        ? "have no subjectAltName, and clients ignore the common name"
                        : "cover \(names.joined(separator: ", "))"),
                advice: isNameless
                    ? "let one be issued whose subjectAltName holds DNS:\(host.description)"
                    : "add one under tls, or take the host out of \(environment.name)")
        }
    }

    /// How long each answered host is covered, by the first certificate that does.
    func validities(_ certificates: [LoadedCertificate]) -> [HostValidity] {
        environment.answeredHosts.map(\.description).compactMap { host in
            certificates.first { $0.certificate.covers(host) }.map { found in
                HostValidity(
                    host: host, notBefore: found.certificate.notBefore,
                    notAfter: found.certificate.chainNotAfter)
            }
        }
    }

    /// The tickets that the environment asks for: those of `automatic` where it names no files;
    /// nil after a fault.
    mutating func loadTickets(_ automatic: TicketKeys) -> SessionTickets? {
        switch environment.tls.tickets {
        case .off: return .off
        case .automatic: return .sealed(automatic)
        case .files(let files):
            let contents = files.compactMap { file in
                loadSecret(
                    file, "ticket key file",
                    whenMissing: "make it: openssl rand -out \(quoted(file.path)) 80")
            }
            guard contents.count == files.count else { return nil }
            do {
                return .sealed(try TicketKeys(files: contents))
            } catch {
                let file = files[error.index]
                fail(
                    "ticket-key", at: file.place,
                    "ticket key file \(quoted(file.path)) has \(error.bytes) bytes, must have 80 "
                        + "(or 48)", advice: "make one with: openssl rand -out FILE 80")
                return nil
            }
        }
    }

    mutating func makeContext(
        _ certificates: [LoadedCertificate], _ tickets: SessionTickets?
    ) -> TLSServerContext? {
        guard let tickets, let first = certificates.first, faults.isEmpty else { return nil }
        do {
            return try TLSServerContext(
                certificates: certificates.map(\.certificate),
                hosts: environment.answeredHosts.map(\.description), tickets: tickets,
                refusesUnknownNames: environment.tls.refusesUnknownNames)
        } catch {
            fail("unusable-certificate", at: first.files.certificate.place, "\(error)")
            return nil
        }
    }
}

private let pemBytesMax = 1 << 20
