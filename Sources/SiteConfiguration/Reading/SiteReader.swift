import Diagnostics
private import Files
internal import LinkIndex

/// Makes a `Configuration` from the values of a configuration, or reports why it cannot. Values of the wrong
/// form were reported by `ShapeCheck`, and are ignored here.
struct SiteReader {
    let file: String
    let directory: String
    var findings = Findings()
    /// By the names that `publish` uses; nil for an app that is declared but has faults.
    var apps = [String: App?]()
    var links = [String: Link?]()
    var presentation = Presentation()
    /// Links with settings for the web, in the order of the file.
    var webLinks = [Link]()
    /// For each link, a lower bound for the bytes of its rules in any association file.
    var leastBytes = [String: Int]()
    /// In the order of the file; those of all sites come first.
    var appList = [App]()
    var linkList = [Link]()
    var appsOfSites = [App]()
    var linksOfSites = [Link]()
    private var appPositions = [String: SourcePosition]()
    private var linkPositions = [String: SourcePosition]()
    /// The directory whose files describe sites.
    var sitesDirectory: FileReference?
    /// The site that is read; nil for what sites share, and if there is only one.
    var siteName: String?
    /// Findings of sites, which are no fault of what they share.
    var siteFindings = [Diagnostic]()
    /// The link tests of sites.
    var siteExpectations = [Expectation]()
    /// By name, as written.
    var environments = [String: Value.Entry]()

    init(file: String, directory: String) {
        self.file = file
        self.directory = directory
    }

    mutating func read(_ bytes: [UInt8]) -> Configuration? {
        guard var root = YAMLDocument.read(bytes, file: file, into: &findings) else { return nil }
        if root.isSiteAlone {
            let configuration = quoted(configurationName)
            findings.error(
                .missingKey, at: SourcePosition(file: file, line: 1, column: 1),
                "the file has the keys of a site and lacks \"version\": it is no configuration",
                advice: "give the configuration whose `sites` names this directory, such as "
                    + configuration)
            return nil
        }
        // Each site is checked by itself, so that its errors are known as its own.
        let described = root.removeMapping("sites")
        var check = ShapeCheck(findings: findings)
        check.check(&root, .object(.configuration), "the configuration")
        findings = check.findings
        let written = described.map { checkSites($0) } ?? readSites(root["sites"])
        if written == nil { readPresentation(root["site"]) }
        readInventory(root)
        let expectations = root["expect"]
        let environments = readEnvironments(root["environments"]?.entries ?? [], root, written)
            .withConfidentialFiles(of: [file] + siteFiles(written))
        checkStores(environments)
        return Configuration(
            file: file, environments: environments, apps: appList + appsOfSites,
            links: linkList + linksOfSites,
            expectations: readExpectations(expectations, environments) + siteExpectations)
    }

    /// The usual configuration beside the directory of this file.
    private var configurationName: String {
        let parts = directory.utf8.split(separator: UInt8(ascii: "/")).dropLast()
        let root = directory.utf8.first == UInt8(ascii: "/") ? "/" : ""
        let above = parts.map { String(decoding: $0, as: UTF8.self) + "/" }.joined()
        return directory == "." ? "../waymark.yaml" : root + above + "waymark.yaml"
    }

    /// Stored links need a store, and two collections must not be one.
    private mutating func checkStores(_ environments: [Environment]) {
        for environment in environments {
            var names = [UInt32: String]()
            for site in environment.sites {
                for link in site.collections {
                    let name = site.collectionName(link)
                    let position = link.collection?.position ?? environment.position
                    if let other = names[name.number] {
                        findings.error(
                            .duplicateName, at: position,
                            "the collections \(quoted(other)) and \(quoted(name.description)) "
                                + "cannot be told apart", advice: "rename the link")
                    }
                    names[name.number] = name.description
                }
            }
            guard environment.store == nil, let first = names.values.min() else { continue }
            findings.warning(
                .noStore, at: environment.position,
                "environment \(quoted(environment.name)) has no `store`, so that no link of "
                    + "\(quoted(first)) is found",
                advice: "add `store: var/links.db`")
        }
    }

    /// The files of these sites that are not this one.
    private func siteFiles(_ sites: [WrittenSite]?) -> [String] {
        sitesDirectory == nil ? [] : (sites ?? []).map(\.position.file)
    }

    /// Reads apps and links. A name can be used once, also by sites and what they share.
    mutating func readInventory(_ value: Value) {
        for entry in value["apps"]?.entries ?? [] {
            checkOwnName("app", entry, appPositions[entry.key])
            let app = readApp(entry)
            apps[entry.key] = .some(app)
            appPositions[entry.key] = entry.position
            if let app { appList.append(app) }
        }
        for entry in value["links"]?.entries ?? [] {
            checkOwnName("link", entry, linkPositions[entry.key])
            let link = readLink(entry)
            links[entry.key] = .some(link)
            linkPositions[entry.key] = entry.position
            leastBytes[entry.key] = link?.leastBytes
            guard let link else { continue }
            linkList.append(link)
            if link.isForWeb { webLinks.append(link) }
        }
    }

    private mutating func checkOwnName(
        _ kind: String, _ entry: Value.Entry, _ other: SourcePosition?
    ) {
        guard let other else { return }
        findings.error(
            .duplicateName, at: entry.position,
            "\(kind) \(quoted(entry.key)) is also in \(other), for all sites",
            advice: "give it another name")
    }

    /// The file or directory that a value names, relative to the configuration's directory.
    func reference(_ value: Value?) -> FileReference? {
        guard let value, let text = value.text, !text.isEmpty else { return nil }
        let path = named(text)
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        return FileReference(
            path: isAbsolute || directory == "." ? path : "\(directory)/\(path)",
            position: value.position)
    }

    /// A text in which `{site}` stands for the name of the site.
    func named(_ text: String) -> String {
        guard let siteName else { return text }
        return text.replacing("{site}", with: siteName)
    }

    /// - Parameter kind: the kind of the names: `app`.
    mutating func reportUnknown(
        _ kind: String, _ name: String, at position: SourcePosition,
        among known: some Sequence<String>
    ) {
        // Only searched for a finding that is kept, because a hostile file can name thousands.
        func advice() -> String? {
            let names = known.sorted()
            let nearest = nearestName(
                to: name, among: names.prefix(ConfigurationLimits.suggestionsMax))
            if let nearest { return didYouMean(nearest) }
            let areFew = (1...ConfigurationLimits.listedNamesMax).contains(names.count)
            return areFew ? listed(names, as: kind) : nil
        }
        findings.error(
            .unknownName, at: position, "there is no \(kind) \(quoted(name))", advice: advice())
    }
}

extension Value {
    /// Whether this is what a file of `sites` has: keys of a site, and nothing of a configuration
    /// alone.
    fileprivate var isSiteAlone: Bool {
        func has(_ key: String, _ shape: Shape) -> Bool { shape.keys.contains { $0.name == key } }
        let keys = entries.map(\.key)
        return !keys.contains("version") && keys.allSatisfy { has($0, .describedSite) }
            && keys.contains { !has($0, .configuration) }
    }
}
