import AppFiles
import Associations
import Diagnostics

/// Compares what one Android app declares with what sites publish.
struct AndroidComparison {
    let app: AndroidDeclaration
    let file: String
    let sites: [SiteHalf]
    /// The application ID; nil if it is not known.
    let package: String?
    var found: AppFindings
    /// Rules whose findings leave the verdict open.
    var opening = Set<RuleName>()
    /// Whether a verified host was compared with a site that lists the app.
    private(set) var isCompared = false
    /// The findings that name the application ID of an app that no site lists.
    private(set) var naming = [AndroidForms.NamingFinding]()

    /// The app that the caller names, which need be none for Android.
    private let claimed: ClaimedApp

    init(_ app: AndroidDeclaration, file: String, _ sites: [SiteHalf], claimed: ClaimedApp) {
        (self.app, self.file, self.sites, self.claimed) = (app, file, sites, claimed)
        found = AppFindings(file: file, app.path)
        package = app.applicationID ?? (app.isOfLibrary ? nil : claimed.android)
    }

    /// Nil for an app that opens no links, and that nobody lists.
    mutating func agreement() -> AppAgreement? {
        var forms = AndroidForms()
        return agreement(&forms)
    }

    /// - Parameter forms: those of the flavours of its manifest.
    mutating func agreement(_ forms: inout AndroidForms) -> AppAgreement? {
        if let fault = app.fault {
            found.add(
                .error, .appFileForm, fault.place, "the file \(fault.fact)", advice: fault.advice)
            return made
        }
        let comparison = self
        found = forms.filterFindings(AndroidForms.Form(app)) { [app, found] in
            var found = found
            let verified = VerifiedHosts(app)
            for (filter, isOfOthers) in zip(app.filters, comparison.filtersOfOthers)
            where filter.isOfWeb || filter.isVerified || filter.lacksScheme {
                found.limited(to: isOfOthers ? .warning : .error) {
                    AndroidFilterRules(filter, of: app, verified).examine(&$0)
                }
            }
            return found
        }
        findNavigation()
        findUnreachable()
        findLostAliases()
        findUnverifiedHosts()
        findInsecure()
        compare(&forms)
        findDevelopment()
        if app.isBare, found.list.isEmpty, !lacksHalf { return nil }
        if made.verdict == .agrees { findNothingCompared() }
        found.add(.warning, changing: app.changing, app.place, advice: Self.mergedManifest)
        found.add(unread: app.unread, app.place, orGive: ".apk")
        return made
    }

    /// The agreement with what was found until now.
    private var made: AppAgreement {
        AppAgreement(
            app: package, platform: .android,
            source: source,
            findings: app.isUncertain
                ? found.list.map { $0.rule == .appFileForm ? $0 : $0.atMostWarning } : found.list,
            isBare: app.isBare, opening: opening)
    }

    var source: String { app.flavor.map { "\(file): flavor \($0)" } ?? file }

    var notation: ManifestNotation { ManifestNotation(app) }

    mutating func add(
        _ severity: Severity, _ rule: RuleName, _ place: TextPlace?, _ message: String,
        advice: String
    ) {
        found.add(severity, rule, place ?? app.place, message, advice: advice)
    }

    /// Adds a finding that names the application ID, because no site lists it.
    mutating func add(
        _ severity: Severity, _ rule: RuleName, _ place: TextPlace?,
        before: String, _ package: String, after: String, advice: String
    ) {
        let index = found.list.count
        add(severity, rule, place, before + quoted(package) + after, advice: advice)
        guard found.list.count > index else { return }
        naming.append(.init(index: index, before: before, after: after))
    }

    /// Says that a build is not the one that people install.
    private mutating func findDevelopment() {
        guard app.kind == .binary else { return }
        if app.isDebuggable || app.isForTests {
            add(
                .warning, .debuggableBuild, nil,
                "the app is \(app.isDebuggable ? "debuggable" : "testOnly"): it is a build for development, and no "
                    + "evidence for the release",
                advice: "give the APK of the release")
        }
        if app.certificates?.contains(where: \.isForDebugging) == true {
            add(
                .warning, .debugCertificate, nil,
                "the app is signed with a debug key, which each developer's machine makes for itself",
                advice: "give the APK of the release; do not publish this certificate for it")
        }
    }

    /// Says why no activity of the app is started, whatever its filters are.
    private mutating func findUnreachable() {
        if let place = app.disabled, !webFilters.isEmpty {
            add(
                // A manifest of source is merged with others, which can say otherwise.
                app.kind == .source ? .warning : .error, .manifestDisabled, place,
                "the application is switched off, so no activity of it opens links",
                advice: "remove android:enabled=\"false\" from <application>")
        }
        if let value = app.mayBeDisabled, !webFilters.isEmpty {
            add(
                .warning, .manifestPlaceholder, value.place,
                "\(value.shown) decides whether the application is switched on, and is not known here",
                advice: "give the .apk, or write android:enabled=\"true\" on <application>")
        }
        if let place = app.lacksExported {
            let isSource = app.kind == .source
            add(
                isSource ? .warning : .error, .manifestNotExported, place,
                "an activity with an intent-filter does not say whether it is exported, so "
                    + (isSource
                        ? "the build for Android 12 and later fails"
                        : "Android 12 and later refuse to install the app"),
                advice: "write android:exported=\"true\" on the activity")
        }
    }

