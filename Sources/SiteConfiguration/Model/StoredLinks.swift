private import Associations
package import Diagnostics
package import LinkIndex
package import URISyntax

/// What a link says of the links that its star stands for, which are kept in a store and made while
/// the origin runs.
package struct Collection: Hashable, Sendable {
    /// The hosts to which its links may lead.
    package let destinations: [DestinationRule]
    /// Whether letter case distinguishes slugs.
    package let isExact: Bool
    /// The characters of generated slugs, and how many they have.
    package let alphabet: [UInt8]
    package let length: Int
    /// What of Firebase Dynamic Links goes on.
    package var firebase = FirebaseParts()
    /// What browsers get for its links that have ended; nil if nothing is said.
    package var after: WebActions?
    package let position: SourcePosition

    /// Small letters and digits that are not taken for others when they are read aloud or typed, and
    /// that make no words.
    package static let usualAlphabet = Array("23456789bcdfghjkmnpqrstvwxyz".utf8)
    /// With the usual alphabet, who tries 100 slugs a second finds one of a million links in a month.
    package static let usualLength = 10
    package static let slugBytesMax = LinkRecord.slugBytesMax

    /// Whether a text can be a slug: letters, digits, `-`, `_` and `~`, and a full stop within.
    package static func isSlug(_ text: [UInt8]) -> Bool {
        guard let first = text.first, let last = text.last, text.count <= slugBytesMax else {
            return false
        }
        let stop = UInt8(ascii: ".")
        return first != stop && last != stop
            && text.allSatisfy { $0.isLetter || $0.isDigit || "-_~.".utf8.contains($0) }
    }

    /// Whether a link may lead to a URL.
    package func allows(_ url: WebURL) -> Bool { destinations.contains { $0.allows(url) } }

    /// Whether its links may lead only to a part of a host.
    package var isConfined: Bool {
        destinations.contains {
            if case .host(_, _, let path) = $0 { !path.isEmpty } else { false }
        }
    }

    /// Whether its links may lead to the stores of apps.
    package var allowsStores: Bool { destinations.contains(.stores) }
}

/// The parts of Firebase Dynamic Links with which a collection goes on; none unless the configuration
/// says so.
package struct FirebaseParts: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Links whose destination is in their query (`?link=`).
    package static let longLinks = FirebaseParts(rawValue: 1)
    /// A page that says what a link does on each platform, for `d=1` in its query.
    package static let debug = FirebaseParts(rawValue: 2)
    /// The operations of Firebase's REST API.
    package static let api = FirebaseParts(rawValue: 4)

    init(_ name: String) {
        switch name {
        case "long-links": self = .longLinks
        case "debug": self = .debug
        case "api": self = .api
        default: self = []
        }
    }
}

/// A rule of `destinations`.
package enum DestinationRule: Hashable, Sendable, CustomStringConvertible {
    /// The app stores' pages of the configuration's apps.
    case stores
    /// Any host.
    case everything
    /// A host, or every host below a domain, and what the path begins with.
    case host(HostName, isWildcard: Bool, path: String)

    /// - Parameter url: with the default port of its scheme; others are not allowed.
    func allows(_ url: WebURL) -> Bool {
        switch self {
        case .stores: return false
        case .everything: return true
        case .host(let host, let isWildcard, let path):
            let isHost =
                isWildcard
                ? url.host.description.hasSuffix(".\(host)") : url.host == host
            return isHost && url.port == nil && Self.path(url.path, isBelow: path)
        }
    }

    private static func path(_ path: Substring, isBelow start: String) -> Bool {
        guard !start.isEmpty else { return true }
        // A dot segment would lead elsewhere.
        return !mayHaveDotSegment(path.utf8) && path.utf8.starts(with: start.utf8)
    }

    /// Whether it allows every URL that another rule allows.
    package func covers(_ other: DestinationRule) -> Bool {
        switch (self, other) {
        case (.everything, _), (.stores, .stores): return true
        case (.host(let host, let isWildcard, let path), .host(let its, let itsWildcard, let rest)):
            let isHost =
                host == its
                ? isWildcard == itsWildcard
                : isWildcard && its.description.hasSuffix(".\(host)")
            return isHost && rest.utf8.starts(with: path.utf8)
        default: return false
        }
    }

    package var description: String {
        switch self {
        case .stores: "store"
        case .everything: "*"
        case .host(let host, let isWildcard, let path): "\(isWildcard ? "*." : "")\(host)\(path)"
        }
    }
}

extension Collection {
    /// Whether a link may lead to a URL, of which the stores' pages are those of the site's apps.
    package func allows(_ url: WebURL, on site: Site) -> Bool {
        allows(url) || allowsStores && site.isStorePage(url)
    }
}

extension Site {
    /// Whether a URL is the page of one of the site's apps in its store.
    fileprivate func isStorePage(_ url: WebURL) -> Bool {
        guard url.isSecure, url.port == nil else { return false }
        switch url.host.description {
        case "play.google.com":
            guard url.path == "/store/apps/details",
                let question = url.description.utf8.firstIndex(of: UInt8(ascii: "?"))
            else { return false }
            let query = url.description[question...].utf8.dropFirst()
                .prefix { $0 != UInt8(ascii: "#") }
            let packages = queryItems(String(decoding: query, as: UTF8.self))
                .filter { $0.name == "id" }.map(\.value)
            return packages.count == 1
                && apps.contains { $0.android?.package.description == packages[0] }
        case "apps.apple.com":
            let last = url.path.utf8.split(separator: UInt8(ascii: "/")).last
            return apps.contains { app in
                guard let id = app.ios?.storeIdentifier else { return false }
                return last?.elementsEqual("id\(id)".utf8) == true
            }
        default: return false
        }
    }

    /// The name of a link's collection in the store: two sites can have links of the same name.
    package func collectionName(_ link: Link) -> CollectionName {
        CollectionName(name.map { "\($0).\(link.key)" } ?? link.key)
    }

    /// The links whose stars stand for stored links.
    package var collections: [Link] { webLinks.filter { $0.collection != nil } }
}

extension Link {
    /// The link that a stored one is answered as: what it does not have, it has from its collection.
    /// - Parameters:
    ///   - destination: where it leads on the web; nil if nowhere.
    ///   - own: what it has besides.
    package func stored(
        destination: URLTemplate?, _ own: StoredDetails, period: LinkPeriod?
    ) -> Link {
        let redirect = destination.map { WebAction.redirect($0, .found) }
        var actions = (web?.byPlatform ?? [:])
        if let web = own.web {
            // An action for everybody also replaces the collection's for one platform.
            if web.otherwise != nil { actions = [:] }
            actions.merge(web.byPlatform) { _, own in own }
        }
        let otherwise = own.web?.otherwise ?? web?.otherwise ?? redirect
        return Link(
            key: key, components: components, positions: positions, page: own.page ?? page,
            web: WebActions(byPlatform: actions, otherwise: otherwise),
            campaign: own.campaign.over(campaign),
            times: period.map { period in
                LinkTimes(
                    period,
                    after: period.until.map { _ in
                        (own.after ?? collection?.after ?? WebActions()).orElse(.gone)
                    })
            }, collection: collection, destination: destination)
    }
}

/// What a stored link has besides its slug, its destination and its times.
package struct StoredDetails: Hashable, Sendable {
    package var web: WebActions?
    package var page: LinkPage?
    package var campaign = Campaign()
    package var after: WebActions?

    package init() {}
}
