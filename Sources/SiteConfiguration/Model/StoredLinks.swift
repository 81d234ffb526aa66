private import Associations

package import LinkIndex
import URISyntax

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

extension Site {
    /// Whether a URL is the page of one of the site's apps in its store.
    func isStorePage(_ url: WebURL) -> Bool {
        guard url.isSecure, url.hasDefaultPort else { return false }
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

/// The parts of a stored link besides its slug, its destination and its times.
package struct StoredDetails: Hashable, Sendable {
    package var web: WebActions?
    package var page: LinkPage?
    package var campaign = Campaign()
    package var after: WebActions?

    package init() {}
}
