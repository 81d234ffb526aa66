private import Diagnostics
import JSONSyntax

/// The programs that tools run by themselves when they build or synchronise an app of Expo, Ionic, Cordova or Capacitor, and that JSON names
/// (docs/app.md, "Programs of frameworks"). Each may change what ships. The elements of XML and the directories of Cordova are in
/// `CordovaChanges`, and the plugins of Expo in `ExpoPlugins`.
final class BuildHooks {
    /// The source of which an app is made or built: the configuration of Expo or Cordova, or a project for Gradle or Xcode.
    enum Target: CaseIterable { case expo, cordova, native }

    private let names: Set<[UInt8]>
    private let packages: CheckoutPackages
    private let bytes: (String) -> [UInt8]?
    /// The programs that the files of directories name.
    private var known = [[UInt8]: [Hook]]()

    /// A program that a file names.
    private struct Hook {
        let source: UnreadSource
        let target: Target
        /// The directory of the apps that it is for, with a slash behind it.
        let directory: String
        /// Whether it is for apps of packages below that of the file, too.
        var isOfPackagesBelow = true
    }

    init(
        _ names: Set<[UInt8]>, _ packages: CheckoutPackages, _ bytes: @escaping (String) -> [UInt8]?
    ) {
        (self.names, self.packages, self.bytes) = (names, packages, bytes)
    }

    /// The programs of a project for Gradle or Xcode. What Cordova has made is as its hooks have left it.
    /// - Parameter file: a file of the project.
    func sources(ofNative file: String) -> [UnreadSource] {
        let parts = pathParts(file).dropLast()
        let isMade = parts.indices.contains { index in
            let path = parts[..<index].map { "\($0)/" }.joined()
            return parts[index] == "platforms" && !isOfCapacitor(path)
                && ["config.xml", "www/config.xml"].contains { has(path + $0) }
        }
        return isMade ? [] : sources(of: .native, in: parts.map { "\($0)/" }.joined())
    }

    /// - Parameter directory: that of the app, with a slash behind it.
    func sources(of target: Target, in directory: String) -> [UnreadSource] {
        var (found, parts, isNear) = ([UnreadSource](), pathParts(directory), true)
        repeat {
            let path = parts.map { "\($0)/" }.joined()
            let hooks = hooks(in: path).filter { hook in
                hook.target == target && (isNear || hook.isOfPackagesBelow)
                    && directory.utf8.starts(with: hook.directory.utf8)
            }
            for hook in hooks where !found.contains(hook.source) { found.append(hook.source) }
            let isPackage = has("\(path)package.json") || has("\(path)eas.json")
            isNear = isNear && target == .native && !isPackage
        } while parts.popLast() != nil && found.count <= AppFileLimits.unreadMax
        return found
    }

    /// Whether a directory has the configuration of Capacitor.
    func isOfCapacitor(_ directory: String) -> Bool {
        ["json", "ts", "js"].contains { has("\(directory)capacitor.config.\($0)") }
    }

    private func has(_ name: String) -> Bool { names.contains(Array(name.utf8)) }

    private func json(_ name: String) -> JSONValue? {
        bytes(name).flatMap { JSONDocument($0, file: name).root }
    }

    private func hooks(in directory: String) -> [Hook] {
        let key = Array(directory.utf8)
        if let hooks = known[key] { return hooks }
        let package = json("\(directory)package.json")
        var hooks = ofIonic(json("\(directory)ionic.config.json"), in: directory)
        for script in Self.scripts {
            for target in script.targets {
                let found = (package?["scripts"]?.members ?? []).filter {
                    script.isHook($0, target)
                }
                let file = "\(directory)package.json"
                if let source = Self.source(found, of: script.tool, "scripts", in: file) {
                    hooks.append(
                        Hook(
                            source: source, target: target, directory: directory,
                            isOfPackagesBelow: script.isOfPackagesBelow))
                }
            }
        }
        hooks += ofPlugins(package, in: directory)
        let profiles = json("\(directory)eas.json")?["build"]
        for (target, keys) in [
            (Target.expo, ["prebuildCommand", "config"]), (.native, ["config"]),
        ] {
            let file = "\(directory)eas.json"
            hooks += EASHooks.sources(ofProfiles: profiles, keys, in: file).map { source in
                Hook(
                    source: source, target: target, directory: directory, isOfPackagesBelow: false)
            }
        }
        known[key] = hooks
        return hooks
    }

    /// Those of the projects of a configuration of Ionic.
    private static let directoriesMax = 1_000

