private import Diagnostics

/// The use of an entitlements file by a target of an Xcode project.
package struct XcodeUse: Sendable {
    /// For Expo, which makes the project, its name.
    package let target: String
    /// The directory of the project within the checkout; empty for Expo and Cordova, too.
    package internal(set) var project = ""
    /// Those for releases; none of Expo.
    package var configurations: [String]
    /// Nil where only a build knows it.
    package let bundleIdentifier: String?
    /// `DEVELOPMENT_TEAM`, which most App IDs have as their prefix.
    package let team: String?
    /// The file of settings that is not in the checkout, and that may have the bundle identifier or the team; nil if there
    /// is none.
    package internal(set) var missingFile: String?
    /// The bundle identifiers of the other apps that releases of the target are, such as those of flavours.
    package internal(set) var others = [String]()
    /// The bundle identifiers of the releases of all applications of the project.
    package internal(set) var siblings = Set<[UInt8]>()
    /// Whether it is the build for another system, such as that of Mac Catalyst.
    package internal(set) var isOfOtherSystem = false
    /// Whether it is for Macs: of macOS, or of Mac Catalyst.
    package internal(set) var isForMac = false
    /// Whether it is for watches, televisions or visionOS alone, whose apps seldom have links.
    package internal(set) var isOfOtherDevice = false
    /// Whether plugins can add to what the app declares, as those of Cordova do.
    package internal(set) var hasPlugins = false
    /// Whether the target is an app or an App Clip, and no extension.
    package internal(set) var isOfApp = false
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
    /// A project that was not read, and its directory.
    typealias Unread = (directory: String, source: UnreadSource)

    let projects: [XcodeProject]
    private let unread: [Unread]

    init(_ projects: [XcodeProject], unread: [Unread]) {
        (self.projects, self.unread) = (projects, unread)
    }

    /// The entitlements files that they name, whatever they are called, in lower case, as the disks of Macs compare names.
    var entitlementsFiles: Set<[UInt8]> {
        projects.reduce(into: []) { $0.formUnion($1.entitlementsFiles) }
    }

    /// The declarations that releases make of an entitlements file: one for each app that differs. None for a
    /// file that only other builds use.
    /// - Parameter read: reads another entitlements file; nil if it cannot be read.
    func declarations(
        of source: AppleDeclaration, in path: String, read: (String) -> AppleDeclaration?
    ) -> [AppleDeclaration] {
        let named = projects.map { $0.configurations(naming: path) }
        guard named.contains(where: { !$0.isEmpty }) else { return [unused(source, in: path)] }
        let users = zip(projects, named).filter { $0.1.contains { $0.uses(path) } }.map(\.0)
        let releases = users.flatMap { $0.releases(of: source, in: path, read: read) }
        let isOfOthers = named.contains { $0.contains { $0.usesElsewhere(path) } }
        guard releases.isEmpty, !isOfOthers, case .list = source.domains,
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
        let lost = unread.filter { encloses($0.directory) }.map(\.source)
        var declaration = source
        declaration.unread = own.flatMap(\.unread) + lost
        if !own.isEmpty, own.allSatisfy(\.isKnown), lost.isEmpty {
            let needs = own.contains(where: \.hasBareApp)
            declaration.unused = needs ? .whileAnAppHasNone : .whileAllHaveOthers
        }
        return declaration
    }
}

extension XcodeProject {
    /// Whether an app has an entitlements file in other builds, and none in its release.
    fileprivate func hasBareRelease(ofUsersOf path: String) -> Bool {
        let targets = Set(
            configurations(naming: path).filter { $0.uses(path) }.map { Array($0.target.utf8) })
        return targets.contains { configurationsByTarget[$0]?.contains(where: \.isBare) == true }
    }

