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
    /// The packages that are of no registry by `package.json` beside a configuration, by its directory.
    private var local = [String: Set<[UInt8]>]()
    /// The programs by their names; an inner nil for one that cannot be read.
    private var read = [String: ExpoProgram?]()

    init(_ files: BundleFiles, _ names: Set<[UInt8]>) { (self.files, self.names) = (files, names) }

    /// - Parameters:
    ///   - plugins: the names in a configuration.
    ///   - path: its directory, with a slash behind it.
    func open(_ plugins: [String], in path: String) -> Found {
        var all: Found = ([], [])
        var seen = (packages: Set<[UInt8]>(), programs: Set<[UInt8]>())
        for plugin in Set(plugins).sorted()
        where all.ios.count < Self.most || all.android.count < Self.most {
            for part in sources(of: plugin, in: path, &seen) {
                all.ios += part.ios.prefix(Self.most - all.ios.count)
                all.android += part.android.prefix(Self.most - all.android.count)
            }
        }
        return all
    }

    private static let most = AppFileLimits.unreadMax + 1

    /// The sources of a plugin that are about links; none for a package of others.
    /// - Parameter seen: those of the plugins before, which are looked at once for a configuration.
    private func sources(
        of plugin: String, in path: String,
        _ seen: inout (packages: Set<[UInt8]>, programs: Set<[UInt8]>)
    ) -> [Found] {
        let missing = UnreadSource(plugin, "the directory does not have this plugin of Expo")
        guard plugin.utf8.first != UInt8(ascii: ".") else {
            guard let file = ProgramNames.file(plugin, in: path, names) else {
                return [([missing], [missing])]
            }
            guard let programs = programs(from: file, &seen.programs) else {
                let long = UnreadSource(
                    file,
                    "this plugin of Expo uses more than \(AppFileLimits.usedProgramsMax) files")
                return [([long], [long])]
            }
            return [judge(programs)]
        }
        let parts = pathParts(plugin)
        let package = parts.prefix(plugin.utf8.first == UInt8(ascii: "@") ? 2 : 1)
            .joined(separator: "/")
        guard seen.packages.insert(Array(package.utf8)).inserted else { return [] }
        if let directories = packages[package] { return directories.map(found(in:)) }
        let isLocal = localPackages(in: path).contains(Array(package.utf8))
        return isLocal ? [([missing], [missing])] : []
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

    /// A program, and those of the checkout that it uses, without those that are known; nil if they are too many.
    private func programs(from first: String, _ known: inout Set<[UInt8]>) -> [String]? {
        guard known.insert(Array(first.utf8)).inserted else { return [] }
        var (programs, next) = ([first], 0)
        while next < programs.count {
            let name = programs[next]
            next += 1
            let directory = pathParts(name).dropLast().map { "\($0)/" }.joined()
            for used in program(name)?.used ?? [] {
                guard let used = ProgramNames.file(used, in: directory, names),
                    ProgramNames.areOfProgram(used),
                    known.insert(Array(used.utf8)).inserted
                else { continue }
                guard programs.count < AppFileLimits.usedProgramsMax else { return nil }
                programs.append(used)
            }
        }
        return programs
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
            let about = program(name)
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
            guard ProgramNames.areOfProgram(name) else { continue }
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

    /// Nil for a program that cannot be read.
    private func program(_ name: String) -> ExpoProgram? {
        if let known = read[name] { return known }
        let program = (try? files.open(name).readWhole()).map {
            ExpoProgram(withoutCommentLines($0))
        }
        read[name] = .some(program)
        return program
    }
}

/// A program that a configuration of Expo runs, as far as it is read.
private struct ExpoProgram {
    /// Whether it is about the links of a system.
    let ios, android: Bool
    /// The names of files beside it that it may use: texts that begin with `./` or `../`.
    let used: [String]

    init(_ text: String) {
        ios =
            holds("ssociatedDomain", in: text) || holds("ssociated-domain", in: text)
            || holds("applinks", in: text)
        android = holds("ntentFilter", in: text) || holds("ntent-filter", in: text)
        used = ProgramNames.used(in: text)
    }
}
