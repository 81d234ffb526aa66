/// The identifiers of the Gradle plugins that a build makes itself, which can begin like those of others (Gradle,
/// "Implementing binary plugins" and "Precompiled script plugins").
struct OwnPlugins {
    private var identifiers = Set<[UInt8]>()

    /// Takes a file of `buildSrc` or of a build that is included.
    /// - Parameter parts: those of its path.
    mutating func take(_ parts: [String], _ bytes: [UInt8]) {
        guard let file = parts.last else { return }
        if gradleBuildScripts.contains(file) {
            guard bytes.contains("gradlePlugin".utf8) else { return }
            let tokens = GradleLexer.tokens(of: bytes, in: file)
            for index in tokens.indices.dropFirst(2) {
                guard case .text(let identifier?) = tokens[index],
                    tokens[index - 1] == .symbol(UInt8(ascii: "=")),
                    tokens[index - 2].parts.last == "id"
                else { continue }
                identifiers.insert(Array(identifier.utf8))
            }
        } else {
            // A script is a plugin by its package and its name.
            let start = parts.lastIndex { ["kotlin", "groovy"].contains($0) }.map { $0 + 1 } ?? 0
            let name = Array(parts[start...].joined(separator: ".").utf8)
            for ending in [".gradle.kts", ".gradle"]
            where name.suffix(ending.utf8.count).elementsEqual(ending.utf8) {
                identifiers.insert(Array(name.dropLast(ending.utf8.count)))
            }
        }
    }

    /// Whether one of some plugins is among them.
    func contain(anyOf plugins: Set<[UInt8]>) -> Bool { !identifiers.isDisjoint(with: plugins) }
}
