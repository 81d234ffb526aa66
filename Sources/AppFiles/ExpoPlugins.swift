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
    /// The programs of each package, by its directory.
    private lazy var programs = findPrograms()
    /// The sources of packages that are about links, by their directories.
    private var found = [String: Found]()
    /// The `package.json` of configurations, which are asked for each plugin.
    private var used = [String: JSONValue?]()
    /// The systems whose links programs are about; an inner nil for one that cannot be read.
    private var judged = [String: (ios: Bool, android: Bool)?]()

    init(_ files: BundleFiles, _ names: Set<[UInt8]>) { (self.files, self.names) = (files, names) }

    /// - Parameters:
    ///   - plugins: the names in a configuration.
    ///   - path: its directory, with a slash behind it.
    func open(_ plugins: [String], in path: String) -> Found {
        var all: Found = ([], [])
        for plugin in Set(plugins).sorted() {
            for part in sources(of: plugin, in: path) {
                all.ios += part.ios.prefix(Self.most - all.ios.count)
                all.android += part.android.prefix(Self.most - all.android.count)
            }
        }
        return all
    }

    private static let most = AppFileLimits.unreadMax + 1

    /// The sources of a plugin that are about links; none for a package of others.
    private func sources(of plugin: String, in path: String) -> [Found] {
        let missing = UnreadSource(plugin, "the directory does not have this plugin of Expo")
        guard plugin.utf8.first != UInt8(ascii: ".") else {
            let file = endings.lazy.compactMap { normalized("\(path)\(plugin)\($0)") }
                .first { self.names.contains(Array($0.utf8)) }
            return [file.map { judge([$0]) } ?? ([missing], [missing])]
        }
        let parts = pathParts(plugin)
        let package = parts.prefix(plugin.utf8.first == UInt8(ascii: "@") ? 2 : 1)
            .joined(separator: "/")
        if let directories = packages[package] { return directories.map(found(in:)) }
        let used = used[path] ?? json("\(path)package.json")
        self.used[path] = .some(used)
        let version =
            ["dependencies", "devDependencies"].lazy
            .compactMap { used?[$0]?[package]?.text }.first ?? ""
        let isLocal = ["file:", "link:", "portal:", "workspace:"].contains {
            version.utf8.starts(with: $0.utf8)
        }
        return isLocal ? [([missing], [missing])] : []
    }

    private func found(in directory: String) -> Found {
        if let known = found[directory] { return known }
        let sources = judge(programs[directory, default: []])
        found[directory] = sources
        return sources
    }

    /// The programs that are about links, or cannot be read.
    private func judge(_ programs: [String]) -> Found {
        var all: Found = ([], [])
        for name in programs where all.ios.count < Self.most || all.android.count < Self.most {
            let about = about(name)
            let source =
                about == nil
                ? UnreadSource(name, "it is a plugin of Expo that cannot be read")
                : UnreadSource(name, "it is a plugin of Expo about links, which runs", isRead: true)
            if about?.ios ?? true, all.ios.count < Self.most { all.ios.append(source) }
            if about?.android ?? true, all.android.count < Self.most { all.android.append(source) }
        }
        return all
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

    /// A program is one of each package around it.
    private func findPrograms() -> [String: [String]] {
        let directories = Set(packages.values.joined())
        var found = [String: [String]]()
        for name in files.names {
            let isProgram = programEndings.contains { ending in
                name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
            }
            guard isProgram else { continue }
            var parts = pathParts(name)
            while parts.popLast() != nil {
                let directory = parts.map { "\($0)/" }.joined()
                if directories.contains(directory) { found[directory, default: []].append(name) }
            }
        }
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