    fileprivate func releases(
        of source: AppleDeclaration, in path: String, read: (String) -> AppleDeclaration?
    ) -> [AppleDeclaration] {
        let isMissing = if case .missing = source.domains { true } else { false }
        let users = configurations(naming: path).filter {
            $0.isRelease && $0.uses(path)
                && !(isMissing && ($0.isForMac || !$0.usesItself(path) && !$0.usesOnMac(path)))
        }
        let builds = users.flatMap { user in user.builds(with: path).map { (user, $0) } }
        let own = source.names
        var differing = [String: Bool]()
        return apps(builds, source, of: path, around: read).map { app in
            let debug = configurations(ofTargetOf: app).first { other in
                other.isDebug && !other.uses(path)
                    && other.bundleIdentifier.text == app.use?.bundleIdentifier
            }
            var app = app
            guard let other = debug?.entitlements.text, let own else { return app }
            let isOther =
                differing[other] ?? read(other)?.names.map { own.differ(from: $0) } ?? false
            differing[other] = isOther
            if isOther { app.use?.otherInDebug = other }
            return app
        }
    }

    /// The apps whose releases have no entitlements, so that they declare nothing.
    var bareApps: [AppleDeclaration] {
        let builds = configurations.compactMap { configuration -> (Configuration, Build)? in
            if configuration.isBare { return (configuration, .usual) }
            return configuration.isBareOnMac ? (configuration, .catalyst) : nil
        }
        return apps(
            builds, AppleDeclaration(PropertyList(.dictionary([:])), kind: .entitlements))
    }

    /// The apps of which the project does not say which entitlements their releases have.
    var openApps: [AppleDeclaration] {
        let builds = configurations.filter {
            $0.isAppOrClip && $0.isRelease && !$0.isForMac && $0.entitlements == .open
        }.map { ($0, Build.usual) }
        let bare = AppleDeclaration(PropertyList(.dictionary([:])), kind: .entitlements)
        return apps(builds, bare).map { app in
            var app = app
            app.isOpen = true
            return app
        }
    }

    /// The configurations of the target that uses a file.
    private func configurations(ofTargetOf app: AppleDeclaration) -> [Configuration] {
        app.use.flatMap { configurationsByTarget[Array($0.target.utf8)] } ?? []
    }

    /// The apps whose releases name a file that the checkout does not have.
    func appsWithoutFile(_ isMissing: (String) -> Bool) -> [AppleDeclaration] {
        let bare = AppleDeclaration(PropertyList(.dictionary([:])), kind: .entitlements)
        let users = configurations.filter { $0.isAppOrClip && $0.isRelease && !$0.isForMac }
        var found = [AppleDeclaration]()
        for build in [Build.usual, .catalyst] {
            let lost = users.filter { $0.namesItsOwn(in: build).map(isMissing) == true }
            let byTarget = Dictionary(grouping: lost) { Array($0.target.utf8) }
            found += apps(lost.map { ($0, build) }, bare).map { app in
                var app = app
                app.lostFile =
                    byTarget[Array((app.use?.target ?? "").utf8)]?.first { user in
                        app.use?.configurations.contains(where: user.name.isScalarwise) == true
                    }?.namesItsOwn(in: build)
                return app
            }
        }
        return found
    }

