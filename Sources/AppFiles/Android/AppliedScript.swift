/// A script that another one applies: `apply from: "shared.gradle"` (Gradle, "Script plugins").
struct AppliedScript {
    /// The path as it is written, without the variable for a directory; empty if it is not known.
    let path: String
    /// Whether the path is that of the whole project or of another module of it, and not of the module.
    let isOfRoot: Bool
    /// Whether it is of a package or a tool.
    let isOfPackage: Bool

    /// - Parameter statement: the statement with `apply`.
    init(_ statement: [GradleToken]) {
        var texts = [[UInt8]]()
        var isOfRoot = false
        /// The path of the module whose script it is, such as `:shared`.
        var module: [UInt8]?
        // A condition can stand before it.
        let start = statement.firstIndex { $0.isWord("from") || $0 == .text("from") } ?? 0
        for index in start..<statement.count {
            switch statement[index] {
            // `mapOf("from" to "shared.gradle")`.
            case .text("from"?): break
            case .text(let text?) where statement.callsProject(before: index):
                module = Array(text.utf8)
            case .text(let text?): texts.append(Array(text.utf8))
            case .filled(let text):
                let inner = text.ofModule
                module = inner?.module ?? module
                texts.append(inner?.rest ?? text)
            case .word:
                let first = statement[index].parts.first
                if first == "rootProject" || first == "rootDir" { isOfRoot = true }
            default: break
            }
        }
        let written = texts.count == 1 ? texts[0] : []
        let variable = rootVariables.first { written.starts(with: $0.utf8) }
        let own = moduleVariables.first { written.starts(with: $0.utf8) }
        let rest = Array(written.dropFirst((variable ?? own)?.utf8.count ?? 0))
        let isKnown =
            !rest.isEmpty && rest.count <= AppFileLimits.filledBytesMax
            && !rest.contains(UInt8(ascii: "$"))
        // A module stands in the directory of its path, unless a settings script says otherwise.
        let parts = (module ?? []).split(separator: UInt8(ascii: ":"))
        let directory = Array(parts.joined(separator: [slash]))
        let inside = Array(rest.drop { $0 == slash })
        let whole = directory.isEmpty ? inside : directory + [slash] + inside
        path = isKnown ? String(decoding: whole, as: UTF8.self) : ""
        self.isOfRoot = isOfRoot || variable != nil || module != nil
        let isChosen = statement.contains(.symbol(UInt8(ascii: "?")))
        let isOfLibrary = module.map { holdsWord(of: moduleWords, $0) } ?? false
        isOfPackage =
            isOfLibrary
            || !isChosen
                && texts.contains {
                    isPackagePath($0.elementsEqual(written) ? rest : $0)
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

/// The number of the tokens of `if (file("shared.gradle").exists())`.
let existenceCount = 11

extension [GradleToken] {
    /// Whether it begins with the condition that the file of a script is there.
    func isExistence(of script: AppliedScript) -> Bool {
        let signs = [3: "(", 5: ")", 6: ".", 8: "(", 9: ")", 10: ")"] as [Int: Unicode.Scalar]
        guard count >= existenceCount, self[0].isWord("if"), self[2].parts.last == "file",
            self[7].isWord("exists"),
            signs.allSatisfy({ self[$0] == .symbol(UInt8(ascii: $1)) })
        else { return false }
        let file = AppliedScript(Array(prefix(existenceCount)))
        return !file.path.isEmpty && file.path.utf8.elementsEqual(script.path.utf8)
            && file.isOfRoot == script.isOfRoot
    }

    /// Whether the text at a place is the path of a module: `project(":shared")`.
    fileprivate func callsProject(before index: Int) -> Bool {
        index > 1 && self[index - 1] == .symbol(UInt8(ascii: "("))
            && self[index - 2].parts.last == "project"
    }
}

extension [UInt8] {
    /// The module of a text such as `${project(":shared").projectDir}/a.gradle`, and what follows its directory; nil for
    /// another text.
    fileprivate var ofModule: (module: [UInt8], rest: [UInt8])? {
        guard starts(with: "${".utf8), let end = firstIndex(of: UInt8(ascii: "}")) else {
            return nil
        }
        let tokens = GradleLexer.tokens(of: Array(self[2..<end]), in: "")
        for index in tokens.indices where tokens.callsProject(before: index) {
            if case .text(let path?) = tokens[index] {
                return (Array(path.utf8), Array(self[(end + 1)...]))
            }
        }
        return nil
    }
}

/// Whether a path is of a package or a tool by its words.
func isPackagePath(_ text: [UInt8]) -> Bool { holdsWord(of: packageWords, text) }

/// Whether the beginning of a text has one of some words.
private func holdsWord(of words: [StaticString], _ text: [UInt8]) -> Bool {
    let start = String(decoding: text.prefix(AppFileLimits.filledBytesMax), as: UTF8.self)
    let name = start.lowercased()
    return words.contains { holds($0, in: name) }
}

private let slash = UInt8(ascii: "/")
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
/// Words of the modules that packages of React Native are.
private let moduleWords: [StaticString] = ["react-native", "react_native", "expo-"]
