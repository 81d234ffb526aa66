import Diagnostics

/// Reads every site by itself in every environment, so that the errors of one are known as its own.
struct SitesReader {
    /// The part that all sites have: their `site`, apps and links, and the environments.
    let sharedPresentation: Value?
    let shared: Declarations
    let described: DescribedEnvironments
    let directory: String
    /// The environments, with the sites that were read.
    private(set) var environments: [Environment]
    /// The apps, links and link tests of the sites.
    private(set) var apps = [App]()
    private(set) var links = [Link]()
    private(set) var expectations = [Expectation]()
    /// The findings of sites, which are no fault of what they share.
    private(set) var findings = [Diagnostic]()

    init(
        sharedPresentation: Value?, _ shared: Declarations, _ described: DescribedEnvironments,
        directory: String, environments: [Environment]
    ) {
        self.sharedPresentation = sharedPresentation
        self.shared = shared
        self.described = described
        self.directory = directory
        self.environments = environments
    }

    mutating func read(_ sites: [WrittenSite]) {
        for site in sites { read(site) }
        checkHosts()
    }

    private mutating func read(_ site: WrittenSite) {
        var own = site.findings
        var inventory = Inventory(shared: shared)
        var expected = environments.indices.map { _ in [Site]() }
        if site.isReadable {
            let base = PathBase(directory: directory, siteName: site.name)
            let presentation = presentation(of: site, base, into: &own)
            inventory = Inventory(
                own: Declarations(
                    site.value, base, languages: presentation.languages, besides: shared,
                    into: &own),
                shared: shared)
            checkEnvironmentNames(site.value["environments"], into: &own)
            let reader = SiteReader(base: base, inventory: inventory, presentation: presentation)
            for (index, chain) in described.chains.enumerated() {
                let described = DescribedSite(
                    name: site.name, environment: chain.name, position: site.position)
                let value = Value.inherited(site.layers(in: chain), at: site.position)
                expected[index] = [reader.site(value, described, into: &own)].compactMap(\.self)
            }
        }
        let served = zip(environments, expected).map { environment, sites in
            var environment = environment
            environment.sites = sites
            return environment
        }
        let expectations = ExpectationReader(described, inventory, environments: served)
            .expectations(site.value["expect"], into: &own)
        let diagnostics = own.sorted(file: site.position.file)
        findings += diagnostics
        apps += inventory.own.apps
        links += inventory.own.links
        for index in environments.indices {
            environments[index].sites += expected[index]
            if own.hasErrors {
                environments[index].refuse(site.name, at: site.position, diagnostics)
            }
        }
        if !own.hasErrors { self.expectations += expectations }
    }

    private func presentation(
        of site: WrittenSite, _ base: PathBase, into findings: inout Findings
    ) -> Presentation {
        let layers = [site.value["site"], sharedPresentation].compactMap(\.self)
        let isNone = layers.allSatisfy(\.entries.isEmpty)
        return Presentation(
            isNone ? nil : .inherited(layers, at: site.position), base, into: &findings)
    }

    private func checkEnvironmentNames(_ value: Value?, into findings: inout Findings) {
        for entry in value?.entries ?? [] where described.entries[entry.key] == nil {
            findings.unknownName(
                "environment", entry.key, at: entry.position, among: described.entries.keys)
        }
    }

    /// Refuses sites that have the same host.
    private mutating func checkHosts() {
        var duplicates = [Diagnostic]()
        var shared = SharedFindings()
        for index in environments.indices {
            for (site, fault) in duplicateHosts(environments[index].sites) {
                if shared.isFirst(fault, of: site.described) { duplicates.append(fault) }
                environments[index].refuse(site.name ?? "", at: fault.position, [fault])
            }
        }
        findings += duplicates.map(shared.whole)
    }

    /// Reports hosts that two sites of an environment have. Both have a fault, because only their
    /// owners know whose it is.
    /// - Returns: the finding for each of these sites.
    private func duplicateHosts(_ sites: [Site]) -> [(site: Site, fault: Diagnostic)] {
        var owners = [String: Site]()
        var known = Set<String>()
        var faults = [(site: Site, fault: Diagnostic)]()
        for site in sites {
            for host in site.hostPatterns {
                guard let other = owners[host] else {
                    owners[host] = site
                    continue
                }
                for (first, second) in [(site, other), (other, site)] {
                    guard let name = first.name, known.insert(name).inserted else { continue }
                    let fault = Diagnostic(
                        .error, .duplicateHost, at: first.hostsPosition ?? first.position,
                        "host \(quoted(host)) belongs to two sites of \(quoted(site.environment)): "
                            + "\(quoted(name)) and \(quoted(second.name ?? ""))",
                        advice: "remove it from one of them")
                    faults.append((first, fault))
                }
            }
        }
        return faults
    }
}
