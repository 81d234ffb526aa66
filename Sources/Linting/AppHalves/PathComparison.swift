import AppFiles
import Associations
import Diagnostics

/// Compares the paths that an app's manifest takes with the links that a site publishes for the app.
struct PathComparison {
    let app: AndroidDeclaration
    private let rules: ManifestRules
    /// With the filters of other manifests, which are not compared here but can take links, too.
    private let mergedRules: ManifestRules
    private(set) var stepsLeft: Int
    /// For one manifest, with all of its flavours and hosts.
    static let stepsMax = 10_000_000
    private(set) var findings: [Found] = []

    /// A finding, at a place of the manifest.
    struct Found {
        let severity: Severity
        let rule: RuleName
        let place: TextPlace?
        let message: String
        let advice: String
    }

    init(_ app: AndroidDeclaration, _ stepsLeft: Int = Self.stepsMax) {
        (self.app, rules, self.stepsLeft) = (app, app.rules, stepsLeft)
        mergedRules = app.merged.isEmpty ? rules : app.mergedRules
    }

    /// Whether Gradle makes filters of a navigation graph, which can take any link.
    private var isOpen: Bool { app.navigation != nil || app.mergesOpen }

    mutating func compare(_ site: SiteHalf, _ links: PublishedLinks) {
        compare(hosts(of: site), links)
    }

    mutating func compare(_ hosts: [String], _ links: PublishedLinks) {
        guard !links.rules.isEmpty else { return }
        var known = [(own: ManifestRules.HostLinks, all: ManifestRules.HostLinks)]()
        for host in hosts where rules.mayVerify(host: host) {
            let own = rules.links(ofHost: host)
            let all = app.merged.isEmpty ? own : mergedRules.links(ofHost: host)
            // Most hosts of an app take the same links.
            guard !known.contains(where: { $0.own == own && $0.all == all }) else { continue }
            known.append((own, all))
            compare(own, all, of: host, links)
        }
    }

    /// The site's hosts, with a host for each wildcard; or those of the app, if the site's are not known.
    private func hosts(of site: SiteHalf) -> [String] {
        if let hosts = site.hosts { return hosts + site.wildcards.map { "www.\($0)" } }
        var seen = Set<String>()
        return app.filters.flatMap(\.hosts).filter { !$0.isUnresolved }.compactMap { host in
            let name = host.text.lowercased()
            let meant =
                name.utf8.starts(with: "*.".utf8) ? "www\(Substring(name.utf8.dropFirst()))" : name
            return seen.insert(meant).inserted ? meant : nil
        }
    }

    /// - Parameter all: with those of merged manifests.
    private mutating func compare(
        _ taken: ManifestRules.HostLinks, _ all: ManifestRules.HostLinks, of host: String,
        _ links: PublishedLinks
    ) {
        let comparison = ManifestComparison(links.rules, taken.links, host: host, &stepsLeft)
        var isComplete = comparison.isComplete
        // Android compares letter case always: of a rule that does not, it can take the links as they are written.
        let asWritten = links.rules.map(\.caseSensitively)
        let isSame = links.rules.allSatisfy(\.caseSensitive)
        // What is open can take any link.
        if !isOpen, !all.isOpen, all.reasons.isEmpty {
            let whole =
                app.merged.isEmpty && isSame
                ? comparison : ManifestComparison(asWritten, all.links, host: host, &stepsLeft)
            isComplete = isComplete && whole.isComplete
            addUntaken(whole, host, links)
            addTakenOtherwise(whole, host, links)
            addUntakenBefore(whole, host, links)
        }
        addUnpublished(comparison, host, links)
        guard !taken.links.paths.takesAll, links.origin != .appleFile else { return }
        for reason in taken.reasons { addOpen(host, reason) }
        if !isComplete {
            addOpen(
                host,
                "the search was not finished: the patterns have too many stars for \(Self.stepsMax) steps, or more "
                    + "than \(ManifestComparison.scalarsMax) characters beyond ASCII")
        }
    }

    /// Links that only a group of conditions takes, which older versions do not read. Dynamic rules are for newer
    /// versions, too.
    private mutating func addUntakenBefore(
        _ comparison: ManifestComparison, _ host: String, _ links: PublishedLinks
    ) {
        guard mergedRules.dependsOnVersion, links.origin == .configuration else { return }
        let before = mergedRules.links(ofHost: host, readsGroups: false)
        guard !before.links.paths.takesAll else { return }
        let known = Set(comparison.untaken.map(\.rule))
        let older = ManifestComparison(links.rules, before.links, host: host, &stepsLeft)
        for (rule, link) in older.untaken.filter({ !known.contains($0.rule) }).prefix(
            links.origin.shownMax)
        {
            add(
                .warning, .publishedNotInManifest, place(ofHost: host),
                "before Android 15, no filter takes \(quoted(link)), which \(links.name(ofRule: rule)) opens: "
                    + "only a uri-relative-filter-group does",
                advice: advice(for: links.rules[rule], links))
        }
    }

    private mutating func addOpen(_ host: String, _ reason: String) {
        add(
            .warning, .pathsNotCompared, place(ofHost: host),
            "the paths of \(quoted(host)) are not all compared: \(reason)",
            advice: "give the .apk, or compare these paths yourself")
    }