    /// The hooks of Ionic's configuration, which can be of several projects. Their directories lead from its own.
    private func ofIonic(_ ionic: JSONValue?, in directory: String) -> [Hook] {
        guard let ionic else { return [] }
        var hooks = [Hook]()
        for project in [ionic] + (ionic["projects"]?.members ?? []).map(\.value) {
            let integrations = (project["integrations"]?.members ?? []).map(\.value)
            let roots = ([project] + integrations).compactMap { $0["root"]?.text }
            let paths = roots.compactMap { normalized(directory + $0) }.map {
                $0.isEmpty ? "" : "\($0)/"
            }
            // A project without a directory of its own is that of the file.
            let directories = project["root"]?.text == nil ? [directory] : paths
            for target in [Target.cordova, .native] {
                let found = (project["hooks"]?.members ?? []).filter { hook in
                    Self.runs(hook.key, for: target)
                }
                let file = "\(directory)ionic.config.json"
                guard let source = Self.source(found, of: "Ionic", "hooks", in: file) else {
                    continue
                }
                let isMany = hooks.count + directories.count > Self.directoriesMax
                hooks += (isMany ? [directory] : directories).map {
                    Hook(source: source, target: target, directory: $0)
                }
            }
            // Beyond it, they count for each app below the file.
            guard hooks.count <= Self.directoriesMax else { break }
        }
        return hooks
    }

    /// The hooks of the plugins of Capacitor that a package names, and that the checkout has.
    private func ofPlugins(_ package: JSONValue?, in directory: String) -> [Hook] {
        let named = ["dependencies", "devDependencies"].flatMap { package?[$0]?.members ?? [] }
        var hooks = [Hook]()
        for plugin in named where hooks.count <= AppFileLimits.unreadMax {
            let spec = plugin.value.text ?? ""
            let place = CordovaPackage(name: plugin.key, spec: spec, mayBePlugin: true)
                .directory(from: directory)
            let source = packages.hook(of: plugin.key) ?? place.flatMap(packages.hook(in:))
            guard let source else { continue }
            hooks.append(Hook(source: source, target: .native, directory: directory))
        }
        return hooks
    }
}

extension BuildHooks {
    /// The scripts of `package.json` that a tool runs.
    private struct Scripts: Sendable {
        let tool: String
        let targets: [Target]
        /// Whether it runs those of a package for apps of packages below it, too.
        var isOfPackagesBelow = true
        let isHook: @Sendable (JSONMember, Target) -> Bool
    }

    private static let scripts = [
        // In a workspace of Nx, the scripts of its root are taken.
        Scripts(tool: "Capacitor", targets: [.native]) { script, _ in isOfCapacitor(script) },
        Scripts(tool: "Ionic", targets: [.cordova, .native]) { script, target in
            script.key.utf8.starts(with: "ionic:".utf8)
                && runs(String(Substring(script.key.utf8.dropFirst(6))), for: target)
        },
        Scripts(tool: "Appflow", targets: [.cordova, .native]) { script, _ in
            script.key.isScalarwise("appflow:build")
        },
        // Most install packages or tools.
        Scripts(tool: "npm", targets: [.native]) { script, _ in
            let text = script.value.text ?? ""
            return ["preinstall", "install", "postinstall", "prepare"].contains(
                where: script.key.isScalarwise)
                && (NamedFiles(text).hasEntitlements || holds("AndroidManifest.xml", in: text))
                && !holds("node_modules", in: text)
        },
        Scripts(tool: "EAS", targets: [.expo, .native], isOfPackagesBelow: false) { script, _ in
            EASHooks.isHook(script)
        },
    ]

    /// The hooks of Capacitor among the scripts of a package, an app or a plugin (Capacitor, "CLI Hooks" and "Capacitor Plugin Hooks"); nil if it
    /// has none.
    static func source(ofCapacitor package: JSONValue?, in file: String) -> UnreadSource? {
        let found = (package?["scripts"]?.members ?? []).filter(isOfCapacitor)
        return source(found, of: "Capacitor", "scripts", in: file)
    }

    private static func isOfCapacitor(_ script: JSONMember) -> Bool {
        let parts = script.key.utf8.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        return parts.count == 3 && parts[0] == "capacitor"
            && ["before", "after"].contains(parts[2])
    }

    /// Whether a hook of Ionic, such as `build:before`, runs in a build (Ionic, "Hooks").
    private static func runs(_ hook: String, for target: Target) -> Bool {
        let command = hook.utf8.prefix { $0 != UInt8(ascii: ":") }
        return !["serve", target == .cordova ? "capacitor" : "cordova"].contains {
            command.elementsEqual($0.utf8)
        }
    }

    private static func source(
        _ hooks: [JSONMember], of tool: String, _ kind: String, in file: String
    ) -> UnreadSource? {
        guard let first = hooks.first?.value.start else { return nil }
        let fact =
            "\(tool) runs \(enumerated(hooks.map(\.key))) of its \(kind), which may change what ships"
        let place = TextPlace(line: first.line, column: first.column)
        return UnreadSource(file, fact, isRead: true, at: place)
    }
}
