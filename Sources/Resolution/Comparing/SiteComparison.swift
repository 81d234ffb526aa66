import Associations
private import Diagnostics
package import SiteConfiguration

/// The changes between two versions of a site in what browsers and programs get. Both versions'
/// deciders are asked about sample links of all rules of both, for each audience, so every change
/// of an answer was observed.
package struct SiteComparison: Sendable {
    package private(set) var changes = [SiteChange]()
    /// Hosts to which only the new version's links lead.
    package private(set) var newHosts = [DestinationHost]()
    /// Hosts to which only the old version's links lead.
    package private(set) var goneHosts = [DestinationHost]()
    /// Whether every rule that can answer differently was sampled. Links with many stars can have
    /// too many combinations.
    package private(set) var isComplete: Bool

    /// - Parameters:
    ///   - directories: of the configurations; names of files are relative to them.
    ///   - files: the paths of public files, which come before links.
    package init(old: Site, new: Site, directories: (old: String, new: String), files: [String]) {
        let before = ComparedSite(old, files: files)
        let after = ComparedSite(new, files: files)
        let samples = SiteSamples(before, after)
        isComplete = samples.isComplete
        newHosts = Self.hosts(in: new, but: old)
        goneHosts = Self.hosts(in: old, but: new)
        var search = AnswerSearch(before, after)
        for target in samples.targets {
            search.compare(target)
            for look in search.looks {
                Self.note(look.after, target, after, in: &newHosts)
                Self.note(look.before, target, before, in: &goneHosts)
            }
        }
        changes = Self.collections(before, after) + search.changes
        changes += Self.settings(before, after, directories, page: search.landing)
    }

    package var isEmpty: Bool { changes.isEmpty && newHosts.isEmpty && goneHosts.isEmpty }

    // MARK: Hosts

    /// The hosts of URLs in links and in `unmatched`, in the order of the file.
    private static func hosts(in site: Site, but other: Site) -> [DestinationHost] {
        let known = Set(other.destinations.map(\.host) + site.answeredHosts.map { "\($0)" })
        var seen = known
        return site.destinations.filter { seen.insert($0.host).inserted }.map {
            DestinationHost(host: $0.host, example: nil, audience: [], position: $0.position)
        }
    }

    /// Takes the first sample that leads to each of the hosts.
    private static func note(
        _ answers: [WebDecision?], _ target: String, _ site: ComparedSite,
        in hosts: inout [DestinationHost]
    ) {
        guard hosts.contains(where: { $0.example == nil }) else { return }
        for (audience, decision) in zip(Audience.allCases, answers) {
            guard case .redirect(let location, _) = decision?.answer,
                let host = hostName(of: location),
                let index = hosts.firstIndex(where: { $0.host == host })
            else { continue }
            let example = "https://\(site.host)\(target)"
            if hosts[index].example == nil { hosts[index].example = example }
            if hosts[index].example == example { hosts[index].audience.append(audience) }
        }
    }

    // MARK: Settings

    private static func settings(
        _ before: ComparedSite, _ after: ComparedSite, _ directories: (old: String, new: String),
        page: String?
    ) -> [SiteChange] {
        let (old, new) = (before.site, after.site)
        var changes = [SiteChange]()
        if let was = old.hosts.first, let now = new.hosts.first, was != now,
            new.hosts.contains(was)
        {
            changes.append(
                SiteChange(
                    subject: "canonical host", url: "https://\(now)/", audience: [],
                    before: "\(was)", after: "\(now)", link: nil))
        }
        let (was, now) = (old.settings(in: directories.old), new.settings(in: directories.new))
        return changes
            + SettingChange.all(was, now).map { change in
                SiteChange(
                    subject: change.name,
                    url: after.url(ofSetting: change.name, landing: page), audience: [],
                    before: change.before, after: change.after, link: nil)
            }
    }
}

/// A setting whose value differs between two versions.
package struct SettingChange: Sendable {
    package let name: String
    package let before: String
    package let after: String

    /// The settings that differ, in the order of the new version.
    package static func all(_ old: [NamedSetting], _ new: [NamedSetting]) -> [SettingChange] {
        let before = Dictionary(old.map { ($0.name, $0.value) }) { first, _ in first }
        let after = Set(new.map(\.name))
        let gone = old.filter { !after.contains($0.name) }
        return new.compactMap { setting in
            let value = before[setting.name] ?? "not set"
            return value == setting.value
                ? nil : SettingChange(name: setting.name, before: value, after: setting.value)
        } + gone.map { SettingChange(name: $0.name, before: $0.value, after: "not set") }
    }
}

/// One version of a site, with what decides for it.
final class ComparedSite {
    let site: Site
    let router: Router
    let resolver: LinkResolver
    /// The host of sample links.
    let host: String

    init(_ site: Site, files: [String]) {
        self.site = site
        router = Router(site, files: files)
        resolver = LinkResolver(site)
        host = site.exampleHost
    }

    /// A URL where a setting shows.
    func url(ofSetting name: String, landing: String?) -> String {
        let start = "https://\(host)"
        switch name {
        case "robots": return start + "/robots.txt"
        case "https-port in redirects": return "http://\(host)/"
        case "acme-webroot": return "http://\(host)/.well-known/acme-challenge/"
        case "open-host": return "https://\(site.openHost.map { "\($0)" } ?? host)/"
        case "association-form", "signing of the association file",
            "ready apple-app-site-association":
            return start + Router.applePaths[0]
        case "ready assetlinks.json": return start + Router.assetLinksPath
        case "webauthn", "passkey-endpoints", "change-password", "applinking.json":
            return "\(start)/.well-known/\(name)"
        default:
            return name.utf8.starts(with: "site ".utf8) ? landing ?? start + "/" : start + "/"
        }
    }
}

extension Site {
    /// A host for sample links: the canonical one, or a name that a wildcard covers.
    package var exampleHost: String {
        hosts.first.map { "\($0)" } ?? wildcards.first.map { "example.\($0)" } ?? "localhost"
    }

    /// The host of every URL that links and `unmatched` lead to, and its position.
    fileprivate var destinations: [(host: String, position: SourcePosition?)] {
        var found = [(host: String, position: SourcePosition?)]()
        for link in webLinks {
            for template in link.templates {
                guard let host = hostName(of: Array(template.text.utf8)) else { continue }
                found.append((host, link.position(ofRedirectTo: template)))
            }
        }
        if case .redirect(let template, _) = unmatched,
            let host = hostName(of: Array(template.text.utf8))
        {
            found.append((host, unmatchedPosition ?? position))
        }
        return found
    }
}

/// The host of an http or https URL, in lower case.
private func hostName(of url: [UInt8]) -> String? {
    let text = String(decoding: url.prefix { $0 != UInt8(ascii: "{") }, as: UTF8.self)
    return (try? LinkURL(text))?.host
}
