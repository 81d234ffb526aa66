import Associations
import Diagnostics
import Resolution

/// The changes of an assetlinks.json: which apps can open links, with which keys, which links their
/// dynamic rules allow, which websites get a relation, and which files are included.
struct AndroidDifference {
    private let apps: [App]
    /// The changed permissions of websites.
    let websites: PermissionDifference
    /// The files that are not there to be read.
    let includes: ListDifference
    /// Whether the permissions of single keys and of websites were compared.
    private let arePermissionsCompared: Bool

    private struct App {
        let package: String
        let isAdded: Bool
        let isRemoved: Bool
        let grants: ListDifference
        let keys: ListDifference
        /// The changed permissions of single keys, where the app keeps both the key and the relation.
        let permissions: PermissionDifference
        /// The dynamic rules, for each group of keys that have other ones; none if neither version
        /// has any.
        let rules: [RuleComparison]

        init(
            _ package: String, _ old: [StatementReading], _ new: [StatementReading],
            _ permissions: (old: [Permission], new: [Permission]), _ rules: [RuleComparison]
        ) {
            self.package = package
            (isAdded, isRemoved) = (old.isEmpty, new.isEmpty)
            self.rules = isAdded || isRemoved ? [] : rules
            let grants = ListDifference(old.flatMap(\.grants), new.flatMap(\.grants))
            let keys = ListDifference(old.flatMap(\.keys), new.flatMap(\.keys))
            (self.grants, self.keys) = (grants, keys)
            // What is said of a key or a relation as a whole is not said of each pair.
            let known = (Set(grants.added + grants.removed), Set(keys.added + keys.removed))
            func rest(_ all: [Permission]) -> [Permission] {
                all.filter { permission in
                    guard case .key(let key) = permission.holder else { return true }
                    return !known.0.contains(permission.relation) && !known.1.contains(key)
                }
            }
            self.permissions = PermissionDifference(rest(permissions.old), rest(permissions.new))
        }

        var isChanged: Bool {
            isAdded || isRemoved || !grants.isEmpty || !keys.isEmpty || !permissions.isEmpty
                || rules.contains(where: \.isSeen)
        }
    }

    /// - Parameter sources: of the rules, if the files were generated.
    init(
        old oldFiles: AssetLinksFiles, new newFiles: AssetLinksFiles, host: String,
        sources: (old: [String: RuleSource], new: [String: RuleSource])
    ) {
        let (old, new) = (oldFiles.reading, newFiles.reading)
        let (was, now) = (Permissions(oldFiles.links), Permissions(newFiles.links))
        arePermissionsCompared = !was.areTooMany && !now.areTooMany
        let (had, has) = arePermissionsCompared ? (was, now) : (now, now)
        websites = PermissionDifference(had.ofWebsites, has.ofWebsites)
        includes = ListDifference(oldFiles.links.missingIncludes, newFiles.links.missingIncludes)
        let pairs = RulesByKey.pairs(old, new)
        let (before, after) = (pairs.old.placed(sources.old), pairs.new.placed(sources.new))
        let ruled = Set((before.apps + after.apps).filter { $0.rules != nil }.map(\.appID))
        let comparisons = Dictionary(
            RuleComparison.all(old: before, new: after, host: host).map { ($0.appID, $0) }
        ) { first, _ in first }
        let (olds, news) = (old.statementsByPackage, new.statementsByPackage)
        var seen = Set<String>()
        apps = (old.statements + new.statements).compactMap { statement in
            guard let package = statement.package?.value, seen.insert(package).inserted else {
                return nil
            }
            return App(
                package, olds[package] ?? [], news[package] ?? [],
                (had.byPackage[package] ?? [], has.byPackage[package] ?? []),
                (pairs.names[package] ?? [package]).filter(ruled.contains)
                    .compactMap { comparisons[$0] })
        }
    }

    /// Whether anything changes, or may change because it was not compared.
    var isChanged: Bool {
        apps.contains(where: \.isChanged) || !websites.isEmpty || !includes.isEmpty
            || !arePermissionsCompared
    }

