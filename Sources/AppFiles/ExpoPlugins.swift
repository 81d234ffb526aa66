private import Diagnostics
private import JSONSyntax

/// The plugins of Expo's configurations in a checkout that are no packages of others, as far as they may change the links of a
/// system: files of the checkout, and packages of its workspaces. Each file is read once.
final class ExpoPlugins {
    typealias Found = (ios: [UnreadSource], android: [UnreadSource])

    private let files: BundleFiles
    private let names: Set<[UInt8]>
    /// The directories of the packages by their names, with slashes behind them.
    private lazy var packages = findPackages()
    /// The programs below directories of packages.
    private var programs = [String: [String]]()
    /// The systems whose links programs are about; an inner nil for one that cannot be read.
    private var judged = [String: (ios: Bool, android: Bool)?]()

    init(_ files: BundleFiles, _ names: Set<[UInt8]>) { (self.files, self.names) = (files, names) }

    /// - Parameters:
    ///   - plugins: the names in a configuration.
    ///   - path: its directory, with a slash behind it.
    func open(_ plugins: [String], in path: String) -> Found {
        var found: Found = ([], [])
        func add(_ source: UnreadSource, _ about: (ios: Bool, android: Bool) = (true, true)) {
            if about.ios { found.ios.append(source) }
            if about.android { found.android.append(source) }
        }
        let missing = "the directory does not have this plugin of Expo"
        for plugin in Set(plugins).sorted() {
            guard let sources = sources(of: plugin, in: path) else {
                add(UnreadSource(plugin, missing))
                continue
            }
            for name in sources {
                if let about = about(name) {
                    let fact = "it is a plugin of Expo about links, which runs"
                    add(UnreadSource(name, fact, isRead: true), about)
                } else {
                    add(UnreadSource(name, "it is a plugin of Expo that cannot be read"))
                }
            }
        }
        let most = AppFileLimits.unreadMax + 1
        return (Array(found.ios.prefix(most)), Array(found.android.prefix(most)))
    }

    /// The programs of a plugin; none for a package of others, and nil for a file or package that the checkout lacks.
    private func sources(of plugin: String, in path: String) -> [String]? {
        guard plugin.utf8.first != UInt8(ascii: ".") else {
            return endings.lazy.compactMap { normalized("\(path)\(plugin)\($0)") }
                .first { self.names.contains(Array($0.utf8)) }.map { [$0] }
        }
        let parts = pathParts(plugin)
        let package = parts.prefix(plugin.utf8.first == UInt8(ascii: "@") ? 2 : 1)
            .joined(separator: "/")
        if let directories = packages[package] { return directories.flatMap(programs(in:)) }
        let used = json("\(path)package.json")
        let version =
            ["dependencies", "devDependencies"].lazy
            .compactMap { used?[$0]?[package]?.text }.first ?? ""
        let isLocal = ["file:", "link:", "portal:", "workspace:"].contains {
            version.utf8.starts(with: $0.utf8)
        }
        return isLocal ? nil : []
    }

    private func findPackages() -> [String: [String]] {
        var found = [String: [String]]()
        for name in files.names where pathParts(name).last == "package.json" {
            guard let package = json(name)?["name"]?.text else { continue }
            let directory = name.utf8.dropLast("package.json".utf8.count)
            found[package, default: []].append(String(decoding: directory, as: UTF8.self))
        }
        return found
    }

    private func programs(in directory: String) -> [String] {
        if let known = programs[directory] { return known }
        let found = files.names.filter { name in
            name.utf8.starts(with: directory.utf8)
                && programEndings.contains { ending in
                    name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
                }
        }
        programs[directory] = found
        return found
    }

    private func json(_ name: String) -> JSONValue? {
        guard names.contains(Array(name.utf8)) else { return nil }
        return (try? files.open(name).readWhole()).flatMap { JSONDocument($0, file: name).root }
    }

    /// The systems whose links a program is about; nil if it cannot be read.
    private func about(_ name: String) -> (ios: Bool, android: Bool)? {
        if let known = judged[name] { return known }
        let text = (try? files.open(name).readWhole()).map(withoutCommentLines)
        let found = text.map { text in
            (
                ios: holds("ssociatedDomain", in: text) || holds("ssociated-domain", in: text)
                    || holds("applinks", in: text),
                android: holds("ntentFilter", in: text) || holds("ntent-filter", in: text)
            )
        }
        judged[name] = .some(found)
        return found
    }
}

private let endings = [""] + programEndings + programEndings.map { "/index\($0)" }
