package import Diagnostics
package import Files
import Pages
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

        init(_ error: FileError) {
            switch error {
            case .missing: self = .missingFile
            case .noPermission: self = .noPermission
            default: self = .invalid
            }
        }
    }
}

extension Snapshot {
    /// Builds the snapshot of an environment: reads certificates, keys and public files, checks
    /// them, and prepares every answer.
    /// - Parameters:
    ///   - previous: what is served until now. A host whose certificates cannot be used keeps the
    ///     one that it has there, and what has not changed is not parsed again.
    ///   - now: seconds since 1970, which certificates must be valid at.
    ///   - outputs: files that this process writes to, and that must not be public.
    ///   - speaksTLS: whether certificates are read, for https.
    ///   - report: hears what is found out about public files later, when they are read.
    /// - Throws: everything that is wrong at once. Certificates that cannot be used are no reason
    ///   (`certificateFaults`).
    package static func build(
        _ environment: Environment, limits: OriginLimits, ticketKeys: TicketKeys,
        after previous: Snapshot? = nil, now: Int, outputs: [FileIdentity] = [],
        speaksTLS: Bool = true, report: @escaping @Sendable (Diagnostic) -> Void = { _ in }
    ) throws(SnapshotError) -> Snapshot {
        var builder = SnapshotBuilder(
            environment: environment, limits: limits.setting(environment.limits), now: now,
            previous: previous?.publicFiles)
        let certificates = builder.chooseCertificates(
            after: previous?.certificates, speaksTLS: speaksTLS)
        builder.checkWebroot()
        let found = builder.findPublicFiles(outputs, report)
        var store = ResponseBytes()
        let names = found.files.map(\.relativePath)
        let presenter = LinkPresenter(
            environment, hasManifest: Router.hasManifest(environment, files: names))
        let resolver = LinkResolver(environment)
        let insertions = builder.insertMarkup(found, presenter, resolver)
        let sitemap = LateSitemap(environment, builder.limits, resolver, digest: { sha256($0) })
        let router = Router(environment, files: names, hasSitemap: sitemap.mayList(names))
        let theme = builder.loadTheme()
        let resources = builder.prepare(router, certificates.signer, &store)
        builder.checkPages(router)
        let fallbacks = builder.prepareFallbacks(router, found, &store)
        let statuses = PreparedStatuses(&store)
        let tls =
            speaksTLS
            ? builder.makeContext(certificates, builder.loadTickets(ticketKeys)) : nil
        guard builder.faults.isEmpty, let fallbacks, let theme, let directory = found.directory
        else {
            throw builder.error(besides: certificates.faults)
        }
        let publicFiles = builder.makePublicFiles(found, insertions, directory, sitemap)
        if previous != nil {
            let faults = publicFiles.checkChanged()
            for fault in faults { builder.fail(fault, kind: .invalid) }
            guard faults.isEmpty else { throw builder.error(besides: certificates.faults) }
        }
        return Snapshot(
            environment: environment, router: router, linkResolver: resolver, tls: tls,
            bytes: store.joined(), resources: resources, fallback: fallbacks.all,
            visitorFallback: fallbacks.visitor, statuses: statuses, warnings: builder.warnings,
            publicFiles: publicFiles,
            landing: LandingDocuments(environment, presenter, theme),
            certificates: certificates)
    }
}

/// Gathers faults while the parts of a snapshot are made.
struct SnapshotBuilder {
    let environment: Environment
    let limits: OriginLimits
    let now: Int
    /// Of the snapshot before.
    let previous: PublicFiles?
    private(set) var faults = [Diagnostic]()
    private(set) var warnings = [Diagnostic]()
    private var kind: SnapshotError.Kind?
    /// Whether a fault keeps files of the public directory from being known.
    var lacksPublicFiles = false

    init(environment: Environment, limits: OriginLimits, now: Int, previous: PublicFiles?) {
        (self.environment, self.limits) = (environment, limits)
        (self.now, self.previous) = (now, previous)
    }

    /// Why there is no snapshot.
    /// - Parameter others: what is wrong besides, and no reason.
    func error(besides others: [BuildFault]) -> SnapshotError {
        SnapshotError(
            diagnostics: (faults + others.map(\.diagnostic)).inOrder, kind: kind ?? .invalid)
    }

