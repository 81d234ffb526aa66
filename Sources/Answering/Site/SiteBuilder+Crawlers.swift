import Associations
import Diagnostics
import HTTPMessages
import Pages
import Resolution
import SiteConfiguration
import URISyntax

// What search engines and browsers ask for by a name of its own.

extension SiteBuilder {
    /// robots.txt (RFC 9309). Even a closed environment leaves the association files open: Apple
    /// and Google must read them.
    func robots(hasSitemap: Bool) -> [UInt8] {
        guard !site.isClosedToRobots else {
            return Array("User-agent: *\nAllow: /.well-known/\nDisallow: /\n".utf8)
        }
        let map = hasSitemap ? "\nSitemap: \(canonicalOrigin)\(Router.sitemapPath)\n" : ""
        return Array("User-agent: *\nAllow: /\n\(map)".utf8)
    }

    func manifest() -> [UInt8] {
        let apps = site.publications.map(\.app)
        let presentation = site.presentation
        let manifest = WebManifest(
            name: presentation.name ?? site.hosts[0].description,
            icon: presentation.icon.map { ($0, MediaTypes.type(of: $0).text) },
            androidPackages: apps.compactMap { $0.android?.package.description },
            appStoreIdentifiers: apps.compactMap { $0.ios?.storeIdentifier })
        return Array((manifest.json.indented + "\n").utf8)
    }

    var canonicalOrigin: String { "https://\(site.hosts[0])" }
}

extension AnsweringLimits {
    /// Whether a request may name this path: others get 400 or 414, whatever lies there.
    func canRequest(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        var decoded = bytes
        return bytes.count <= request.targetBytesMax
            && (try? PathDecoding.decode(bytes, 0..<bytes.count, into: &decoded)) != nil
    }
}
