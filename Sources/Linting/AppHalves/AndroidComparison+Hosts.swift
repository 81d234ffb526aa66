import AppFiles
import Diagnostics
import URISyntax

// The hosts of an app's filters beside those of sites.

extension AndroidComparison {
    /// Says which hosts no filter verifies. If that is every host of a site that lists the app, no link of it opens the
    /// app by itself.
    mutating func findUnverifiedHosts() {
        let verified = possible.filter(\.mayBeVerified).flatMap(\.hosts)
        guard !verified.contains(where: \.isUnresolved), !hasNavigation else { return }
        let names = Set(verified.map { Array($0.text.lowercased().utf8) })
        let patterns = HostPatterns(verified.map(\.text))
        for filter in webFilters where !filter.mayBeVerified && filter.isBrowsable {
            for host in filter.hosts where !host.isUnresolved && mayBeVerified(host: host.text) {
                let name = host.text.lowercased()
                guard !names.contains(Array(name.utf8)),
                    let site = sites.first(where: { isOwn($0) && $0.answers(name) })
                else { continue }
                let isListed = package.map { site.lists(package: $0) } ?? false
                let hasOther =
                    site.hosts.map { $0.contains(where: patterns.take) } ?? !verified.isEmpty
                // Of a file without hosts, it is not known whether it is of this one or of the verified ones.
                guard site.hosts != nil || !hasOther else { continue }
                let isNothingVerified = isListed && !hasOther
                let isOpen = isNothingVerified && (!isWhole || app.device != nil)
                if isOpen { opening.insert(.noAutoVerify) }
                add(
                    isNothingVerified && !isOpen && !app.verifiesTogether ? .error : .warning,
                    .noAutoVerify, host.place,
                    "no filter verifies \(quoted(host.text)), so its links open the browser or a dialog",
                    advice: verifyAdvice(filter.misplacedVerify)
                        + (isOpen ? "; if another manifest of the app has it, give the .apk" : ""))
            }
        }
    }

    /// Says which verified hosts have filters for http alone, so that the links of sites, which are of https, do not fit. Any
    /// filter for https does: Android verifies hosts, and no schemes.
    mutating func findInsecure() {
        let secure = possible.filter { filter in
            filter.schemes.contains { $0.text == "https" || $0.isUnresolved }
        }.flatMap(\.hosts)
        guard !hasNavigation, !secure.contains(where: \.isUnresolved) else { return }
        let taken = HostPatterns(secure.map(\.text))
        for filter in webFilters where filter.isVerified {
            guard filter.schemes.allSatisfy({ isWebScheme($0.text) }),
                let scheme = filter.schemes.first,
                let host = filter.hosts.first(where: { host in
                    !host.isUnresolved && mayBeVerified(host: host.text) && !taken.take(host.text)
                })
            else { continue }
            if !isWhole { opening.insert(.manifestSchemeForm) }
            add(
                isWhole ? .error : .warning, .manifestSchemeForm, scheme.place,
                "the filter takes \(host.shown) over http alone, so links, which are of https, open the browser",
                advice: "write \(ManifestNotation(app, filter).attribute("scheme", "https"))")
        }
    }

    /// For each filter, whether all of its hosts are those of other sites, which are not judged. Without a filter for a host of
    /// these sites, one may be meant.
    var filtersOfOthers: [Bool] {
        let isOwn = app.filters.map { filter in
            filter.hosts.contains { host in
                let isWildcard = host.text.utf8.starts(with: "*.".utf8)
                let name = String(
                    decoding: host.text.utf8.dropFirst(isWildcard ? 2 : 0), as: UTF8.self
                )
                .lowercased()
                let below = HostPatterns(isWildcard ? [host.text.lowercased()] : [])
                return host.isUnresolved || !mayBeVerified(host: host.text)
                    || sites.contains { site in
                        site.answers(name)
                            || isWildcard && (site.hosts ?? []).contains(where: below.take)
                    }
            }
        }
        guard zip(app.filters, isOwn).contains(where: { $0.isVerified && !$0.hosts.isEmpty && $1 })
        else { return isOwn.map { _ in false } }
        return zip(app.filters, isOwn).map { !$0.hosts.isEmpty && !$1 }
    }

    /// Whether the filters are all that the app has, but for those of libraries. Manifests of other modules are not merged
    /// here.
    var isWhole: Bool { app.kind == .binary || app.isOfExpo || app.isWhole }

    private func verifyAdvice(_ misplaced: IntentFilter.MisplacedVerify?) -> String {
        let attribute = notation.attribute("autoVerify", "true")
        return switch misplaced {
        case .otherCase(let name): "write \(attribute), not \(notation.name(name))"
        case .onActivity: "write \(attribute) on the intent-filter, not on the activity"
        case .onApplication: "write \(attribute) on the intent-filter, not on the application"
        case nil: "write \(attribute) on the intent-filter"
        }
    }

    /// Whether a site is not that of others, whose links the app may open, too: it says its hosts before they are asked,
    /// or lists the app.
    private func isOwn(_ site: SiteHalf) -> Bool {
        if !site.isLive, site.hosts != nil { return true }
        return package.map { site.lists(package: $0) } ?? false
    }

