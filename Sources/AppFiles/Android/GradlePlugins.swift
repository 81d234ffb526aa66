private import Diagnostics

/// The settings of a project's own Gradle plugins. These stand in `buildSrc` and in builds that a settings script includes
/// (Gradle, "Sharing build logic").
struct GradlePlugins {
    /// The settings of all files, and of those that the modules below a directory can have.
    private var all = Settings()
    private var ofRoots = [[UInt8]: Settings]()
    /// The source beyond a limit, which may set anything.
    private var excess: UnreadSource?
    private var (bytes, tokenBytes, count) = (0, 0, 0)
    /// The plugins that files of the checkout are.
    private(set) var own = OwnPlugins()
    /// The functions and types that the files define.
    private(set) var defined = Set<[UInt8]>()
    /// Whether a file names the plugin that makes placeholders of secrets, and whether one is about flavors.
    private(set) var (appliesSecrets, namesFlavors) = (false, false)
    /// The settings scripts that put modules elsewhere, by the directories that these would have.
    private var moving = [[UInt8]: String]()

    /// The modules that settings scripts include, by the directories of these.
    private var included = [[UInt8]: (script: String, modules: IncludedModules)]()

    /// The settings of some files.
    private struct Settings {
        /// Those of modules that apply a plugin.
        var ofPlugins = Part()
        /// Those of modules for which a script above them applies a plugin.
        var ofOthers = Part()
        /// A build that is included, and that the checkout does not have; nil if it has all.
        var missing: UnreadSource?

        mutating func add(_ other: Settings) {
            ofPlugins.add(other.ofPlugins)
            ofOthers.add(other.ofOthers)
            missing = missing ?? other.missing
        }
    }

    private struct Part {
        /// The first file that sets what modules are, by its number; nil if none does.
        var setter: (number: Int, name: String)?
        /// The settings whose values files add to, which leave the apps what they are.
        var valueKeys = Set<String>()
        /// The first file with a name that is not known to leave alone what modules are.
        var unknown: (number: Int, source: UnreadSource)?

        mutating func add(_ other: Part) {
            valueKeys.formUnion(other.valueKeys)
            if let file = other.setter, file.number < setter?.number ?? .max { setter = file }
            if let file = other.unknown, file.number < unknown?.number ?? .max { unknown = file }
        }
    }

    init(_ files: BundleFiles, _ catalogs: GradleCatalogs) {
        var roots = roots(ofBuildsIn: files)
        var programs = [Program]()
        for name in files.names where excess == nil {
            let parts = pathParts(name)
            guard isOfProgram(parts.last ?? "") || isOfPlugin(parts) else { continue }
            if let root = root(aroundSourceIn: parts) {
                roots[Array("\(root)\(root.isEmpty ? "" : "/")buildSrc".utf8), default: []]
                    .insert(Array(root.utf8))
            }
            // Of builds that are not known, those of the modules are not.
            let directories = directories(around: name).filter {
                roots[$0] != nil && !($0.isEmpty && isBuildScript(parts))
            }
            guard !directories.isEmpty, let bytes = read(files, name) else { continue }
            // Where a build can be anywhere, each program of the checkout can be of it.
            let isOfBuild = directories.contains { !$0.isEmpty } && !isOfTests(parts)
            let hasWord = holdsPluginWord(bytes)
            let tokens =
                isOfBuild || hasWord ? self.tokens(bytes, name).withoutSuffixesOfDebug : []
            let catalog = catalogs.catalog(around: parts.dropLast().joined(separator: "/"))
            own.take(parts, tokens, catalog)
            appliesSecrets = appliesSecrets || tokens.setsUpSecrets(catalog)
            namesFlavors =
                namesFlavors
                || tokens.mentions { ["productFlavors", "getProductFlavors"].contains($0) }
            guard isOfBuild || hasWord else { continue }
            let settings = hasWord ? settings(name, tokens) : nil
            let effects = UnknownEffects(
                isOfBuild ? tokens : [], isOfModule: false,
                isOfSettings: tokens.areOfSettings(name))
            programs.append(
                Program(
                    name: name, directories: directories, effects: effects,
                    plugins: plugins(of: isOfBuild ? tokens : [], name, catalog),
                    settings: settings, isOfOthers: isOfOthers(name, tokens)))
            defined.formUnion(programs[programs.count - 1].effects.defined)
        }
        add(programs, roots)
    }

