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
    /// The field line that tells browsers to stay with https; empty for none.
    let transportSecurity: [UInt8]
    /// What is not generated.
    let publicFiles: PublicFiles
    /// The generated pages.
    let landing: LandingDocuments
    let limits: AnsweringLimits
    /// Files that this process writes to, and that must not be public.
    let outputs: [FileIdentity]
    /// By the router's numbers.
    let routes: [Route]
    /// Findings that are no reason to refuse the configuration.
    package let warnings: [Diagnostic]

    init(
        source: Site, router: Router, linkResolver: LinkResolver,
        bytes: [UInt8], resources: [Representation], fallback: Fallback,
        visitorFallback: Fallback, statuses: PreparedStatuses, warnings: [Diagnostic],
        publicFiles: PublicFiles, landing: LandingDocuments, limits: AnsweringLimits,
        outputs: [FileIdentity]
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
        self.outputs = outputs
        self.linkResolver = linkResolver
        routes = router.resources.map(Route.init)
        transportSecurity = fieldLines(
            source.transportSecurity.map { ["Strict-Transport-Security: \($0.field)"] } ?? [])
    }

    /// What a request gets that nothing claims.
    var unmatchedOutcome: Outcome {
        switch source.unmatched {
        case .page, .landing: .page
        case .redirect: .redirect
        case .store: .store
        case .notFound: .notFound
        }
    }

    /// Lays out generated pages. A request that comes earlier lays out its own.
    package func preparePages() { landing.prepare(linkResolver) }

    /// Reads the public files that are kept in memory, and compresses them. A request that comes
    /// earlier reads the file that it asks for.
    package func prepareFiles() {
        publicFiles.prepare()
        publicFiles.compress()
    }

    /// The public directory as it was found.
    package var publicTree: FileTree { publicFiles.tree }

    /// Reads every public file, and says which of them cannot be served.
    package func checkFiles() -> [Diagnostic] { publicFiles.check() }

    /// What building another like it takes at most, in bytes: what is read, what is made of it, and
    /// the work on both.
    package var rebuildBytes: Int { 2 * bytes.count + 16 << 20 }
}

/// What answers a path that nothing claims.
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
