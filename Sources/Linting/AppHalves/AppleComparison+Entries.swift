import AppFiles
import Diagnostics

// What an app's entries are, and what an App Clip and an Info.plist say, whatever a site publishes.

extension AppleComparison {
    /// Entries that are written in a way that makes no difference, or that few devices use.
    mutating func examineForms(_ entries: [AppleDeclaration.Domain]) {
        var seen = Set<[UInt8]>()
        for entry in entries where !seen.insert(Array(entry.text.utf8)).inserted {
            add(
                .note, .domainsDuplicate, entry.place, "\(quoted(entry.text)) stands there twice",
                advice: "remove one")
        }
        for (text, (domain, place)) in zip(texts, domains) {
            let host = text.utf8.drop { $0 != UInt8(ascii: ":") }.prefix {
                $0 != UInt8(ascii: "?")
            }
            if host.contains(where: { (0x41...0x5A).contains($0) }) {
                add(
                    .note, .domainsCase, place,
                    "\(quoted(text)) has capital letters, and hosts are compared in small ones",
                    advice: "write \(domain.service):\(domain.pattern)")
            }
        }
        let others = hostsByService { !$0.isManaged }
        for (entry, place) in domains
        where entry.isManaged && others[entry.service]?.take(entry.pattern) != true {
            add(
                .note, .managedMode, place,
                "\(name(entry)) is only for devices that an organization manages",
                advice: "add \(name(entry)) without ?mode=managed, if others use the app")
        }
    }

    /// Whether a host with a port is asked at all is not documented.
    mutating func examinePorts() {
        let others = hostsByService { !$0.hasPort }
        let isOnly = domains.contains { entry, _ in
            entry.hasPort && others[entry.service]?.take(entry.pattern) != true
        }
        if isOnly { opening.insert(.domainsPort) }
    }

    private func name(_ entry: AssociatedDomain) -> String { "\(entry.service):\(entry.pattern)" }

    /// The hosts of some entries, by their service.
    private func hostsByService(
        where isMeant: (AssociatedDomain) -> Bool
    ) -> [String: HostPatterns] {
        Dictionary(grouping: domains.map(\.entry).filter(isMeant), by: \.service)
            .mapValues { HostPatterns($0.map(\.pattern)) }
    }

    mutating func examineScheme() {
        guard let scheme = app.webScheme, !app.isBrowser else { return }
        add(
            .warning, .httpsURLType, scheme.place,
            "CFBundleURLSchemes has \(quoted(scheme.text)), which belongs to browsers, so it does nothing",
            advice: "remove it: associated domains are what opens https links")
    }

    /// An App Clip belongs to exactly the app that it is in.
    mutating func examineClip() {
        guard app.isClip, let enclosing = app.enclosing else { return }
        let parent = enclosing.applicationIdentifier ?? enclosing.bundleIdentifier
        if let parent, !isOfClip(parent, bundle: enclosing.bundleIdentifier) {
            let fact =
                app.parents.isEmpty
                ? "the App Clip has no parent-application-identifiers"
                : "parent-application-identifiers is \(enumerated(app.parents))"
            // A build can add the entry to entitlements without it.
            let isCertain = app.kind == .signature || !app.parents.isEmpty
            add(
                isCertain ? .error : .warning, .clipParent, app.parentsPlace,
                "\(fact), and the app is \(quoted(parent))",
                advice:
                    "write $(AppIdentifierPrefix) and the bundle identifier of the app, and nothing else"
            )
        }
        findOtherPrefix(of: enclosing)
        guard case .list(let entries) = app.domains, let hosts = enclosing.hostsOfClips else {
            return
        }
        let known = HostPatterns(lowercased: hosts)
        let missing = entries.filter { entry in
            AppleDeclaration.hostOfClips(entry.text).map { !known.take($0) } ?? false
        }
        if let first = missing.first {
            add(
                .warning, .clipDomainsDiffer, first.place,
                "the App Clip has \(quoted(first.text)), and its app has not: once the app is installed, it takes "
                    + "the place of the App Clip",
                advice: "add \(first.text) to the associated domains of the app")
        }
    }