    /// A file of the project's own plugins.
    private struct Program {
        let name: String
        let directories: [[UInt8]]
        let effects: UnknownEffects
        /// The plugins that it applies and that are not known.
        let plugins: [PluginName]
        let settings: Part?
        /// Whether it is for modules that do not apply the plugin, too.
        let isOfOthers: Bool
    }

    private mutating func add(_ programs: [Program], _ roots: [[UInt8]: Set<[UInt8]>]) {
        var ofDirectories = [[UInt8]: Settings]()
        for (number, program) in programs.enumerated() {
            var part = program.settings ?? Part()
            part.unknown = unknown(in: program).map { (number, $0) }
            var others = program.isOfOthers ? part : Part()
            // The scripts of the builds that make plugins run in every build.
            if isBuildScript(pathParts(program.name)) { others.unknown = part.unknown }
            let settings = Settings(ofPlugins: part, ofOthers: others)
            all.add(settings)
            for directory in program.directories {
                ofDirectories[directory, default: Settings()].add(settings)
            }
        }
        for (directory, settings) in ofDirectories {
            for root in roots[directory, default: []] {
                ofRoots[root, default: Settings()].add(settings)
            }
        }
    }

    private func plugins(
        of tokens: [GradleToken], _ name: String, _ catalog: GradleCatalog
    ) -> [PluginName] {
        // Those of the script of a build are of that build alone.
        isBuildScript(pathParts(name))
            ? [] : AppliedPlugins(ofProgram: tokens, isScript: isScript(name), catalog).others
    }

    private func unknown(in program: Program) -> UnreadSource? {
        let keys = program.settings?.valueKeys ?? []
        let name = program.effects.source(program.name) { name in
            let word = String(decoding: name, as: UTF8.self)
            return defined.contains(name) || keys.contains(gradleKeys[word] ?? word)
        }
        return name ?? unknown(program.plugins, of: program.name)
    }

    /// The files that set what a module is, its settings that get other values, a build that was not read, and a file with a name
    /// that is not known.
    /// - Parameter isApplied: whether the module applies a plugin that may be of the project's own.
    func settings(
        ofModule directory: String, isApplied: Bool
    ) -> (
        files: [String], valueKeys: Set<String>, missing: UnreadSource?, unknown: UnreadSource?
    ) {
        let own = settings(ofModule: directory)
        let part = isApplied ? own.ofPlugins : own.ofOthers
        let files = [part.setter?.name, moving[Array(directory.utf8)]].compactMap(\.self)
        return (
            files, part.valueKeys, excess ?? (isApplied ? own.missing : nil), part.unknown?.source
        )
    }

    /// The settings script next above a module that does not include it; nil if there is none.
    func scriptWithout(module directory: String) -> UnreadSource? {
        let module = Array(directory.utf8)
        for around in directories(around: "\(directory)/").reversed() {
            guard let (script, modules) = included[around] else { continue }
            let fact: String
            switch modules.answer(module.dropFirst(around.isEmpty ? 0 : around.count + 1)) {
            case .included: return nil
            case .left: fact = "it does not include the module \(quoted(directory))"
            case .open:
                fact = "it computes which modules it includes, and \(quoted(directory)) may be none"
            }
            return UnreadSource(script, fact, isRead: true)
        }
        return nil
    }

    /// The settings of a module below a settings script are those of the directories around it. Others can have any.
    private func settings(ofModule directory: String) -> Settings {
        // A slash at the end, so that the module's own directory is one of them.
        let around = directories(around: "\(directory)/")
        guard around.contains(where: { included[$0] != nil }) else { return all }
        return around.compactMap { ofRoots[$0] }.reduce(into: Settings()) { $0.add($1) }
    }

