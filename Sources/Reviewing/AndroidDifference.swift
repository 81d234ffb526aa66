import Associations
import Diagnostics
import Resolution

/// The changes for Android apps: which apps can open links, with which keys, and which links their
/// dynamic rules allow.
struct AndroidDifference {
    private let apps: [App]

    private struct App {
        let package: String
        let isAdded: Bool
        let isRemoved: Bool
        let grants: ListDifference
        let keys: ListDifference
        /// Nil if neither version has dynamic rules.
        let rules: RuleComparison?
    }

    /// - Parameter sources: of the rules, if the files were generated.
    init(
        old: AssetLinksReading, new: AssetLinksReading, host: String,
        sources: (old: [String: RuleSource], new: [String: RuleSource])
    ) {
        let (before, after) = (old.ruleSet.placed(sources.old), new.ruleSet.placed(sources.new))
        let ruled = (before.apps + after.apps).filter { $0.rules != nil }.map(\.appID)
        let comparisons = RuleComparison.all(old: before, new: after, host: host)
        var packages = [String]()
        for statement in old.statements + new.statements {
            guard let name = statement.package?.value, !packages.contains(name) else { continue }
            packages.append(name)
        }
        apps = packages.map { package in
            let (had, has) = (old.statements(about: package), new.statements(about: package))
            let isInBoth = !had.isEmpty && !has.isEmpty
            return App(
                package: package, isAdded: had.isEmpty, isRemoved: has.isEmpty,
                grants: ListDifference(had.flatMap(\.grants), has.flatMap(\.grants)),
                keys: ListDifference(had.flatMap(\.keys), has.flatMap(\.keys)),
                rules: isInBoth && ruled.contains(package)
                    ? comparisons.first { $0.appID == package } : nil)
        }
    }

    /// Whether anything changes.
    var isChanged: Bool { apps.contains(where: isChanged) }

    private func isChanged(_ app: App) -> Bool {
        app.isAdded || app.isRemoved || !app.grants.isEmpty || !app.keys.isEmpty
            || app.rules?.isSeen == true
    }

    /// For people; empty if nothing changes.
    var lines: [String] {
        apps.filter { isChanged($0) || $0.rules?.unreachable.isEmpty == false }.flatMap { app in
            let head = app.isAdded ? " is new" : app.isRemoved ? " is gone" : ""
            var lines = ["Android app \(app.package)\(head)"]
            guard !app.isAdded, !app.isRemoved else { return lines }
            lines += app.grants.added.map { "  may \($0)" }
            lines += app.grants.removed.map { "  may no longer \($0)" }
            lines += app.keys.added.map { "  key \($0) is new" }
            lines += app.keys.removed.map { "  key \($0) is gone" }
            let rules = app.rules?.lines(
                everything: "every link of its manifest, because it has no dynamic rules")
            return lines + (rules?.dropFirst() ?? [])
        }
    }

    /// Every change by itself.
    var entries: [ReviewEntry] {
        apps.filter(isChanged).flatMap { app in
            let name = "Android app \(app.package)"
            guard !app.isAdded, !app.isRemoved else {
                return [ReviewEntry("\(name) is \(app.isAdded ? "new" : "gone")")]
            }
            let facts =
                app.grants.added.map { "may \($0)" }
                + app.grants.removed.map { "may no longer \($0)" }
                + app.keys.added.map { "has a new key, \($0)" }
                + app.keys.removed.map { "loses the key \($0)" }
            return facts.map { ReviewEntry("\(name) \($0)") }
                + (app.rules?.entries("Android app") ?? [])
        }
    }

    var json: JSONText {
        .array(
            apps.filter(isChanged).map { app in
                .object([
                    ("id", .string(app.package)),
                    (
                        "change",
                        .string(app.isAdded ? "added" : app.isRemoved ? "removed" : "changed")
                    ),
                    ("relations", app.grants.json), ("keys", app.keys.json),
                    ("rules", app.rules?.json ?? .null),
                ])
            })
    }
}

extension AssetLinksReading {
    fileprivate func statements(about package: String) -> [StatementReading] {
        statements.filter { $0.package?.value == package }
    }
}

extension StatementReading {
    fileprivate var keys: [String] { fingerprints.map(\.value) }
    fileprivate var grants: [String] { relations.map(\.value) }
}
