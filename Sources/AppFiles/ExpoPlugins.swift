private import Diagnostics
private import JSONSyntax

/// The plugins that make the projects of Expo's configurations in a checkout. Each that is not known may change what ships, and leaves both
/// systems open.
final class ExpoPlugins {
    private let files: BundleFiles
    private let names: Set<[UInt8]>
    private let packages: CheckoutPackages
    /// The packages of the disk that `package.json` beside a configuration names, by its directory.
    private var local = [String: Set<[UInt8]>]()

    /// The modules of Expo that bring plugins of Gradle, which Expo applies to apps for Android (expo-modules-autolinking).
    private(set) lazy var ofGradle: [UnreadSource] = files.names.lazy.filter { name in
        pathParts(name).last == "expo-module.config.json"
            && self.packages.json(name)?["android"]?["gradlePlugins"]?.elements?.isEmpty == false
    }.prefix(AppFileLimits.unreadMax).map { name in
        UnreadSource(
            name, "it has plugins of Gradle, programs that may change what ships", isRead: true)
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
            let fact = "\(KnownPlugins.unknown): \(enumerated(unknown.map(\.name)))"
            found.insert(UnreadSource(file, fact, isRead: true, at: first.place), at: 0)
        }
        return found
    }

    private enum Kind {
        case known
        /// A package of others of which nothing is known, or of which another one than that of a registry is here.
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
        if local(in: path).contains(Array(package.utf8)) { return .source(missing) }
        return KnownPlugins.areOfExpo(package) && !packages.isReplaced(package, in: path)
            ? .known : .unknown
    }

    /// The file of the checkout that a relative name means; nil if it has none.
    private func file(_ name: String, in path: String) -> String? {
        let endings = [""] + programEndings + programEndings.map { "/index\($0)" }
        return endings.lazy.compactMap { normalized("\(path)\(name)\($0)") }
            .first { self.names.contains(Array($0.utf8)) }
    }

    private func local(in path: String) -> Set<[UInt8]> {
        if let known = local[path] { return known }
        let root = packages.json("\(path)package.json")
        let found = Set(
            dependencyKeys.flatMap { root?[$0]?.members ?? [] }.filter {
                $0.value.text.flatMap(diskMark) != nil
            }.map { Array($0.key.utf8) })
        local[path] = found
        return found
    }
}
