package import Associations
package import SiteConfiguration

/// What the web shows for a link, for whoever asks.
package struct LinkResolution: Sendable {
    package let link: Link
    /// What the apps that open the link here have to say of it.
    package let apps: LinkApps
    package let answer: LinkAnswer
    /// Whether another visitor would get another answer: caches may then keep it for nobody else.
    package let dependsOnVisitor: Bool
}

/// Of the apps that an environment's `publish` gives a link, what its answers on the web need; of
/// each kind the first.
package struct LinkApps: Hashable, Sendable {
    package let name: String?
    /// The numeric App Store ID.
    package let appStoreIdentifier: String?
    package let androidPackage: String?

    init(_ link: Link, in environment: Environment) {
        let apps = environment.publications.lazy.filter { publication in
            publication.links.contains { $0.key == link.key }
        }.map(\.app)
        name = apps.compactMap(\.name).first
        appStoreIdentifier = apps.compactMap(\.ios?.storeIdentifier).first
        androidPackage = apps.compactMap(\.android?.package.description).first
    }

    /// The app's page in the platform's store; a computer gets Apple's, or else Google's.
    fileprivate func store(for platform: WebPlatform) -> String? {
        let apple = appStoreIdentifier.map { "https://apps.apple.com/app/id\($0)" }
        let google = androidPackage.map { "https://play.google.com/store/apps/details?id=\($0)" }
        return switch platform {
        case .ios, .ipad: apple
        case .android: google
        case .desktop: apple ?? google
        }
    }
}

/// What a link's action comes to.
package enum LinkAnswer: Hashable, Sendable {
    /// A file of the public directory, by its URL path.
    case page(String)
    /// 302 to this URL, which is one that the configuration names but for its path or query.
    case redirect(String)
    /// 200 with the link's title and picture, for a program that shows or finds pages; the URL is
    /// where people are sent.
    case summary(to: String?)
    case notFound
}

/// The `web` actions of one environment's links, compiled once: the first link that matches
/// decides. Pure: `serve`, the link tests and whoever explains ask the same one.
package struct LinkResolver: Sendable {
    private let links: [Link]
    private let apps: [LinkApps]
    private let matcher: LinkMatcher

    /// Compiles the actions of the environment's links.
    package init(_ environment: Environment) {
        links = environment.webLinks
        apps = links.map { LinkApps($0, in: environment) }
        matcher = LinkMatcher(
            links.map { AppRules(appID: $0.key, rules: $0.components.map(RuleText.init)) },
            variables: [])
    }

    /// Whether no link has an action.
    package var isEmpty: Bool { links.isEmpty }

    /// What `visitor` gets for `url`; nil where no link claims it, or has an action for this
    /// platform: then the environment's `unmatched` decides.
    package func resolve(_ url: LinkURL, for visitor: Visitor) -> LinkResolution? {
        var scratch = MatchScratch()
        matcher.decide(url, &scratch)
        for index in links.indices {
            let decision = matcher.decision(forApp: index, scratch)
            guard decision.verdict == .open, let rule = decision.rule else { continue }
            let link = links[index]
            guard let action = action(of: link, for: visitor.platform),
                let answer = answer(action, index, rule, url, visitor)
            else { return nil }
            return LinkResolution(
                link: link, apps: apps[index], answer: answer,
                dependsOnVisitor: dependsOnVisitor(link, action))
        }
        return nil
    }

    /// The first link that matches, whether or not it has an action for anybody.
    package func claim(of url: LinkURL) -> Link? {
        matcher.opens(url).first.map { links[$0] }
    }

    /// An iPad gets what an iPhone does, unless it has an action of its own.
    private func action(of link: Link, for platform: WebPlatform) -> WebAction? {
        let own = link.web?.byPlatform[platform]
        let kin = platform == .ipad ? link.web?.byPlatform[.ios] : nil
        return own ?? kin ?? link.web?.otherwise
    }

    private func answer(
        _ action: WebAction, _ index: Int, _ rule: Int, _ url: LinkURL, _ visitor: Visitor
    ) -> LinkAnswer? {
        switch action {
        case .page(let path): return .page(path)
        case .notFound: return .notFound
        case .landing: return visitor.kind.isProgram ? .summary(to: nil) : nil
        case .redirect(let template):
            let taken = RuleText(links[index].components[rule]).starTexts(in: url) ?? []
            return sent(to: template.filled(with: taken), visitor)
        case .store:
            guard let store = apps[index].store(for: visitor.platform) else { return nil }
            return sent(to: store, visitor)
        }
    }

    private func sent(to url: String, _ visitor: Visitor) -> LinkAnswer {
        visitor.kind.isProgram ? .summary(to: url) : .redirect(url)
    }

    private func dependsOnVisitor(_ link: Link, _ action: WebAction) -> Bool {
        if link.web?.byPlatform.isEmpty == false { return true }
        switch action {
        case .page, .notFound: return false
        case .redirect, .store, .landing: return true
        }
    }
}

extension URLTemplate {
    /// The URL with texts of a path in the place of `{1}` and its like; one that took nothing
    /// leaves nothing. In the query what would end a value there is percent-encoded.
    fileprivate func filled(with taken: [String]) -> String {
        var url = ""
        for part in parts {
            switch part {
            case .literal(let bytes): url += String(decoding: bytes, as: UTF8.self)
            case .value(.star(let number), let position) where number <= taken.count:
                let text = taken[number - 1]
                url += position == .path ? text : escapedForQuery(text)
            case .value: continue
            }
        }
        return url
    }
}

private func escapedForQuery(_ text: String) -> String {
    var result = [UInt8]()
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "&"): result += Array("%26".utf8)
        case UInt8(ascii: "+"): result += Array("%2B".utf8)
        case UInt8(ascii: "="): result += Array("%3D".utf8)
        case UInt8(ascii: ";"): result += Array("%3B".utf8)
        default: result.append(byte)
        }
    }
    return String(decoding: result, as: UTF8.self)
}
