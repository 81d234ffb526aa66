// What settings scripts and the programs of plugins say, by their tokens.

extension GradleToken {
    /// The path that a text is, also behind a variable for a directory, such as `$rootDir/a`.
    var path: String? {
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
    /// Whether it names the plugin that makes placeholders of secrets, or a part of it, or has its block.
    func setsUpSecrets(_ catalog: GradleCatalog) -> Bool {
        indices.contains { index in
            if case .text(let text?) = self[index] {
                let name = [UInt8](text.utf8)
                let plugin = catalog.plugin(name).flatMap(\.self)?.identifier ?? name
                return gradleSecrets.contains(plugin)
            }
            if let alias = self[index].gradleAlias {
                return catalog.isOfSecrets(alias)
            }
            let name = word(index).lastPart
            return name.isText("SecretsPlugin") || name.isText("SecretsPluginExtension")
                || name.isText("secrets") && isSymbol("{", index + 1)
        }
    }

    /// Whether the file of a program is of a plugin of something else than a project: of settings, or of each build.
    func areOfSettings(_ name: String) -> Bool {
        let endings = ["settings", "init"].flatMap { [".\($0).gradle", ".\($0).gradle.kts"] }
        return endings.contains { name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
            || indices.contains { index in
                let last = word(index).lastPart
                return last.isText("Settings")
                    || last.isText("Plugin") && isSymbol("<", index + 1)
                        && !word(index + 2).lastPart.isText("Project")
            }
    }

    /// Whether a program names other projects than the one that applies it: `subprojects`, `project(a)`.
    var nameProjects: Bool {
        mentions(gradleModuleBlocks.contains)
            || indices.contains { index in
                let last = word(index).lastPart
                return GradleNames.finders.contains(last)
                    && (isSymbol("(", index + 1) || isText(index + 1))
                    || last.isText("dependencyProject")
            }
    }

    /// The tokens without the literal suffixes of `debug`, which no release has.
    var withoutSuffixesOfDebug: [GradleToken] {
        guard mentions({ $0 == "applicationIdSuffix" }) else { return self }
        var kept = [GradleToken]()
        // Whether each of the blocks that are open is that of debug builds.
        var open = [Bool]()
        var index = 0
        while index < count {
            if self[index] == brace {
                let isNamed =
                    isSymbol(")", index - 1) && token(index - 2) == .text("debug")
                    && gradleMakers.contains(token(index - 4).parts.last ?? "")
                open.append(isNamed || word(index - 1).lastPart.isText("debug"))
            }
            if self[index] == closingBrace { _ = open.popLast() }
            let end = index + (isSymbol("=", index + 1) ? 2 : 1)
            if open.last == true, self[index].isWord("applicationIdSuffix"), beginsStatement(index),
                case .text = token(end), endsStatement(end)
            {
                index = end
            } else {
                kept.append(self[index])
            }
            index += 1
        }
        return kept
    }

    /// The paths of the builds that a settings script includes, each once, and whether it computes one. Those that it then
    /// assigns to something may be of it, and are not named.
    var includedPaths: (paths: [(path: String, isNamed: Bool)], isOpen: Bool) {
        var paths = [String: Bool]()
        var isOpen = false
        for index in indices where self[index].parts.last == "includeBuild" {
            let known = line(from: index).prefix { $0 != brace }.compactMap(\.path)
            let isNamed = !known.contains { isPackagePath([UInt8]($0.utf8)) }
            for path in known { paths[path] = isNamed }
            if known.isEmpty { isOpen = true }
        }
        for index in indices.dropFirst()
        where isOpen && self[index - 1] == .symbol(UInt8(ascii: "=")) {
            if let path = self[index].path { paths[path] = paths[path] ?? false }
        }
        return (paths.map { ($0, $1) }.sorted { $0.path < $1.path }, isOpen)
    }

    /// The paths of the modules that a settings script puts elsewhere than their names say, or may, and the places of those
    /// within others.
    var movedModules: [String] {
        indices.flatMap { index -> [String] in
            guard self[index].isWord("project"), case let line = line(from: index), line.count > 6,
                case .text(let path?) = self[index + 2],
                self[index + 5].isWord("projectDir") && assigns(at: index + 5)
                    || self[index + 5].isWord("setProjectDir")
            else { return [] }
            let own = path.utf8.split(separator: UInt8(ascii: ":")).map { String(Substring($0)) }
                .joined(separator: "/")
            let texts = line.dropFirst(6).compactMap(\.path)
            guard texts.count != 1 || normalized(texts[0]) != own else { return [] }
            // Its scripts above are those of its name: of `:a:b`, the one of `:a`.
            return [own] + (own.utf8.contains(UInt8(ascii: "/")) ? texts : [])
        }
    }

    /// Whether a plugin applies a script: `apply from: a`, `apply(mapOf("from" to a))` and `apply { from(a) }`.
    var appliesScript: Bool {
        indices.contains { index in
            guard self[index].parts.last == "apply" else { return false }
            let isBlock = index + 1 < count && self[index + 1] == brace
            let rest =
                isBlock
                ? self[(index + 2)...].prefix(gradleLineMax).prefix {
                    $0 != brace && $0 != closingBrace
                }
                : line(from: index)
            return rest.contains { $0.parts.last == "from" || $0 == .text("from") }
        }
    }

    /// Whether a plugin names a task that makes merged manifests, or may write one.
    var writesManifest: Bool {
        if contains(where: { $0.manifestTask != nil }) { return true }
        var writes = ManifestWrites()
        let ends: [GradleToken] = [.newline, .symbol(UInt8(ascii: ";")), brace, closingBrace]
        for statement in split(whereSeparator: ends.contains) { writes.take(Array(statement)) }
        return writes.isFound
    }
}

private let brace = GradleToken.symbol(UInt8(ascii: "{"))
private let closingBrace = GradleToken.symbol(UInt8(ascii: "}"))