    /// The settings of a file; nil if there are none.
    private mutating func settings(_ name: String, _ tokens: [GradleToken]) -> Part? {
        // `const val applicationId` is a name.
        let words = tokens.indices.lazy.filter { $0 == 0 || !tokens[$0 - 1].isDefinition }
            .flatMap { tokens[$0].parts }.filter(gradlePluginWords.contains)
        var keys = Set(words.map { gradleKeys[$0] ?? $0 })
        // A script of the build that makes the plugins is for that build alone.
        let parts = pathParts(name)
        if !isBuildScript(parts), tokens.appliesScript { keys.insert("apply") }
        if tokens.writesManifest { keys.insert("manifest") }
        if tokens.switchesVariantsOff { keys.insert("variantFilter") }
        guard !keys.isEmpty else { return nil }
        count += 1
        guard count <= AppFileLimits.settingsFilesMax else {
            exceed(
                name, count, AppFileLimits.settingsFilesMax,
                "files of the project's own plugins that set something")
            return nil
        }
        return Part(
            setter: keys.isSubset(of: gradleCollections) ? nil : (number: count, name: name),
            valueKeys: keys.intersection(gradleCollections))
    }

    /// Whether a file is for modules that do not apply its plugin, too. Each script can call the functions of `buildSrc`, and
    /// hand them its project.
    private func isOfOthers(_ name: String, _ tokens: [GradleToken]) -> Bool {
        let parts = pathParts(name)
        let isOfFunctions =
            parts.contains("buildSrc") && !isScript(name) && !tokens.mentions { $0 == "Plugin" }
        return !isBuildScript(parts)
            && (isOfFunctions || tokens.areOfSettings(name) || tokens.nameProjects)
    }

    /// - Parameter what: the things that are too many.
    private mutating func exceed(_ name: String, _ count: Int, _ limit: Int, _ what: String) {
        excess = UnreadSource(name, "there are \(count) \(what), may be \(limit)")
    }

    private mutating func read(_ files: BundleFiles, _ name: String) -> [UInt8]? {
        guard let source = try? files.open(name) else { return nil }
        bytes += source.count
        guard bytes <= AppFileLimits.documentBytesMax else {
            exceed(
                name, bytes, AppFileLimits.documentBytesMax,
                "bytes of settings scripts and of the project's own plugins with their tests")
            return nil
        }
        return try? source.readWhole()
    }

    private mutating func tokens(_ bytes: [UInt8], _ name: String) -> [GradleToken] {
        tokenBytes += bytes.count
        guard tokenBytes <= AppFileLimits.pluginBytesMax else {
            exceed(
                name, tokenBytes, AppFileLimits.pluginBytesMax,
                "bytes of settings scripts and of the project's own plugins")
            return []
        }
        return GradleLexer.tokens(of: bytes, in: name)
    }

