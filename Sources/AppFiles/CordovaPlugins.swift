/// The plugins of Cordova's projects, as far as they may change links: those of a checkout, each of which is read once, and those of
/// which nothing is known.
final class CordovaPlugins {
    private let files: [String]
    private let names: Set<[UInt8]>
    private let bytes: (String) -> [UInt8]?
    /// The directories of plugins that stand in `plugins` of a project, by that of the project.
    private lazy var installed = findInstalled()
    private let packages: CheckoutPackages
    /// The plugins by their directories.
    private var read = [[UInt8]: CordovaPlugin]()

    /// - Parameters:
    ///   - files: the names of all files.
    ///   - names: the same.
    ///   - packages: those of the checkout.
    ///   - bytes: those of a file; nil if it cannot be read, or is not there.
    init(
        _ files: [String], _ names: Set<[UInt8]>, _ packages: CheckoutPackages,
        _ bytes: @escaping (String) -> [UInt8]?
    ) {
        (self.files, self.names, self.packages, self.bytes) = (files, names, packages, bytes)
    }

    /// The changes of a project's plugins, and of those that it names by a path where the checkout has nothing.
    func changes(_ widget: XMLNode, _ project: CordovaConfiguration.Project) -> CordovaChanges {
        var (changes, variables) = (CordovaChanges(), project.variables)
        for node in widget.children where node.name == "plugin" { variables.add(valuesOf: node) }
        changes.add(ofPlatforms(widget, project))
        // What such plugins depend on stands beside them.
        let installed = installed[Array(project.directory.utf8), default: []]
        var directories = installed
        for package in CordovaConfiguration.plugins(of: widget) + project.packages {
            guard let found = found(package, in: [project.directory]) else {
                if package.mayBePlugin { changes.add(Self.lost(package)) }
                continue
            }
            directories += found
        }
        changes.add(unknown(CordovaConfiguration.plugins(of: widget), project, variables))
        var (seen, next, left) = (Set<[UInt8]>(), 0, Self.dependenciesMax)
        while next < directories.count {
            let directory = directories[next]
            next += 1
            guard seen.insert(Array(directory.utf8)).inserted else { continue }
            let plugin = plugin(in: directory)
            changes.add(plugin.changes(variables))
            guard next > installed.count else { continue }
            for package in plugin.dependencies {
                left -= 1
                guard left >= 0 else {
                    if left == -1 { changes.add(Self.limit) }
                    break
                }
                guard let found = found(package, in: [directory, "\(directory)../", ""]) else {
                    changes.add(Self.lost(package))
                    break
                }
                directories += found
            }
        }
        return changes
    }

    /// Those of the plugins of a project.
    private static let dependenciesMax = 256

    private static let limit = CordovaChanges([
        UnreadSource(
            "plugin.xml",
            "plugins of Cordova have more than \(dependenciesMax) dependencies, of which no others are looked at"
        )
    ])

    private static func lost(_ package: CordovaPackage) -> CordovaChanges {
        CordovaChanges([
            UnreadSource(package.name, "the directory does not have this plugin of Cordova")
        ])
    }

    /// The plugins of a project that are neither known nor in the checkout.
    private func unknown(
        _ named: [CordovaPackage], _ project: CordovaConfiguration.Project,
        _ variables: CordovaVariables
    ) -> CordovaChanges {
        var seen = Set<[UInt8]>()
        let unknown = (named + project.plugins).filter { plugin in
            let name = plugin.nameAndVersion.name
            return !plugin.isNamedByPath && packages.package(plugin.name) == nil
                && plugin.directory(from: project.directory).map({ has("\($0)plugin.xml") }) != true
                && !has("\(project.directory)plugins/\(name)/plugin.xml")
                && (!KnownPlugins.isOfCordova(plugin, hasWebSchemes: !variables.ofWeb.isEmpty)
                    || packages.isReplaced(name, in: project.directory))
                && seen.insert(Array(name.utf8)).inserted
        }
        guard !unknown.isEmpty else { return CordovaChanges() }
        let names = enumerated(unknown.map(\.nameAndVersion.name))
        let fact = "\(KnownPlugins.unknown): \(names)"
        let file = named.isEmpty ? "package.json" : "config.xml"
        return CordovaChanges([UnreadSource(project.directory + file, fact, isRead: true)])
    }

    /// The platforms that are the project's own, each of which is a program that makes the projects of a system.
    private func ofPlatforms(
        _ widget: XMLNode, _ project: CordovaConfiguration.Project
    ) -> CordovaChanges {
        var changes = CordovaChanges()
        for package in CordovaConfiguration.engines(of: widget) + project.packages {
            let directory = package.directory(from: project.directory)
            guard package.isNamedByPath || directory.map({ has("\($0)package.json") }) == true
            else { continue }
            let fact = "it makes the project, and it is no platform of Cordova that is known"
            let source = UnreadSource(package.name, fact, isRead: true)
            switch package.name {
            case "android", "cordova-android": changes.add(CordovaChanges(ofManifest: source))
            case "ios", "cordova-ios": changes.add(CordovaChanges(ofEntitlements: source))
            default: continue
            }
        }
        return changes
    }

    /// The directories of a plugin; nil if it is named by a path, and the checkout has nothing there.
    /// - Parameter bases: the directories from which the path can lead.
    private func found(_ package: CordovaPackage, in bases: [String]) -> [String]? {
        let paths = bases.compactMap(package.directory(from:))
        if let path = paths.first(where: { has("\($0)plugin.xml") }) { return [path] }
        if let found = packages.package(package.name) { return found.plugins }
        let isThere = paths.contains { has("\($0)package.json") }
        return package.isNamedByPath && !isThere ? nil : []
    }

    private func has(_ name: String) -> Bool { names.contains(Array(name.utf8)) }

    private func plugin(in directory: String) -> CordovaPlugin {
        let key = Array(directory.utf8)
        let found = read[key] ?? CordovaPlugin(bytes("\(directory)plugin.xml"), in: directory)
        read[key] = found
        return found
    }

    /// The name of such a directory can have a scope before it, as that of a package has.
    private func findInstalled() -> [[UInt8]: [String]] {
        var found = [[UInt8]: [String]]()
        for name in files {
            var parts = pathParts(name)[...]
            guard parts.popLast() == "plugin.xml", parts.popLast() != nil else { continue }
            if parts.last?.utf8.first == UInt8(ascii: "@") { parts.removeLast() }
            guard parts.popLast() == "plugins" else { continue }
            found[Array(parts.map { "\($0)/" }.joined().utf8), default: []].append(
                String(Substring(name.utf8.dropLast("plugin.xml".utf8.count))))
        }
        return found
    }
}
