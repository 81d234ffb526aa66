import Associations
import Diagnostics
import Resolution

/// The changes of an assetlinks.json: which apps can open links, with which keys, which links their
/// dynamic rules allow, which websites get a relation, and which files are included.
struct AndroidDifference {
    private let apps: [App]
    /// What websites may do, in words.
    let websites: ListDifference
    /// The files that are not there to be read.
    let includes: ListDifference

    private struct App {
        let package: String
        let isAdded: Bool
        let isRemoved: Bool
        let grants: ListDifference
        let keys: ListDifference
        /// What single keys may do, in words, where the app keeps both the key and the relation.
        let grantsOfKeys: ListDifference
        /// Nil if neither version has dynamic rules.
        let rules: RuleComparison?
    }

    /// - Parameter sources: of the rules, if the files were generated.
    init(
        old oldFiles: AssetLinksFiles, new newFiles: AssetLinksFiles, host: String,
        sources: (old: [String: RuleSource], new: [String: RuleSource])
    ) {
        let (old, new) = (oldFiles.reading, newFiles.reading)
        let (was, now) = (Grants(oldFiles.links), Grants(newFiles.links))
        websites = ListDifference(was.ofWebsites, now.ofWebsites)
        includes = ListDifference(oldFiles.links.missingIncludes, newFiles.links.missingIncludes)
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
            let grants = ListDifference(had.flatMap(\.grants), has.flatMap(\.grants))
            let keys = ListDifference(had.flatMap(\.keys), has.flatMap(\.keys))
            let told = (Set(grants.added + grants.removed), Set(keys.added + keys.removed))
            func ofKeys(_ all: Grants) -> [String] {
                (all.byPackage[package] ?? []).filter {
                    !told.0.contains($0.relation) && !told.1.contains($0.key)
                }.map { "the key \($0.key) may \($0.relation)" }
            }
            return App(
                package: package, isAdded: had.isEmpty, isRemoved: has.isEmpty,
                grants: grants, keys: keys,
                grantsOfKeys: ListDifference(ofKeys(was), ofKeys(now)),
                rules: isInBoth && ruled.contains(package)
                    ? comparisons.first { $0.appID == package } : nil)
        }
    }

    /// Whether anything changes.
    var isChanged: Bool {
        apps.contains(where: isChanged) || !websites.isEmpty || !includes.isEmpty
    }

    private func isChanged(_ app: App) -> Bool {
        app.isAdded || app.isRemoved || !app.grants.isEmpty || !app.keys.isEmpty
            || !app.grantsOfKeys.isEmpty || app.rules?.isSeen == true
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
            lines += app.grantsOfKeys.changes.map { "  \($0)" }
            let rules = app.rules?.lines(
                everything: "every link of its manifest, because it has no dynamic rules")
            return lines + (rules?.dropFirst() ?? [])
        } + otherChanges
    }

    /// The changes that are of no app.
    private var otherChanges: [String] {
        let advice = "give it with --include URL=FILE to see what its statements change"
        return websites.changes
            + includes.added.map { "the include of \($0) is new: \(advice)" }
            + includes.removed.map { "the include of \($0) is gone: \(advice)" }
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
                + app.grantsOfKeys.changes.map { "changes: \($0)" }
            return facts.map { ReviewEntry("\(name) \($0)") }
                + (app.rules?.entries("Android app") ?? [])
        } + otherChanges.map { ReviewEntry($0) }
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
                    ("keyRelations", app.grantsOfKeys.json),
                    ("rules", app.rules?.json ?? .null),
                ])
            })
    }
}

/// What an assetlinks.json allows as Google reads it, one relation at a time.
private struct Grants {
    private(set) var byPackage = [String: [(key: String, relation: String)]]()
    private(set) var ofWebsites = [String]()

    init(_ links: PublishedAssetLinks) {
        for statement in links.statements {
            switch statement.target {
            case .website(let origin):
                ofWebsites.append("the website \(origin) may \(statement.relation)")
            case .app(let package, let key):
                byPackage[package, default: []].append((key, statement.relation))
            }
        }
    }
}

extension ListDifference {
    /// The changes of sentences that say what may be done.
    fileprivate var changes: [String] {
        added + removed.map { $0.replacing(" may ", with: " may no longer ", maxReplacements: 1) }
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
