import Associations
import Diagnostics
import SiteConfiguration

// A configuration is linted by its result: the rules check the files that its environments would
// publish, and report findings at the position in the configuration that causes them.

/// Collects findings, each once, even if several environments publish its cause.
struct ConfigurationLint {
    private let configuration: Configuration
    private var seen = Set<Diagnostic>()
    private var found = [Diagnostic]()
    private var shared = SharedFindings()

    /// All findings. One that several sites have names them.
    var diagnostics: [Diagnostic] { found.map(shared.whole) }

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - hasHome: whether a site has a page at `/`.
    init(_ configuration: Configuration, at now: Int, hasHome: (Site) -> Bool) {
        self.configuration = configuration
        lintIdentifiers()
        lintCollections()
        for environment in configuration.environments {
            for site in environment.sites {
                lint(site)
                for diagnostic in site.deadEnds(hasHome) { add(diagnostic, of: site) }
            }
            for (site, diagnostic) in environment.nestedPublic { add(diagnostic, of: site) }
            for diagnostic in environment.operationsFindings { add(diagnostic) }
        }
        for (site, diagnostic) in configuration.sharedOpenHosts { add(diagnostic, of: site) }
        for diagnostic in configuration.unshownPages + configuration.unpublished
            + configuration.linksOutOfTime(now)
        {
            add(diagnostic)
        }
    }

    mutating func add(_ diagnostic: Diagnostic) {
        if seen.insert(diagnostic).inserted { found.append(diagnostic) }
    }

    private mutating func add(_ diagnostic: Diagnostic, of site: Site) {
        if shared.isFirst(diagnostic, of: site.described, hosts: site.hostPatterns) {
            add(diagnostic)
        }
    }

    private mutating func lint(_ site: Site) {
        let associations = site.associations
        if let file = associations.generated { lintGenerated(file, site) }
        if associations.generated != nil { lintPaths(site) }
        if associations.readyAssetLinks == nil { lintGeneratedLinks(site) }
        // Their form was checked when the configuration was read.
        if let ready = associations.readyAASA, let bytes = associations.aasa {
            let reading = AssociationReading(bytes, file: ready.path)
            let findings = reading.findings.map { $0.diagnostic(file: ready.path) }
            findings.ofReadyFile(isRefused: !reading.isRead).forEach { add($0) }
        }
        if let ready = associations.readyAssetLinks, let bytes = associations.assetlinks {
            let reading = AssetLinksReading(bytes, file: ready.path)
            let findings = reading.findings.map { $0.diagnostic(file: ready.path) }
            let links = PublishedAssetLinks(.init(bytes, name: ready.path), includes: [:])
            findings.ofReadyFile(isRefused: links.isRefused).forEach { add($0) }
        }
        let web =
            site.collectionFindings + site.webLoops + site.redirectLoops + site.localRedirects
            + site.webFindings
            + site.landingPolicies + site.wellKnownFindings
        for diagnostic in web + site.operationsFindings { add(diagnostic, of: site) }
        comparePlatforms(site)
        for diagnostic in site.manifestFindings { add(diagnostic) }
    }

    /// The rules for both platforms are generated from the same links.
    private mutating func comparePlatforms(_ site: Site) {
        let associations = site.associations
        guard associations.readyAASA != nil || associations.readyAssetLinks != nil,
            let aasa = associations.aasa, let assetlinks = associations.assetlinks
        else { return }
        let name = associations.readyAssetLinks?.path
        let links = AssetLinksReading(assetlinks, file: name ?? configuration.file)
        let file = AssociationReading(aasa, file: configuration.file)
        for finding in links.differences(from: file) {
            add(
                name.map { finding.diagnostic(file: $0) }
                    ?? finding.diagnostic(at: site.position, others: []), of: site)
        }
    }

    private mutating func lintCollections() {
        for link in configuration.links {
            guard let collection = link.collection, collection.destinations.contains(.everything)
            else { continue }
            add(
                Diagnostic(
                    .warning, .openDestinations, at: collection.position,
                    "links of \(quoted(link.key)) may lead to any site: `destinations` is `*`",
                    advice: "list the hosts to which they lead: [www.example.com, store]"))
        }
    }

    /// Identifiers that the reader accepts, because some app could have them.
    private mutating func lintIdentifiers() {
        let published = configuration.environments.flatMap(\.sites).flatMap(\.publications).map(
            \.app)
        for app in published.compactMap(\.android) {
            for (fingerprint, position) in zip(app.fingerprints, app.fingerprintPositions) {
                if let known = KnownFingerprint(fingerprint.description) {
                    add(
                        Diagnostic(
                            .warning, known.rule, at: position, known.message, advice: known.advice)
                    )
                }
                guard let fault = FingerprintPlaceholder(fingerprint.description) else { continue }
                add(
                    Diagnostic(
                        fault.severity, .fingerprintPlaceholder, at: position,
                        fault.message, advice: "copy it from Play Console › App signing"))
            }
        }
        for app in published.compactMap(\.ios) {
            for (id, position) in [(app.id, app.position), (app.clip, app.clipPosition)] {
                guard let id, let position, let fault = IdentifierFault(id.description) else {
                    continue
                }
                add(
                    Diagnostic(
                        fault.severity, fault.rule, at: position, fault.message,
                        advice: fault.advice))
            }
        }
    }

