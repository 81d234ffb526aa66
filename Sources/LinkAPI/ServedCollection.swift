import Associations
import Diagnostics
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration
import URISyntax

/// A collection of the served configuration: its link, and the site whose hosts it is on.
final class ServedCollection: Sendable {
    let name: CollectionName
    let link: Link
    let collection: Collection
    let site: APISite
    /// The part of its first pattern before the star.
    let prefix: String

    private init(_ name: CollectionName, _ link: Link, _ collection: Collection, _ site: APISite) {
        (self.name, self.link, self.collection, self.site) = (name, link, collection, site)
        let pattern = link.components.first { !$0.exclude }?.path ?? "/*"
        prefix = String(decoding: pattern.utf8.dropLast(), as: UTF8.self)
    }

    /// The canonical URL of a slug.
    func url(_ slug: String) -> String { "https://\(site.site.hosts[0])\(prefix)\(slug)" }

    static func all(_ sites: [APISite]) -> [ServedCollection] {
        sites.flatMap { site in
            site.site.collections.compactMap { link in
                link.collection.map {
                    ServedCollection(site.site.collectionName(link), link, $0, site)
                }
            }
        }
    }

    /// A slug as the collection compares it.
    func compared(_ slug: String) -> [UInt8] {
        collection.isExact
            ? Array(slug.utf8) : slug.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    }

    /// The apps for which the collection is published.
    var openingApps: [App] { site.site.publications.filter { $0.links.contains(link) }.map(\.app) }

    /// The identifiers of the apps that open a slug: for all slugs the same.
    func apps(opening slug: String) -> [String] {
        guard let url = try? LinkURL(url(slug)) else { return [] }
        return site.resolver.identifiers(opening: url)
    }
}

// MARK: - Slugs

extension ServedCollection {
    /// The reasons for which a slug cannot be used here, besides that it is taken.
    func faults(ofSlug slug: String, at pointer: String = "/slug") -> [PointedFault] {
        if let reserved = Self.reservation(of: slug) {
            return [
                PointedFault(
                    pointer, .slugReserved, "\(quoted(slug)) is reserved: \(reserved)",
                    advice: "choose another slug")
            ]
        }
        guard let url = try? LinkURL(url(slug)), let decision = try? site.router.decide(url) else {
            return [PointedFault(pointer, .slugForm, "\(quoted(slug)) makes no URL that is served")]
        }
        switch decision {
        case .unmatched, .directory: break
        case .resource(let number):
            return [shadowed(slug, at: pointer, by: site.router.resources[number].words)]
        default: return [shadowed(slug, at: pointer, by: "a path that is reserved")]
        }
        var scratch = LinkScratch()
        scratch.index = LinkIndex()
        let web = site.resolver.decide(url, for: Visitor(userAgent: ""), at: nil, &scratch)
        guard let number = web.link, site.resolver.links[number].key != link.key else { return [] }
        return [shadowed(slug, at: pointer, by: "link \(quoted(site.resolver.links[number].key))")]
    }

    private func shadowed(_ slug: String, at pointer: String, by other: String) -> PointedFault {
        PointedFault(
            pointer, .slugShadowed, "\(quoted(prefix + slug)) is answered with \(other)",
            advice: "choose another slug")
    }

    /// The reason for which programs request such a path, so that a link there would mislead them; nil
    /// for other paths.
    private static func reservation(of slug: String) -> String? {
        let text = slug.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        func begins(_ start: String) -> Bool { text.starts(with: start.utf8) }
        func ends(_ end: String) -> Bool { text.reversed().starts(with: end.utf8.reversed()) }
        let names = [
            "favicon.ico", "robots.txt", "sitemap.xml", "index.html", "assetlinks.json",
            "apple-app-site-association",
        ]
        if names.contains(where: { text.elementsEqual($0.utf8) })
            || ["manifest", "apple-touch-icon"].contains(where: begins)
        {
            return "programs request this name by themselves"
        }
        if begins("_") { return "Waymark's own paths begin with _" }
        if begins(".well-known") { return "RFC 8615 reserves it" }
        if begins("wp-") || ends(".php") { return "scanners request such names" }
        return nil
    }

    /// A slug by chance, of the collection's alphabet.
    /// - Parameter length: of letters and digits; nil for those of the collection.
    func makeSlug(_ random: inout some RandomNumberGenerator, _ length: Int? = nil) -> String {
        let alphabet = length == nil ? collection.alphabet : Self.lettersAndDigits
        let slug = (0..<(length ?? collection.length)).map { _ in
            alphabet[Int.random(in: alphabet.indices, using: &random)]
        }
        return String(decoding: slug, as: UTF8.self)
    }

    private static let lettersAndDigits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}

// MARK: - Destinations