    /// Whether every difference was found.
    var isComplete: Bool {
        arePermissionsCompared && apps.flatMap(\.rules).allSatisfy(\.isComplete)
    }

    /// For people; empty if nothing changes.
    var lines: [String] {
        apps.filter { $0.isChanged || $0.rules.contains { !$0.unreachable.isEmpty } }.flatMap {
            app in
            let head = app.isAdded ? " is new" : app.isRemoved ? " is gone" : ""
            var lines = ["Android app \(app.package)\(head)"]
            guard !app.isAdded, !app.isRemoved else { return lines }
            lines += app.grants.added.map { "  may \($0)" }
            lines += app.grants.removed.map { "  may no longer \($0)" }
            lines += app.keys.added.map { "  key \($0) is new" }
            lines += app.keys.removed.map { "  key \($0) is gone" }
            lines += app.permissions.changes.map { "  \($0)" }
            for comparison in app.rules where comparison.isSeen || !comparison.unreachable.isEmpty {
                if app.rules.count > 1 { lines.append("  \(comparison.appID)") }
                lines += comparison.lines(
                    everything: "every link of its manifest, because it has no dynamic rules"
                ).dropFirst()
            }
            return lines
        } + otherChanges
    }

    /// The changes that are of no app.
    private var otherChanges: [String] {
        let advice = "give it with --include URL=FILE to see what its statements change"
        return (arePermissionsCompared ? [] : [Self.incompleteWords]) + websites.changes
            + includes.added.map { "the include of \($0) is new: \(advice)" }
            + includes.removed.map { "the include of \($0) is gone: \(advice)" }
    }

    private static let incompleteWords =
        "a version has more than \(Permissions.countMax) pairs of a relation and a key or website, "
        + "so what each may do was not compared; compare it yourself"

    /// Every change by itself.
    var entries: [ReviewEntry] {
        apps.filter(\.isChanged).incompleteFirst { $0.rules.first { !$0.isComplete } }.flatMap {
            app in
            let name = "Android app \(app.package)"
            guard !app.isAdded, !app.isRemoved else {
                return [ReviewEntry("\(name) is \(app.isAdded ? "new" : "gone")")]
            }
            let facts =
                app.grants.added.map { "may \($0)" }
                + app.grants.removed.map { "may no longer \($0)" }
                + app.keys.added.map { "has a new key, \($0)" }
                + app.keys.removed.map { "loses the key \($0)" }
                + app.permissions.changes.map { "changes: \($0)" }
            return facts.map { ReviewEntry("\(name) \($0)") }
                + app.rules.flatMap { $0.entries("Android app") }
        } + otherChanges.map { ReviewEntry($0) }
    }

    var json: JSONText {
        .array(
            apps.filter(\.isChanged).map { app in
                .object([
                    ("id", .string(app.package)),
                    (
                        "change",
                        .string(app.isAdded ? "added" : app.isRemoved ? "removed" : "changed")
                    ),
                    ("relations", app.grants.json), ("keys", app.keys.json),
                    ("keyRelations", app.permissions.json),
                    ("rules", (app.rules.first(where: \.isSeen) ?? app.rules.first)?.json ?? .null),
                    (
                        "rulesOfKeys",
                        .array(
                            app.rules.count < 2
                                ? []
                                : app.rules.map { rules in
                                    .object([
                                        ("id", .string(rules.appID)), ("rules", rules.json),
                                    ])
                                })
                    ),
                ])
            })
    }
}

extension Array {
    /// Elements whose comparison gave up come first: they must not be cut off where a comment on a
    /// pull request ends.
    func incompleteFirst(_ comparison: (Element) -> RuleComparison?) -> [Element] {
        filter { comparison($0)?.isComplete == false }
            + filter { comparison($0)?.isComplete != false }
    }
}

extension AssetLinksReading {
    fileprivate var statementsByPackage: [String: [StatementReading]] {
        Dictionary(
            grouping: statements.filter { $0.package != nil }, by: { $0.package?.value ?? "" })
    }
}

extension StatementReading {
    fileprivate var keys: [String] { fingerprints.map(\.value) }
    fileprivate var grants: [String] { relations.map(\.value) }
}
