package import Associations
package import Diagnostics
private import Files

/// Reads the association files of a site: generated from its publications, or ready files.
struct AssociationsReader {
    let site: DescribedSite
    let base: PathBase
    let inventory: Inventory
    let published: [PublishedApp]

    /// Reads `aasa`, `assetlinks`, `signing` and `association-form` of a site.
    func read(_ value: Value, into findings: inout Findings) -> PublishedAssociations {
        if value["publish"] == nil, value["aasa"] == nil, value["assetlinks"] == nil {
            findings.add(
                .error, .nothingPublished, of: site, "\(site.title) publishes nothing",
                advice: "add `publish`, or set `aasa` or `assetlinks` to a ready file")
        }
        checkIdentifiers(into: &findings)
        checkDynamicRules(into: &findings)
        let form = value["association-form"]?.text.flatMap(AssociationForm.init) ?? .modern
        let (aasa, generated) = appleFile(value, form, into: &findings)
        return PublishedAssociations(
            aasa: aasa, assetlinks: androidFile(value, into: &findings),
            signing: value["signing"].flatMap(base.certificate), generated: generated,
            form: form, readyAASA: base.reference(value["aasa"]),
            readyAssetLinks: base.reference(value["assetlinks"]))
    }

    private func appleFile(
        _ value: Value, _ form: AssociationForm, into findings: inout Findings
    ) -> (bytes: [UInt8]?, content: AssociationFile?) {
        let apple = published.filter(\.publication.isToldApple)
        if let ready = value.entry("aasa") {
            if !apple.isEmpty { findings.unusedRules("iOS", at: ready.position) }
            let bytes = readyFile(ready.value, into: &findings) {
                let reading = AssociationReading($0, file: $1)
                return reading.diagnostics.ofReadyFile(isRefused: !reading.isRead)
            }
            return (bytes, nil)
        }
        guard !apple.isEmpty else {
            if published.contains(where: { $0.app.ios == nil }) {
                reportNoAppleFile(value, into: &findings)
            }
            return (nil, nil)
        }
        if form == .legacy { checkPaths(apple, into: &findings) }
        guard let file = content(apple, AssociationFile.init, into: &findings) else {
            return (nil, nil)
        }
        return (checked(file.serialized(as: form), into: &findings), file)
    }

    private func androidFile(_ value: Value, into findings: inout Findings) -> [UInt8]? {
        let published = published.filter(\.publication.isToldAndroid)
        if let ready = value.entry("assetlinks") {
            if !published.isEmpty { findings.unusedRules("Android", at: ready.position) }
            return readyFile(ready.value, into: &findings) {
                AssetLinksReading($0, file: $1).diagnostics.ofReadyFile(
                    isRefused: PublishedAssetLinks(.init($0, name: $1), includes: [:]).isRefused)
            }
        }
        guard !published.isEmpty,
            let links = content(published, AssetLinks.init, into: &findings)
        else { return nil }
        return checked(links.serialized(), into: &findings)
    }

    private func reportNoAppleFile(_ value: Value, into findings: inout Findings) {
        if let signing = value.entry("signing") {
            findings.warning(
                .unusedKey, at: signing.position, "there is no association file to sign",
                advice: "no app under `publish` has `ios`")
        }
        // A file without an app for Apple's systems has no rules on purpose.
        guard inventory.hasAppleApp else { return }
        findings.add(
            .note, .noAppleApp, of: site,
            "\(site.title) publishes no iOS app, and so no apple-app-site-association")
    }

    /// Apple reads the first entry of an app, and ignores a second.
    private func checkIdentifiers(into findings: inout Findings) {
        var first = [AppIdentifier: String]()
        for publication in published {
            guard let id = publication.app.ios?.id else { continue }
            if let earlier = first[id] {
                findings.error(
                    .duplicateApp, at: publication.position,
                    "apps \(quoted(earlier)) and \(quoted(publication.app.key)) have the same "
                        + "identifier, \(id)",
                    advice: "Apple reads the first entry of an identifier and ignores the second")
            }
            first[id] = publication.app.key
        }
    }

    /// An entry whose `paths` open nothing would disable the app's links.
    private func checkPaths(_ published: [PublishedApp], into findings: inout Findings) {
        for publication in published {
            let opening = publication.publication.components.filter { !$0.exclude }
            let lacking = opening.compactMap(\.unknownToPaths)
            guard let first = lacking.first, lacking.count == opening.count else { continue }
            findings.error(
                .nothingOpens, at: publication.position,
                "app \(quoted(publication.app.key)) opens nothing: each of its rules uses "
                    + (lacking.allSatisfy { $0 == first } ? first : "a query, fragment or variable")
                    + ", which `association-form: legacy` cannot express",
                advice: "write `compatible`, or add a rule with only a path")
        }
    }

    /// Android reads only a part of Apple's rules.
    private func checkDynamicRules(into findings: inout Findings) {
        for publication in published where publication.app.android?.isDynamic == true {
            for link in publication.publication.links {
                guard let key = link.components.lazy.compactMap(\.unknownToAndroid).first else {
                    continue
                }
                findings.error(
                    .dynamicComponents, at: publication.position,
                    "link \(quoted(link.key)) uses \(key), which Android does not support",
                    advice: "remove it from the link, or remove `dynamic` from the app")
            }
        }
    }
}

