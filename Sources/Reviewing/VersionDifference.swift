internal import Associations
package import Diagnostics
internal import Resolution
package import SiteConfiguration

/// The changes between two versions of one site, for a reviewer.
package struct VersionDifference {
    private let name: String?
    private let site: String?
    /// The name of the site in the old version, if it is another one.
    private let formerSite: String?
    private let position: SourcePosition?
    /// The changes for browsers and programs; nil unless both versions are of configurations.
    private let web: SiteComparison?
    private let settings: [SettingChange]
    private let hosts: ListDifference
    private let services: [(name: String, difference: ListDifference)]
    private let apps: [RuleComparison]
    private let android: AndroidDifference
    private let isAdded: Bool
    private let isRemoved: Bool

    /// - Parameter publicFiles: finds the paths of a site's public files; nil where it cannot. Public
    ///   files come before links in both versions, and are not compared, because an old version is
    ///   often read without its files.
    package init(_ pair: (old: LinkVersion?, new: LinkVersion?), publicFiles: (Site) -> [String]?) {
        let (old, new) = pair
        name = new?.name ?? old?.name
        site = new?.site?.name ?? old?.site?.name
        let wasNamed = old?.site?.name
        formerSite = new == nil || wasNamed == site ? nil : wasNamed
        position = new?.site?.position
        (isAdded, isRemoved) = (old == nil, new == nil)
        let nothing = AssociationReading(Array("{}".utf8), file: "")
        // A file is compared only with a file of the same kind.
        let hasApple = [old, new].allSatisfy { $0?.name != nil || $0?.apple != nil }
        let hasAndroid = [old, new].allSatisfy { $0?.name != nil || $0?.android != nil }
        let before = hasApple ? old?.apple ?? nothing : nothing
        let after = hasApple ? new?.apple ?? nothing : nothing
        let host = new?.exampleHost ?? old?.exampleHost ?? "example.com"
        let areSites = [old, new].allSatisfy { $0 == nil || $0?.site != nil }
        hosts =
            areSites ? ListDifference(old?.hosts ?? [], new?.hosts ?? []) : ListDifference([], [])
        services = Set(before.services.keys).union(after.services.keys).sorted().map { service in
            let difference = ListDifference(
                (before.services[service] ?? []).map(\.value),
                (after.services[service] ?? []).map(\.value))
            return (service, difference)
        }
        apps = RuleComparison.all(
            old: before.ruleSet.placed(old?.site?.appleRuleSources ?? [:]),
            new: after.ruleSet.placed(new?.site?.appleRuleSources ?? [:]), host: host)
        let none = AssetLinksFiles(Array("[]".utf8), name: "")
        android = AndroidDifference(
            old: hasAndroid ? old?.android ?? none : none,
            new: hasAndroid ? new?.android ?? none : none, host: host,
            sources: (
                old?.site?.androidRuleSources ?? [:], new?.site?.androidRuleSources ?? [:]
            ))
        web = Self.compareWeb(old, new, publicFiles)
        settings =
            old == nil || new == nil || old?.name == nil || new?.name == nil
            ? [] : SettingChange.all(old?.settings ?? [], new?.settings ?? [])
    }

    /// Compares what browsers and programs get. A new site is compared with one that has its hosts
    /// and nothing else.
    private static func compareWeb(
        _ old: LinkVersion?, _ new: LinkVersion?, _ publicFiles: (Site) -> [String]?
    ) -> SiteComparison? {
        guard let any = new ?? old, (old == nil || old?.site != nil),
            new == nil || new?.site != nil,
            let before = old?.site ?? new?.site?.withoutAnswers,
            let after = new?.site ?? old?.site?.withoutAnswers
        else { return nil }
        return SiteComparison(
            old: before, new: after,
            directories: (old?.directory ?? any.directory, new?.directory ?? any.directory),
            files: publicFiles(after) ?? publicFiles(before) ?? [])
    }

    /// Whether anything changes for a user, or may change because the search for differences gave
    /// up. A change of a rule that decides no link is no change.
    package var isChanged: Bool {
        isAdded || isRemoved || formerSite != nil || web?.isEmpty == false || !settings.isEmpty
            || !isComplete || !hosts.isEmpty
            || services.contains { !$0.difference.isEmpty }
            || apps.contains(where: \.isSeen) || android.isChanged
    }

    /// Whether every difference was found.
    private var isComplete: Bool {
        web?.isComplete != false && apps.allSatisfy(\.isComplete) && android.isComplete
    }

    // MARK: For people

    /// The environment, and the site in it; nil for a file.
    package var title: String? {
        name.map { name in "environment \(name)" + (site.map { ", site \($0)" } ?? "") }
    }

    /// The changes in lines for people; empty if nothing changes.
    package var lines: [String] {
        var lines = [String]()
        if isAdded { lines.append("\(whole) is new") }
        if isRemoved { lines.append("\(whole) is gone") }
        if let formerSite { lines.append("\(whole) was named \(formerSite)") }
        lines += (newHosts + webEntries.filter(\.isAlarming)).flatMap(\.lines)
        lines += hosts.added.map { "host \($0) is new" }
        lines += hosts.removed.map { "host \($0) is gone" }
        lines += serviceLines
        lines += apps.flatMap { $0.lines() } + android.lines
        lines += (goneHosts + webEntries.filter { !$0.isAlarming } + settingEntries)
            .flatMap(\.lines)
        if web?.isComplete == false { lines.append(Self.incompleteWords) }
        guard let title, !lines.isEmpty else { return lines }
        return [title] + lines.map { "  \($0)" }
    }

    private var whole: String { site == nil ? "the environment" : "the site" }

    private var serviceLines: [String] {
        services.flatMap { name, difference in
            let former = FormerIdentifiers(difference.removed, difference.added)
            let gone = difference.removed.filter { !former.isFormer($0) }
            let renamed = difference.added.compactMap { id in former[id].map { (id, $0) } }
            return renamed.sorted { $0.0 < $1.0 }.map { "\(name): \($1) is now \($0)" }
                + difference.added.filter { former[$0] == nil }.map { "\(name): \($0) is new" }
                + gone.map { "\(name): \($0) is gone" }
        }
    }

    static let incompleteWords =
        "too many rules changed to find every overlap of links; each rule's own example was compared"

    // MARK: For reviewers

    /// Every change by itself, the most important first.
    package var entries: [ReviewEntry] {
        var entries = newHosts + webEntries.filter(\.isAlarming)
        if isAdded { entries.append(ReviewEntry("\(whole) is new")) }
        if isRemoved { entries.append(ReviewEntry("\(whole) is gone")) }
        if let formerSite { entries.append(ReviewEntry("\(whole) was named \(formerSite)")) }
        entries += hosts.added.map { ReviewEntry("host \($0) is new", url: "https://\($0)/") }
        entries += hosts.removed.map { ReviewEntry("host \($0) is gone", url: "https://\($0)/") }
        entries += serviceLines.map { ReviewEntry($0) }
        entries += apps.incompleteFirst(\.self).flatMap { $0.entries("app") } + android.entries
        entries += goneHosts + webEntries.filter { !$0.isAlarming } + settingEntries
        if web?.isComplete == false { entries.append(ReviewEntry(Self.incompleteWords)) }
        return entries.map { entry in
            var entry = entry
            entry.scope = title
            entry.position = entry.position ?? position
            return entry
        }
    }

    private var newHosts: [ReviewEntry] {
        (web?.newHosts ?? []).map { destination in
            var entry = ReviewEntry("links lead to a new host: \(destination.host)")
            entry.url = destination.example
            entry.audience = Audience.words(destination.audience)
            entry.position = destination.position
            entry.alarm = "new destination"
            return entry
        }
    }

    private var goneHosts: [ReviewEntry] {
        (web?.goneHosts ?? []).map { destination in
            var entry = ReviewEntry("no link leads to \(destination.host) any more")
            entry.url = destination.example
            entry.audience = Audience.words(destination.audience)
            return entry
        }
    }

    private var webEntries: [ReviewEntry] { (web?.changes ?? []).map(ReviewEntry.init) }

    private var settingEntries: [ReviewEntry] {
        settings.map { change in
            var entry = ReviewEntry("setting \(change.name)")
            (entry.before, entry.after) = (change.before, change.after)
            return entry
        }
    }

    // MARK: For programs

    /// Scripts rely on this shape: members can be added, but are never renamed.
    package var json: JSONText {
        .object([
            ("environment", .orNull(name)), ("site", .orNull(site)),
            ("formerSite", .orNull(formerSite)), ("hosts", hosts.json),
            ("services", .object(services.map { ($0.name, $0.difference.json) })),
            ("apps", .array(apps.filter { !$0.isUnchanged }.map(\.json))),
            ("android", android.json), ("websites", android.websites.json),
            ("includes", android.includes.json), ("web", web?.json ?? .null),
            ("settings", .array(settings.map(\.json))), ("complete", .boolean(isComplete)),
        ])
    }
}

