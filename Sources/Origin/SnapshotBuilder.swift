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

    // MARK: Answers

    mutating func prepare(
        _ router: Router, _ files: [PublicFile], _ signing: LoadedCertificate?,
        _ store: inout ResponseBytes
    ) -> [PreparedResource] {
        var byPath = [String: PublicFile]()
        for file in files { byPath[file.path] = file }
        return router.resources.map { resource in
            switch resource {
            case .appleAppSiteAssociation:
                prepareAssociation(environment.associations.aasa ?? [], signing, &store)
            case .assetLinks:
                prepareFixed(
                    environment.associations.assetlinks ?? [], type: "application/json", &store)
            case .robots:
                prepareFixed(
                    Array((environment.isClosedToRobots ? closedRobots : openRobots).utf8),
                    type: "text/plain; charset=utf-8", &store)
            case .publicFile(let path):
                prepare(byPath[path], path, &store)
            }
        }
    }

    /// The pages of links, once more with what tells caches that others may get another answer.
    mutating func prepareVisitorPages(
        _ router: Router, _ files: [PublicFile], _ resources: inout [PreparedResource],
        _ store: inout ResponseBytes
    ) -> [String: Int] {
        var numbers = [String: Int]()
        for link in environment.webLinks {
            for path in link.web?.pages ?? [] where numbers[path] == nil {
                guard let number = router.resource(at: path),
                    case .publicFile(let name) = router.resources[number]
                else {
                    let place = link.places.first?.whole ?? environment.place
                    fail(
                        "missing-page", at: place,
                        "page \(quoted(path)) of link \(quoted(link.key)) is no file of "
                            + quoted(environment.publicDirectory.path))
                    continue
                }
                let file = files.first { $0.path == name }
                resources.append(prepare(file, name, &store, isForSome: true))
                numbers[path] = resources.count - 1
            }
        }
        return numbers
    }

    private mutating func prepareAssociation(
        _ json: [UInt8], _ signing: LoadedCertificate?, _ store: inout ResponseBytes
    ) -> PreparedResource {
        guard let signing, !environment.associations.isSigned else {
            let isSigned = environment.associations.isSigned
            return prepareFixed(
                json, type: isSigned ? "application/pkcs7-mime" : "application/json", &store)
        }
        do {
            let message = try signedMessage(json, by: signing.certificate)
            return prepareFixed(message, type: "application/pkcs7-mime", &store)
        } catch {
            fail("unusable-certificate", at: signing.files.certificate.place, "\(error)")
            return prepareFixed([], type: "application/pkcs7-mime", &store)
        }
    }

    /// A generated file, sent as it is to everybody: no coding, so that its bytes are the same
    /// whoever asks.
    private func prepareFixed(
        _ body: [UInt8], type: String, _ store: inout ResponseBytes
    ) -> PreparedResource {
        let representation = store.addRepresentation(
            .ok, body: body, entityTag: entityTag(body), modified: nil,
            fields: [
                "Content-Type: \(type)", "Cache-Control: max-age=\(associationMaxAgeSeconds)",
                "X-Content-Type-Options: nosniff",
            ])
        return PreparedResource(identity: representation, gzip: nil)
    }

    private func prepare(
        _ file: PublicFile?, _ path: String, _ store: inout ResponseBytes, status: Status = .ok,
        isForSome: Bool = false
    ) -> PreparedResource {
        let body = file?.content.bytes ?? []
        let (type, isCompressible) = MediaTypes.type(of: path)
        let zipped = isCompressible && body.count >= gzipBytesMin ? gzip(body) : nil
        let isSmaller = zipped.map { $0.count < body.count } ?? false
        var fields = [
            "Content-Type: \(type)",
            "Cache-Control: \(isForSome ? "private, no-cache" : cacheControl(type))",
            "X-Content-Type-Options: nosniff",
        ]
        let varies = (isSmaller ? ["Accept-Encoding"] : []) + (isForSome ? ["User-Agent"] : [])
        if !varies.isEmpty { fields.append("Vary: \(varies.joined(separator: ", "))") }
        let identity = store.addRepresentation(
            status, body: body, entityTag: entityTag(body), modified: file?.content.modified,
            fields: fields + (status == .ok ? ["Accept-Ranges: bytes"] : []))
        guard isSmaller, let zipped else { return .init(identity: identity, gzip: nil) }
        let gzip = store.addRepresentation(
            status, body: zipped, entityTag: entityTag(body, suffix: "-gzip"),
            modified: file?.content.modified, fields: fields + ["Content-Encoding: gzip"])
        return PreparedResource(identity: identity, gzip: gzip)
    }

    mutating func prepareFallback(
        _ router: Router, _ resources: [PreparedResource], _ store: inout ResponseBytes
    ) -> Fallback? {
        switch environment.unmatched {
        case .notFound: return .answer(notFound(&store))
        case .redirect(let url):
            let fields = ["Content-Length: 0", "Location: \(url)", "Cache-Control: no-cache"]
            return .answer(
                .init(head: store.addHead(.found, fieldLines(fields)), body: 0..<0))
        case .page(let path, let code, let place):
            guard let number = router.resource(at: path) else {
                fail(
                    "missing-page", at: place,
                    "page \(quoted(path)) is no file of \(quoted(environment.publicDirectory.path))"
                )
                return nil
            }
            guard code == 404 else { return .resource(number) }
            let body = Array(store.bytes[resources[number].identity.body])
            let fields = [
                "Content-Length: \(body.count)", "Content-Type: \(MediaTypes.type(of: path).text)",
                "X-Content-Type-Options: nosniff",
            ]
            return .answer(
                .init(head: store.addHead(.notFound, fieldLines(fields)), body: store.add(body)))
        }
    }

    private func notFound(_ store: inout ResponseBytes) -> PreparedAnswer {
        let body = Array("404 Not Found\n".utf8)
        let fields = [
            "Content-Length: \(body.count)", "Content-Type: text/plain; charset=utf-8",
            "X-Content-Type-Options: nosniff",
        ]
        return .init(head: store.addHead(.notFound, fieldLines(fields)), body: store.add(body))
    }
}

/// A certificate and the files that it came from.
struct LoadedCertificate {
    let files: CertificateFiles
    let certificate: ServerCertificate
}

/// A strong entity tag: the content's hash, of which 128 bits are enough.
func entityTag(_ body: [UInt8], suffix: String = "") -> String {
    let digits = Array("0123456789abcdef".utf8)
    let hex = sha256(body).prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "\"\(String(decoding: hex, as: UTF8.self))\(suffix)\""
}

/// Pages are asked for again each time, and answered with 304; what they refer to may be kept for
/// an hour.
private func cacheControl(_ type: String) -> String {
    type.hasPrefix("text/html") ? "no-cache" : "max-age=3600"
}

/// Caches between here and a device may keep an association file for ten minutes: a mistake that
/// was corrected should not live on in them.
private let associationMaxAgeSeconds = 600
private let pemBytesMax = 1 << 20
/// Certificates that are renewed by machine are renewed earlier than this.
private let expiryWarningSeconds = 14 * 86400
/// Smaller bodies do not become smaller on the wire.
private let gzipBytesMin = 256

private let openRobots = "User-agent: *\nAllow: /\n"
/// Even a closed environment leaves the association files open: Apple and Google must read them.
private let closedRobots = "User-agent: *\nAllow: /.well-known/\nDisallow: /\n"