    /// The declarations that configurations make of one file, each once.
    /// - Parameters:
    ///   - path: that of the file; empty for none.
    ///   - read: reads the entitlements of the apps that App Clips are in.
    private func apps(
        _ builds: [(Configuration, Build)], _ source: AppleDeclaration, of path: String = "",
        around read: (String) -> AppleDeclaration? = { _ in nil }
    ) -> [AppleDeclaration] {
        var found = [(app: AppleDeclaration, form: Int?, bundleIdentifier: String?)]()
        let forms = forms(of: source, in: path)
        // Those of one target, of which there are few.
        var numbers = [[UInt8]: [Int]]()
        for (configuration, build) in builds {
            var new = source.used(by: configuration, in: build)
            new.use?.project = directory
            new.use?.siblings = applications
            if path.isEmpty { new.place = configuration.place }
            let form = forms?.form(configuration.settings(in: build))
            if let form { new.domains = .list(form.domains) }
            new.unread = unread + (forms?.isOpen == true ? [DomainForms.tooMany(in: path)] : [])
            new.enclosing = app(around: configuration).map { enclosing($0, read) }
            let target = Array(configuration.target.utf8)
            let index = numbers[target]?.first { index in
                found[index].form == form?.number && found[index].app.isSameApp(as: new)
            }
            if let index {
                found[index].app.use?.configurations.append(configuration.name)
                if build == .usual {
                    found[index].app.use?.isOfOtherSystem = false
                    found[index].app.use?.isForMac = configuration.isForMac
                }
            } else {
                numbers[target, default: []].append(found.count)
                found.append((new, form?.number, configuration.bundleIdentifier.text))
            }
        }
        return found.map { app, _, usual in
            var app = app
            // The build for a Mac is of the same flavour as that of its configuration for iOS.
            let others = configurations(ofTargetOf: app).filter { other in
                other.isRelease && other.bundleIdentifier.text != usual
            }
            app.use?.others = others.flatMap(\.bundleIdentifiers)
            return app
        }
    }

    /// The lists that configurations make of a file's domains; nil if it has no list.
    private func forms(of source: AppleDeclaration, in path: String) -> DomainForms? {
        guard case .list(let domains) = source.domains else { return nil }
        return memory.forms(of: domains, in: path)
    }

    /// An app as its App Clips see it.
    /// - Parameter read: reads its entitlements.
    private func enclosing(
        _ app: Configuration, _ read: (String) -> AppleDeclaration?
    ) -> AppleDeclaration.Enclosing {
        let key = [app.target, app.name]
        if let known = memory.enclosing[key] { return known }
        var hosts: Set<String>?
        switch app.entitlements {
        case .absent: hosts = []
        case .open: hosts = nil
        case .known(let path):
            guard let source = read(path) else { break }
            if let forms = forms(of: source, in: path) {
                hosts = forms.hostsOfClips(forms.form(app.settings))
            } else if case .missing = source.domains {
                hosts = []
            }
        }
        let found = AppleDeclaration.Enclosing(
            applicationIdentifier: nil, bundleIdentifier: app.bundleIdentifier.text,
            hostsOfClips: hosts)
        memory.enclosing[key] = found
        return found
    }

    /// A build of a configuration.
    fileprivate enum Build {
        case usual
        case catalyst
        /// That of another system, such as visionOS.
        case other
    }
}

/// Whether two paths are of one file on a Mac, whose disks ignore letter case.
private func isSameFile(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one.lowercased().isScalarwise(other.lowercased())
}

extension XcodeProject.Configuration {
    fileprivate func uses(_ path: String) -> Bool {
        usesItself(path) || usesElsewhere(path) || usesOnMac(path)
    }

    /// Whether builds for iOS use a file.
    fileprivate func usesItself(_ path: String) -> Bool {
        entitlements.text.map { isSameFile($0, path) } ?? false
    }

    /// Whether builds for Mac Catalyst use a file.
    fileprivate func usesOnMac(_ path: String) -> Bool {
        catalyst?.entitlements.text.map { isSameFile($0, path) } ?? false
    }

    /// The builds that use a file. That of Mac Catalyst with the identifier of the usual one is the same app.
    fileprivate func builds(with path: String) -> [XcodeProject.Build] {
        guard usesItself(path) else { return [usesOnMac(path) ? .catalyst : .other] }
        let isSame = catalyst?.bundleIdentifier == bundleIdentifier
        return usesOnMac(path) && !isSame ? [.usual, .catalyst] : [.usual]
    }

    /// The file that a build names; nil if it has none, or if the usual one has the same.
    fileprivate func namesItsOwn(in build: XcodeProject.Build) -> String? {
        guard build == .catalyst else { return entitlements.text }
        let path = catalyst?.entitlements.text
        return path == entitlements.text ? nil : path
    }