/// The elements that only one of two lists has, in the order of the lists.
struct ListDifference {
    let added: [String]
    let removed: [String]

    init(_ old: [String], _ new: [String]) {
        // In bytes, because canonically equivalent texts are different here.
        let (before, after) = (Set(old.map { Array($0.utf8) }), Set(new.map { Array($0.utf8) }))
        added = new.filter { !before.contains(Array($0.utf8)) }
        removed = old.filter { !after.contains(Array($0.utf8)) }
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    var json: JSONText { .object([("added", .strings(added)), ("removed", .strings(removed))]) }
}

extension RuleComparison {
    /// Whether a user could notice a change, found or not.
    var isSeen: Bool {
        !changes.isEmpty || (old == nil) != (new == nil) || formerID != nil || !isComplete
    }

    var isUnchanged: Bool { !isSeen && unreachable.isEmpty }

    /// The reason why there may be more differences than were found.
    static let incompleteWords =
        "the search for differences gave up: these rules, or those of the apps before, have too many "
        + "stars; compare them yourself"

    /// For people; empty if nothing changes.
    /// - Parameter everything: what an entry without rules opens, and why.
    func lines(everything: String = "every link: its entry has no rules") -> [String] {
        var lines = changes.flatMap { change in
            [
                "  \(change.starts ? "starts" : "stops") opening \(change.what ?? everything)",
                "      \(change.why)", "      for example \(change.example)",
            ]
        }
        lines += unreachable.map { "  " + $0.description }
        if !isComplete { lines.append("  \(Self.incompleteWords)") }
        if let formerID { return ["app \(formerID) is now \(appID)"] + lines }
        let head = old == nil ? " is new" : new == nil ? " is gone" : ""
        return lines.isEmpty && head.isEmpty ? [] : ["app \(appID)\(head)"] + lines
    }

