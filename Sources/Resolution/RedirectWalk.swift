package import Associations
package import SiteConfiguration
private import URISyntax

/// The way of a browser through redirects of one site, to find those that never end. It asks the
/// resolver that answers requests, so that a loop that it reports was walked.
package struct RedirectWalk {
    private let site: Site
    /// The site's hosts: there can be thousands of them, and of redirects to them.
    private let hosts: HostTable
    private let resolver: LinkResolver
    private let isAnswered: (LinkURL, String) -> Bool
    private var scratch = LinkScratch()

    /// A redirect that comes back, or leads on more often than browsers follow.
    package struct Loop: Hashable, Sendable {
        /// The redirect that begins it.
        package let start: Start
        /// The paths that are requested, in order.
        package let paths: [String]

        /// The number of the link that begins it; nil where no link does.
        package var link: Int? { if case .link(let number) = start { number } else { nil } }
    }

    /// A setting that redirects.
    package enum Start: Hashable, Sendable {
        case link(Int), unmatched, changePassword
    }

    /// - Parameter isAnswered: whether something that comes before links answers a URL, whose path is
    ///   given decoded, too, and does not redirect it.
    package init(
        _ site: Site, _ resolver: LinkResolver, isAnswered: @escaping (LinkURL, String) -> Bool
    ) {
        (self.site, self.resolver, self.isAnswered) = (site, resolver, isAnswered)
        hosts = HostTable([site])
    }

    /// The redirects of links, of `unmatched` and of `change-password` that never end, each once. Only
    /// redirects to a host of the site are followed, from each pattern and target on each platform as far as
    /// browsers go, so the cost is proportional to their number.
    package mutating func loops() -> [Loop] {
        var found = [Loop]()
        if case .redirect(let template, _) = site.unmatched,
            ownTarget(template.filled(with: Self.example)) != nil,
            let start = try? LinkURL("https://\(host)/\(Self.unlikely)"),
            let loop = loop(from: start, of: .unmatched, at: nil)
        {
            found.append(loop)
        }
        for (number, link) in resolver.links.enumerated() {
            if let loop = loop(of: link, number) { found.append(loop) }
        }
        if let page = site.wellKnown.changePassword, let start = ownTarget(page.description),
            let loop = loop(from: start, of: .changePassword, at: nil)
        {
            found.append(loop)
        }
        return found
    }

    private var host: String { site.exampleHost }

    private static let example = "example"
    private static let unlikely = "no-link-has-this-path"
    /// Browsers follow 20.
    private static let redirectsMax = 20

    private mutating func loop(of link: Link, _ number: Int) -> Loop? {
        guard let period = link.times?.period else {
            return loop(of: link, number, link.web, at: nil)
        }
        let until = period.until?.seconds
        let within = loop(of: link, number, link.web, at: period.from?.seconds ?? (until ?? 1) - 1)
        return within ?? until.flatMap { loop(of: link, number, link.times?.after, at: $0) }
    }

    /// - Parameters:
    ///   - actions: of the link at this time.
    ///   - now: seconds since 1970; nil for links without times, which are followed only to others
    ///   without.
    private mutating func loop(
        of link: Link, _ number: Int, _ actions: WebActions?, at now: Int?
    ) -> Loop? {
        let targets = WebPlatform.allCases.compactMap { platform in
            guard case .redirect(let template, _) = actions?.action(for: platform) else {
                return (WebPlatform, LinkURL)?.none
            }
            return ownTarget(template.filled(with: Self.example)).map { (platform, $0) }
        }
        guard !targets.isEmpty else { return nil }
        for component in link.components where !component.exclude {
            guard let example = RuleText(component).exampleLink(host: host),
                let start = try? LinkURL(example)
            else { continue }
            for (platform, _) in targets {
                if let loop = loop(
                    from: start, of: .link(number), platform: platform, at: now, isOwn: true)
                {
                    return loop
                }
            }
        }
        // Where other links answer each example, the way begins at the target: every loop goes through one.
        for (platform, target) in targets {
            if let loop = loop(from: target, of: .link(number), platform: platform, at: now) {
                return loop
            }
        }
        return nil
    }

    /// - Parameters:
    ///   - start: the redirect that is examined.
    ///   - isOwn: whether the way counts only if this one redirects the first URL.
    private mutating func loop(
        from first: LinkURL, of start: Start, platform: WebPlatform = .desktop, at now: Int?,
        isOwn: Bool = false
    ) -> Loop? {
        let visitor = Visitor(userAgent: Self.userAgent(platform))
        var (url, paths, seen) = (first, [String](), Set<String>())
        for hop in 0...Self.redirectsMax {
            let path = url.path.isEmpty ? "/" : url.path
            paths.append(path)
            guard seen.insert(url.target).inserted else { return Loop(start: start, paths: paths) }
            let decoded = decoded(path)
            if decoded == WellKnownFiles.changePasswordPath,
                let page = site.wellKnown.changePassword
            {
                guard hop > 0 || !isOwn, let next = ownTarget(page.description) else { return nil }
                url = next
                continue
            }
            if isAnswered(url, decoded) { return nil }
            let decision = resolver.decide(url, for: visitor, at: now, &scratch)
            guard case .redirect(let location, _) = decision.answer, decision.stored == nil,
                now != nil || decision.link.map({ resolver.links[$0].times == nil }) ?? true,
                hop > 0 || !isOwn || decision.link.map(Start.link) == start,
                let next = ownTarget(String(decoding: location, as: UTF8.self))
            else { return nil }
            url = next
        }
        return Loop(start: start, paths: paths)
    }

    /// The URL as a request of this site; nil if another one gets it.
    private func ownTarget(_ text: String) -> LinkURL? {
        guard let url = try? WebURL(text), hosts.site(of: url.host.description) != nil,
            url.port == nil || url.port == (url.isSecure ? site.httpsPort ?? 443 : 80)
        else { return nil }
        return try? LinkURL("https://\(url.host)\(url.resolvedTarget)")
    }

    private func decoded(_ path: String) -> String {
        let written = Array(path.utf8)
        var bytes = [UInt8](repeating: 0, count: written.count)
        guard let count = try? PathDecoding.decode(written, 0..<written.count, into: &bytes) else {
            return path
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func userAgent(_ platform: WebPlatform) -> String {
        let names: [WebPlatform: String] = [
            .ios: "iphone-safari", .ipad: "ipad-mobile", .android: "android-chrome",
            .desktop: "desktop-chrome",
        ]
        return names[platform].flatMap(VisitorProfile.userAgent(of:)) ?? ""
    }
}