extension ServedCollection {
    /// The reasons for which a link may not lead where it would.
    /// - Parameters:
    ///   - api: has the collections of the whole configuration.
    ///   - kept: the URLs that the link has already, and `StoredLink.storeURL` for the stores: it can
    ///   be disabled, or get a note, also where they are not allowed any more.
    func faults(
        ofDestinationsOf description: LinkDescription, in api: LinkAPI, keeping kept: Set<String>
    ) -> [PointedFault] {
        var faults = [PointedFault]()
        if let url = description.destination, !kept.contains(url.description) {
            faults += self.faults(of: url, at: "/destination", api)
        }
        for (pointer, action) in actions(of: description) {
            switch action {
            case .redirect(let template, _) where !kept.contains(template.text):
                faults += self.faults(of: template, at: pointer, api)
            case .store where !collection.allowsStores && !kept.contains(StoredLink.storeURL):
                faults.append(
                    PointedFault(
                        pointer, .destinationNotAllowed,
                        "the stores are not in `destinations` of " + quoted(name.description),
                        advice: "add `store` there, or choose another action"))
            default: break
            }
        }
        return faults
    }

    /// URLs in which a percent sign begins no escape (RFC 3986 §2.1): browsers, proxies and servers
    /// read them in several ways.
    func oddEscapes(in description: LinkDescription) -> [(url: String, fault: PointedFault)] {
        var urls = [(pointer: String, text: String)]()
        if let url = description.destination { urls.append(("/destination", url.description)) }
        for (pointer, action) in actions(of: description) {
            if case .redirect(let template, _) = action { urls.append((pointer, template.text)) }
        }
        return urls.filter { hasMalformedEscape($0.text.utf8) }.map { pointer, text in
            let fault = PointedFault(
                pointer, .wrongValue,
                "in \(quoted(text)), a percent sign is not followed by two hexadecimal digits",
                advice: "write %25 for a percent sign")
            return (text, fault)
        }
    }

    /// The actions of a link, with their JSON Pointers.
    private func actions(of description: LinkDescription) -> [(pointer: String, action: WebAction)]
    {
        let groups = [
            ("/web", description.details.web, description.member("web")),
            ("/after", description.details.after, description.member("after")),
        ]
        return groups.flatMap { pointer, actions, written in
            var named = (actions?.byPlatform ?? [:]).map { ($0.key.rawValue, $0.value) }
                .sorted { $0.0 < $1.0 }
            if let otherwise = actions?.otherwise { named.append(("default", otherwise)) }
            let isOne = if case .string = written { true } else { false }
            return named.map { (isOne ? pointer : "\(pointer)/\($0.0)", $0.1) }
        }
    }

    /// Checks a destination with two different values: what is allowed for both is in what stands before
    /// the first placeholder.
    private func faults(
        of template: URLTemplate, at pointer: String, _ api: LinkAPI
    ) -> [PointedFault] {
        for sample in ["x", "y"] {
            guard let url = try? WebURL(template.filled(with: sample)) else { continue }
            let faults = faults(of: url, at: pointer, api)
            if !faults.isEmpty { return faults }
        }
        return []
    }

    private func faults(of url: WebURL, at pointer: String, _ api: LinkAPI) -> [PointedFault] {
        guard collection.allows(url, on: site.site) else {
            // No rule can allow another port, so nobody could add it.
            let advice =
                url.hasDefaultPort
                ? "lead elsewhere, or let an engineer add it"
                : "lead elsewhere: only the scheme's own port is allowed"
            return [
                PointedFault(
                    pointer, .destinationNotAllowed,
                    "\(quoted("\(url.host)\(url.port.map { ":\($0)" } ?? "")")) is not in "
                        + "`destinations` of \(quoted(name.description)): "
                        + collection.destinations.map(\.description).joined(separator: ", "),
                    advice: advice)
            ]
        }
        let owner = api.site(of: url.host.description)
        guard owner?.resolver.asksForStored(url) == true else { return [] }
        return [
            PointedFault(
                pointer, .destinationLoop, "\(quoted(url.description)) is a stored link itself",
                advice: "lead to its destination")
        ]
    }
}

// MARK: - Files

extension ServedCollection {
    /// Pages and images of the link that the site does not have. They may come later, so they are
    /// no faults.
    /// - Parameter before: those that were noted before; nil to note each.
    func missingFiles(
        of description: LinkDescription, _ before: MissingFiles? = nil
    ) -> [PointedFault] {
        var found = [PointedFault]()
        func check(_ path: String, _ pointer: String) {
            guard let url = try? LinkURL("https://\(site.site.hosts[0])\(path)"),
                let decision = try? site.router.decide(url)
            else { return }
            if case .resource = decision { return }
            guard before?.isFirst(path, of: self) != false else { return }
            found.append(
                PointedFault(
                    pointer, .missingPage, "the site has no file \(quoted(path))",
                    advice: "put it into the directory `public`, or name another"))
        }
        for (pointer, action) in actions(of: description) {
            if case .page(let path) = action { check(path, pointer) }
        }
        if let image = description.details.page?.image?.url {
            let isOne =
                if case .object(let page)? = description.member("page"),
                    case .string? = page.first(where: { $0.key == "image" })?.value
                { true } else { false }
            let pointer = isOne ? "/page/image" : "/page/image/url"
            if image.utf8.first == UInt8(ascii: "/") {
                check(image, pointer)
            } else if let url = try? WebURL(image), !url.isSecure {
                found.append(
                    PointedFault(
                        pointer, .wrongValue,
                        "browsers and previews do not load an image over http in a page over https",
                        advice: "write https:// if its host has it"))
            }
        }
        return found
    }
}
