private import Diagnostics

// The scripts of a module and those above it.

/// A script in a directory above a module, or a settings script.
struct ScriptAbove {
    let name: String
    /// Whether it sets what modules are.
    let setsModules: Bool
    /// The plugins that it applies, which can be those of modules, and the scripts, of which the checkout lacks these.
    let plugins: AppliedPlugins
    let unread: [String]
    /// The effects of it and of the scripts that it applies, by their files.
    let unknown: [(file: String, effects: UnknownEffects)]
}

extension SourceModules {
    /// - Parameters:
    ///   - directory: that of the module.
    ///   - scripts: those above it.
    mutating func read(
        script name: String, of directory: String, _ scripts: [ScriptAbove],
        _ module: inout SourceModule
    ) -> GradleScript? {
        do throws(FormatFault) {
            var (script, words) = try readModule(script: name)
            if script.effects.plugins.hasOthers { words.isMultiplatform = true }
            let manifests = manifestFiles[directory, default: []]
            module.unbuilt = UnbuiltSourceSets(of: directory, manifests, words)
            let path = directory.isEmpty ? 0 : directory.utf8.count + 1
            script.take(
                manifests: manifests.filter(module.isBuilt).map { manifest in
                    String(decoding: manifest.utf8.dropFirst(path), as: UTF8.self)
                })
            let above = scripts.filter(\.setsModules).map(\.name)
            if !above.isEmpty { script.open() }
            module.unread += script.facts.map { UnreadSource(name, $0, isRead: true) }
            let plugins = plugins ?? GradlePlugins(files, catalogs)
            self.plugins = plugins
            let isApplied = Self.isApplied(plugins, in: script, below: scripts)
            let own = plugins.settings(ofModule: directory, isApplied: isApplied)
            module.unread += [own.missing, plugins.scriptWithout(module: directory)]
                .compactMap(\.self)
            if !own.files.isEmpty || own.missing != nil { script.leaveOpen() }
            if isApplied, plugins.namesFlavors { script.openFlavors() }
            for key in own.valueKeys { script.open(key) }
            // It makes placeholders of files that a checkout need not have.
            if plugins.appliesSecrets || script.effects.plugins.appliesSecrets
                || scripts.contains(where: \.plugins.appliesSecrets)
            {
                script.open("manifestPlaceholders")
            }
            module.unread += (above + own.files).map { other in
                UnreadSource(other, Self.sets, isRead: true)
            }
            if module.unread.isEmpty {
                module.unknown = unknown(in: [script.unknown] + scripts.map(\.unknown), plugins)
                module.unknown += own.unknown.map { [$0] } ?? []
                let applying =
                    [(script.effects.plugins.others, name)]
                    + scripts.map { ($0.plugins.others, $0.name) }
                module.unknown += applying.compactMap { plugins.unknown($0, of: $1) }
                module.unknown += scripts.flatMap { above in
                    above.unread.prefix(1).map {
                        UnreadSource(above.name, Self.lacks($0), isRead: true)
                    }
                }
                module.unknown += otherModules(besides: scripts.map(\.name) + [name], plugins)
            }
            return script
        } catch {
            module.unread.append(UnreadSource(name, error))
            return nil
        }
    }

    /// Whether a script applies a plugin that may be of the project's own, or uses a type of one, as in `register<Shop>("a")`.
    private static func isApplied(
        _ plugins: GradlePlugins, in script: GradleScript, below scripts: [ScriptAbove]
    ) -> Bool {
        script.effects.plugins.hasOthers
            || scripts.contains { plugins.haveOwn(in: $0.plugins) }
            || plugins.own.contain(anyOf: script.effects.plugins.usual)
            || script.unknown.contains { _, effects in
                effects.names.contains { $0.isOfTypeOrConstant && plugins.defined.contains($0) }
            }
    }

    /// The script of a module, which may have been read for others.
    private func readModule(
        script name: String
    ) throws(FormatFault) -> (script: GradleScript, words: SourceSetWords) {
        if let known = memory.scripts.removeValue(forKey: Array(name.utf8)) { return known }
        let words = SourceSetWords()
        return (try read(script: name, isOfModule: true, words), words)
    }