    // MARK: Generated files

    /// All forms of the file have the same rules; the modern form has them in their order.
    private mutating func lintGenerated(_ file: AssociationFile, _ site: Site) {
        let reading = AssociationReading(file.serialized(as: .modern), file: site.environment)
        let positions = site.publishedPositions
        let collections = Set(site.collections.flatMap(\.positions).map(\.whole))
        for finding in reading.findings where !Self.chosen.contains(finding.rule) {
            let position = positions.position(of: finding.pointer) ?? site.position
            // A collection needs its rule, also where an earlier one opens the app.
            if [.duplicateRule, .redundantRule].contains(finding.rule),
                collections.contains(position)
            {
                continue
            }
            let others = finding.others.map { positions.position(of: $0.pointer) ?? site.position }
            let whole = finding.diagnostic(at: position, others: others)
            let takers = finding.others.map { positions.rule(of: $0.pointer) }
            guard finding.rule == .unreachableRule, let rule = positions.rule(of: finding.pointer),
                !rule.isExclude,
                takers.allSatisfy({ $0?.isExclude == true && $0?.link == rule.link })
            else {
                add(whole, of: site)
                continue
            }
            add(whole.ofOwnExclude(of: rule.link, others: others), of: site)
        }
    }

    /// The keys in an app's statement, and the paths for Android 15. If the app is also published
    /// for Apple's systems, the order of its rules was checked there.
    private mutating func lintGeneratedLinks(_ site: Site) {
        guard let bytes = site.associations.assetlinks else { return }
        let positions = PublishedStatements(site.publications)
        for finding in AssetLinksReading(bytes, file: site.environment).findings {
            guard let position = positions.position(of: finding.pointer),
                finding.rule != .dynamicOrder || !positions.isOnApple(finding.pointer),
                !Self.chosen.contains(finding.rule)
            else { continue }
            let others = finding.others.map { positions.position(of: $0.pointer) ?? site.position }
            add(finding.diagnostic(at: position, others: others), of: site)
        }
    }

    /// Findings about choices that the configuration's author has made: environments can publish to
    /// one app what another lacks, list clips separately, and only share credentials.
    private static let chosen: Set<RuleName> = [.missingWebcredentials, .noHandleAllURLs]
}

extension Diagnostic {
    /// The same finding where a link's excludes, which come first, take all that one of its own
    /// patterns matches: to move them would not help.
    fileprivate func ofOwnExclude(of link: String, others: [SourcePosition]) -> Diagnostic {
        let lines = Set(others.map(\.line)).sorted().map { "\($0)" }
        return Diagnostic(
            severity, rule, at: position,
            "link \(quoted(link)) opens nothing by this pattern: its own `exclude` in "
                + (lines.count == 1 ? "line " : "lines ") + inWords(lines, "and")
                + " takes all URLs that it matches",
            advice: "narrow the `exclude`, or remove the pattern")
    }
}

extension Site {
    fileprivate var publishedPositions: PublishedPositions {
        PublishedPositions(publications.filter { $0.app.ios != nil && !$0.links.isEmpty })
    }
}

// What systems before iOS 13 do not learn from `paths`, or learn differently.

extension ConfigurationLint {
    mutating func lintPaths(_ site: Site) {
        let form = site.associations.form
        guard form != .modern else { return }
        for publication in site.publications where publication.app.ios != nil {
            lintPaths(publication, form)
        }
    }

    private mutating func lintPaths(_ publication: Publication, _ form: AssociationForm) {
        let systems = form == .legacy ? "" : "on systems before iOS 13 "
        let stated = publication.links.flatMap { Array(zip($0.components, $0.positions)) }
        let rules = stated.compactMap { component, position in
            component.pathRule.map { (rule: $0, component: component, position: position) }
        }
        var reach = RuleReach(rules.map(\.rule))
        for (component, position) in stated {
            guard let unknown = component.unknownToPaths else { continue }
            report(
                "this rule uses \(unknown), for which `paths` have no word: \(systems)"
                    + (component.exclude ? "it excludes its whole path" : "it opens nothing"),
                position, form)
        }
        for (number, rule) in rules.enumerated()
        where !rule.component.exclude && rule.component.unknownToPaths == nil {
            // Excludes that exclude more on these systems than they should.
            let exclude = (0..<number).first { earlier in
                rules[earlier].component.exclude && rules[earlier].component.unknownToPaths != nil
                    && reach.takesAll(earlier, of: number)
            }
            guard let exclude else { continue }
            report(
                "\(systems)this rule opens nothing: the exclude in line "
                    + "\(rules[exclude].position.whole.line) takes its whole path there",
                rule.position, form)
        }
    }

    private mutating func report(
        _ message: String, _ position: ComponentPosition, _ form: AssociationForm
    ) {
        add(
            Diagnostic(
                .warning, .pathsDisagree, at: position.whole, message,
                advice: form == .legacy
                    ? "write `association-form: compatible`, or rules of a path alone"
                    : "write `modern` if those systems do not matter, or rules of a path alone"))
    }
}

extension Component {
    /// The rule in the form of `paths`; nil if they cannot express it.
    fileprivate var pathRule: RuleText? {
        legacyPattern.map { RuleText(path: $0, exclude: exclude) }
    }
}
