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
    func canRequest(_ path: String) -> Bool { obstacle(to: path) == nil }

    /// The reason why no request may name this path; nil if one may.
    func obstacle(to path: String) -> String? {
        let bytes = Array(path.utf8)
        guard bytes.count <= request.targetBytesMax else {
            return "its path has \(bytes.count) bytes, may have \(request.targetBytesMax)"
        }
        var decoded = bytes
        do throws(PathFault) {
            _ = try PathDecoding.decode(bytes, 0..<bytes.count, into: &decoded)
            return nil
        } catch {
            switch error {
            case .control: return "its name contains a control character"
            case .backslash: return "its name contains a backslash"
            case .escapedTwice:
                return "its name contains an escape such as %41, which could be decoded twice"
            case .unfinishedEscape, .escapedSlash, .notUTF8, .dotSegment:
                return "servers and proxies could interpret its name differently"
            }
        }
    }
}