    mutating func fail(
        _ rule: RuleName, at position: SourcePosition, _ message: String, advice: String? = nil,
        kind: SnapshotError.Kind = .invalid
    ) {
        fail(Diagnostic(.error, rule, at: position, message, advice: advice), kind: kind)
    }

    mutating func fail(_ fault: Diagnostic, kind: SnapshotError.Kind) {
        faults.append(fault)
        self.kind = self.kind ?? kind
    }

    /// Says what is no reason to refuse.
    mutating func warn(
        _ rule: RuleName, at position: SourcePosition, _ message: String, advice: String? = nil
    ) {
        warnings.append(Diagnostic(.warning, rule, at: position, message, advice: advice))
    }

    /// Takes over what another room found.
    mutating func add(_ findings: [Diagnostic]) {
        faults += findings.filter { $0.severity == .error }
        warnings += findings.filter { $0.severity != .error }
    }

    /// An ACME client may make it later; but where it is misspelt, nothing says so until the
    /// certificate is not renewed.
    mutating func checkWebroot() {
        guard let webroot = environment.acmeWebroot else { return }
        do {
            try checkSearchable(webroot.path)
            checkChallengeDirectory(webroot)
        } catch {
            warn(
                .acmeWebroot, at: webroot.position,
                "no ACME challenge can be answered from \(quoted(webroot.path)): "
                    + (error == .missing ? "the directory does not exist" : "\(error)"),
                advice: "create it, or set `acme-webroot` to the directory that the ACME client "
                    + "writes to; waymark's user must be able to read it")
        }
    }

    /// A request for a token must not be led out of the webroot by those who may write there.
    private mutating func checkChallengeDirectory(_ webroot: FileReference) {
        for count in 1...challengeDirectory.count {
            let path = ([webroot.path] + challengeDirectory.prefix(count)).joined(separator: "/")
            guard isSymbolicLink(path) else { continue }
            warn(
                .acmeWebroot, at: webroot.position,
                "\(quoted(path)) is a symbolic link, which waymark does not follow for challenges",
                advice: "replace it by a directory, or set `acme-webroot` to the directory that "
                    + "contains "
                    + challengeDirectory.joined(separator: "/"))
        }
    }

    /// Reads a file that the configuration names; nil is a reason to refuse it.
    mutating func load(
        _ reference: FileReference, _ what: String, bytesMax: Int
    ) -> FileContent? {
        take(what, reference.path, at: reference.position) {
            () throws(FileError) in try readFile(reference.path, bytesMax: bytesMax)
        }
    }

    /// What reading a file comes to, or why it cannot be read.
    mutating func take<Content>(
        _ what: String, _ path: String, at position: SourcePosition, whenMissing: String? = nil,
        _ read: () throws(FileError) -> Content
    ) -> Content? {
        do {
            return try read()
        } catch {
            let fault = unreadable(what, path, at: position, error, whenMissing: whenMissing)
            fail(fault.diagnostic, kind: fault.kind)
            return nil
        }
    }

    /// Reads a file that the configuration names.
    /// - Parameter whenMissing: what there is to do where it is not there.
    func read(
        _ reference: FileReference, _ what: String, bytesMax: Int, whenMissing: String? = nil
    ) throws(BuildFault) -> FileContent {
        do {
            return try readFile(reference.path, bytesMax: bytesMax)
        } catch {
            throw unreadable(
                what, reference.path, at: reference.position, error, whenMissing: whenMissing)
        }
    }

    private func unreadable(
        _ what: String, _ path: String, at position: SourcePosition, _ error: FileError,
        whenMissing: String?
    ) -> BuildFault {
        BuildFault(
            diagnostic: Diagnostic(
                .error, .unreadableFile, at: position,
                "\(what) \(quoted(path)) cannot be read: \(error)",
                advice: error.advice(whenMissing: whenMissing)),
            kind: .init(error), isPassing: error.isPassing)
    }
}

extension FileError {
    /// What to do where a file or directory cannot be read.
    func advice(whenMissing: String?) -> String? {
        switch self {
        case .missing: whenMissing
        case .noPermission:
            "give the user that runs waymark read permission, for example through "
                + "a group"
        default: nil
        }
    }

    /// Whether it may be over without a change of the file.
    fileprivate var isPassing: Bool {
        switch self {
        case .outOfDescriptors, .failed: true
        default: false
        }
    }
}