// MARK: - Ready files

extension [Diagnostic] {
    /// The findings about a ready file of a configuration: errors only if the systems would refuse
    /// the file. Otherwise it is served, and its faults are warnings.
    package func ofReadyFile(isRefused: Bool) -> [Diagnostic] {
        isRefused ? self : map(\.atMostWarning)
    }
}

extension PublishedAssetLinks {
    /// Whether Google accepts nothing of the file.
    package var isRefused: Bool { verdict == .invalid && statements.isEmpty }
}

extension AssociationsReader {
    private func readyFile(
        _ value: Value?, into findings: inout Findings,
        _ check: ([UInt8], String) -> [Diagnostic]
    ) -> [UInt8]? {
        guard let reference = base.reference(value) else { return nil }
        do throws(FileError) {
            let content = try readFileOfItsDirectory(
                reference.path, bytesMax: AssociationFile.bytesMax)
            findings.add(check(content.bytes, reference.path))
            return content.bytes
        } catch {
            let isTooLarge = if case .tooLarge = error { true } else { false }
            findings.error(
                isTooLarge ? .associationSize : .fileUnreadable, at: reference.position,
                "\(quotedPath(reference.path)) cannot be served: \(error.words(at: reference.path))",
                advice: error.linkCure(at: reference.path)
                    ?? (error == .leadsOut
                        ? "write the path of the link's target"
                        : isTooLarge
                            ? "remove what no system reads"
                            : "write the path of a file that can be read"))
            return nil
        }
    }
}

// MARK: - Generated files

extension AssociationsReader {
    /// A link can be published a thousand times, so the size is estimated before the file is made.
    private func content<File>(
        _ published: [PublishedApp], _ make: ([Publication]) -> File, into findings: inout Findings
    ) -> File? {
        let least = published.reduce(0) { $0 + $1.leastBytes }
        guard least <= AssociationFile.bytesMax else {
            reportSize("more than \(least)", into: &findings)
            return nil
        }
        return make(published.map(\.publication))
    }

    private func checked(_ bytes: [UInt8], into findings: inout Findings) -> [UInt8]? {
        guard bytes.count <= AssociationFile.bytesMax else {
            reportSize("\(bytes.count)", into: &findings)
            return nil
        }
        return bytes
    }

    private func reportSize(_ size: String, into findings: inout Findings) {
        findings.add(
            .error, .associationSize, of: site,
            "an association file of \(site.title) would have \(size) bytes, may have "
                + "\(AssociationFile.bytesMax)",
            advice: "write fewer rules, with wildcards")
    }
}

extension AssociationFile {
    /// One entry for each iOS app, in order.
    init(_ publications: [Publication]) {
        let apps = publications.compactMap(\.app.ios)
        func ids(_ service: IOSService) -> [AppIdentifier] {
            apps.filter { $0.services.contains(service) }.map(\.id)
        }
        // A clip may belong to several apps.
        var clips = [AppIdentifier]()
        for clip in apps.compactMap(\.clip) where !clips.contains(clip) { clips.append(clip) }
        let details = publications.filter { !$0.links.isEmpty }.compactMap { publication in
            publication.app.ios.map { ios in
                Detail(appIDs: [ios.id], components: publication.components)
            }
        }
        self.init(
            applinks: details.isEmpty ? nil : AppLinks(details: details),
            webCredentials: ids(.webCredentials),
            activityContinuation: ids(.activityContinuation), appClips: clips)
    }
}

extension AssetLinks {
    /// One statement for each Android app, in order.
    init(_ publications: [Publication]) {
        self.init(
            statements: publications.compactMap { publication in
                publication.app.android.map { AssetStatement($0, publication.components) }
            })
    }
}

extension AssetStatement {
    init(_ app: AndroidApp, _ components: [Component]) {
        var relations: [AssetRelation] = components.isEmpty ? [] : [.handleAllURLs]
        if app.sharesCredentials { relations.append(.getLoginCreds) }
        // These rules narrow the manifest's on Android. Nothing else opens the app.
        let dynamic = components + [Component(path: "*", exclude: true)]
        self.init(
            relations: relations, package: app.package, fingerprints: app.fingerprints,
            dynamicComponents: app.isDynamic && !components.isEmpty ? dynamic : nil)
    }
}

extension Findings {
    mutating func unusedRules(_ system: String, at position: SourcePosition) {
        warning(
            .unusedKey, at: position,
            "the ready file is served byte for byte, without the rules of `publish` for \(system) "
                + "apps")
    }
}

extension Component {
    /// The first part of the rule that Android's dynamic rules cannot express.
    var unknownToAndroid: String? {
        if caseSensitive != nil { return "`caseSensitive`" }
        if percentEncoded != nil { return "`percentEncoded`" }
        if case .whole = query { return "a pattern for the whole query" }
        let patterns = [path, fragment].compactMap(\.self) + (query?.itemPatterns ?? [])
        return patterns.contains { !variableNames(in: $0).isEmpty } ? "a variable" : nil
    }
}

extension QueryPattern {
    var itemPatterns: [String] {
        if case .items(let items) = self { items.map(\.pattern) } else { [] }
    }
}
