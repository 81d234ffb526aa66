private import Diagnostics
private import JSONSyntax

/// The plugins of Expo's configurations in a checkout that are no packages of others: files of the checkout, and packages of its
/// workspaces. Each is a program that may change what ships, and leaves both systems open.
final class ExpoPlugins {
    private let files: BundleFiles
    private let names: Set<[UInt8]>
    private let packages: CheckoutPackages
    /// The packages that are of no registry by `package.json` beside a configuration, by its directory.
    private var local = [String: Set<[UInt8]>]()

    init(_ files: BundleFiles, _ names: Set<[UInt8]>, _ packages: CheckoutPackages) {
        (self.files, self.names, self.packages) = (files, names, packages)
    }

    /// - Parameters:
    ///   - plugins: the names in a configuration.
    ///   - path: its directory, with a slash behind it.
    func open(_ plugins: [String], in path: String) -> [UnreadSource] {
        var (found, seen) = ([UnreadSource](), Set<[UInt8]>())
        for plugin in Set(plugins).sorted() where found.count <= AppFileLimits.unreadMax {
            guard let source = source(of: plugin, in: path),
                seen.insert(Array(source.name.utf8)).inserted
            else { continue }
            found.append(source)
        }
        return found
    }

    /// The source of a plugin; nil for a package of others.
    private func source(of plugin: String, in path: String) -> UnreadSource? {
        let missing = UnreadSource(plugin, "the directory does not have this plugin of Expo")
        func own(_ file: String) -> UnreadSource {
            UnreadSource(
                file, "it is of a plugin of Expo, a program that may change what ships",
                isRead: true)
        }
        guard plugin.utf8.first != UInt8(ascii: ".") else {
            return file(plugin, in: path).map(own) ?? missing
        }
        let parts = pathParts(plugin)
        let package = parts.prefix(plugin.utf8.first == UInt8(ascii: "@") ? 2 : 1)
            .joined(separator: "/")
        if let found = packages.package(package) { return own("\(found.directory)package.json") }
        return localPackages(in: path).contains(Array(package.utf8)) ? missing : nil
    }

    /// The file of the checkout that a relative name means; nil if it has none.
    private func file(_ name: String, in path: String) -> String? {
        let endings = [""] + programEndings + programEndings.map { "/index\($0)" }
        return endings.lazy.compactMap { normalized("\(path)\(name)\($0)") }
            .first { self.names.contains(Array($0.utf8)) }
    }

    private func localPackages(in path: String) -> Set<[UInt8]> {
        if let known = local[path] { return known }
        let root = json("\(path)package.json")
        let used = ["dependencies", "devDependencies"].flatMap { root?[$0]?.members ?? [] }
        let found = Set(
            used.filter { package in
                ["file:", "link:", "portal:", "workspace:"].contains {
                    package.value.text?.utf8.starts(with: $0.utf8) == true
                }
            }.map { Array($0.key.utf8) })
        local[path] = found
        return found
    }

    private func json(_ name: String) -> JSONValue? {
        guard names.contains(Array(name.utf8)) else { return nil }
        return (try? files.open(name).readWhole()).flatMap { JSONDocument($0, file: name).root }
    }
}