    private func read(
        script name: String, isOfModule: Bool, _ words: SourceSetWords = SourceSetWords()
    ) throws(FormatFault) -> GradleScript {
        let directory = pathParts(name).dropLast().joined(separator: "/")
        let bytes = try files.open(name).readWhole()
        words.take(bytes)
        let catalog = catalogs.catalog(around: directory)
        return GradleScript(bytes, name: name, isOfModule: isOfModule, catalog: catalog) {
            applied in
            let path = applied.candidates(ofModule: directory).first { path in
                names.contains(Array(path.utf8))
            }
            guard let path, let source = try? files.open(path) else { return nil }
            guard memory.takes(source.count) else { return (name: path, bytes: nil) }
            let bytes = try? source.readWhole()
            words.take(bytes ?? [])
            return bytes.map { (name: path, bytes: Optional($0)) }
        }
    }

    /// The settings scripts of a module, and the scripts in the directories above it.
    mutating func scripts(above directory: String) -> [ScriptAbove] {
        var parts = pathParts(directory)
        var found = [ScriptAbove]()
        var files = gradleSettingsScripts
        repeat {
            for file in files {
                let name = (parts + [file]).joined(separator: "/")
                guard names.contains(Array(name.utf8)) else { continue }
                let script = scripts[name] ?? scriptAbove(name)
                scripts[name] = script
                found.append(script)
            }
            files = gradleBuildScripts + gradleSettingsScripts
        } while parts.popLast() != nil
        return found
    }

    private func scriptAbove(_ name: String) -> ScriptAbove {
        guard let script = try? read(script: name, isOfModule: false) else {
            return ScriptAbove(
                name: name, setsModules: true, plugins: AppliedPlugins(), unread: [], unknown: [])
        }
        return ScriptAbove(
            name: name, setsModules: script.setsModules, plugins: script.effects.plugins,
            unread: script.effects.unread, unknown: script.unknown)
    }

    private static func lacks(_ script: String) -> String {
        "it applies \(script), which the directory does not have"
    }

    private static let sets = "it sets applications, flavors or manifests of its modules"

    /// The first name of some scripts that is not known, and that neither they nor the project's own plugins define.
    private func unknown(
        in scripts: [[(file: String, effects: UnknownEffects)]], _ plugins: GradlePlugins
    ) -> [UnreadSource] {
        let files = scripts.joined()
        return files.lazy.compactMap { file, effects in
            effects.source(file) { name in
                plugins.defined.contains(name)
                    || files.contains { $0.effects.defined.contains(name) }
            }
        }.prefix(1).map { $0 }
    }

    /// The first script of another module that names something outside of this, and that writes or starts something, or sets what other
    /// modules are. What else it has is for its own module.
    /// - Parameter known: the scripts of the module and above it.
    private mutating func otherModules(
        besides known: [String], _ plugins: GradlePlugins
    ) -> [UnreadSource] {
        let reaching = reaching ?? scriptsReachingOut(plugins)
        self.reaching = reaching
        return reaching.lazy.filter { other in !known.contains { $0.isScalarwise(other.name) } }
            .prefix(1).map(\.source)
    }

    private func scriptsReachingOut(
        _ plugins: GradlePlugins
    ) -> [(name: String, source: UnreadSource)] {
        files.names.compactMap { name in
            let parts = pathParts(name)
            let words = SourceSetWords()
            guard gradleBuildScripts.contains(parts.last ?? ""), !parts.contains("buildSrc"),
                let script = try? read(script: name, isOfModule: true, words)
            else { return nil }
            if manifestFiles[parts.dropLast().joined(separator: "/")] != nil {
                memory.scripts[Array(name.utf8)] = (script, words)
            }
            guard script.unknown.contains(where: { $0.effects.reachesOut }) else { return nil }
            let appliesOutside = script.unknown.contains { $0.effects.appliesOutside }
            if script.setsModules || appliesOutside {
                return (name, UnreadSource(name, Self.sets, isRead: true))
            }
            return script.unknown.lazy.compactMap { file, effects in
                effects.source(file) { !GradleNames.reaching.contains($0) }
            }.first.map { (name, $0) }
        }
    }
}
