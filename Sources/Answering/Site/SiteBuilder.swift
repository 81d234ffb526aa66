package import Diagnostics
package import Files
import Resolution
package import SiteConfiguration

/// All faults for which no site or snapshot could be built, and the kind of the first.
package struct BuildError: Error, Sendable {
    package let diagnostics: [Diagnostic]
    package let kind: Kind

    package init(diagnostics: [Diagnostic], kind: Kind) {
        (self.diagnostics, self.kind) = (diagnostics, kind)
    }

    /// The kind of a fault, which an exit status is made of.
    package enum Kind: Sendable {
        case missingFile, noPermission, invalid
        /// There is no descriptor or no memory, or a disk has failed.
        case shortage

        init(_ error: FileError) {
            switch error {
            case .missing: self = .missingFile
            case .noPermission: self = .noPermission
            case _ where error.isPassing: self = .shortage
            default: self = .invalid
            }
        }
    }
}

/// Prepares a site, and gathers what is wrong with everything that it is made of, so that all of it
/// is said at once. Certificates are read by the origin, which adds their faults to these.
package struct SiteBuilder {
    package let site: Site
    let limits: AnsweringLimits
    /// Seconds since 1970.
    package let now: Int
    /// The site that is served until now.
    let before: PreparedSite?
    let confidential: ConfidentialFiles
    let shared: SharedParts
    let room: BuildRoom
    /// SHA-256, for entity tags and policies.
    let digest: @Sendable ([UInt8]) -> [UInt8]
    package private(set) var faults = [Diagnostic]()
    private(set) var warnings = [Diagnostic]()
    private var kind: BuildError.Kind?
    /// Whether a fault keeps files of the public directory from being known.
    var lacksPublicFiles = false

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - previous: what is served until now.
    ///   - confidential: the files that must not be public.
    ///   - shared: what it shares with other sites, if there are any.
    ///   - room: whether there is memory for what is found.
    ///   - digest: SHA-256.
    package init(
        _ site: Site, limits: AnsweringLimits, now: Int,
        after previous: PreparedSite?, confidential: ConfidentialFiles,
        shared: SharedParts? = nil, room: BuildRoom = BuildRoom(),
        digest: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        (self.site, self.limits, self.now) = (site, limits, now)
        (before, self.digest) = (previous, digest)
        (self.confidential, self.room) = (confidential, room)
        self.shared = shared ?? SharedParts(limits, after: previous)
    }

    /// All faults for which there is no site.
    package var error: BuildError {
        BuildError(diagnostics: faults.inOrder, kind: kind ?? .invalid)
    }

    package mutating func fail(
        _ rule: RuleName, at position: SourcePosition, _ message: String, advice: String? = nil,
        kind: BuildError.Kind = .invalid
    ) {
        fail(Diagnostic(.error, rule, at: position, message, advice: advice), kind: kind)
    }

    package mutating func fail(_ fault: Diagnostic, kind: BuildError.Kind) {
        faults.append(fault)
        self.kind = self.kind ?? kind
    }

    /// Says what is no reason to refuse.
    package mutating func warn(
        _ rule: RuleName, at position: SourcePosition, _ message: String, advice: String? = nil
    ) {
        warnings.append(Diagnostic(.warning, rule, at: position, message, advice: advice))
    }

    /// Takes over what another room found.
    package mutating func add(_ findings: [Diagnostic]) {
        faults += findings.filter { $0.severity == .error }
        warnings += findings.filter { $0.severity != .error }
    }

    /// An ACME client may make it later; but where it is misspelt, nothing says so until the
    /// certificate is not renewed.
    mutating func checkWebroot() {
        guard let webroot = site.acmeWebroot else { return }
        do {
            try checkSearchable(webroot.path)
            checkChallengeDirectory(webroot)
        } catch {
            warn(
                .acmeWebroot, at: webroot.position,
                "no ACME challenge can be answered from \(quoted(webroot.path)): "
                    + (error == .missing && !isSymbolicLink(webroot.path)
                        ? "the directory does not exist" : error.words(at: webroot.path)),
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

    /// The result of reading a file; nil if it cannot be read, which is noted as a fault.
    mutating func take<Content>(
        _ what: String, _ path: String, at position: SourcePosition,
        _ read: () throws(FileError) -> Content
    ) -> Content? {
        do {
            return try read()
        } catch {
            let fault = unreadable(what, path, at: position, error, whenMissing: nil)
            fail(fault.diagnostic, kind: fault.kind)
            return nil
        }
    }
}

/// A fault of a part of what a site or its snapshot is built from.
package struct BuildFault: Error, Sendable {
    package let diagnostic: Diagnostic
    package let kind: BuildError.Kind
    /// Whether it may be over without a change of any file.
    package var isPassing = false

    /// A fault that passes only with a change of a file.
    package init(diagnostic: Diagnostic, kind: BuildError.Kind, isPassing: Bool = false) {
        (self.diagnostic, self.kind, self.isPassing) = (diagnostic, kind, isPassing)
    }
}

/// Reads a file that the configuration names.
/// - Parameter whenMissing: what there is to do where it is not there.
package func readInput(
    _ reference: FileReference, _ what: String, bytesMax: Int, whenMissing: String? = nil
) throws(BuildFault) -> FileContent {
    do {
        return try readFile(reference.path, bytesMax: bytesMax)
    } catch {
        throw unreadable(
            what, reference.path, at: reference.position, error, whenMissing: whenMissing)
    }
}

func unreadable(
    _ what: String, _ path: String, at position: SourcePosition, _ error: FileError,
    whenMissing: String?
) -> BuildFault {
    BuildFault(
        diagnostic: Diagnostic(
            .error, .unreadableFile, at: position,
            "\(what) \(quotedPath(path)) cannot be read: \(error.words(at: path))",
            advice: error.linkCure(at: path) ?? error.advice(whenMissing: whenMissing)),
        kind: .init(error), isPassing: error.isPassing)
}

extension SiteBuilder {
    /// Reads public files, the theme and everything else that answers are made of, and prepares
    /// every answer; nil after a fault, also one of before. The site that is served until now is returned if
    /// it would be the same.
    /// - Parameters:
    ///   - signedAssociation: what is sent in the association file's place; nil for the file
    ///     itself.
    ///   - report: hears what is found out about public files later, when they are read.
    package mutating func prepareSite(
        signedAssociation: [UInt8]?,
        report: @escaping @Sendable (Diagnostic) -> Void
    ) -> PreparedSite? {
        checkWebroot()
        let themeTree = site.presentation.theme.map { findTree(under: $0.path) } ?? FileTree()
        let found = findPublicFiles(report)
        // That files are gone is said once.
        let saysLoss = before?.warnings.contains { $0.rule == .unreadableFile } == true
        if let before, faults.isEmpty, signedAssociation == nil, !saysLoss,
            before.isSame(as: site, limits, found.tree, themeTree, at: now)
        {
            return before
        }
        var store = ResponseBytes()
        let names = found.files.map(\.relativePath)
        let presenter = LinkPresenter(site, hasManifest: Router.hasManifest(site, files: names))
        let resolver = LinkResolver(site)
        let insertions = insertMarkup(found, presenter, resolver)
        let sitemap = DeferredSitemap(site, limits, resolver, now: now, digest: digest)
        let router = Router(site, files: names, hasSitemap: sitemap.mayList(names))
        let theme = loadTheme()
        let resources = prepare(router, signedAssociation, &store)
        checkPages(router)
        checkLoops(router, resolver)
        let fallbacks = prepareFallbacks(router, found, &store)
        let statuses = PreparedStatuses(&store)
        let redirects = PreparedRedirects(
            resolver.fixedRedirects, resolver.carriedRedirects, &store)
        guard faults.isEmpty, let fallbacks, let theme, let directory = found.directory else {
            return nil
        }
        let publicFiles = makePublicFiles(found, insertions, directory, sitemap)
        return PreparedSite(
            source: site, router: router, linkResolver: resolver, redirects: redirects,
            bytes: store.joined(), resources: resources, fallback: fallbacks.all,
            visitorFallback: fallbacks.visitor, statuses: statuses, warnings: warnings,
            publicFiles: publicFiles,
            landing: LandingDocuments(
                site, presenter, theme,
                hasHome: router.file(at: "/") != nil || resolver.hasAction(presenter.origin + "/")),
            limits: limits, confidential: confidential, themeTree: themeTree,
            builtAt: now,
            canBeShared: signedAssociation == nil
                && (found.tree.files + themeTree.files).allSatisfy { $0.stamp.isSettled(at: now) })
    }
}

extension FileError {
    /// The advice where a file or directory cannot be read.
    func advice(whenMissing: String?) -> String? {
        switch self {
        case .missing: whenMissing
        case .noPermission:
            "give the user that runs waymark read permission, for example through a group"
        case .outOfDescriptors: "raise LimitNOFILE= or fs.file-max"
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