    var json: JSONText {
        .object([
            ("id", .string(appID)),
            ("change", .string(old == nil ? "added" : new == nil ? "removed" : "changed")),
            ("formerId", .orNull(formerID)),
            ("starts", .array(changes.filter(\.starts).map(\.json))),
            ("stops", .array(changes.filter { !$0.starts }.map(\.json))),
            ("unreachable", .array(unreachable.map(\.json))), ("complete", .boolean(isComplete)),
        ])
    }
}

extension RuleComparison.LinkChange {
    /// Nil for an entry without rules.
    var what: String? { rule.map { (isWhole ? "" : "some links of ") + $0.summary } }

    var why: String {
        switch (starts, counterpart) {
        case (true, nil): "no rule matched before"
        case (true, let rule?): "before, \(rule.placed) excluded them"
        case (false, nil): "no rule matches any more"
        case (false, let rule?): "now \(rule.placed) excludes them"
        }
    }

    fileprivate var json: JSONText {
        .object([
            ("pattern", .string(rule?.summary ?? "*")),
            ("rule", .orNull(rule?.pointer)),
            ("line", .orNull(rule?.line)),
            ("whole", .boolean(isWhole)),
            ("otherwise", .orNull(counterpart?.pointer)),
            ("reason", .string(why)), ("example", .string(example)),
        ])
    }
}

extension RuleComparison.UnreachableRule {
    var description: String {
        let name = (rule.exclude ? "the exclusion of " : "") + rule.placed
        return matchesNothing ? "\(name) \(reason)" : "nothing reaches \(name): \(reason)"
    }

    private var reason: String {
        guard matchesNothing else { return "earlier rules decide before it" }
        return fault?.description ?? "matches no link"
    }

    fileprivate var json: JSONText {
        .object([
            ("pattern", .string(rule.summary)), ("rule", .string(rule.pointer)),
            ("line", .number(rule.line)), ("exclude", .boolean(rule.exclude)),
            ("reason", .string(reason)),
        ])
    }
}

extension RuleText {
    /// The rule in one line, with its position.
    fileprivate var placed: String { "\(summary) (\(source ?? "line \(line)"))" }
}
