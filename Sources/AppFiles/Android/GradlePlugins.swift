private import Diagnostics

/// The settings of a project's own Gradle plugins. These stand in `buildSrc` and in builds that a settings script includes
/// (Gradle, "Sharing build logic").
struct GradlePlugins {
    /// The files that set something.
    private var found = [Found]()
    /// The directories with a settings script.
    private var projects = Set<[UInt8]>()
    /// The source beyond a limit, which may set anything.
    private(set) var excess: UnreadSource?
    private var bytesLeft = AppFileLimits.documentBytesMax
    private var tokenBytesLeft = AppFileLimits.pluginBytesMax

    private struct Found {
        let name: String
        /// The directories whose modules can have the plugin.
        let roots: [String]
        /// Whether it sets what modules are.
        let setsModules: Bool
        /// The settings whose values it adds to, which leave the apps what they are.
        let valueKeys: Set<String>

        func isOf(_ directory: String) -> Bool { roots.contains { isAbove($0, directory) } }
    }

    /// A build that the projects of a directory include.
    private struct Build {
        let root: String
        /// Its directory, with a slash at its end.
        let path: String
    }

    init(_ files: BundleFiles) {
        let builds = includedBuilds(files)
        for name in files.names where excess == nil {
            let parts = pathParts(name)
            guard isOfProgram(parts.last ?? "") else { continue }
            let roots =
                [root(aroundSourceIn: parts)].compactMap(\.self)
                + builds.filter { name.utf8.starts(with: $0.path.utf8) }.map(\.root)
            guard !roots.isEmpty, let bytes = bytes(files, name), holdsPluginWord(bytes) else {
                continue
            }
            take(name, tokens(bytes, name), roots)
        }
    }

    /// The first file that sets what a module is; nil if none does.
    func file(ofModule directory: String) -> String? {
        let isInside = isInProject(directory)
        return found.first { $0.setsModules && (!isInside || $0.isOf(directory)) }?.name
    }

    /// The settings of a module that get other values.
    func valueKeys(ofModule directory: String) -> Set<String> {
        let isInside = isInProject(directory)
        return found.reduce(into: []) { keys, file in
            guard !file.valueKeys.isSubset(of: keys) else { return }
            if !isInside || file.isOf(directory) { keys.formUnion(file.valueKeys) }
        }
    }

    /// Whether a module stands below a settings script. That of another one can be anywhere.
    private func isInProject(_ directory: String) -> Bool {
        var parts = pathParts(directory)
        while !projects.contains(Array(parts.joined(separator: "/").utf8)) {
            guard parts.popLast() != nil else { return false }
        }
        return true
    }

    private mutating func take(_ name: String, _ tokens: [GradleToken], _ roots: [String]) {
        let words = tokens.lazy.flatMap(\.parts).filter(gradlePluginWords.contains)
        let keys = Set(words.map { gradleKeys[$0] ?? $0 })
        guard !keys.isEmpty else { return }
        guard found.count < AppFileLimits.settingsFilesMax else { return exceed(name) }
        found.append(
            Found(
                name: name, roots: roots, setsModules: !keys.isSubset(of: gradleCollections),
                valueKeys: keys.intersection(gradleCollections)))
    }

    private mutating func exceed(_ name: String) {
        excess = UnreadSource(
            name, "the project's own plugins have more than \(AppFileLimits.pluginBytesMax) bytes")
    }

    private mutating func bytes(_ files: BundleFiles, _ name: String) -> [UInt8]? {
        guard let source = try? files.open(name) else { return nil }
        guard source.count <= bytesLeft else {
            exceed(name)
            return nil
        }
        bytesLeft -= source.count
        return try? source.readWhole()
    }

    private mutating func tokens(_ bytes: [UInt8], _ name: String) -> [GradleToken] {
        guard bytes.count <= tokenBytesLeft else {
            exceed(name)
            return []
        }
        tokenBytesLeft -= bytes.count
        return GradleLexer.tokens(of: bytes)
    }

    /// The builds that settings scripts include, and those that these include.
    private mutating func includedBuilds(_ files: BundleFiles) -> [Build] {
        var builds = [Build]()
        for name in files.names where excess == nil {
            let parts = pathParts(name)
            guard let last = parts.last, gradleSettingsScripts.contains(last),
                let bytes = bytes(files, name)
            else { continue }
            let directory = parts.dropLast().joined(separator: "/")
            projects.insert(Array(directory.utf8))
            let root = root(aroundSourceIn: parts) ?? directory
            for path in Set(tokens(bytes, name).includedPaths).sorted() {
                let build = normalized("\(directory)/\(path)") ?? ""
                guard !build.isEmpty else { continue }
                guard builds.count < AppFileLimits.depthMax else {
                    exceed(name)
                    return builds
                }
                builds.append(Build(root: root, path: "\(build)/"))
            }
        }
        var index = 0
        while index < builds.count, builds.count < AppFileLimits.flavorsMax {
            let build = builds[index]
            for other in builds
            where "\(other.root)/".utf8.starts(with: build.path.utf8)
                && !builds.contains(where: {
                    $0.root.isScalarwise(build.root) && $0.path.isScalarwise(other.path)
                })
            {
                builds.append(Build(root: build.root, path: other.path))
            }
            index += 1
        }
        return builds
    }
}

/// The directory whose `buildSrc` has a file; nil if none has.
private func root(aroundSourceIn parts: [String]) -> String? {
    parts.firstIndex(of: "buildSrc").map { parts[..<$0].joined(separator: "/") }
}

/// Whether a directory is another one, or has it.
private func isAbove(_ root: String, _ directory: String) -> Bool {
    root.isEmpty || "\(directory)/".utf8.starts(with: "\(root)/".utf8)
}

/// Whether a file can have one of the words of plugins, most of which have none.
private func holdsPluginWord(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
        switch bytes[index] {
        case UInt8(ascii: "p"): bytes[index...].starts(with: "pplicationId".utf8)
        case UInt8(ascii: "P"): bytes[index...].starts(with: "Placeholders".utf8)
        case UInt8(ascii: "r"):
            bytes[index...].starts(with: "resValue".utf8)
                || bytes[index...].starts(with: "rcFile".utf8)
        case UInt8(ascii: "R"): bytes[index...].starts(with: "Root".utf8)
        default: false
        }
    }
}

extension GradleToken {
    /// The path that a text is, also behind a variable for a directory, such as `$rootDir/a`.
    fileprivate var path: String? {
        switch self {
        case .text(let text): text
        case .filled(let text):
            text.firstIndex(of: UInt8(ascii: "/")).map {
                String(decoding: text[($0 + 1)...], as: UTF8.self)
            }
        default: nil
        }
    }
}

extension [GradleToken] {
    /// The paths of the builds that a settings script includes.
    fileprivate var includedPaths: [String] {
        var paths = [String]()
        var isOpen = false
        for index in indices where self[index].parts.last == "includeBuild" {
            let line = self[index...].prefix(8).prefix { $0 != .newline }
            let known = line.compactMap(\.path)
            paths += known
            if known.isEmpty { isOpen = true }
        }
        return isOpen ? paths + assignedPaths : paths
    }

    /// The paths that are assigned to something.
    fileprivate var assignedPaths: [String] {
        indices.dropFirst().compactMap { index in
            self[index - 1] == .symbol(UInt8(ascii: "=")) ? self[index].path : nil
        }
    }
}

/// Whether a file can be of a plugin's program.
private func isOfProgram(_ name: String) -> Bool {
    [".kt", ".kts", ".gradle", ".groovy", ".java"].contains { ending in
        name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
}