    private mutating func addUntaken(
        _ comparison: ManifestComparison, _ host: String, _ links: PublishedLinks
    ) {
        if app.isOfCheckout, !app.isWhole, links.origin == .configuration,
            let (number, link) = comparison.untaken.first
        {
            let reason =
                "no filter of this manifest takes \(quoted(link)), which \(links.name(ofRule: number)) opens, and "
                + "Gradle merges it with those of other modules, "
                + (app.unread.isEmpty ? "which verify hosts" : "not all of which were read")
            return addOpen(host, reason)
        }
        let (severity, rule): (Severity, RuleName) =
            switch links.origin {
            // The app of a watch opens some of the links of its phone's.
            case .configuration:
                (app.device == nil ? .error : .warning, .publishedNotInManifest)
            case .dynamicRules: (.warning, .dynamicOutsideManifest)
            case .appleFile: (.warning, .platformsDifferInPaths)
            }
        let shownMax = links.origin.shownMax
        for (number, link) in comparison.untaken.prefix(shownMax) {
            add(
                severity, rule, place(ofHost: host),
                "no filter takes \(quoted(link)), which \(links.name(ofRule: number)) opens",
                advice: advice(for: links.rules[number], links))
        }
        let more = comparison.untaken.count - shownMax
        guard more > 0 else { return }
        add(
            severity, rule, place(ofHost: host),
            "no filter takes links of \(more) more rules for \(quoted(host))",
            advice: "add their paths to the filter")
    }

    /// Links that open the app only with another end of their path: Apple reads both forms alike, Android does not.
    private mutating func addTakenOtherwise(
        _ comparison: ManifestComparison, _ host: String, _ links: PublishedLinks
    ) {
        guard links.origin == .configuration else { return }
        for (number, link) in comparison.takenOtherwise.prefix(links.origin.shownMax) {
            let isLonger = links.rules[number].path?.utf8.last != UInt8(ascii: "/")
            add(
                .warning, .publishedNotInManifest, place(ofHost: host),
                "no filter takes \(quoted(link)), which \(links.name(ofRule: number)) opens: one takes it only "
                    + (isLonger ? "with a slash at the end" : "without the slash at the end"),
                advice: advice(for: links.rules[number], links))
        }
    }

    private func advice(for rule: RuleText, _ links: PublishedLinks) -> String {
        let more = links.origin == .dynamicRules ? "dynamic rules only narrow the manifest: " : ""
        guard let path = rule.path, path.utf8.first == UInt8(ascii: "/"),
            !path.utf8.dropLast().contains(where: { "*?$%\"&<".utf8.contains($0) }),
            path.utf8.last != UInt8(ascii: "?")
        else { return more + "add a path for it to the filter" }
        let isPrefix = path.utf8.last == UInt8(ascii: "*")
        let text = isPrefix ? String(Substring(path.utf8.dropLast())) : path
        let notation = ManifestNotation(app)
        return more
            + "add \(notation.addition("path\(isPrefix ? "Prefix" : "")", text))"
    }

    private mutating func addUnpublished(
        _ comparison: ManifestComparison, _ host: String, _ links: PublishedLinks
    ) {
        let ofApple = links.origin == .appleFile
        let severity: Severity = links.isNarrowed ? .note : .warning
        let rule: RuleName = ofApple ? .platformsDifferInPaths : .manifestOpensUnpublished
        let fact =
            ofApple
            ? "which apple-app-site-association does not open on iOS"
            : "which the site does not publish for the app"
        let shownMax = links.origin.shownMax
        for (taker, link) in comparison.unpublished.prefix(shownMax) {
            add(
                severity, rule, place(of: taker, host) ?? place(ofHost: host),
                "the filter takes \(quoted(link)), \(fact)"
                    + (links.isNarrowed
                        ? "; before Android 15, dynamic rules do not narrow it" : ""),
                advice: ofApple
                    ? "narrow the path, or add it to apple-app-site-association"
                    : "narrow the path, or publish the link")
        }
        let more = comparison.unpublished.count - shownMax
        guard more > 0 else { return }
        add(
            severity, rule, place(ofHost: host),
            ofApple
                ? "\(more) more paths for \(quoted(host)) take links that iOS opens in the browser"
                : "\(more) more paths for \(quoted(host)) take links that the site does not publish",
            advice: "narrow the paths, or publish the links")
    }

    private mutating func add(
        _ severity: Severity, _ rule: RuleName, _ place: TextPlace?, _ message: String,
        advice: String
    ) {
        findings.append(
            Found(severity: severity, rule: rule, place: place, message: message, advice: advice))
    }

    /// The place of the path or the group that takes a link of a host.
    private func place(of taker: ManifestLinks.Taker, _ host: String) -> TextPlace? {
        switch taker {
        case .everyPath: nil
        case .group(let filter, let number): app.filters[filter].groups[number].place
        case .path(let pattern):
            app.filters.filter { filter in
                filter.isOfWeb
                    && (filter.hosts.isEmpty
                        || filter.hosts.contains { $0.isUnresolved || isHost(host, of: $0.text) })
            }.flatMap(\.paths).first { path in
                if case .known(let known) = path.pattern(ofKind: app.kind) {
                    known == pattern
                } else {
                    false
                }
            }?.value.place
        }
    }

    /// The place of the first filter for a host.
    private func place(ofHost host: String) -> TextPlace? {
        app.filters.first { filter in
            filter.hosts.contains { !$0.isUnresolved && isHost(host, of: $0.text) }
        }?.place
    }
}

extension RuleText {
    fileprivate var caseSensitively: RuleText {
        var rule = self
        rule.caseSensitive = true
        return rule
    }
}

extension PublishedLinks.Origin {
    /// The findings of a rule for one host, before the others are only counted. Where platforms differ, examples are
    /// enough.
    fileprivate var shownMax: Int { self == .appleFile ? 3 : 20 }
}
