import Associations
import Diagnostics
private import Files

// The association files of one environment: generated from what it publishes, or ready ones.

extension SiteReader {
    mutating func readAssociations(
        _ value: Value, _ entry: Value.Entry, _ publications: [Publication]
    ) -> PublishedAssociations {
        let isReady = (aasa: value["aasa"] != nil, assetlinks: value["assetlinks"] != nil)
        if value["publish"] == nil, !isReady.aasa, !isReady.assetlinks {
            findings.error(
                .nothingPublished, at: entry.place,
                "environment \(quoted(entry.key)) publishes nothing",
                advice: "add `publish`, or name a ready file with `aasa` or `assetlinks`")
        }
        checkUse(of: publications, value, isReady)
        checkIdentifiers(publications, value["publish"])
        let form = value["association-form"]?.text.flatMap(AssociationForm.init) ?? .modern
        let apple =
            isReady.aasa
            ? readyFile(value["aasa"]) { AssociationFile.read($0, file: $1).diagnostics }
            : generate(publications, value, entry) {
                Self.associationFile($0)?.serialized(as: form)
            }
        let android =
            isReady.assetlinks
            ? readyFile(value["assetlinks"]) { AssetLinks.read($0, file: $1).diagnostics }
            : generate(publications, value, entry) { Self.assetLinks($0)?.serialized() }
        return PublishedAssociations(
            aasa: apple, assetlinks: android, signing: value["signing"].flatMap(certificate))
    }

    /// Says where a key of the environment has no effect.
    private mutating func checkUse(
        of publications: [Publication], _ value: Value, _ isReady: (aasa: Bool, assetlinks: Bool)
    ) {
        if isReady.aasa, publications.contains(where: { $0.app.ios != nil }),
            let place = value.entry("aasa")?.place
        {
            findings.warning(
                .unusedKey, at: place,
                "the ready file is served as it is; what `publish` says of iOS apps is not in it")
        }
        if isReady.assetlinks, publications.contains(where: { $0.app.android != nil }),
            let place = value.entry("assetlinks")?.place
        {
            findings.warning(
                .unusedKey, at: place,
                "the ready file is served as it is; what `publish` says of Android apps is not "
                    + "in it")
        }
        let hasApple = isReady.aasa || publications.contains { $0.app.ios != nil }
        if !hasApple, let signing = value.entry("signing") {
            findings.warning(
                .unusedKey, at: signing.place, "there is no association file to sign",
                advice: "no app under `publish` has `ios`")
        }
    }

    /// Apple reads the first entry of an app and drops a second.
    private mutating func checkIdentifiers(_ publications: [Publication], _ value: Value?) {
        var first = [AppIdentifier: String]()
        for publication in publications {
            guard let id = publication.app.ios?.id else { continue }
            if let earlier = first[id] {
                let entry = value?.entry(publication.app.key)
                findings.error(
                    .duplicateApp, at: entry?.place ?? place,
                    "apps \(quoted(earlier)) and \(quoted(publication.app.key)) have the same "
                        + "identifier, \(id)",
                    advice: "Apple reads the first entry of an identifier and drops the second")
            }
            first[id] = publication.app.key
        }
    }

    private var place: SourcePlace { SourcePlace(file: file, line: 1, column: 1) }
}

// MARK: - Ready files

extension SiteReader {
    private mutating func readyFile(
        _ value: Value?, _ check: ([UInt8], String) -> [Diagnostic]
    ) -> [UInt8]? {
        guard let reference = reference(value) else { return nil }
        do throws(FileError) {
            let content = try readFile(reference.path, bytesMax: AssociationFile.bytesMax)
            findings.add(check(content.bytes, reference.path))
            return content.bytes
        } catch {
            findings.error(
                .fileUnreadable, at: reference.place,
                "\(quoted(reference.path)) cannot be read: \(error)")
            return nil
        }
    }
}

// MARK: - Generated files

extension SiteReader {
    private mutating func generate(
        _ publications: [Publication], _ value: Value, _ entry: Value.Entry,
        _ serialize: ([Publication]) -> [UInt8]?
    ) -> [UInt8]? {
        let place = value.entry("publish")?.place ?? entry.place
        // A link can be published a thousand times: what is too large is not written first.
        let least = publications.reduce(0) { $0 + $1.leastBytes }
        guard least <= AssociationFile.bytesMax else {
            reportSize("at least \(least)", place, entry.key)
            return nil
        }
        guard let bytes = serialize(publications) else { return nil }
        guard bytes.count <= AssociationFile.bytesMax else {
            reportSize("\(bytes.count)", place, entry.key)
            return nil
        }
        return bytes
    }

    private mutating func reportSize(_ size: String, _ place: SourcePlace, _ environment: String) {
        findings.error(
            .associationSize, at: place,
            "an association file of \(quoted(environment)) would have \(size) bytes, may have "
                + "\(AssociationFile.bytesMax)",
            advice: "write fewer rules with wildcards in place of many")
    }

    private static func associationFile(_ publications: [Publication]) -> AssociationFile? {
        let apps = publications.compactMap(\.app.ios)
        guard !apps.isEmpty else { return nil }
        let details = publications.compactMap { publication in
            publication.app.ios.map { ios in
                Detail(appIDs: [ios.id], components: publication.components)
            }
        }
        return AssociationFile(
            applinks: AppLinks(details: details),
            webCredentials: apps.filter { $0.services.contains(.webCredentials) }.map(\.id),
            activityContinuation: apps.filter { $0.services.contains(.activityContinuation) }
                .map(\.id),
            appClips: apps.compactMap(\.clip))
    }

    private static func assetLinks(_ publications: [Publication]) -> AssetLinks? {
        let statements = publications.compactMap { publication in
            publication.app.android.map { android in
                AssetStatement(
                    relations: android.sharesCredentials
                        ? [.handleAllURLs, .getLoginCreds] : [.handleAllURLs],
                    package: android.package, fingerprints: android.fingerprints,
                    dynamicComponents: android.isDynamic ? publication.dynamicComponents : nil)
            }
        }
        return statements.isEmpty ? nil : AssetLinks(statements: statements)
    }
}

extension Publication {
    /// Fewer than the bytes that the rules take in any association file.
    fileprivate var leastBytes: Int {
        links.reduce(0) { sum, link in
            sum + link.components.reduce(0) { $0 + 8 + ($1.path?.utf8.count ?? 0) }
        }
    }

    /// Android narrows the manifest by them; behind the last one nothing else may open the app.
    fileprivate var dynamicComponents: [Component] {
        components + [Component(path: "*", exclude: true)]
    }
}
