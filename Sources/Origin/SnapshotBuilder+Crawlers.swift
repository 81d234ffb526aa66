import Associations
import Diagnostics
import HTTPMessages
import Markup
import Pages
import Resolution
import SiteConfiguration
import URISyntax

// What search engines and browsers ask for by a name of its own.

extension SnapshotBuilder {
    /// robots.txt (RFC 9309). Even a closed environment leaves the association files open: Apple
    /// and Google must read them.
    func robots(hasSitemap: Bool) -> [UInt8] {
        guard !environment.isClosedToRobots else {
            return Array("User-agent: *\nAllow: /.well-known/\nDisallow: /\n".utf8)
        }
        let map = hasSitemap ? "\nSitemap: \(canonicalOrigin)\(Router.sitemapPath)\n" : ""
        return Array("User-agent: *\nAllow: /\n\(map)".utf8)
    }

    /// Every page whose address is known and can be asked for: of links that match one path alone,
    /// and of the public directory.
    func sitemap(_ files: [PublicFile], _ resolver: LinkResolver) -> Sitemap {
        let origin = canonicalOrigin
        func url(_ path: String) -> LinkURL? { try? LinkURL(origin + path).requested }
        let visitor = Visitor(userAgent: "")
        var scratch = LinkScratch()
        var listed = [(path: String, url: LinkURL)]()
        for link in environment.webLinks where link.web != nil && link.page?.isIndexed != false {
            for path in link.literalPaths {
                // As browsers ask for it, which a pattern with `{` or a blank does not match.
                guard let url = url(path) else { continue }
                let decision = resolver.decide(url, for: visitor, &scratch)
                guard !decision.reason.isUnmatched, decision.answer != .notFound else { continue }
                listed.append((path, url))
            }
        }
        // What a listed link shows is listed by the link's address, what one shows that is not to
        // be listed by none; the home page has its own.
        let isListed = Set(listed.map(\.path))
        let shown = Set(
            environment.webLinks.flatMap { link in
                let pages = link.web?.pages ?? []
                guard !pages.isEmpty else { return pages }
                let isShown =
                    link.page?.isIndexed == false
                    || link.literalPaths.contains(where: isListed.contains)
                return isShown ? pages : []
            }.filter { $0 != "/index.html" })
        let pages = files.filter { isPage($0, besides: shown) }.compactMap {
            url(URLPath.of(file: $0.path))
        }
        return Sitemap(
            (listed.map(\.url) + pages).compactMap {
                limits.canRequest($0.path) ? $0.description : nil
            })
    }

    func manifest() -> [UInt8] {
        let apps = environment.publications.map(\.app)
        let presentation = environment.presentation
        let manifest = WebManifest(
            name: presentation.name ?? environment.hosts[0].description,
            icon: presentation.icon.map { ($0, MediaTypes.type(of: $0).text) },
            androidPackages: apps.compactMap { $0.android?.package.description },
            appStoreIdentifiers: apps.compactMap { $0.ios?.storeIdentifier })
        return Array((manifest.json.indented + "\n").utf8)
    }

    /// Of the environment's first host.
    var canonicalOrigin: String { "https://\(environment.hosts[0])" }

    /// Whether search engines may list it; what `unmatched` shows with an error is not a page.
    private func isPage(_ file: PublicFile, besides listed: Set<String>) -> Bool {
        guard MediaTypes.isHTML(file.path) else { return false }
        let path = "/\(file.path)"
        if case .page(path, let status, _) = environment.unmatched, status != 200 { return false }
        return !listed.contains(path) && !saysNoIndex(file.bytes)
    }

    private func saysNoIndex(_ html: [UInt8]) -> Bool {
        for token in HTMLTokenizer(html) {
            guard case .startTag(let tag) = token.kind else { continue }
            if tag.name == "body" { return false }
            guard tag.name == "meta", tag["name"]?.lowercased() == "robots" else { continue }
            return tag["content"]?.lowercased().utf8.contains("noindex".utf8) ?? false
        }
        return false
    }
}

extension Link {
    /// The paths of rules that match one path and nothing else.
    fileprivate var literalPaths: [String] {
        components.compactMap { component in
            guard !component.exclude, component.query == nil, component.fragment == nil,
                let path = component.path,
                !path.utf8.contains(where: { "*?$".utf8.contains($0) })
            else { return nil }
            return path
        }
    }
}

extension OriginLimits {
    /// Whether a request may name this path: others get 400 or 414, whatever lies there.
    func canRequest(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        var decoded = bytes
        return bytes.count <= request.targetBytesMax
            && (try? PathDecoding.decode(bytes, 0..<bytes.count, into: &decoded)) != nil
    }
}
