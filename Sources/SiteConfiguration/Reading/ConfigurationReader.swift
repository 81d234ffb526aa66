import Diagnostics
internal import LinkIndex

/// Makes a `Configuration` from the text of a configuration, or reports why it cannot. Values of the
/// wrong form were reported by `ShapeCheck`, and are ignored here.
struct ConfigurationReader {
    let file: String
    let directory: String
    private(set) var findings = Findings()
    /// Findings of sites, which are no fault of what they share.
    private(set) var siteFindings = [Diagnostic]()

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
        let mapping = root.removeMapping("sites")
        var check = ShapeCheck(findings: findings)
        check.check(&root, .object(.configuration), "the configuration")
        findings = check.findings
        let base = PathBase(directory: directory)
        let sites =
            mapping.map { WrittenSites(mapping: $0, into: &findings) }
            ?? WrittenSites(pattern: root["sites"], base, into: &findings)
        let presentation = Presentation(sites == nil ? root["site"] : nil, base, into: &findings)
        let shared = Inventory(
            own: Declarations(root, base, languages: presentation.languages, into: &findings))
        let described = DescribedEnvironments(root["environments"]?.entries ?? [], into: &findings)
        let reader = SiteReader(base: base, inventory: shared, presentation: presentation)
        var ofSites = SitesReader(
            sharedPresentation: root["site"], shared.own, described, directory: directory,
            environments: environments(described, sites, reader))
        if let sites, !described.isOverLimit { ofSites.read(sites.list) }
        siteFindings = ofSites.findings
        var digest = ConfigurationDigest()
        digest.add(bytes)
        for site in sites?.list ?? [] { if let own = site.digest { digest.add(own) } }
        var environments = ofSites.environments
            .withConfidentialFiles(of: [file] + (sites?.files ?? []))
        for index in environments.indices { environments[index].digest = digest.text }
        checkStores(environments)
        let expectations = ExpectationReader(described, shared, environments: environments)
            .expectations(root["expect"], into: &findings)
        return Configuration(
            file: file, environments: environments, apps: shared.own.apps + ofSites.apps,
            links: shared.own.links + ofSites.links,
            expectations: expectations + ofSites.expectations)
    }

    /// The environments with their only site, or without sites if the configuration has `sites`.
    private mutating func environments(
        _ described: DescribedEnvironments, _ sites: WrittenSites?, _ siteReader: SiteReader
    ) -> [Environment] {
        let reader = EnvironmentReader(base: siteReader.base)
        var environments = [Environment]()
        for chain in described.chains {
            reader.checkInheritedStore(chain, into: &findings)
            let value = chain.inherited
            var site: Site?
            if sites == nil {
                let described = DescribedSite(
                    name: nil, environment: chain.name, position: chain.entry.position,
                    inherits: chain.entry.value["extends"] != nil)
                site = siteReader.site(value, described, into: &findings)
                if site == nil { continue }
            }
            var environment = reader.environment(
                chain, value, sites: [site].compactMap(\.self), into: &findings)
            environment.sitesDirectory = sites?.directory
            environments.append(environment)
        }
        return environments
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