    /// Says which verified hosts are of other sites. If all are, nothing is known.
    mutating func addStrange(_ all: [IntentFilter.Value], isAll: Bool) {
        // A host can stand in several filters.
        var seen = Set<String>()
        let values = all.filter { seen.insert($0.text.lowercased()).inserted }
        guard let first = values.first else { return }
        let hosts = values.map(\.text)
        let names = enumerated(hosts) + (hosts.count == 1 ? first.whence : "")
        if isAll {
            let wildcard = hosts.first { $0.utf8.starts(with: "*.".utf8) }
            return add(
                .warning, .hostNotCompared, first.place,
                "the site does not have any host of the app: \(names)",
                advice: "give the configuration and the environment of these hosts"
                    + (wildcard.map { name in
                        "; for \(quoted(name)), Android asks \(String(Substring(name.utf8.dropFirst(2))))"
                    } ?? ""))
        }
        guard !sites.contains(where: \.isLive) else {
            return add(
                .warning, .hostNotCompared, first.place,
                "the app also verifies \(names), which cannot be asked: --live takes no address and no \"_\"",
                advice: "give its assetlinks.json with --assetlinks FILE")
        }
        let own = sites.flatMap { $0.hosts ?? [] }
        let near = hosts.lazy.compactMap { host in own.first { isNear(host.lowercased(), $0) } }
            .first
        add(
            near != nil ? .warning : .note, .libraryHost, first.place,
            "the app also verifies \(names), which the site does not have",
            advice: near.map(didYouMean)
                ?? (app.kind == .source
                    ? "give the site of that host, too, or remove it from the filter"
                    : "look in the merged manifest which library has brought it, and remove it with "
                        + "tools:node=\"remove\", or give its site, too"))
    }

    /// - Parameter isNone: whether the app declares none of the site's hosts.
    private mutating func add(wildcardWithout apex: String, isNone: Bool, of site: SiteHalf) {
        // A site that has subdomains, too, has links that open the app. They can also be another site, for which Google asks
        // this one.
        let isNone =
            isNone && !site.isLive && site.wildcards.isEmpty
            && !sites.contains { other in
                package.map(other.lists(package:)) == true
                    && (other.hosts ?? []).contains { isHost($0, of: "*.\(apex)") }
            }
        let isOpen = isNone && (!isWhole || app.device != nil)
        if isOpen { opening.insert(.wildcardWithoutApex) }
        add(
            isNone && !isOpen ? .error : .warning, .wildcardWithoutApex, nil,
            "\(quoted("*.\(apex)")) is for subdomains, and not for \(quoted(apex)), which lists the app"
                + (isNone ? ", so no link of the site opens it" : ""),
            advice: "add \(notation.addition("host", apex))")
    }

    /// Hosts that list the app, and that it does not declare.
    mutating func compare(_ site: SiteHalf, listing package: String) {
        guard case .read(let packages) = site.android else { return }
        let filters = webFilters + merged
        if filters.isEmpty, !hasNavigation, let placeholder = site.placeholders[package] {
            addPlaceholder(placeholder, of: package, site.hosts?.first)
        }
        guard packages[package] != nil else { return }
        guard !filters.isEmpty || hasNavigation else {
            // That is said of the filter.
            guard !app.filters.contains(where: \.lacksScheme) else { return }
            // The phone's app has the links, or the base of the splits.
            let isOfOther = app.device != nil || app.split != nil
            // So can a filter of which something else decides that.
            let open = possible.lazy.flatMap(\.opening).first
            // A library can bring filters into a manifest of source.
            let isOpen = app.kind == .source || isOfOther || open != nil
            if isOpen { opening.insert(.siteHostNotDeclared) }
            return add(
                isOpen ? .warning : .error, .siteHostNotDeclared, open?.place,
                app.split.map { "the APK is the split \(quoted($0)), and the base has the filters" }
                    ?? "the site lists \(quoted(package)), but no intent filter of the app opens links of the web"
                    + (open.map { ", unless \(quoted($0.text)) makes one of it" } ?? ""),
                advice: app.split.map { _ in "give base.apk" }
                    ?? notation.newFilter
                    + (app.kind == .source ? "; if a library has it, give the .apk" : "")
                    + (app.otherManifests.first.map { "; \($0) is of no release" } ?? "")
            )
        }
        // No browser starts an activity by a filter that is not browsable.
        let values =
            possible.filter { $0.isBrowsable || $0.mayBeVerified }.flatMap(\.hosts)
            + app.hostsOfLibraries
        guard !hasNavigation, !values.contains(where: \.isUnresolved) else { return }
        let declared = values.map { $0.text.lowercased() }
        let patterns = HostPatterns(declared)
        // A star without a full stop behind it takes more than a wildcard.
        let others = declared.filter {
            $0.utf8.first == UInt8(ascii: "*") && !$0.utf8.starts(with: "*.".utf8)
        }
        let missing = (site.hosts ?? []).filter { host in
            !patterns.take(host) && !others.contains { isHost(host, of: $0) }
        }
        let wildcards = Set(declared.map { Array($0.utf8) })
        let isApex = { (host: String) in wildcards.contains(Array("*.\(host)".utf8)) }
        if let apex = missing.first(where: isApex) {
            add(wildcardWithout: apex, isNone: missing.count == site.hosts?.count, of: site)
        }
        let undeclared = missing.filter { !isApex($0) }
        guard let first = undeclared.first else { return }
        let twin = twin(among: undeclared, of: declared)
        add(
            .warning, .siteHostNotDeclared, nil,
            "the app does not declare \(enumerated(undeclared)), which lists it"
                + (twin.map { ": \(quoted($0)) is another host" } ?? ""),
            advice:
                "add \(notation.addition("host", first)), or publish the app on "
                + "fewer hosts")
    }
}

/// Whether a filter's host takes links of a host. Android ignores letter case.
func isHost(_ host: String, of pattern: String) -> Bool {
    let pattern = pattern.lowercased()
    guard pattern.utf8.first == UInt8(ascii: "*") else { return host.isScalarwise(pattern) }
    return host.utf8.count >= pattern.utf8.count - 1
        && host.utf8.suffix(pattern.utf8.count - 1).elementsEqual(pattern.utf8.dropFirst())
}
