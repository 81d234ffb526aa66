extension BundleFiles {
    /// The first file of a Gradle plugin of the project's own that sets what modules are; nil if there is none. Such plugins
    /// stand in `buildSrc` and in builds that a settings script includes (Gradle, "Sharing build logic").
    var pluginThatSetsModules: String? {
        let builds = includedBuilds
        return names.first { name in
            let parts = pathParts(name)
            guard isOfProgram(parts.last ?? ""),
                parts.contains("buildSrc")
                    || builds.contains(where: { name.utf8.starts(with: $0.utf8) }),
                let bytes = try? open(name).readWhole()
            else { return false }
            return GradleLexer.tokens(of: bytes).mentions(gradlePluginWords.contains)
        }
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
            for index in tokens.indices where tokens[index].parts.last == "includeBuild" {
                for case .text(let path?) in tokens[index...].prefix(3) {
                    let build = normalized("\(directory)/\(path)") ?? ""
                    if !build.isEmpty { builds.append("\(build)/") }
                }
            }
        }
        return Array(Set(builds).sorted().prefix(AppFileLimits.depthMax))
    }
}

/// Whether a file can be of a plugin's program.
private func isOfProgram(_ name: String) -> Bool {
    [".kt", ".kts", ".gradle", ".groovy", ".java"].contains { ending in
        name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
}

let gradleSettingsScripts = ["settings.gradle", "settings.gradle.kts"]