    /// Says that a source names its app with another prefix than its team. Old App IDs have one, which the site then
    /// lists.
    private mutating func findOtherPrefix(of enclosing: AppleDeclaration.Enclosing) {
        guard let bundle = enclosing.bundleIdentifier, let team = app.use?.team,
            app.parents.count == 1, let parent = app.parents.first, !isBuildVariable(parent),
            parent.isIdentifier(ofBundle: bundle), !parent.utf8.starts(with: "\(team).".utf8),
            !sites.contains(where: { $0.lists(parent, for: "applinks") })
        else { return }
        opening.insert(.clipParent)
        add(
            .warning, .clipParent, app.parentsPlace,
            "parent-application-identifiers is \(quoted(parent)), and the team is \(quoted(team))",
            advice:
                "write $(AppIdentifierPrefix)\(bundle), or give the .ipa: an old App ID has another prefix"
        )
    }

    /// Whether the one entry of the App Clip names the app, as far as it is known.
    /// - Parameter bundle: that of an app in source, where Xcode adds the prefix.
    private func isOfClip(_ parent: String, bundle: String?) -> Bool {
        guard app.parents.count == 1 else { return false }
        guard let bundle else { return app.parents[0].isScalarwise(parent) }
        let own = app.parents[0]
        for prefix in AppleDeclaration.prefixVariables where own.utf8.starts(with: prefix.utf8) {
            let rest = String(Substring(own.utf8.dropFirst(prefix.utf8.count)))
            return isBuildVariable(rest) || rest.isScalarwise(bundle)
        }
        return isBuildVariable(own) || own.isIdentifier(ofBundle: bundle)
    }

    /// Entries for devices in developer mode are no replacement for those of everybody.
    mutating func examineDevelopers() {
        guard app.isForDevelopment != true else { return }
        let others = hostsByService { !$0.isForDevelopers }
        for (entry, place) in domains
        where entry.isForDevelopers && others[entry.service]?.take(entry.pattern) != true {
            // A project says which files its releases are signed with. Expo and Cordova write theirs.
            let isRelease =
                app.kind == .signature || app.use != nil || isCalledRelease(fileName(of: file))
            if !isRelease, isCalledDebug(fileName(of: file)) { continue }
            // A host for tests alone is what the mode is for.
            let isOfSite = sites.contains { site in
                let isListed = identifier.map { site.lists($0, for: entry.service) } == true
                return site.isOfEntry(entry) && (!site.isLive || isListed)
            }
            if !isRelease { opening.insert(.developerModeInRelease) }
            add(
                !isOfSite ? .note : isRelease ? .error : .warning, .developerModeInRelease, place,
                "\(name(entry)) is only for devices in developer mode"
                    + (isRelease ? "" : ", and is without effect in a release"),
                advice: isOfSite
                    ? "add \(name(entry)) without ?mode=developer"
                    : "if links of this host are to open the app for everybody, add \(name(entry)) without "
                        + "?mode=developer")
        }
    }

    /// Says that it is not known which app a source is of.
    mutating func addUnknownApp() {
        guard identifier == nil else { return }
        let bundle = app.use?.bundleIdentifier
        let fact =
            bundle.map { "the project does not say the prefix of \(quoted($0))" }
            ?? "the file does not say which app it is of"
        if let file = app.use?.missingFile {
            return add(
                .warning, .appUnknown, nil,
                "\(fact): \(quotedPath(file)), which may set the \(bundle == nil ? "identifier" : "team"), is not in the "
                    + "directory", advice: "give the directory with this file, or the .ipa")
        }
        add(
            .warning, .appUnknown, nil,
            "\(fact): \(bundle == nil ? "Xcode adds the identifier" : "it names no team")",
            advice: claimed.advice("the .ipa", isNamed: claimed.ios != nil, system: "iOS"))
    }
}
