/// What the Gradle plugins of a project's own set.
struct GradlePlugins {
    /// The first file that sets what modules are; nil if there is none.
    fileprivate(set) var file: String?
    /// The settings whose values they add to, which leave the apps what they are.
    fileprivate(set) var valueKeys = Set<String>()
}

extension BundleFiles {
    /// What the project's own plugins set. They stand in `buildSrc` and in builds that a settings script includes (Gradle,
    /// "Sharing build logic").
    var gradlePlugins: GradlePlugins {
        let builds = includedBuilds
        var plugins = GradlePlugins()
        plugins.file = names.first { name in
            let parts = pathParts(name)
            guard isOfProgram(parts.last ?? ""),
                parts.contains("buildSrc")
                    || builds.contains(where: { name.utf8.starts(with: $0.utf8) }),
                let bytes = try? open(name).readWhole()
            else { return false }
            let tokens = GradleLexer.tokens(of: bytes)
            let words = tokens.lazy.flatMap(\.parts).filter(gradlePluginWords.contains)
            let values = Set(words.map { gradleKeys[$0] ?? $0 })
            plugins.valueKeys.formUnion(values.intersection(gradleCollections))
            return !values.isSubset(of: gradleCollections)
        }
        return plugins
    }

    /// The directories of the builds that settings scripts include, each with a slash at its end.
    private var includedBuilds: [String] {
        var builds = [String]()
        for name in names {
            let parts = pathParts(name)
            guard let last = parts.last, gradleSettingsScripts.contains(last),
                let bytes = try? open(name).readWhole()
            else { continue }
            let directory = parts.dropLast().joined(separator: "/")
            let tokens = GradleLexer.tokens(of: bytes)
            var paths = [String]()
            var isOpen = false
            for index in tokens.indices where tokens[index].parts.last == "includeBuild" {
                let line = tokens[index...].prefix(8).prefix { $0 != .newline }
                let known = line.compactMap(\.path)
                paths += known
                if known.isEmpty { isOpen = true }
            }
            if isOpen { paths += tokens.assignedPaths }
            for path in paths {
                let build = normalized("\(directory)/\(path)") ?? ""
                if !build.isEmpty { builds.append("\(build)/") }
            }
        }
        return Array(Set(builds).sorted().prefix(AppFileLimits.depthMax))
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

let gradleSettingsScripts = ["settings.gradle", "settings.gradle.kts"]
