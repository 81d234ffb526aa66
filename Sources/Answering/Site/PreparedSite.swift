package import Diagnostics
package import Files
package import Resolution
package import SiteConfiguration

/// Everything that the answers of one environment are made of, without its certificates: built and
/// checked whole, then never changed. A reload makes another one, which shares with it what has not
/// changed.
package final class PreparedSite: Sendable {
    package let source: Site
    package let router: Router
    /// All prepared heads and bodies, which the ranges below are ranges of.
    let bytes: [UInt8]
    /// By the router's numbers.
    let resources: [Representation]
    let fallback: Fallback
    /// The same for a link that has something for other visitors: caches are told so.
    let visitorFallback: Fallback
    let statuses: PreparedStatuses
    package let linkResolver: LinkResolver
    let redirects: PreparedRedirects
    /// The field line that tells browsers to stay with https; empty for none.
    let transportSecurity: [UInt8]
    /// The files that are not generated.
    let publicFiles: PublicFiles
    /// The generated pages.
    let landing: LandingDocuments
    let limits: AnsweringLimits
    /// The files that must not be public.
    let confidential: ConfidentialFiles
    /// The theme's directory as it was found.
    let themeTree: FileTree
    /// Seconds since 1970.
    let builtAt: Int
    /// Whether the answers are made of the site alone, and of files whose changes show in their
    /// stamps.
    let canBeShared: Bool
    /// By the router's numbers.
    let routes: [Route]
    /// Findings that are no reason to refuse the configuration.
    package let warnings: [Diagnostic]

    init(
        source: Site, router: Router, linkResolver: LinkResolver, redirects: PreparedRedirects,
        bytes: [UInt8], resources: [Representation], fallback: Fallback,
        visitorFallback: Fallback, statuses: PreparedStatuses, warnings: [Diagnostic],
        publicFiles: PublicFiles, landing: LandingDocuments, limits: AnsweringLimits,
        confidential: ConfidentialFiles, themeTree: FileTree, builtAt: Int,
        canBeShared: Bool
    ) {
        self.source = source
        self.router = router
        self.bytes = bytes
        self.resources = resources
        self.fallback = fallback
        self.visitorFallback = visitorFallback
        self.statuses = statuses
        self.warnings = warnings
        self.publicFiles = publicFiles
        self.landing = landing
        self.limits = limits
        self.confidential = confidential
        (self.themeTree, self.builtAt, self.canBeShared) = (themeTree, builtAt, canBeShared)
        (self.linkResolver, self.redirects) = (linkResolver, redirects)
        routes = router.resources.map(Route.init)
        transportSecurity = fieldLines(
            source.transportSecurity.map { ["Strict-Transport-Security: \($0.field)"] } ?? [])
    }

    /// Whether building this site would make the same answers.
    /// - Parameters:
    ///   - limits: of the environment.
    ///   - publicTree: the public files as they are now.
    ///   - themeTree: the files of the theme.
    ///   - now: seconds since 1970. A link that has begun may be in the sitemap.
    func isSame(
        as site: Site, _ limits: AnsweringLimits, _ publicTree: FileTree, _ themeTree: FileTree,
        at now: Int
    ) -> Bool {
        var own = self.limits
        own.memoryFilesBytesMax = limits.memoryFilesBytesMax
        return canBeShared && source == site && own == limits
            && memoryFilesBytes <= limits.memoryFilesBytesMax
            && site.webLinks.allSatisfy {
                $0.times?.period.state(at: builtAt) == $0.times?.period.state(at: now)
            }
            && publicTree.isSame(as: self.publicTree) && themeTree.isSame(as: self.themeTree)
    }

    /// The files that are open to be sent.
    var openFiles: OpenFiles { publicFiles.directory.openFiles }

    /// The outcome of a request that nothing claims.
    var unmatchedOutcome: Outcome {
        switch source.unmatched {
        case .page: .page
        case .landing(let status): status == 200 ? .page : .notFound
        case .redirect: .redirect
        case .store: .store
        case .notFound: .notFound
        }
    }

    /// Lays out generated pages. A request that comes earlier lays out its own.
    /// - Parameter now: seconds since 1970.
    package func preparePages(at now: Int) { landing.prepare(linkResolver, at: now) }

    /// Reads the public files that are kept in memory, and compresses them. A request that comes
    /// earlier reads the file that it asks for.
    /// - Parameter hasRoom: whether there is memory for so many bytes.
    package func prepareFiles(hasRoom: (Int) -> Bool = { _ in true }) {
        publicFiles.prepare()
        publicFiles.compress(where: hasRoom)
    }

    /// The most bytes of public files that are kept in memory.
    package var memoryFilesBytes: Int {
        publicFiles.files.reduce(0) { $0 + ($1.isInMemory ? $1.stamp.bytes : 0) }
    }

    /// The public directory as it was found.
    package var publicTree: FileTree { publicFiles.tree }

    /// Reads every public file, and says which of them cannot be served.
    package func checkFiles() -> [Diagnostic] { publicFiles.check() }
}

/// The answer to a path that nothing claims.
enum Fallback: Sendable {
    /// The public file of this number.
    case file(Int)
    case answer(PreparedAnswer)
    /// 404 without a page.
    case notFound
}

/// An answer that depends on nothing in the request but whether it is a HEAD.
struct PreparedAnswer: Sendable {
    let head: PreparedHead
    let body: Range<Int>
}
