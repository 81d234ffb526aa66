private import Diagnostics
private import JSONSyntax

/// The plugins that make the projects of Expo's configurations in a checkout. Each that is not known may change what ships, and leaves both
/// systems open.
final class ExpoPlugins {
    private let files: BundleFiles
    private let names: Set<[UInt8]>
    private let packages: CheckoutPackages
    /// The content of `package.json` beside a configuration, by its directory.
    private var surroundings = [String: Surroundings]()

    /// The modules of Expo that bring plugins of Gradle, which Expo applies to apps for Android (expo-modules-autolinking).
    private(set) lazy var ofGradle: [UnreadSource] = files.names.lazy.filter { name in
        pathParts(name).last == "expo-module.config.json"
            && self.json(name)?["android"]?["gradlePlugins"]?.elements?.isEmpty == false
    }.prefix(AppFileLimits.unreadMax).map { name in
        UnreadSource(
            name, "it has plugins of Gradle, programs that may change what ships", isRead: true)
    }

    /// The packages that a configuration can name.
    private struct Surroundings {
        /// The packages of the disk, and those of other places than a registry.
        var (local, others) = (Set<[UInt8]>(), Set<[UInt8]>())
    }

    init(_ files: BundleFiles, _ names: Set<[UInt8]>, _ packages: CheckoutPackages) {
        (self.files, self.names, self.packages) = (files, names, packages)
    }

    /// - Parameters:
    ///   - plugins: those that a configuration names.
    ///   - file: that of the configuration.
    func open(
        _ plugins: [(name: String, place: TextPlace)], of file: String
    ) -> [UnreadSource] {
        let path = pathParts(file).dropLast().map { "\($0)/" }.joined()
        var (found, seen) = ([UnreadSource](), Set<[UInt8]>())
        var unknown = [(name: String, place: TextPlace)]()
        for plugin in plugins where found.count <= AppFileLimits.unreadMax {
            guard seen.insert(Array(plugin.name.utf8)).inserted else { continue }
            switch kind(of: plugin.name, in: path) {
            case .known: continue
            case .unknown: unknown.append(plugin)
            case .source(let source): if !found.contains(source) { found.append(source) }
            }
        }
        if let first = unknown.first {
            let fact = "it names plugins that are not known: \(enumerated(unknown.map(\.name)))"
            found.insert(UnreadSource(file, fact, isRead: true, at: first.place), at: 0)
        }
        return found
    }

    private enum Kind {
        case known
        /// A package of others of which nothing is known.
        case unknown
        case source(UnreadSource)
    }

    private func kind(of plugin: String, in path: String) -> Kind {
        let missing = UnreadSource(plugin, "the directory does not have this plugin of Expo")
        func own(_ file: String) -> Kind {
            .source(
                UnreadSource(
                    file, "it is of a plugin of Expo, a program that may change what ships",
                    isRead: true))
        }
        guard plugin.utf8.first != UInt8(ascii: ".") else {
            return file(plugin, in: path).map(own) ?? .source(missing)
        }
        let parts = pathParts(plugin)
        let package = parts.prefix(plugin.utf8.first == UInt8(ascii: "@") ? 2 : 1)
            .joined(separator: "/")
        if let found = packages.package(package) { return own("\(found.directory)package.json") }
        let around = surroundings(of: path)
        if around.local.contains(Array(package.utf8)) { return .source(missing) }
        let isOther = around.others.contains(Array(package.utf8))
        return KnownPlugins.areOfExpo(package) && !isOther ? .known : .unknown
    }

    /// The file of the checkout that a relative name means; nil if it has none.
    private func file(_ name: String, in path: String) -> String? {
        let endings = [""] + programEndings + programEndings.map { "/index\($0)" }
        return endings.lazy.compactMap { normalized("\(path)\(name)\($0)") }
            .first { self.names.contains(Array($0.utf8)) }
    }

    private func surroundings(of path: String) -> Surroundings {
        if let known = surroundings[path] { return known }
        let root = json("\(path)package.json")
        var found = Surroundings()
        for package in ["dependencies", "devDependencies"].flatMap({ root?[$0]?.members ?? [] }) {
            guard let spec = package.value.text?.utf8 else { continue }
            let key = Array(package.key.utf8)
            if ["file:", "link:", "portal:", "workspace:"].contains(where: {
                spec.starts(with: $0.utf8)
            }) {
                found.local.insert(key)
            } else if spec.contains(UInt8(ascii: "/"))
                || spec.contains(UInt8(ascii: ":")) && !spec.starts(with: "catalog:".utf8)
            {
                found.others.insert(key)
            }
        }
        surroundings[path] = found
        return found
    }

    private func json(_ name: String) -> JSONValue? {
        guard names.contains(Array(name.utf8)) else { return nil }
        return (try? files.open(name).readWhole()).flatMap { JSONDocument($0, file: name).root }
    }
}
