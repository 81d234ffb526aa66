package import Associations
package import Diagnostics
private import Files

// The association files of one environment: generated from its publications, or ready files.

extension SiteReader {
    mutating func readAssociations(
        _ value: Value, _ site: DescribedSite, _ published: [Published]
    ) -> PublishedAssociations {
        if value["publish"] == nil, value["aasa"] == nil, value["assetlinks"] == nil {
            findings.add(
                .error, .nothingPublished, of: site, "\(site.title) publishes nothing",
                advice: "add `publish`, or set `aasa` or `assetlinks` to a ready file")
        }
        checkIdentifiers(published)
        checkDynamicRules(published)
        let form = value["association-form"]?.text.flatMap(AssociationForm.init) ?? .modern
        let (aasa, generated) = readAppleFile(value, site, published, form)
        return PublishedAssociations(
            aasa: aasa, assetlinks: readAndroidFile(value, site, published),
            signing: value["signing"].flatMap(certificate), generated: generated,
            form: form, readyAASA: reference(value["aasa"]),
            readyAssetLinks: reference(value["assetlinks"]))
    }

    private mutating func readAppleFile(
        _ value: Value, _ site: DescribedSite, _ published: [Published], _ form: AssociationForm
    ) -> (bytes: [UInt8]?, content: AssociationFile?) {
        let apple = published.filter(\.publication.isToldApple)
        if let ready = value.entry("aasa") {
            if !apple.isEmpty { reportUnused("iOS", at: ready.position) }
            let bytes = readyFile(ready.value) {
                let reading = AssociationReading($0, file: $1)
                return reading.diagnostics.ofReadyFile(isRefused: !reading.isRead)
            }
            return (bytes, nil)
        }
        guard !apple.isEmpty else {
            if published.contains(where: { $0.app.ios == nil }) { reportNoAppleFile(value, site) }
            return (nil, nil)
        }
        if form == .legacy { checkPaths(apple) }
        guard let file = content(apple, site, AssociationFile.init) else { return (nil, nil) }
        return (checked(file.serialized(as: form), site), file)
    }

    private mutating func readAndroidFile(
        _ value: Value, _ site: DescribedSite, _ published: [Published]
    ) -> [UInt8]? {
        let published = published.filter(\.publication.isToldAndroid)
        if let ready = value.entry("assetlinks") {
            if !published.isEmpty { reportUnused("Android", at: ready.position) }
            return readyFile(ready.value) {
                AssetLinksReading($0, file: $1).diagnostics.ofReadyFile(
                    isRefused: PublishedAssetLinks(.init($0, name: $1), includes: [:]).isRefused)
            }
        }
        guard !published.isEmpty, let links = content(published, site, AssetLinks.init) else {
            return nil
        }
        return checked(links.serialized(), site)
    }

    private mutating func reportNoAppleFile(_ value: Value, _ site: DescribedSite) {
        if let signing = value.entry("signing") {
            findings.warning(
                .unusedKey, at: signing.position, "there is no association file to sign",
                advice: "no app under `publish` has `ios`")
        }
        // A file without an app for Apple's systems has no rules on purpose.
        guard apps.values.contains(where: { $0?.ios != nil }) else { return }
        findings.add(
            .note, .noAppleApp, of: site,
            "\(site.title) publishes no iOS app, and so no "
                + "apple-app-site-association")
    }

    private mutating func reportUnused(_ system: String, at position: SourcePosition) {
        findings.warning(
            .unusedKey, at: position,
            "the ready file is served byte for byte, without the rules of `publish` for \(system) "
                + "apps")
    }

    /// Apple reads the first entry of an app, and ignores a second.
    private mutating func checkIdentifiers(_ published: [Published]) {
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
    private mutating func checkPaths(_ published: [Published]) {
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
    private mutating func checkDynamicRules(_ published: [Published]) {
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

extension SiteReader {
    private mutating func readyFile(
        _ value: Value?, _ check: ([UInt8], String) -> [Diagnostic]
    ) -> [UInt8]? {
        guard let reference = reference(value) else { return nil }
        do throws(FileError) {
            let content = try readFileOfItsDirectory(
                reference.path, bytesMax: AssociationFile.bytesMax)
            findings.add(check(content.bytes, reference.path))
            return content.bytes
        } catch {
            let isTooLarge = if case .tooLarge = error { true } else { false }
            findings.error(
                isTooLarge ? .associationSize : .fileUnreadable, at: reference.position,
                "\(quoted(reference.path)) cannot be served: \(error)",
                advice: error == .leadsOut ? "write the path of the link's target" : nil)
            return nil
        }
    }
}

// MARK: - Generated files

extension SiteReader {
    /// A link can be published a thousand times, so the size is estimated before the file is made.
    private mutating func content<File>(
        _ published: [Published], _ site: DescribedSite, _ make: ([Publication]) -> File
    ) -> File? {
        let least = published.reduce(0) { $0 + $1.leastBytes }
        guard least <= AssociationFile.bytesMax else {
            reportSize("more than \(least)", site)
            return nil
        }
        return make(published.map(\.publication))
    }

    private mutating func checked(_ bytes: [UInt8], _ site: DescribedSite) -> [UInt8]? {
        guard bytes.count <= AssociationFile.bytesMax else {
            reportSize("\(bytes.count)", site)
            return nil
        }
        return bytes
    }

    private mutating func reportSize(_ size: String, _ site: DescribedSite) {
        findings.add(
            .error, .associationSize, of: site,
            "an association file of \(site.title) would have \(size) bytes, may have "
                + "\(AssociationFile.bytesMax)",
            advice: "write fewer rules, with wildcards")
    }
}

extension AssociationFile {
    /// One entry for each iOS app, in order.
    fileprivate init(_ publications: [Publication]) {
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
    fileprivate init(_ publications: [Publication]) {
        self.init(
            statements: publications.compactMap { publication in
                publication.app.android.map { AssetStatement($0, publication.components) }
            })
    }
}

extension AssetStatement {
    fileprivate init(_ app: AndroidApp, _ components: [Component]) {
        var relations: [AssetRelation] = components.isEmpty ? [] : [.handleAllURLs]
        if app.sharesCredentials { relations.append(.getLoginCreds) }
        // These rules narrow the manifest's on Android. Nothing else opens the app.
        let dynamic = components + [Component(path: "*", exclude: true)]
        self.init(
            relations: relations, package: app.package, fingerprints: app.fingerprints,
            dynamicComponents: app.isDynamic && !components.isEmpty ? dynamic : nil)
    }
}

extension Link {
    /// A lower bound for the bytes of its rules in any association file.
    var leastBytes: Int {
        components.reduce(0) { $0 + 8 + ($1.path?.utf8.count ?? 0) }
    }
}

extension Component {
    /// The first part of the rule that Android's dynamic rules cannot express.
    fileprivate var unknownToAndroid: String? {
        if caseSensitive != nil { return "`caseSensitive`" }
        if percentEncoded != nil { return "`percentEncoded`" }
        if case .whole = query { return "a pattern for the whole query" }
        let patterns = [path, fragment].compactMap(\.self) + (query?.itemPatterns ?? [])
        return patterns.contains { !variableNames(in: $0).isEmpty } ? "a variable" : nil
    }
}

extension QueryPattern {
    fileprivate var itemPatterns: [String] {
        if case .items(let items) = self { items.map(\.pattern) } else { [] }
    }
}
