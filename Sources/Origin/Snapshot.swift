package import Diagnostics
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
    let resources: [PreparedResource]
    let fallback: Fallback
    /// The same for a link that has something for other visitors: caches are told so.
    let visitorFallback: Fallback
    let statuses: PreparedStatuses
    let linkResolver: LinkResolver
    /// The field line that tells browsers to stay with https; empty for none.
    let transportSecurity: [UInt8]
    /// Resources of pages that only some visitors get for a link, and caches are told so, by the
    /// numbers of the same pages for everybody.
    let visitorPages: [Int: Int]
    /// The generated pages.
    let landing: LandingDocuments
    /// How long each host's certificate is good.
    let validities: [HostValidity]
    /// When each certificate ends.
    let certificateEnds: [CertificateEnd]
    /// Findings that are no reason to refuse the configuration.
    package let warnings: [Diagnostic]

    init(
        environment: Environment, router: Router, linkResolver: LinkResolver,
        tls: TLSServerContext?, bytes: [UInt8], resources: [PreparedResource], fallback: Fallback,
        visitorFallback: Fallback,
        statuses: PreparedStatuses, warnings: [Diagnostic], visitorPages: [Int: Int],
        landing: LandingDocuments,
        validities: [HostValidity], certificateEnds: [CertificateEnd]
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
        self.visitorPages = visitorPages
        self.landing = landing
        self.validities = validities
        self.certificateEnds = certificateEnds
        self.linkResolver = linkResolver
        transportSecurity = fieldLines(
            environment.transportSecurity.map { ["Strict-Transport-Security: \($0.field)"] } ?? [])
    }

    /// Lays generated pages out ahead of requests, on a thread of its own. A request that comes
    /// earlier lays out its own.
    package func layOutPages() {
        _ = Background(name: "waymark-pages") { self.landing.prepare(self.linkResolver) }
    }

    /// What building another like it takes at most, in bytes: what is read, what is made of it, and
    /// the work on both.
    package var rebuildBytes: Int { 2 * bytes.count + 16 << 20 }
}

extension Snapshot {
    /// Whether any host's certificate is good now, in seconds since 1970; true without https. One
    /// of several that has ended is no reason to take the origin from the other hosts' visitors.
    package func canShakeHands(now: Int) -> Bool {
        validities.isEmpty || validities.contains { $0.notBefore <= now && now < $0.notAfter }
    }
}

/// When the certificate that a host is answered with begins and ends to be valid, in seconds since
/// 1970; its chain's end, where that comes first.
struct HostValidity: Sendable {
    let host: String
    let notBefore: Int
    let notAfter: Int
}

/// What answers a path that nothing claims.
enum Fallback: Sendable {
    /// The resource of this number.
    case resource(Int)
    case answer(PreparedAnswer)
    /// 404 without a page.
    case notFound
}

/// An answer that depends on nothing in the request but whether it is a HEAD.
struct PreparedAnswer: Sendable {
    let head: PreparedHead
    let body: Range<Int>
}
