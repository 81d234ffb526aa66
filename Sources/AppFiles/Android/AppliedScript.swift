/// A script that another one applies: `apply from: "shared.gradle"` (Gradle, "Script plugins").
struct AppliedScript {
    /// The path as it is written, without the variable for a directory; empty if it is not known.
    let path: String
    /// Whether the path is that of the whole project, and not of the module.
    let isOfRoot: Bool
    /// Whether it is of a package or a tool.
    let isOfPackage: Bool

    /// - Parameter statement: the statement with `apply`.
    init(_ statement: [GradleToken]) {
        var texts = [[UInt8]]()
        var (isOfRoot, isOfProject) = (false, false)
        // A condition can stand before it.
        let start = statement.firstIndex { $0.isWord("from") || $0 == .text("from") } ?? 0
        for token in statement[start...] {
            switch token {
            // `mapOf("from" to "shared.gradle")`.
            case .text("from"?): break
            case .text(let text?): texts.append(Array(text.utf8))
            case .filled(let text): texts.append(text)
            case .word(let word):
                let first = token.parts.first
                if first == "rootProject" || first == "rootDir" { isOfRoot = true }
                // Of another module, which a package has.
                if word.elementsEqual("project".utf8) { isOfProject = true }
            default: break
            }
        }
        let whole = texts.count == 1 ? texts[0] : []
        let variable = rootVariables.first { whole.starts(with: $0.utf8) }
        let own = moduleVariables.first { whole.starts(with: $0.utf8) }
        let rest = Array(whole.dropFirst((variable ?? own)?.utf8.count ?? 0))
        let isKnown =
            rest.count <= AppFileLimits.filledBytesMax && !rest.contains(UInt8(ascii: "$"))
        path = isKnown ? String(decoding: rest.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self) : ""
        self.isOfRoot = isOfRoot || variable != nil
        let isChosen = statement.contains(.symbol(UInt8(ascii: "?")))
        isOfPackage =
            isOfProject
            || !isChosen
                && texts.contains { text in
                    let own = text.elementsEqual(whole) ? rest : text
                    let name = String(
                        decoding: own.prefix(AppFileLimits.filledBytesMax), as: UTF8.self
                    ).lowercased()
                    return packageWords.contains { holds($0, in: name) }
                }
    }

    /// The paths in a checkout at which it can be, the likeliest first.
    /// - Parameter directory: that of the module.
    func candidates(ofModule directory: String) -> [String] {
        guard !path.isEmpty else { return [] }
        guard isOfRoot else { return [normalized("\(directory)/\(path)")].compactMap(\.self) }
        var parts = pathParts(directory)
        var paths = [String]()
        while paths.count < AppFileLimits.directoriesMax {
            paths += [normalized((parts + [path]).joined(separator: "/"))].compactMap(\.self)
            guard parts.popLast() != nil else { break }
        }
        return paths
    }
}

/// The directory of the whole project, before a path.
private let rootVariables = [
    "$rootDir", "${rootDir}", "$rootProject.projectDir", "${rootProject.projectDir}",
    "$rootProject.rootDir", "${rootProject.rootDir}", "${project.rootDir}",
    "$project.rootDir",
]
/// The directory of the module.
private let moduleVariables = [
    "$projectDir", "${projectDir}", "${project.projectDir}", "$project.projectDir",
]
/// Words of the scripts that packages and tools have, which set nothing that is read.
private let packageWords: [StaticString] = [
    "node_modules", "flutter", "projectdir", "nitrogen/", "cargokit", "capacitor", "cordova",
    "tauri.", "require.resolve", "--print",
]