    private mutating func findLostAliases() {
        let isSource = app.kind == .source
        for alias in app.lostAliases {
            let fault =
                switch alias.fault {
                case .unnamed: "names no activity (android:targetActivity)"
                case .missing(let target):
                    "is of the activity \(quoted(target)), which no manifest here has"
                case .behind(let target):
                    "is of the activity \(quoted(target)), which stands behind it"
                }
            add(
                // Another manifest can have the activity.
                isSource ? .warning : .error, .aliasWithoutTarget, alias.place,
                "the alias \(quoted(alias.name)) \(fault), so Android refuses to install the app",
                advice: "name an activity that stands before the alias")
        }
    }

    static let mergedManifest =
        "give the .apk, or with --app the merged manifest of app/build/intermediates"

    /// Filters that open links of the web.
    var webFilters: [IntentFilter] { app.filters.filter(\.isForWebLinks) }

    /// Those of manifests that it is merged with.
    var merged: [IntentFilter] { app.merged.filter(\.isForWebLinks) }

    /// All filters that open links of the web, or may where something else decides.
    var possible: [IntentFilter] { (app.filters + app.merged).filter(\.mayBeForWebLinks) }

    /// Whether Gradle makes filters of a navigation graph.
    var hasNavigation: Bool { app.navigation != nil || app.mergesOpen }

    /// Says that filters are not known here.
    private mutating func findNavigation() {
        guard let place = app.navigation else { return }
        add(
            .warning, .manifestPlaceholder, place,
            "Gradle makes filters of the navigation graph that <nav-graph> names, so they are not known here",
            advice: Self.mergedManifest)
    }

    private mutating func compare(_ forms: inout AndroidForms) {
        let filters = webFilters.filter(\.mayBeVerified)
        // Once for a site, which can list thousands of apps, and not for each host.
        let listings = sites.map { ($0, listed(in: $0)) }
        var (agreeing, differing) = ([String](), [String]())
        var strange = [IntentFilter.Value]()
        var isOfSite = false
        for host in filters.flatMap(\.hosts)
        where !host.isUnresolved && mayBeVerified(host: host.text) {
            let isWildcard = host.text.utf8.starts(with: "*.".utf8)
            // Devices ask the domain itself for the file of its subdomains, so a site that has only
            // subdomains says nothing about it.
            let name = String(decoding: host.text.utf8.dropFirst(isWildcard ? 2 : 0), as: UTF8.self)
                .lowercased()
            let meant = listings.filter { $0.0.answers(name) }
            if meant.isEmpty { strange.append(host) }
            for (site, others) in meant {
                isOfSite = true
                guard let agrees = compareListing(host, with: site, others) else { continue }
                if agrees, site.faults.android?.isOfContent != false {
                    agreeing.append(host.text.lowercased())
                } else {
                    differing.append(host.text.lowercased())
                }
            }
        }
        addStrange(strange, isAll: !isOfSite)
        // A host can stand in several filters.
        let others = Set(agreeing).subtracting(differing)
        if let failing = differing.first, !others.isEmpty { addFailure(of: failing) }
        guard let package else {
            return addUnknownApp()
        }
        for site in sites { compare(site, listing: package) }
        compareStatements(package)
        comparePaths(package, &forms)
    }

    private mutating func addUnknownApp() {
        add(
            .warning, .appUnknown, nil,
            app.isOfLibrary
                ? "the manifest is of a library, and which apps have it, and change it, is not known"
                : "the file does not say which app it is of: Gradle adds the application ID",
            advice: app.isOfLibrary
                ? "give the .apk"
                : claimed.advice("the .apk", isNamed: false, system: "Android"))
    }

    private mutating func addFailure(of host: String) {
        guard failsTogether else { return }
        add(
            .warning, .oneHostFailsAll, nil,
            "\(quoted(host)) is not verified, so before Android 12 no host of the app is, and it is installed from "
                + "API level \(app.leastAPI ?? 1) on",
            advice: "mend this host, or remove it from the filters with android:autoVerify")
    }

    /// Whether versions of Android are meant that verify all hosts of an app or none.
    private var failsTogether: Bool { app.leastAPI.map { $0 < 31 } ?? false }

    private mutating func comparePaths(_ package: String, _ forms: inout AndroidForms) {
        let links = sites.map { site in site.lists(package: package) ? site.links[package] : nil }
        guard links.contains(where: { $0 != nil }) else { return }
        let found = forms.pathFindings(AndroidForms.Form(app), links) { stepsLeft in
            var paths = PathComparison(app, stepsLeft)
            for (site, links) in zip(sites, links) {
                if let links { paths.compare(site, links) }
            }
            stepsLeft = paths.stepsLeft
            return paths.findings
        }
        for finding in found {
            add(
                finding.severity, finding.rule, finding.place, finding.message,
                advice: finding.advice)
        }
    }

