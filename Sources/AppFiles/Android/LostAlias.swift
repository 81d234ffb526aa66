/// An alias of an activity that is not in its manifest, with which Android refuses to install an app (AOSP,
/// `ParsedActivityUtils.parseActivityAlias`).
package struct LostAlias: Sendable {
    package enum Fault: Sendable {
        /// It names no activity.
        case unnamed
        case missing(String)
        /// The activity that it names stands behind it.
        case behind(String)
    }

    /// The name of the alias, as it is written.
    package let name: String
    package let fault: Fault
    package let place: TextPlace
    /// The name by which another manifest can have what lacks: that of the activity, or of the alias itself.
    private let wanted: ComponentName

    /// Whether another manifest may have what lacks.
    func isFound(in names: ActivityNames) -> Bool {
        if case .unnamed = fault {
            names.aliases.contain(wanted)
        } else {
            names.all.contain(wanted)
        }
    }

    /// The lost aliases of an application, of which the first are enough for a verdict.
    /// - Parameter package: that of names without their own; nil if it is not known.
    static func all(
        in application: XMLNode, _ kind: AndroidDeclaration.Kind, package: String?
    ) -> [LostAlias] {
        guard application.children.contains(where: \.isAlias) else { return [] }
        var found = [LostAlias]()
        var before = ActivityNames()
        for node in application.children where node.isActivity {
            if let alias = LostAlias(node, behind: before, package),
                kind == .binary || alias.isOfOwn(package)
            {
                found.append(alias)
            }
            before.insert(node, in: package)
        }
        found = found.compactMap { alias -> LostAlias? in
            guard case .missing(let target) = alias.fault, alias.isFound(in: before) else {
                return alias
            }
            // The merger of Gradle puts aliases behind their activities.
            return kind == .source ? nil : LostAlias(alias, .behind(target))
        }
        return Array(found.prefix(AppFileLimits.lostAliasesMax))
    }

    /// Nil for an activity, and for an alias of one that stands before it or is filled in.
    private init?(_ node: XMLNode, behind names: ActivityNames, _ package: String?) {
        guard node.isAlias else { return nil }
        name = node.android("name")?.value ?? ""
        guard let target = node.android("targetActivity") else {
            (fault, place) = (.unnamed, node.place)
            wanted = ComponentName(name, in: package)
            return
        }
        (fault, place) = (.missing(target.value), target.place)
        wanted = ComponentName(target.value, in: package)
        if target.isFilledIn || names.all.contain(wanted) { return nil }
    }

    private init(_ other: LostAlias, _ fault: Fault) {
        (name, place, wanted) = (other.name, other.place, other.wanted)
        self.fault = fault
    }

    /// Whether what lacks is of the manifest's own package, as far as that is known: libraries can have others.
    private func isOfOwn(_ package: String?) -> Bool {
        switch wanted {
        case .relative: true
        case .whole(let bytes): package.map { bytes.starts(with: "\($0).".utf8) } ?? false
        case .last: false
        }
    }
}

/// The names of the activities of manifests.
struct ActivityNames {
    /// Those of activities and aliases: an alias can be of another one.
    private(set) var all = ComponentNames()
    /// Those of aliases that name an activity.
    private(set) var aliases = ComponentNames()

    init() {}

    /// Adds an activity or an alias.
    mutating func insert(_ node: XMLNode, in package: String?) {
        guard let name = node.android("name")?.value else { return }
        let component = ComponentName(name, in: package)
        all.insert(component)
        if node.isAlias, node.android("targetActivity") != nil { aliases.insert(component) }
    }

    /// Those of some manifests; nil if one cannot be read.
    init?(of manifests: some Sequence<String>, _ files: BundleFiles) {
        for name in manifests {
            guard let root = try? XMLReader.read(files.open(name).readWhole()) else { return nil }
            let package = root.plain("package")?.value
            for application in root.children where application.name == "application" {
                for node in application.children where node.isActivity { insert(node, in: package) }
            }
        }
    }
}
