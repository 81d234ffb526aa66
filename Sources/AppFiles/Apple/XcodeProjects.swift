private import Diagnostics

/// The use of an entitlements file by a target of an Xcode project.
package struct XcodeUse: Sendable {
    /// For Expo, which makes the project, its name.
    package let target: String
    /// Those for releases; none of Expo.
    package var configurations: [String]
    /// Nil where only a build knows it.
    package let bundleIdentifier: String?
    /// `DEVELOPMENT_TEAM`, which most App IDs have as their prefix.
    package let team: String?
    /// The entitlements of debug builds of the same app, if they have other domains.
    package var otherInDebug: String?

    /// The target and its configurations, for people.
    package var description: String {
        configurations.isEmpty
            ? target : "target \(target), \(configurations.joined(separator: ", "))"
    }
}

/// The Xcode projects of a checkout.
struct XcodeProjects {
    private let projects: [XcodeProject]
    /// The directories of projects that could not be read.
    private let unread: [String]

    init(_ projects: [XcodeProject], unread: [String]) {
        (self.projects, self.unread) = (projects, unread)
    }

    /// The declarations that releases make of an entitlements file: one for each app that differs. None for a
    /// file that only other builds use.
    /// - Parameter domains: the domains of another entitlements file; nil if it cannot be read.
    func declarations(
        of source: AppleDeclaration, in path: String, domains: (String) -> [String]?
    ) -> [AppleDeclaration] {
        let users = projects.filter { $0.configurations.contains { $0.uses(path) } }
        guard !users.isEmpty else { return [unused(source, in: path)] }
        let releases = users.flatMap { $0.releases(of: source, in: path, domains: domains) }
        guard releases.isEmpty, case .list = source.domains,
            users.contains(where: { $0.hasBareRelease(ofUsersOf: path) })
        else { return releases }
        var declaration = source
        declaration.unused = .whileItsReleaseHasNone
        return [declaration]
    }

    /// A file that no configuration names, if that is known.
    private func unused(_ source: AppleDeclaration, in path: String) -> AppleDeclaration {
        func encloses(_ directory: String) -> Bool {
            directory.isEmpty || path.utf8.starts(with: "\(directory)/".utf8)
        }
        let own = projects.filter { encloses($0.directory) }
        var declaration = source
        if !own.isEmpty, own.allSatisfy(\.isKnown), !unread.contains(where: encloses) {
            let needs = own.flatMap(\.configurations).contains {
                $0.isBare
            }
            declaration.unused = needs ? .whileAnAppHasNone : .whileAllHaveOthers
        }
        return declaration
    }
}

extension XcodeProject {
    /// Whether an app has an entitlements file in other builds, and none in its release.
    fileprivate func hasBareRelease(ofUsersOf path: String) -> Bool {
        let targets = configurations.filter { $0.uses(path) }.map(\.target)
        return configurations.contains { configuration in
            configuration.isBare && targets.contains(where: configuration.target.isScalarwise)
        }
    }

    fileprivate func releases(
        of source: AppleDeclaration, in path: String, domains: (String) -> [String]?
    ) -> [AppleDeclaration] {
        let isMissing = if case .missing = source.domains { true } else { false }
        let users = configurations.filter {
            $0.isRelease && $0.uses(path) && !(isMissing && $0.isForMac)
        }
        return apps(users, source).map { app in
            let debug = configurations.first { other in
                other.isDebug && other.target == app.use?.target && !other.uses(path)
                    && other.bundleIdentifier == app.use?.bundleIdentifier
            }
            guard let other = debug?.entitlements.text, let own = source.domainNames,
                let others = domains(other), Set(own) != Set(others)
            else { return app }
            var app = app
            app.use?.otherInDebug = other
            return app
        }
    }

    /// The apps whose releases have no entitlements, so that they declare nothing.
    var bareApps: [AppleDeclaration] {
        apps(
            configurations.filter(\.isBare),
            AppleDeclaration(PropertyList(.dictionary([:])), kind: .entitlements))
    }

    /// The apps whose releases name a file that the checkout does not have.
    func appsWithoutFile(_ isMissing: (String) -> Bool) -> [AppleDeclaration] {
        let bare = AppleDeclaration(PropertyList(.dictionary([:])), kind: .entitlements)
        let users = configurations.filter { configuration in
            guard configuration.isApp, configuration.isRelease, !configuration.isForMac,
                let path = configuration.entitlements.text
            else { return false }
            return isMissing(path)
        }
        return apps(users, bare).map { app in
            var app = app
            app.lostFile =
                users.first { user in
                    user.target == app.use?.target
                        && app.use?.configurations.contains(where: user.name.isScalarwise) == true
                }?.entitlements.text
            return app
        }
    }

    /// The declarations that configurations make of one file, each once.
    private func apps(
        _ configurations: [Configuration], _ source: AppleDeclaration
    ) -> [AppleDeclaration] {
        var found = [AppleDeclaration]()
        for configuration in configurations {
            let new = source.used(by: configuration)
            if let index = found.firstIndex(where: { $0.isSameApp(as: new) }) {
                found[index].use?.configurations.append(configuration.name)
            } else {
                found.append(new)
            }
        }
        return found
    }
}

/// Whether two paths are of one file on a Mac, whose disks ignore letter case.
private func isSameFile(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one.lowercased().isScalarwise(other.lowercased())
}

extension XcodeProject.Configuration {
    fileprivate func uses(_ path: String) -> Bool {
        entitlements.text.map { isSameFile($0, path) } ?? false
    }

    /// Whether it is an app's release without entitlements.
    fileprivate var isBare: Bool {
        isApp && isRelease && !isForMac && entitlements == .absent
    }

    fileprivate var bundleIdentifier: String? { settings.value("PRODUCT_BUNDLE_IDENTIFIER").text }
}

extension AppleDeclaration {
    /// The domains without those for developers; nil if it has no list.
    var domainNames: [String]? {
        guard case .list(let domains) = domains else {
            if case .missing = domains { return [] }
            return nil
        }
        return domains.map(\.text).filter { !$0.utf8.contains(UInt8(ascii: "?")) }
    }

    /// The declaration as a configuration builds it.
    fileprivate func used(by configuration: XcodeProject.Configuration) -> AppleDeclaration {
        var declaration = self
        let team = configuration.settings.value("DEVELOPMENT_TEAM").text
        declaration.use = XcodeUse(
            target: configuration.target, configurations: [configuration.name],
            bundleIdentifier: configuration.bundleIdentifier,
            team: team.flatMap { $0.isEmpty ? nil : $0 })
        if case .list(let domains) = domains {
            declaration.domains = .list(
                domains.map { domain in
                    Domain(
                        text: configuration.settings.expanded(domain.text) ?? domain.text,
                        place: domain.place)
                })
        }
        return declaration
    }

    fileprivate func isSameApp(as other: AppleDeclaration) -> Bool {
        use?.target == other.use?.target && use?.team == other.use?.team
            && use?.bundleIdentifier == other.use?.bundleIdentifier
            && domainNames == other.domainNames
    }
}