    /// The packages of a site, if the app itself is not listed: the one that is almost the app's, or all.
    private func listed(in site: SiteHalf) -> [String] {
        guard let package, !site.lists(package: package), let packages = site.packages else {
            return []
        }
        return packages.first(near: package).map { [$0] } ?? packages.names
    }

    /// - Returns: whether the host lists the app; nil if it is not known.
    private mutating func compareListing(
        _ host: IntentFilter.Value, with site: SiteHalf, _ others: [String]
    ) -> Bool? {
        let name = quoted(host.text)
        switch site.android {
        case .notGiven:
            guard !found.contains(.siteHalfMissing) else { return nil }
            add(
                .warning, .siteHalfMissing, host.place,
                site.isLive
                    ? "assetlinks.json of \(host.shown) could not be fetched"
                    : "the site's half for Android is not given",
                advice: site.isLive
                    ? "waymark check \(host.text.lowercased()) says why"
                    : "give it with --assetlinks FILE")
            return nil
        case .absent:
            add(
                .error, .hostWithoutAssetLinks, host.place,
                "\(host.shown) publishes no assetlinks.json",
                advice: "publish the app on this host, or remove it from the filter")
            return false
        case .read(let packages):
            if let fault = site.faults.android {
                add(
                    fault.isOfContent ? .warning : .error,
                    fault.isOfContent ? .siteHalfMissing : .hostWithoutAssetLinks, host.place,
                    fault.sentence(of: host.shown), advice: fault.advice)
            }
            guard let package else { return nil }
            if let placeholder = site.placeholders[package],
                packages[package]?.allSatisfy({ FingerprintPlaceholder($0) != nil }) != false
            {
                addPlaceholder(placeholder, of: package, host.text)
                return false
            }
            isCompared = isCompared || packages[package] != nil
            guard let fingerprints = packages[package] else {
                return findUnlisted(package, by: site, name, others)
            }
            if site.closed.contains(package) {
                add(
                    .error, .siteOpensNothing, nil,
                    "\(name) lists \(quoted(package)), but each of its dynamic rules excludes, so no link opens the app "
                        + "on Android 15 and later",
                    advice: "put a rule without exclude behind them, such as {\"/\": \"*\"}")
            }
            return compare(certificatesWith: fingerprints, package, name)
        }
    }

    /// - Returns: whether the certificates are published, as far as they are given; nil if it is not known.
    private mutating func compare(
        certificatesWith published: [String], _ package: String, _ host: String
    ) -> Bool? {
        guard let certificates = app.certificates else { return true }
        if app.isForUpload {
            compare(upload: certificates, with: published, host)
            return nil
        }
        guard let newest = certificates.first?.scheme else {
            add(
                .warning, .appNotSigned, nil, "the APK has no signature",
                advice: "give the APK that is signed")
            return nil
        }
        var isPublished = true
        let own = certificates.filter { $0.scheme == newest }.map(\.fingerprint)
        for certificate in certificates
        where !published.contains(where: certificate.fingerprint.isScalarwise) {
            let isNewest = certificate.scheme == newest
            if isNewest {
                isPublished = false
            } else if own.contains(where: certificate.fingerprint.isScalarwise)
                || !isSeen(certificate, beside: certificates)
            {
                continue
            }
            add(
                isNewest ? .error : .warning,
                isNewest ? .fingerprintNotPublished : .rotatedKeyOnePublished, nil,
                isNewest
                    ? "\(host) does not publish the certificate of \(quoted(package))"
                    : "\(host) does not publish the certificate that older devices see of \(quoted(package))",
                advice: "add to sha256: \(certificate.fingerprint)")
        }
        return isPublished
    }

    /// Whether a version of Android on which the app is installed does not know a newer scheme.
    private func isSeen(_ certificate: APKCertificate, beside all: [APKCertificate]) -> Bool {
        let versions = [2: 24, 3: 28, 31: 33]
        let newer = all.map(\.scheme).filter { $0 > certificate.scheme }.min()
        guard let known = newer.flatMap({ versions[$0] }), let least = app.leastAPI else {
            return true
        }
        return least < known
    }

    /// A store makes APKs of a bundle, and Google Play signs them with a key that no bundle has.
    private mutating func compare(
        upload certificates: [APKCertificate], with published: [String], _ host: String
    ) {
        let others = published.count { fingerprint in
            !certificates.contains { $0.fingerprint.isScalarwise(fingerprint) }
        }
        let isPublished = others < published.count
        let isLikelyBoth = isPublished && others > 0
        add(
            isLikelyBoth ? .note : .warning, .uploadKey, nil,
            isLikelyBoth
                ? "\(host) publishes the key of the bundle and \(others) more, one of which must be "
                    + "Google Play's"
                : isPublished
                    ? "\(host) publishes only the key of the bundle, and Google Play signs with another"
                    : "Google Play signs with a key that the bundle does not have",
            advice:
                "compare \(host) with Play Console › App integrity, or give an APK from the store")
    }
}
