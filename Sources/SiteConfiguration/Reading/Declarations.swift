import Associations
import Diagnostics

/// The apps and links that a configuration or a site declares.
struct Declarations {
    /// An app or a link where it is declared; nil in place of one that has faults.
    struct Declared<Thing> {
        let thing: Thing?
        let position: SourcePosition
        /// A lower bound for the bytes of a link's rules in any association file.
        var leastBytes = 0
    }

    /// In the order of the file, without those that have faults.
    private(set) var apps = [App]()
    private(set) var links = [Link]()
    /// The links with something for browsers.
    private(set) var webLinks = [Link]()
    /// By the names that `publish` uses.
    fileprivate private(set) var appsByName = [String: Declared<App>]()
    fileprivate private(set) var linksByName = [String: Declared<Link>]()

    init() {}

    /// Reads `apps` and `links`.
    /// - Parameters:
    ///   - base: of the names of files.
    ///   - languages: those of the links' pages.
    ///   - shared: what all sites have, whose names cannot be used again.
    init(
        _ value: Value, _ base: PathBase, languages: [String],
        besides shared: Declarations = Declarations(), into findings: inout Findings
    ) {
        let reader = LinkReader(languages: languages)
        let (writtenApps, writtenLinks) = (value["apps"]?.entries, value["links"]?.entries)
        linksByName.reserveCapacity(writtenLinks?.count ?? 0)
        for entry in writtenApps ?? [] {
            findings.checkOwnName("app", entry, shared.appsByName[entry.key]?.position)
            let manifest = base.manifest(entry.value["android"]?["manifest"], into: &findings)
            let app = App(entry, manifest)
            appsByName[entry.key] = Declared(thing: app, position: entry.position)
            if let app { apps.append(app) }
        }
        for entry in writtenLinks ?? [] {
            findings.checkOwnName("link", entry, shared.linksByName[entry.key]?.position)
            let link = reader.link(entry, into: &findings)
            linksByName[entry.key] = Declared(
                thing: link, position: entry.position, leastBytes: link?.leastBytes ?? 0)
            guard let link else { continue }
            links.append(link)
            if link.isForWeb { webLinks.append(link) }
        }
    }
}

/// The apps and links that a site can name: its own, and those of all sites.
struct Inventory {
    let own: Declarations
    let shared: Declarations
    /// The links with something for browsers; a site's own come before those of all sites.
    let webLinks: [Link]

    init(own: Declarations = Declarations(), shared: Declarations = Declarations()) {
        (self.own, self.shared) = (own, shared)
        webLinks = own.webLinks + shared.webLinks
    }

    /// Without those that have faults; those of all sites come first.
    var apps: [App] { shared.apps + own.apps }
    var hasAppleApp: Bool {
        own.apps.contains { $0.ios != nil }
            || shared.apps.contains { $0.ios != nil && own.appsByName[$0.key] == nil }
    }

    var appNames: Set<String> { Set(shared.appsByName.keys).union(own.appsByName.keys) }
    var linkNames: Set<String> { Set(shared.linksByName.keys).union(own.linksByName.keys) }

    func app(named name: String) -> Declarations.Declared<App>? {
        own.appsByName[name] ?? shared.appsByName[name]
    }

    func link(named name: String) -> Declarations.Declared<Link>? {
        own.linksByName[name] ?? shared.linksByName[name]
    }
}

extension Findings {
    /// A name can be used once, also by sites and what they share.
    fileprivate mutating func checkOwnName(
        _ kind: String, _ entry: Value.Entry, _ other: SourcePosition?
    ) {
        guard let other else { return }
        error(
            .duplicateName, at: entry.position,
            "\(kind) \(quoted(entry.key)) is also in \(other), for all sites",
            advice: "give it another name")
    }
}

extension App {
    /// Nil for an app that has faults.
    fileprivate init?(_ entry: Value.Entry, _ manifest: ManifestFile?) {
        let value = entry.value
        let ios = value["ios"].flatMap(IOSApp.init)
        var android = value["android"].flatMap(AndroidApp.init)
        android?.manifest = manifest
        guard (ios != nil) == (value["ios"] != nil), (android != nil) == (value["android"] != nil)
        else { return nil }
        self.init(
            key: entry.key, name: value["name"]?.text, ios: ios, android: android,
            harmony: value["harmony"]?["id"]?.text.map(HarmonyApp.init))
    }
}

extension IOSApp {
    fileprivate init?(_ value: Value) {
        guard let id = value["id"]?.appIdentifier else { return nil }
        let services = value["services"]?.items.compactMap(\.text).compactMap(IOSService.init)
        self.init(
            id: id, storeIdentifier: value["store"]?.text, scheme: value["scheme"]?.text,
            services: Set(services ?? []), clip: value["clip"]?.appIdentifier,
            position: value["id"]?.position, clipPosition: value["clip"]?.position)
    }
}

extension AndroidApp {
    fileprivate init?(_ value: Value) {
        guard let package = value["package"]?.package, let fingerprints = value["sha256"]?.items
        else { return nil }
        self.init(
            package: package, fingerprints: fingerprints.compactMap(\.fingerprint),
            sharesCredentials: value.flag("credentials") ?? false,
            isDynamic: value.flag("dynamic") ?? false,
            fingerprintPositions: fingerprints.map(\.position))
    }
}

extension Link {
    fileprivate var leastBytes: Int { components.reduce(0) { $0 + 8 + ($1.path?.utf8.count ?? 0) } }
}
