package import Diagnostics
package import Files
package import Resolution
package import SiteConfiguration
import Sockets
package import TLS

/// Everything that answering needs, built and checked whole, then never changed: a reload makes
/// another one and publishes it; connections finish with the one that they began with.
package final class Snapshot: Sendable {
    package let environment: Environment
    package let router: Router
    /// Nil when the environment names no certificate.
    package let tls: TLSServerContext?
    /// All prepared heads and bodies; every place below is a place in it.
    let bytes: [UInt8]
    /// By the router's numbers.
    let resources: [Representation]
    let fallback: Fallback
    /// The same for a link that has something for other visitors: caches are told so.
    let visitorFallback: Fallback
    let statuses: PreparedStatuses
    let linkResolver: LinkResolver
    /// The field line that tells browsers to stay with https; empty for none.
    let transportSecurity: [UInt8]
    /// What is not generated.
    let publicFiles: PublicFiles
    /// The generated pages.
    let landing: LandingDocuments
    /// By the router's numbers.
    let routes: [Route]
    /// What each host is answered with over https.
    let certificates: HostCertificates
    /// Findings that are no reason to refuse the configuration.
    package let warnings: [Diagnostic]

    init(
        environment: Environment, router: Router, linkResolver: LinkResolver,
        tls: TLSServerContext?, bytes: [UInt8], resources: [Representation], fallback: Fallback,
        visitorFallback: Fallback,
        statuses: PreparedStatuses, warnings: [Diagnostic], publicFiles: PublicFiles,
        landing: LandingDocuments,
        certificates: HostCertificates
    ) {
        self.environment = environment
        self.router = router
        self.tls = tls
        self.bytes = bytes
        self.resources = resources
        self.fallback = fallback
        self.visitorFallback = visitorFallback
        self.statuses = statuses
        self.warnings = warnings
        self.publicFiles = publicFiles
        self.landing = landing
        self.certificates = certificates
        self.linkResolver = linkResolver
        routes = router.resources.map(Route.init)
        transportSecurity = fieldLines(
            environment.transportSecurity.map { ["Strict-Transport-Security: \($0.field)"] } ?? [])
    }

    /// What a request gets that nothing claims.
    var unmatchedOutcome: Outcome {
        switch environment.unmatched {
        case .page, .landing: .page
        case .redirect: .redirect
        case .store: .store
        case .notFound: .notFound
        }
    }

    /// Prepares answers ahead of requests, on threads beside the origin: lays out generated pages,
    /// reads the public files that are kept in memory, and compresses them. A request that comes
    /// earlier lays out its own page, or reads the file that it asks for.
    package func beginPreparing() {
        _ = Background(name: "waymark-pages") { self.landing.prepare(self.linkResolver) }
        _ = Background(name: "waymark-files") { self.prepareFiles() }
    }

    /// Reads and compresses public files at once.
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

extension Snapshot {
    /// Whether any host can be answered over https now, in seconds since 1970; true without https.
    /// A certificate that cannot be used is no reason to take the origin from the other hosts'
    /// visitors.
    package func canShakeHands(now: Int) -> Bool {
        certificates.hosts.isEmpty || certificates.hosts.contains { $0.isUsable(at: now) }
    }

    /// What is wrong with certificates, none of which is a reason to refuse the configuration: each
    /// takes away its own hosts and nobody else's.
    package var certificateFaults: [Diagnostic] { certificates.faults.map(\.diagnostic).inOrder }

    /// What kind of fault the first of these is.
    package var certificateFaultKind: SnapshotError.Kind? { certificates.faults.first?.kind }

    /// What these mean for hosts, and for the association file.
    package var certificateConsequences: [Diagnostic] {
        certificates.consequences(at: environment.hostsPosition ?? environment.position)
    }

    /// Whether certificates would be chosen otherwise now, in seconds since 1970, although no file
    /// has changed: one has become valid or has expired, or a file could not be read for a reason
    /// that may be over.
    package func hasOutdatedCertificates(now: Int) -> Bool { certificates.isOutdated(now: now) }
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
