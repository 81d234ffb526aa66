import AppFiles
package import Associations
import Diagnostics
package import SiteConfiguration
import URISyntax

/// The files of a site about apps, as Apple's and Google's systems read them.
package struct SiteHalf: Sendable {
    /// A file of the site.
    package enum File<Content: Sendable>: Sendable {
        /// It is not known whether the site has one.
        case notGiven
        /// The site has none.
        case absent
        case read(Content)
    }

    /// The fault of a live host's answer for a file, as `check` says it.
    package struct Fault: Sendable {
        let (text, advice): (String, String)
        /// Whether the file is answered as it should be, and has an error, which need not be about the app.
        let isOfContent: Bool

        package init(_ text: String, advice: String, isOfContent: Bool) {
            (self.text, self.advice, self.isOfContent) = (text, advice, isOfContent)
        }

        func sentence(of host: String) -> String {
            (isOfContent
                ? "the file of \(host) has an error, for which all of it may be ignored: "
                : "\(host) publishes no file that is taken: ") + text
        }
    }

    /// Nil where the files may be of any host.
    let hosts: [String]?
    /// The domains whose subdomains are served.
    let wildcards: [String]
    /// The app identifiers that each service lists.
    let apple: File<[String: [String]]>
    /// The same by identifiers; nil if the file is not known.
    let listed: ListedApps?
    /// The fingerprints of the packages that may open links.
    let android: File<[String: [String]]>
    /// The packages of `android`; nil if its file is not known.
    let packages: NearPackages?
    /// The first placeholder of each package in the place of a fingerprint.
    let placeholders: [String: String]
    /// The packages of all statements, also of those that Google refuses.
    let named: Set<String>
    /// The packages with a fingerprint in lower case, which Google refuses.
    let lowercased: Set<String>
    /// The files that `assetlinks.json` includes and that were not given, so that their packages are not known.
    let missingIncludes: [String]
    /// The packages whose dynamic rules exclude every link, in each of their statements.
    let closed: Set<String>
    /// The packages that share passwords and passkeys with the site.
    let sharing: Set<String>
    /// The links of the packages, as far as they are known.
    let links: [String: PublishedLinks]
    /// The rules of Apple's file; nil if there is no file, or none is known.
    let appleRules: LinkRuleSet?
    /// Whether it is one host as it answers now, also for what is below it.
    let isLive: Bool
    private(set) var faults: (apple: Fault?, android: Fault?) = (nil, nil)

    /// A site of a configuration.
    package init(_ site: Site) {
        isLive = false
        hosts = site.answeredHosts.map(\.description)
        wildcards = site.wildcards.map(\.description)
        let files = site.associations
        let reading = files.aasa.map { AssociationReading($0, file: "") }
        apple = reading.map { .read(Self.apple($0)) } ?? .absent
        appleRules = reading?.ruleSet
        let links = files.assetlinks.map { PublishedAssetLinks(.init($0, name: ""), includes: [:]) }
        android = links.map { .read(Self.android($0)) } ?? .absent
        (listed, packages) = (Self.listed(apple), Self.packages(android))
        (placeholders, named, lowercased, sharing, closed) = Self.statements(links)
        missingIncludes = links?.missingIncludes ?? []
        self.links =
            files.readyAssetLinks == nil
            ? PublishedLinks.of(site) : links.map(PublishedLinks.of) ?? [:]
    }

    /// The files of any site.
    package init(_ apple: AssociationReading?, _ android: PublishedAssetLinks?) {
        (hosts, wildcards, isLive) = (nil, [], false)
        appleRules = apple?.ruleSet
        self.apple = apple.map { .read(Self.apple($0)) } ?? .notGiven
        self.android = android.map { .read(Self.android($0)) } ?? .notGiven
        (listed, packages) = (Self.listed(self.apple), Self.packages(self.android))
        (placeholders, named, lowercased, sharing, closed) = Self.statements(android)
        missingIncludes = android?.missingIncludes ?? []
        links = android.map(PublishedLinks.of) ?? [:]
    }

    /// A host as it answers now.
    package init(
        live host: String, _ apple: File<AssociationReading>, _ android: File<PublishedAssetLinks>,
        faults: (apple: Fault?, android: Fault?) = (nil, nil)
    ) {
        self.faults = faults
        (hosts, wildcards, isLive) = ([host], [], true)
        switch apple {
        case .read(let file):
            (self.apple, appleRules) = (.read(Self.apple(file)), file.ruleSet)
        case .absent: (self.apple, appleRules) = (.absent, nil)
        case .notGiven: (self.apple, appleRules) = (.notGiven, nil)
        }
        self.android =
            switch android {
            case .read(let file): .read(Self.android(file))
            case .absent: .absent
            case .notGiven: .notGiven
            }
        let file: PublishedAssetLinks? = if case .read(let file) = android { file } else { nil }
        (listed, packages) = (Self.listed(self.apple), Self.packages(self.android))
        (placeholders, named, lowercased, sharing, closed) = Self.statements(file)
        missingIncludes = file?.missingIncludes ?? []
        links = if case .read(let file) = android { PublishedLinks.of(file) } else { [:] }
    }

    private static func apple(_ file: AssociationReading) -> [String: [String]] {
        var services = file.services.mapValues { $0.map(\.value) }
        services["applinks"] =
            file.details.flatMap(\.appIDs).map(\.value) + file.unconstrainedApps.map(\.value)
        return services
    }

    private static func listed(_ file: File<[String: [String]]>) -> ListedApps? {
        if case .read(let services) = file { ListedApps(services) } else { nil }
    }

    private static func packages(_ file: File<[String: [String]]>) -> NearPackages? {
        if case .read(let packages) = file { NearPackages(packages.keys) } else { nil }
    }

    private static func android(_ file: PublishedAssetLinks) -> [String: [String]] {
        var packages = [String: [String]]()
        for statement in file.accepted where statement.opensLinks {
            for case .app(let package, let fingerprint) in statement.targets {
                packages[package, default: []].append(fingerprint)
            }
        }
        return packages
    }

    /// The facts about packages of all statements, also of the ones that Google refuses.
    private static func statements(
        _ file: PublishedAssetLinks?
    ) -> (
        placeholders: [String: String], named: Set<String>, lowercased: Set<String>,
        sharing: Set<String>, closed: Set<String>
    ) {
        var (placeholders, named, lowercased) = ([String: String](), Set<String>(), Set<String>())
        var (closed, open) = (Set<String>(), Set<String>())
        let files = file?.files ?? []
        for statement in files.flatMap({ AssetLinksReading($0.json, file: "").statements }) {
            guard let package = statement.package?.value else { continue }
            named.insert(package)
            if statement.fingerprints.contains(where: { isInLowerCase($0.value) }) {
                lowercased.insert(package)
            }
            if statement.opensLinks {
                let rules = statement.dynamicComponents ?? []
                if rules.isEmpty || rules.contains(where: { !$0.exclude }) {
                    open.insert(package)
                } else {
                    closed.insert(package)
                }
            }
            guard placeholders[package] == nil else { continue }
            placeholders[package] = statement.fingerprints.lazy.map(\.value).first {
                FingerprintPlaceholder($0) != nil
            }
        }
        let sharing = (file?.accepted ?? []).filter { statement in
            statement.relations.contains(
                where: "delegate_permission/common.get_login_creds".isScalarwise)
        }.flatMap { $0.targets.compactMap(\.package) }
        return (placeholders, named, lowercased, Set(sharing), closed.subtracting(open))
    }

    /// Whether the site answers for this host.
    func answers(_ host: String) -> Bool {
        guard let hosts else { return true }
        return hosts.contains(where: host.isScalarwise)
            || wildcards.contains { domain in
                let (label, rest) =
                    host.utf8.firstIndex(of: UInt8(ascii: ".")).map {
                        (host.utf8[..<$0], host.utf8[$0...].dropFirst())
                    } ?? (host.utf8[...], host.utf8[host.utf8.endIndex...])
                return !label.isEmpty && rest.elementsEqual(domain.utf8)
            }
    }

    /// Whether an app's entry is for a host of the site, or for hosts below which it has some.
    func isOfEntry(_ entry: AssociatedDomain) -> Bool {
        answers(entry.host)
            || entry.isWildcard
                && ((hosts ?? []).contains(where: entry.covers)
                    || wildcards.contains { entry.host.isScalarwise($0) || entry.covers($0) })
    }
}

/// Whether a text would be a fingerprint if its letters were in upper case.
private func isInLowerCase(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 95, bytes.contains(where: { (0x61...0x66).contains($0) }) else {
        return false
    }
    return bytes.enumerated().allSatisfy { index, byte in
        if index % 3 == 2 { return byte == UInt8(ascii: ":") }
        return (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
