import Associations
import LinkIndex
import SiteConfiguration

/// A link of a collection that nobody has made. Two versions of a site are asked about it in place
/// of the links of a store, which are not known when configurations are compared.
enum ImaginedLink: CaseIterable {
    /// It has a destination, and all else of its collection.
    case usual
    /// The same link after its end.
    case ended
    /// Its own `web` shows everybody its landing page.
    case landing

    /// An index that has nothing but this link.
    func index(at place: ImaginedPlace) -> LinkIndex {
        let details = self == .landing ? #"{"web":"landing"}"# : ""
        var record = LinkRecord(
            collection: place.collection, id: 1, slug: place.slug,
            destination: Array((place.destination ?? "").utf8), details: Array(details.utf8))
        if self == .ended { record.until = 0 }
        return LinkIndex().changed([LinkChange(record)].compactMap(\.self), generation: 1)
    }

    /// The time at which it is asked for.
    /// - Parameter time: nil if no other link of the URL depends on the time.
    func moment(_ time: Int?) -> Int? { self == .ended ? time ?? 1 : time }
}

/// The place of a stored link in a URL: the text that a collection's star stands for.
struct ImaginedPlace {
    let collection: UInt32
    let slug: [UInt8]
    /// A URL that the collection allows; nil if there is none.
    let destination: String?
}

extension ComparedSite {
    /// The place of a URL that a version leaves to its store; nil for a URL of no stored link.
    /// - Parameter decision: about the URL, without a store.
    func place(of url: LinkURL, _ decision: WebDecision?) -> ImaginedPlace? {
        guard let decision, decision.reason == .notLookedUp, let link = decision.link,
            let rule = decision.rule, let number = resolver.collectionNumber(of: link),
            let slug = resolver.slug(of: url, link: link, rule: rule),
            SiteConfiguration.Collection.isSlug(slug)
        else { return nil }
        return ImaginedPlace(
            collection: number, slug: slug,
            destination: site.imaginedDestination(of: resolver.links[link]))
    }
}

extension Site {
    /// A URL to which the links of a collection may lead: of the first host that it names, or else
    /// of a store. Nil if its links can lead nowhere.
    func imaginedDestination(of link: Link) -> String? {
        let rules = link.collection?.destinations ?? []
        for rule in rules {
            switch rule {
            case .stores: continue
            case .everything: return "https://www.example.com/destination"
            case .host(let host, let isWildcard, let path):
                let start = "https://\(isWildcard ? "www." : "")\(host)"
                if path.isEmpty { return start + "/destination" }
                return start + path + (path.utf8.last == UInt8(ascii: "/") ? "destination" : "")
            }
        }
        guard rules.contains(.stores) else { return nil }
        return apps.lazy.compactMap { app in
            app.ios?.storeIdentifier.map { "https://apps.apple.com/app/id\($0)" }
                ?? app.android.map {
                    "https://play.google.com/store/apps/details?id=\($0.package)"
                }
        }.first
    }
}