    /// The directories of the builds that settings scripts include, and of those that these include, with the directories whose
    /// modules can have their plugins.
    private mutating func roots(ofBuildsIn files: BundleFiles) -> [[UInt8]: Set<[UInt8]>] {
        var builds = [Build]()
        var known = Set<Build>()
        var missing = [[UInt8]: UnreadSource]()
        for name in files.names where excess == nil {
            let parts = pathParts(name)
            guard let last = parts.last, gradleSettingsScripts.contains(last),
                let bytes = read(files, name)
            else { continue }
            let directory = parts.dropLast().joined(separator: "/")
            let root = Array((root(aroundSourceIn: parts) ?? directory).utf8)
            let tokens = tokens(bytes, name)
            let key = Array(directory.utf8)
            included[key] = included[key] ?? (name, IncludedModules(of: tokens))
            for module in tokens.movedModules {
                if let path = normalized("\(directory)/\(module)") {
                    moving[Array(path.utf8)] = name
                }
            }
            let (paths, isOpen) = tokens.includedPaths
            // They can be anywhere.
            if isOpen, known.insert(Build(root: root, path: [])).inserted {
                builds.append(Build(root: root, path: []))
            }
            for (path, isNamed) in paths {
                // One outside of the checkout keeps its two full stops, which no name of a file has.
                let inside = normalized("\(directory)/\(path)")
                let build = Build(root: root, path: Array((inside ?? "../\(path)").utf8))
                guard !build.path.isEmpty, known.insert(build).inserted else { continue }
                builds.append(build)
                let beginning = build.path + [UInt8(ascii: "/")]
                if isNamed || inside == nil, !isPackagePath(Array(path.utf8)),
                    !files.names.contains(where: { $0.utf8.starts(with: beginning) })
                {
                    missing[build.path] = UnreadSource(
                        name,
                        "it includes the build \(quoted(path)), which the directory does not have",
                        isRead: true)
                }
                guard builds.count <= AppFileLimits.includedBuildsMax else {
                    exceed(
                        name, builds.count, AppFileLimits.includedBuildsMax,
                        "builds that settings scripts include")
                    break
                }
            }
        }
        var index = 0
        while index < builds.count, excess == nil {
            let build = builds[index]
            for other in builds where build.holds(other.root) {
                let through = Build(root: build.root, path: other.path)
                if known.insert(through).inserted { builds.append(through) }
            }
            if builds.count > AppFileLimits.nestedBuildsMax {
                exceed(
                    String(decoding: build.path, as: UTF8.self), builds.count,
                    AppFileLimits.nestedBuildsMax,
                    "builds that are included, also through others")
            }
            index += 1
        }
        for build in builds {
            guard let source = missing[build.path] else { continue }
            ofRoots[build.root, default: Settings()].missing = source
            all.missing = source
        }
        return builds.reduce(into: [:]) { $0[$1.path, default: []].insert($1.root) }
    }

    /// A build that the projects of a directory include.
    private struct Build: Hashable {
        let root: [UInt8]
        let path: [UInt8]

        /// Whether it has a directory.
        func holds(_ directory: [UInt8]) -> Bool {
            directory == path || directory.starts(with: path + [UInt8(ascii: "/")])
        }
    }
}

/// The directories in which a file is, from the whole project's, whose name is empty, on.
private func directories(around name: String) -> [[UInt8]] {
    let bytes = Array(name.utf8)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") && $0 > 0 }
    return [[]] + ends.map { Array(bytes[..<$0]) }
}

/// The directory whose `buildSrc` has a file; nil if none has.
private func root(aroundSourceIn parts: [String]) -> String? {
    parts.firstIndex(of: "buildSrc").map { parts[..<$0].joined(separator: "/") }
}

/// Whether a file can be of a plugin's program.
private func isOfProgram(_ name: String) -> Bool {
    isScript(name) || [".kt", ".groovy", ".java"].contains { ends(name, with: $0) }
}

/// Whether a file is of the tests of a plugin.
private func isOfTests(_ parts: [String]) -> Bool {
    zip(parts, parts.dropFirst()).contains { directory, inner in
        directory == "src" && ["test", "functionalTest", "integrationTest"].contains(inner)
    }
}

/// Whether a file says the class of a plugin, and is called after that.
private func isOfPlugin(_ parts: [String]) -> Bool {
    parts.dropLast().last == "gradle-plugins" && ends(parts.last ?? "", with: ".properties")
}

/// Whether a file is a script, and has no classes and functions for others.
private func isScript(_ name: String) -> Bool {
    [".gradle", ".kts"].contains { ends(name, with: $0) }
}

private func ends(_ name: String, with ending: String) -> Bool {
    name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
}

/// Whether a file is the script of a module or of a build.
private func isBuildScript(_ parts: [String]) -> Bool {
    (gradleBuildScripts + gradleSettingsScripts).contains(parts.last ?? "")
}
