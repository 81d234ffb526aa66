/// The identifiers of the Gradle plugins that a build makes itself, which can begin like those of others (Gradle,
/// "Implementing binary plugins" and "Precompiled script plugins").
struct OwnPlugins {
    private var identifiers = Set<[UInt8]>()

    /// Takes a file of `buildSrc` or of a build that is included.
    /// - Parameters:
    ///   - parts: those of its path.
    ///   - tokens: those of the script of a build.
    ///   - catalog: the one that its aliases are of.
    mutating func take(_ parts: [String], _ tokens: [GradleToken], _ catalog: GradleCatalog) {
        guard let file = parts.last else { return }
        if gradleBuildScripts.contains(file) {
            // `id "a"` before it is a plugin that the build applies.
            let start = tokens.firstIndex { $0.parts.contains("gradlePlugin") } ?? tokens.count
            for index in tokens.indices.dropFirst(start + 1) {
                let isAssigned = tokens[index - 1] == .symbol(UInt8(ascii: "="))
                guard tokens[index - (isAssigned ? 2 : 1)].parts.last == "id" else { continue }
                if case .text(let identifier?) = tokens[index] {
                    identifiers.insert(Array(identifier.utf8))
                } else if let alias = tokens[index].gradleAlias {
                    identifiers.insert(Self.name(ofAlias: alias))
                    if let plugin = catalog.plugin(alias).flatMap(\.self) {
                        identifiers.insert(plugin.identifier)
                    }
                }
            }
        } else {
            // A script is a plugin by its package and its name, and a file of properties by its name.
            let start = parts.lastIndex(where: directories.contains).map { $0 + 1 } ?? 0
            // Its directory need not be that of its package.
            for name in [parts[start...].joined(separator: "."), file].map({ Array($0.utf8) }) {
                for ending in [".gradle.kts", ".gradle", ".properties"]
                where name.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
                    identifiers.insert(Array(name.dropLast(ending.utf8.count)))
                }
            }
        }
    }

    /// The name of an alias among the identifiers: the catalog that has its plugin can be of another build.
    static func name(ofAlias alias: [UInt8]) -> [UInt8] {
        Array("alias \(letters(of: alias))".utf8)
    }

    /// Whether one of some plugins is among them.
    func contain(anyOf plugins: Set<[UInt8]>) -> Bool { !identifiers.isDisjoint(with: plugins) }
}

/// The directories whose files are called after plugins.
private let directories = ["java", "kotlin", "groovy", "gradle-plugins"]
