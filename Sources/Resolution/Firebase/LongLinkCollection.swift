import Associations
import Diagnostics
import JSONSyntax
internal import LinkIndex
import SiteConfiguration
import URISyntax

/// The long links of a collection: their parameters are a link of the collection that is nowhere
/// stored. It may lead where the collection's links may, and nowhere else.
final class LongLinkCollection: Sendable {
    /// The number of the link, and of its rule.
    let number: Int
    let rule: Int
    private let link: Link
    private let collection: Collection
    private let site: Site
    private let hosts: HostTable
    private let apps: [App]
    /// The beginnings of its paths.
    private let prefixes: [[UInt8]]

    /// Nil for a link that has none.
    init?(_ link: Link, number: Int, _ site: Site, opening apps: [App]) {
        guard let collection = link.collection, collection.firebase.contains(.longLinks) else {
            return nil
        }
        (self.link, self.number, self.collection) = (link, number, collection)
        (self.site, self.apps, hosts) = (site, apps, HostTable([site]))
        rule = link.components.firstIndex { !$0.exclude } ?? 0
        prefixes = link.starPrefixes
    }

    /// Whether a URL is a long link of the collection, rightly made or not: its path is the
    /// collection's without a slug.
    func has(_ url: LinkURL) -> Bool {
        guard let query = url.query, !query.isEmpty else { return false }
        var path = Array(url.bytes[url.pathRange])
        if path.isEmpty { path = [UInt8(ascii: "/")] }
        // Firebase's builder for Android wrote `/links?link=`.
        return prefixes.contains { $0 == path || $0 == path + [UInt8(ascii: "/")] }
            && FirebaseQuery.isLongLink(query)
    }

    /// - Parameter resolver: of the site.
    /// - Throws: why it leads nowhere.
    func read(_ url: LinkURL, _ resolver: LinkResolver) throws(FirebaseFault) -> LongLink {
        let query = FirebaseQuery(url.query ?? "", linkBytes: url.bytes.count)
        if let fault = query.faults.first { throw fault }
        var firebase = FirebaseLink(query.values, opening: apps)
        let members = JSONText.object(firebase.members())
        guard let json = JSONDocument(Array(members.compact.utf8), file: "").root,
            case (let description?, let found) = LinkDescription.read(json)
        else { throw FirebaseFault("", "it cannot be read") }
        if let fault = found.first(where: { $0.diagnostic.severity == .error }) {
            throw FirebaseFault(Self.parameter(of: fault.pointer), fault.diagnostic.message)
        }
        try check(description, resolver)
        let details = Array((description.detailsText ?? "").utf8)
        guard let destination = description.destination?.description,
            details.count <= LinkRecord.detailsBytesMax
        else { throw FirebaseFault("", "it has too much text") }
        var own = description.details
        // It has these itself, and does not pass on what is in its query.
        own.campaign.utm = false
        let stored = link.stored(destination: URLTemplate(destination), own, period: nil)
        return LongLink(
            notes: query.notes + firebase.notes, details: details,
            claim: StoredClaim(
                id: 0, stored, LinkActions(stored, offering: apps, resolver.siteCampaign)))
    }

    /// Every URL that somebody could be led to must be allowed, also on other platforms.
    private func check(
        _ description: LinkDescription, _ resolver: LinkResolver
    ) throws(FirebaseFault) {
        if let url = description.destination { try check(url, "link", resolver) }
        let actions = description.details.web?.byPlatform ?? [:]
        for platform in WebPlatform.allCases {
            let parameter = Self.parameter(of: "/web/\(platform.rawValue)")
            switch actions[platform] {
            case .redirect(let template, _):
                guard let url = try? WebURL(template.filled(with: "x")) else { continue }
                try check(url, parameter, resolver)
            case .store where !collection.allowsStores:
                throw FirebaseFault(parameter, "the stores are not among what is allowed here")
            default: break
            }
        }
    }

    private func check(
        _ url: WebURL, _ parameter: String, _ resolver: LinkResolver
    ) throws(FirebaseFault) {
        guard collection.allows(url, on: site) else {
            let place = "\(url.host)\(url.port.map { ":\($0)" } ?? "")"
            throw FirebaseFault(parameter, "\(quoted(place)) is not among what is allowed here")
        }
        if hosts.site(of: url.host.description) != nil, resolver.asksForStored(url) {
            throw FirebaseFault(parameter, "\(quoted(url.description)) is such a link itself")
        }
    }

    /// The parameter that a member was made of.
    static func parameter(of pointer: String) -> String {
        let parameters = [
            ("/destination", "link"), ("/web/android", "afl"), ("/web/ios", "ifl"),
            ("/web/ipad", "ipfl"), ("/web/desktop", "ofl"), ("/page/title", "st"),
            ("/page/description", "sd"), ("/page/image", "si"),
            ("/campaign/apple/provider", "pt"), ("/campaign/apple/campaign", "ct"),
        ]
        return parameters.first { pointer.utf8.starts(with: $0.0.utf8) }?.1 ?? ""
    }
}
