import Compression
package import Diagnostics
import Files
import HTTPMessages
import Resolution
package import SiteConfiguration
package import TLS
import URISyntax

/// Why no snapshot could be built: everything that is wrong, and what kind of fault it is.
package struct SnapshotError: Error, Sendable {
    package let diagnostics: [Diagnostic]
    package let kind: Kind

    /// What an exit status is made of.
    package enum Kind: Sendable {
        case missingFile, noPermission, invalid
    }
}

extension Snapshot {
    /// Builds the snapshot of an environment: reads certificates, keys and public files, checks
    /// them, and prepares every answer.
    /// - Parameters:
    ///   - now: seconds since 1970, which certificates must be valid at.
    /// - Throws: everything that is wrong at once.
    package static func build(
        _ environment: Environment, limits: OriginLimits, ticketKeys: TicketKeys, now: Int
    ) throws(SnapshotError) -> Snapshot {
        var builder = SnapshotBuilder(environment: environment, limits: limits, now: now)
        let certificates = environment.certificates.compactMap { builder.loadCertificate($0) }
        builder.checkCoverage(certificates)
        let signing = environment.associations.signing.flatMap { builder.loadCertificate($0) }
        let files = builder.loadPublicFiles()
        var store = ResponseBytes()
        let router = Router(environment, files: files.map(\.path))
        var resources = builder.prepare(router, files, signing, &store)
        let visitorPages = builder.prepareVisitorPages(router, files, &resources, &store)
        let fallback = builder.prepareFallback(router, resources, &store)
        let statuses = PreparedStatuses(&store)
        let tls = builder.makeContext(certificates, ticketKeys)
        guard builder.faults.isEmpty, let fallback else { throw builder.error }
        return Snapshot(
            environment: environment, router: router, tls: tls, bytes: store.bytes,
            resources: resources, fallback: fallback, statuses: statuses,
            warnings: builder.warnings, visitorPages: visitorPages)
    }
}

/// Gathers faults while the parts of a snapshot are made.
struct SnapshotBuilder {
    let environment: Environment
    let limits: OriginLimits
    let now: Int
    private(set) var faults = [Diagnostic]()
    private(set) var warnings = [Diagnostic]()
    private var kind: SnapshotError.Kind?

    init(environment: Environment, limits: OriginLimits, now: Int) {
        self.environment = environment
        self.limits = limits
        self.now = now
    }

    var error: SnapshotError {
        SnapshotError(diagnostics: faults.inOrder, kind: kind ?? .invalid)
    }

    mutating func fail(
        _ rule: String, at place: SourcePlace, _ message: String, advice: String? = nil,
        kind: SnapshotError.Kind = .invalid
    ) {
        faults.append(Diagnostic(.error, rule, at: place, message, advice: advice))
        self.kind = self.kind ?? kind
    }

    /// Reads a file that the configuration names, or says why it cannot be read.
    mutating func load(_ reference: FileReference, _ what: String, bytesMax: Int) -> [UInt8]? {
        do {
            return try readFile(reference.path, bytesMax: bytesMax).bytes
        } catch {
            fail(
                "unreadable-file", at: reference.place,
                "\(what) \(quoted(reference.path)) cannot be read: \(error)",
                advice: error == .noPermission
                    ? "let the user that runs waymark read it, for example through a group" : nil,
                kind: error == .missing
                    ? .missingFile : error == .noPermission ? .noPermission : .invalid)
            return nil
        }
    }

    // MARK: Certificates

    mutating func loadCertificate(_ files: CertificateFiles) -> LoadedCertificate? {
        let chain = load(files.certificate, "certificate", bytesMax: pemBytesMax)
        let key = load(files.key, "private key", bytesMax: pemBytesMax)
        guard let chain, let key else { return nil }
        do {
            let certificate = try ServerCertificate(chain: chain, key: key)
            checkDates(certificate, files)
            return LoadedCertificate(files: files, certificate: certificate)
        } catch {
            let file = error.concernsKey ? files.key : files.certificate
            fail("unusable-certificate", at: file.place, "\(quoted(file.path)): \(error)")
            return nil
        }
    }

    private mutating func checkDates(_ certificate: ServerCertificate, _ files: CertificateFiles) {
        let name = quoted(files.certificate.path)
        if certificate.notAfter <= now {
            fail(
                "expired-certificate", at: files.certificate.place,
                "certificate \(name) expired on \(date(certificate.notAfter))",
                advice: "renew it; clients refuse the connection before they ask for anything")
        } else if certificate.notBefore > now {
            fail(
                "certificate-not-yet-valid", at: files.certificate.place,
                "certificate \(name) is not valid before \(date(certificate.notBefore))",
                advice: "look at this machine's clock")
        } else if certificate.notAfter < now + expiryWarningSeconds {
            warnings.append(
                Diagnostic(
                    .warning, "certificate-expires-soon", at: files.certificate.place,
                    "certificate \(name) expires on \(date(certificate.notAfter))",
                    advice: "renew it, then send HUP"))
        }
    }

    private func date(_ seconds: Int) -> String {
        String(decoding: HTTPDate.format(seconds), as: UTF8.self)
    }

    /// Every answered host must be covered, or its links die before a byte is sent.
    mutating func checkCoverage(_ certificates: [LoadedCertificate]) {
        guard let first = environment.certificates.first,
            certificates.count == environment.certificates.count
        else { return }
        for host in environment.answeredHosts
        where !certificates.contains(where: { $0.certificate.covers(host.description) }) {
            let names = certificates.flatMap(\.certificate.names).joined(separator: ", ")
            fail(
                "certificate-lacks-host", at: first.certificate.place,
                "no certificate covers host \(quoted(host.description)); they cover \(names)",
                advice: "add one under tls, or take the host out of \(environment.name)")
        }
    }

    mutating func makeContext(
        _ certificates: [LoadedCertificate], _ ticketKeys: TicketKeys
    ) -> TLSServerContext? {
        guard let first = certificates.first, faults.isEmpty else { return nil }
        do {
            return try TLSServerContext(
                certificates: certificates.map(\.certificate),
                hosts: environment.answeredHosts.map(\.description), ticketKeys: ticketKeys)
        } catch {
            fail("unusable-certificate", at: first.files.certificate.place, "\(error)")
            return nil
        }
    }
}

/// A certificate and the files that it came from.
struct LoadedCertificate {
    let files: CertificateFiles
    let certificate: ServerCertificate
}

private let pemBytesMax = 1 << 20
/// Certificates that are renewed by machine are renewed earlier than this.
private let expiryWarningSeconds = 14 * 86400