    /// Whether the build for Mac Catalyst has no entitlements, although the usual one has.
    fileprivate var isBareOnMac: Bool {
        isAppOrClip && isRelease && !isForMac && catalyst?.entitlements == .absent
            && entitlements != .absent
    }

    /// The bundle identifiers of its builds.
    fileprivate var bundleIdentifiers: [String] {
        [bundleIdentifier.text, catalyst?.bundleIdentifier.text].compactMap(\.self)
    }

    /// Whether builds for other systems use a file.
    fileprivate func usesElsewhere(_ path: String) -> Bool {
        otherEntitlements.contains { entry in
            entry.text.map { isSameFile($0, path) } == true
        }
    }

    /// The settings of a build.
    fileprivate func settings(in build: XcodeProject.Build) -> BuildSettings {
        (build == .catalyst ? catalyst?.settings : nil) ?? settings
    }

    /// Whether it is the release of an app or App Clip without entitlements.
    var isBare: Bool {
        isAppOrClip && isRelease && !isForMac && entitlements == .absent
    }

    fileprivate var isAppOrClip: Bool { isApp || isClip }
}

extension AppleDeclaration {
    /// Domains as devices in developer mode see them, and as all others do.
    fileprivate struct Names {
        var ofAll = Set<String>()
        var ofDevelopers = Set<String>()

        /// Whether one declares a domain that the other has not at all. The mode for developers may differ.
        func differ(from other: Names) -> Bool {
            !ofAll.isSubset(of: other.ofDevelopers) || !other.ofAll.isSubset(of: ofDevelopers)
        }
    }

    /// The domains without the mode for developers; nil if it has no list.
    fileprivate var names: Names? {
        guard case .list(let domains) = domains else {
            if case .missing = domains { return Names() }
            return nil
        }
        var names = Names()
        for domain in domains {
            let mode = ["?mode=developer", "?mode=developer+managed"].first { mode in
                domain.text.utf8.suffix(mode.utf8.count).elementsEqual(mode.utf8)
            }
            let rest = String(Substring(domain.text.utf8.dropLast(mode?.utf8.count ?? 0)))
            names.ofDevelopers.insert(rest)
            if mode == nil { names.ofAll.insert(rest) }
        }
        return names
    }

    /// The declaration as a configuration builds it, but for the domains.
    fileprivate func used(
        by configuration: XcodeProject.Configuration, in build: XcodeProject.Build
    ) -> AppleDeclaration {
        var declaration = self
        let catalyst = build == .catalyst ? configuration.catalyst : nil
        let settings = configuration.settings(in: build)
        let team = settings.value("DEVELOPMENT_TEAM").text
        declaration.use = XcodeUse(
            target: configuration.target, configurations: [configuration.name],
            bundleIdentifier: catalyst.map(\.bundleIdentifier.text)
                ?? configuration.bundleIdentifier.text,
            team: team.flatMap { $0.isEmpty ? nil : $0 })
        declaration.use?.missingFile =
            ["PRODUCT_BUNDLE_IDENTIFIER", "DEVELOPMENT_TEAM"].lazy
            .compactMap(settings.missingFile).first
        declaration.use?.isOfOtherSystem = build != .usual
        declaration.use?.isForMac = configuration.isForMac || build == .catalyst
        declaration.use?.isOfApp = configuration.isAppOrClip
        declaration.use?.isOfOtherDevice = configuration.isForOtherDevice
        if configuration.isClip { declaration.isClip = true }
        declaration.parents = parents.map { parent in
            let prefix = Self.prefixVariables.first { parent.utf8.starts(with: $0.utf8) } ?? ""
            let rest = String(Substring(parent.utf8.dropFirst(prefix.utf8.count)))
            return prefix + (settings.expanded(rest) ?? rest)
        }
        return declaration
    }

    fileprivate func isSameApp(as other: AppleDeclaration) -> Bool {
        use?.target == other.use?.target && use?.team == other.use?.team
            && use?.bundleIdentifier == other.use?.bundleIdentifier
    }
}
