import Associations
import HTTPMessages
import Pages
import Resolution
import SiteConfiguration
import Synchronization
import URISyntax

/// The sitemap of a snapshot. Pages say themselves whether they want to be listed, so that it is
/// made once they were read.
final class DeferredSitemap: Sendable {
    private let site: Site
    private let limits: AnsweringLimits
    private let resolver: LinkResolver
    /// Seconds since 1970. Links that begin or end later are not listed.
    private let now: Int
    private let digest: @Sendable ([UInt8]) -> [UInt8]
    private let made = AtomicLazyReference<Made>()

    /// A sitemap as it is sent.
    final class Made: Sendable {
        /// Nil where no page is listed: a sitemap without one is invalid.
        let form: FileForm?

        init(_ form: FileForm?) { self.form = form }
    }

    init(
        _ site: Site, _ limits: AnsweringLimits, _ resolver: LinkResolver, now: Int,
        digest: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        (self.site, self.limits, self.resolver) = (site, limits, resolver)
        self.now = now
        self.digest = digest
    }

    /// The same to be made anew.
    func renewed() -> DeferredSitemap { DeferredSitemap(self) }

    private init(_ other: DeferredSitemap) {
        (site, limits, resolver) = (other.site, other.limits, other.resolver)
        (now, digest) = (other.now, other.digest)
    }

    /// Answers a request for it; nil where it lists no page. Before it was made it is not
    /// available: a crawler asks again.
    func answer(
        _ request: FileRequest, _ fields: borrowing FieldSection, in bytes: [UInt8]
    ) -> Answer? {
        guard let made = made.load() else {
            return .status(.serviceUnavailable, isHead: request.isHead)
        }
        return made.form?.answer(request, fields, in: bytes, hasRanges: true)
    }

    /// Whether there may be a page to list, as far as links and names of files say.
    func mayList(_ files: [String]) -> Bool {
        files.contains { MediaTypes.isHTML($0) && !isShownByError($0) } || firstListed() != nil
    }

    /// Lists every page whose address is known and can be asked for: of links that match one path
    /// alone, and of the public directory.
    func make(_ files: [PublicFile]) {
        guard made.load() == nil else { return }
        let sitemap = sitemap(files)
        guard !sitemap.urls.isEmpty else { return _ = made.storeIfNil(Made(nil)) }
        let xml = sitemap.xml
        let form = FileForm(
            .memory(xml), fields: generatedFields(type: "application/xml; charset=utf-8"),
            tag: digest(xml).prefix(16).hexadecimal, modified: nil)
        _ = made.storeIfNil(Made(form))
    }

    private func sitemap(_ files: [PublicFile]) -> Sitemap {
        var listed = [(path: String, url: LinkURL)]()
        forEachListed { path, url in
            listed.append((path, url))
            return true
        }
        // What a listed link shows is listed by the link's address, what one shows that is not to
        // be listed by none; the home page has its own.
        let isListed = Set(listed.map(\.path))
        let shown = Set(
            site.webLinks.flatMap { link in
                let pages = link.pages
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

    private func firstListed() -> String? {
        var first: String?
        forEachListed { path, _ in
            first = path
            return false
        }
        return first
    }

    /// Names the paths of links that are listed, until `body` wants no more.
    private func forEachListed(_ body: (String, LinkURL) -> Bool) {
        let visitor = Visitor(userAgent: "")
        var scratch = LinkScratch()
        for link in site.webLinks where link.web != nil && link.page?.isIndexed != false {
            for path in link.literalPaths {
                // As browsers ask for it, which a pattern with `{` or a blank does not match.
                guard let url = url(path) else { continue }
                let decision = resolver.decide(url, for: visitor, at: now, &scratch)
                guard !decision.reason.isUnmatched, !decision.changesLater, !decision.hasEnded,
                    decision.answer.isContent
                else { continue }
                guard body(path, url) else { return }
            }
        }
    }

    private func url(_ path: String) -> LinkURL? {
        try? LinkURL("https://\(site.hosts[0])\(path)").requested
    }

    /// Whether search engines may list it. What cannot be read is not listed.
    private func isPage(_ file: PublicFile, besides listed: Set<String>) -> Bool {
        guard file.isHTML, !isShownByError(file.path), !listed.contains("/\(file.path)") else {
            return false
        }
        return (try? file.isNotIndexed()) == false
    }

    /// Whether `unmatched` shows the file with an error, so that it is not a page.
    private func isShownByError(_ path: String) -> Bool {
        guard case .page(let page, let status, _) = site.unmatched, status != 200 else {
            return false
        }
        return page == "/\(path)"
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

extension WebAnswer {
    /// Whether search engines find something here, and not at another address.
    fileprivate var isContent: Bool {
        switch self {
        case .notFound, .gone, .tooLong, .refused, .debug: false
        case .redirect(_, let status): !status.isPermanent
        case .landing(let offer), .summary(let offer): !offer.isGone
        case .page, .fallback: true
        }
    }
}
