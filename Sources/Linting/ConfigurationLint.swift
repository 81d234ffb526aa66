import Associations
import Diagnostics
import SiteConfiguration

// A configuration is linted by what its environments would publish: the rules look at the files,
// and what they find is said where the configuration states it.

/// Takes down what is found, once, however many environments publish it.
struct ConfigurationLint {
    private let site: Site
    private var seen = Set<Diagnostic>()
    private(set) var diagnostics = [Diagnostic]()

    init(_ site: Site) {
        self.site = site
        lintIdentifiers()
        for environment in site.environments { lint(environment) }
        for diagnostic in site.sharedOpenHosts + site.unshownPages + site.unpublished {
            add(diagnostic)
        }
    }

    mutating func add(_ diagnostic: Diagnostic) {
        if seen.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
    }

    private mutating func lint(_ environment: Environment) {
        let associations = environment.associations
        if let file = associations.generated { lintGenerated(file, environment) }
        if associations.generated != nil { lintPaths(environment) }
        if associations.readyAssetLinks == nil { lintGeneratedLinks(environment) }
        // Their shape was looked at when the configuration was read.
        if let ready = associations.readyAASA, let bytes = associations.aasa {
            let reading = AssociationReading(bytes, file: ready.path)
            for finding in reading.findings { add(finding.diagnostic(file: ready.path)) }
        }
        if let ready = associations.readyAssetLinks, let bytes = associations.assetlinks {
            let reading = AssetLinksReading(bytes, file: ready.path)
            for finding in reading.findings { add(finding.diagnostic(file: ready.path)) }
        }
        let web = environment.webLoops + environment.redirectLoops + environment.webFindings
        for diagnostic in web { add(diagnostic) }
        for diagnostic in environment.operationsFindings { add(diagnostic) }
        comparePlatforms(environment)
    }

    /// What is generated for both platforms comes from the same links.
    private mutating func comparePlatforms(_ environment: Environment) {
        let associations = environment.associations
        guard associations.readyAASA != nil || associations.readyAssetLinks != nil,
            let aasa = associations.aasa, let assetlinks = associations.assetlinks
        else { return }
        let name = associations.readyAssetLinks?.path
        let links = AssetLinksReading(assetlinks, file: name ?? site.file)
        let file = AssociationReading(aasa, file: site.file)
        for finding in links.differences(from: file) {
            add(
                name.map { finding.diagnostic(file: $0) }
                    ?? finding.diagnostic(at: environment.place, line: nil))
        }
    }

    /// Identifiers that the reader lets pass, because some app could have them.
    private mutating func lintIdentifiers() {
        let published = site.environments.flatMap(\.publications).map(\.app)
        for app in published.compactMap(\.android) {
            for (fingerprint, place) in zip(app.fingerprints, app.fingerprintPlaces) {
                guard let fault = FingerprintPlaceholder(fingerprint.description) else { continue }
                add(
                    Diagnostic(
                        fault.severity, FileRule.fingerprintPlaceholder.rawValue, at: place,
                        fault.message, advice: "copy it from Play Console › App signing"))
            }
        }
        for app in published.compactMap(\.ios) {
            for (id, place) in [(app.id, app.place), (app.clip, app.clipPlace)] {
                guard let id, let place, let fault = IdentifierFault(id.description) else {
                    continue
                }
                add(
                    Diagnostic(
                        fault.severity, fault.rule.rawValue, at: place, fault.message,
                        advice: fault.advice))
            }
        }
    }

    // MARK: Generated files

    /// Systems of all ages are told the same: the modern form says it in the order of the rules.
    private mutating func lintGenerated(_ file: AssociationFile, _ environment: Environment) {
        let reading = AssociationReading(file.serialized(as: .modern), file: environment.name)
        let places = environment.publishedPlaces
        for finding in reading.findings where !Self.chosen.contains(finding.rule) {
            let place = places.place(of: finding.pointer) ?? environment.place
            let line = finding.other.map { places.place(of: $0.pointer) ?? environment.place }?.line
            add(finding.diagnostic(at: place, line: line))
        }
    }

    /// What an app's statement says of keys, and for Android 15 of paths. Of an app that is on
    /// Apple's systems too the order of the rules was looked at there.
    private mutating func lintGeneratedLinks(_ environment: Environment) {
        guard let bytes = environment.associations.assetlinks else { return }
        let places = PublishedStatements(environment.publications)
        for finding in AssetLinksReading(bytes, file: environment.name).findings {
            guard let place = places.place(of: finding.pointer),
                finding.rule != .dynamicOrder || !places.isOnApple(finding.pointer),
                !Self.chosen.contains(finding.rule)
            else { continue }
            let line = finding.other.flatMap { places.place(of: $0.pointer) }?.line
            add(finding.diagnostic(at: place, line: line))
        }
    }

    /// What the configuration's author has written down as it is: environments publish to one
    /// app what another lacks, list clips apart, and share credentials alone.
    private static let chosen: Set<LinkRule> = [.missingCredentials, .noHandleAllURLs]
}

extension Environment {
    fileprivate var publishedPlaces: PublishedPlaces {
        PublishedPlaces(publications.filter { $0.app.ios != nil && !$0.links.isEmpty })
    }
}

/// Which place of the configuration a value of the generated association file comes from.
struct PublishedPlaces {
    private let apps: [SourcePlace?]
    private let components: [[ComponentPlace]]

    init(_ publications: [Publication]) {
        apps = publications.map(\.app.ios?.place)
        components = publications.map { $0.links.flatMap(\.places) }
    }

    /// - Parameter pointer: into a file in the modern form.
    func place(of pointer: String) -> SourcePlace? {
        let tokens = pointer.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
        guard tokens.count >= 3, tokens[0] == "applinks", tokens[1] == "details",
            let entry = Int(tokens[2]), apps.indices.contains(entry)
        else { return nil }
        guard tokens.count >= 5, tokens[3] == "components", let rule = Int(tokens[4]),
            components[entry].indices.contains(rule)
        else { return apps[entry] }
        let key = tokens[5...].joined(separator: "/").unescapedPointer
        return components[entry][rule].parts[key] ?? components[entry][rule].whole
    }
}

/// Which place of the configuration a value of the generated `assetlinks.json` comes from.
struct PublishedStatements {
    private let publications: [Publication]

    init(_ publications: [Publication]) {
        self.publications = publications.filter(\.isToldAndroid)
    }

    /// Nil for what no place states: the rule that ends the dynamic ones.
    func place(of pointer: String) -> SourcePlace? {
        guard let (publication, rest) = statement(pointer) else { return nil }
        guard rest.first == "relation_extensions" else {
            return publication.app.android?.fingerprintPlaces.first
        }
        let places = publication.links.flatMap(\.places)
        guard rest.count >= 4, let rule = Int(rest[3]), places.indices.contains(rule) else {
            return nil
        }
        let key = rest[4...].joined(separator: "/").unescapedPointer
        return places[rule].parts[key] ?? places[rule].whole
    }

    func isOnApple(_ pointer: String) -> Bool { statement(pointer)?.publication.app.ios != nil }

    private func statement(
        _ pointer: String
    ) -> (publication: Publication, rest: [String])? {
        let tokens = pointer.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
        guard let number = tokens.first.flatMap({ Int($0) }), publications.indices.contains(number)
        else { return nil }
        return (publications[number], Array(tokens.dropFirst()))
    }
}

extension String {
    /// A token of a JSON pointer as the key that it stands for (RFC 6901 §4).
    fileprivate var unescapedPointer: String {
        split(separator: "~1", omittingEmptySubsequences: false).map {
            $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
        }.joined(separator: "/")
    }
}
