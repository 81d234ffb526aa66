import Associations
import Diagnostics

/// What changes between two versions of one environment, for a reviewer.
struct VersionDifference {
    private let name: String?
    private let hosts: ListDifference
    private let services: [(name: String, difference: ListDifference)]
    private let apps: [RuleComparison]
    private let android: AndroidDifference
    private let isAdded: Bool
    private let isRemoved: Bool

    init(_ pair: (old: LinkVersion?, new: LinkVersion?)) {
        let (old, new) = pair
        name = new?.name ?? old?.name
        (isAdded, isRemoved) = (old == nil, new == nil)
        let nothing = AssociationReading(Array("{}".utf8), file: "")
        // A file is compared only with a file of the same kind.
        let hasApple = [old, new].allSatisfy { $0?.name != nil || $0?.apple != nil }
        let hasAndroid = [old, new].allSatisfy { $0?.name != nil || $0?.android != nil }
        let before = hasApple ? old?.apple ?? nothing : nothing
        let after = hasApple ? new?.apple ?? nothing : nothing
        let host = new?.hosts?.first ?? old?.hosts?.first ?? "example.com"
        hosts =
            if let before = old?.hosts, let after = new?.hosts {
                ListDifference(before, after)
            } else {
                ListDifference([], [])
            }
        services = Set(before.services.keys).union(after.services.keys).sorted().map { service in
            let difference = ListDifference(
                (before.services[service] ?? []).map(\.value),
                (after.services[service] ?? []).map(\.value))
            return (service, difference)
        }
        apps = RuleComparison.all(old: before.ruleSet, new: after.ruleSet, host: host)
        let none = AssetLinksReading(Array("[]".utf8), file: "")
        android = AndroidDifference(
            old: hasAndroid ? old?.android ?? none : none,
            new: hasAndroid ? new?.android ?? none : none, host: host)
    }

    /// Whether anything changes for a user; a change of a rule that decides no link does not.
    var isChanged: Bool {
        isAdded || isRemoved || !hosts.isEmpty || services.contains { !$0.difference.isEmpty }
            || apps.contains(where: \.isSeen) || android.isChanged
    }

    // MARK: For people

    /// Empty if nothing changes.
    var lines: [String] {
        var lines = [String]()
        if isAdded { lines.append("the environment is new") }
        if isRemoved { lines.append("the environment is gone") }
        lines += hosts.added.map { "host \($0) is new" }
        lines += hosts.removed.map { "host \($0) is gone" }
        for (name, difference) in services {
            let former = RuleComparison.formerIDs(difference.removed, difference.added)
            lines += former.sorted { $0.key < $1.key }.map { "\(name): \($1) is now \($0)" }
            lines += difference.added.filter { former[$0] == nil }.map { "\(name): \($0) is new" }
            let gone = difference.removed.filter { !former.values.contains($0) }
            lines += gone.map { "\(name): \($0) is gone" }
        }
        lines += apps.flatMap { $0.lines() } + android.lines
        guard let name, !lines.isEmpty else { return lines }
        return ["environment \(name)"] + lines.map { "  \($0)" }
    }

    // MARK: For programs

    var json: JSONText {
        .object([
            ("environment", .orNull(name)), ("hosts", hosts.json),
            ("services", .object(services.map { ($0.name, $0.difference.json) })),
            ("apps", .array(apps.filter { !$0.isUnchanged }.map(\.json))),
            ("android", android.json),
        ])
    }
}

/// What is only in one of two lists, in the order of the lists.
struct ListDifference {
    let added: [String]
    let removed: [String]

    init(_ old: [String], _ new: [String]) {
        added = new.filter { !old.contains($0) }
        removed = old.filter { !new.contains($0) }
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    var json: JSONText { .object([("added", .strings(added)), ("removed", .strings(removed))]) }
}

extension RuleComparison {
    /// Whether a user could notice a change.
    var isSeen: Bool { !changes.isEmpty || (old == nil) != (new == nil) || formerID != nil }

    var isUnchanged: Bool { !isSeen && unreachable.isEmpty }

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
        if !isComplete { lines.append("  the rules have too many stars to find every difference") }
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
    fileprivate var what: String? { rule.map { (isWhole ? "" : "some links of ") + $0.summary } }

    fileprivate var why: String {
        switch (starts, counterpart) {
        case (true, nil): "no rule matched before"
        case (true, let rule?): "before, \(rule.summary) (line \(rule.line)) excluded them"
        case (false, nil): "no rule matches any more"
        case (false, let rule?): "now \(rule.summary) (line \(rule.line)) excludes them"
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
    fileprivate var description: String {
        let name = (rule.exclude ? "the exclusion of " : "") + rule.summary
        return matchesNothing
            ? "\(name) (line \(rule.line)) \(reason)"
            : "nothing reaches \(name) (line \(rule.line)): \(reason)"
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
