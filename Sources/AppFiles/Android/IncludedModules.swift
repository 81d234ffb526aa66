/// The modules that a settings script includes, as far as its texts say (Gradle, "Settings").
struct IncludedModules {
    /// The directories that its texts can name, and those around them: each is a module, too.
    private var directories = Set<[UInt8]>()
    /// The parts of its texts.
    private var parts = Set<[UInt8]>()
    /// Whether it includes a module by something else than a literal.
    private var isComputed = false
    /// Whether it includes modules by literals, and nothing else can include some.
    private var isWhole = false

    enum Answer {
        case included, left
        /// The script computes names, of which none is known to be the module's.
        case open
    }

    init(of tokens: [GradleToken]) {
        var (isOpen, isMoved) = (false, false)
        // Each statement is looked at once.
        var end = 0
        for index in tokens.indices {
            switch tokens[index] {
            case .text(let text?):
                if !tokens.isNameOfProject(at: index) { add(Array(text.utf8)) }
                if tokens.isPlugin(at: index), !isKnownPlugin(text) { isOpen = true }
            case .text: if !tokens.isOfRepository(at: index) { isOpen = true }
            case .filled(let text): add(Array(text))
            case .word:
                let last = tokens[index].parts.last ?? ""
                // `file("a").list()` lists a directory. Without parentheses, `list` is a variable.
                let lists = last == "list" && tokens[(index + 1)...].first == parenthesis
                if lists || openingWords.contains(last) { isOpen = true }
                if tokens.movesModule(at: index) { isMoved = true }
                guard last == "include", index >= end else { continue }
                let values = tokens.valuesOfInclude(at: index)
                end = values.end
                guard let isLiteral = values.areLiterals else { continue }
                isWhole = true
                if !isLiteral { isComputed = true }
            case .symbol, .newline: break
            }
        }
        if isOpen { isWhole = false }
        if isMoved { isComputed = true }
    }

    private mutating func add(_ text: [UInt8]) {
        guard text.count <= AppFileLimits.filledBytesMax else { return }
        // One text can have several names, and a name can have a space.
        for signs in [":/, ", ":/"] { add(text.split { signs.utf8.contains($0) }) }
    }

    private mutating func add(_ own: [ArraySlice<UInt8>]) {
        parts.formUnion(own.map { Array($0) })
        var path = [UInt8]()
        for part in own.prefix(AppFileLimits.directoriesMax) {
            // A variable is a directory, as in `$rootDir/shop`, or a part that is not known.
            guard !part.elementsEqual(".".utf8), !part.contains(UInt8(ascii: "$")) else {
                continue
            }
            path += (path.isEmpty ? [] : [UInt8(ascii: "/")]) + part
            directories.insert(path)
        }
    }

    /// Whether it includes a module.
    /// - Parameter directory: its path from the script's own.
    func answer(_ directory: ArraySlice<UInt8>) -> Answer {
        guard isWhole, !directory.isEmpty, !directories.contains(Array(directory)) else {
            return .included
        }
        guard isComputed else { return .left }
        let last = directory.split(separator: UInt8(ascii: "/")).last ?? []
        return parts.contains(Array(last)) ? .included : .open
    }
}

extension [GradleToken] {
    /// Whether what stands behind `include` are literals, also in lists, or nil if it includes nothing; and the place behind it.
    fileprivate func valuesOfInclude(at index: Int) -> (areLiterals: Bool?, end: Int) {
        var depth = 0
        var areLiterals: Bool?
        var place = index + 1
        while place < count, depth >= 0 {
            let token = self[place]
            depth += token.nesting
            switch token {
            case .text(.some): areLiterals = areLiterals ?? true
            case .newline where depth <= 0 && self[place - 1] != .symbol(UInt8(ascii: ",")),
                .symbol(UInt8(ascii: ";")), .symbol(UInt8(ascii: "{")),
                .symbol(UInt8(ascii: "}")):
                return (areLiterals, place)
            case .symbol(UInt8(ascii: "+")): areLiterals = false
            case .symbol, .newline: break
            case .word where listWords.contains(where: token.isWord): break
            case .word, .text, .filled: areLiterals = false
            }
            place += 1
        }
        return (areLiterals, place)
    }

    /// Whether a word puts a module into a directory that is more than a literal.
    fileprivate func movesModule(at index: Int) -> Bool {
        let name = self[index].parts.last
        guard name == "setProjectDir" || name == "projectDir" && assigns(at: index) else {
            return false
        }
        var texts = 0
        for place in (index + 1)..<count {
            let token = self[place]
            switch token {
            case .text: texts += 1
            // The next assignment is looked at by itself: each token is looked at once.
            case .word where assigns(at: place): return true
            case .word where directoryWords.contains(where: token.isWord): break
            case .word, .filled, .symbol(UInt8(ascii: "+")): return true
            case .newline, .symbol(UInt8(ascii: ";")), .symbol(UInt8(ascii: "}")):
                return texts != 1
            case .symbol: break
            }
        }
        return texts != 1
    }

    /// Whether a text is a pattern of `includeGroupByRegex("com\\.example.*")`, which is about dependencies.
    fileprivate func isOfRepository(at index: Int) -> Bool {
        let isInParentheses = index > 1 && self[index - 1] == parenthesis
        let name = self[Swift.max(index - (isInParentheses ? 2 : 1), 0)].parts.last ?? ""
        return name.utf8.suffix(7).elementsEqual("ByRegex".utf8)
    }

    /// Whether a text is that of `rootProject.name = "shop"`.
    fileprivate func isNameOfProject(at index: Int) -> Bool {
        index > 1 && self[index - 1] == .symbol(UInt8(ascii: "="))
            && self[index - 2].isWord("rootProject.name")
    }

    /// Whether a text is that of `id "com.example.shop"`.
    fileprivate func isPlugin(at index: Int) -> Bool {
        let isInParentheses = index > 1 && self[index - 1] == parenthesis
        let word = index - (isInParentheses ? 2 : 1)
        return word >= 0 && self[word].isWord("id")
    }
}

/// Whether a plugin of settings includes no modules.
private func isKnownPlugin(_ name: String) -> Bool {
    [
        "com.android.", "com.autonomousapps.", "com.facebook.", "com.gradle.", "dev.flutter.",
        "org.gradle.", "org.jetbrains.",
    ].contains { name.utf8.starts(with: $0.utf8) }
}

private let parenthesis = GradleToken.symbol(UInt8(ascii: "("))
/// The words of directories by a path from that of the script.
private let directoryWords = [
    "File", "file", "new", "rootDir", "rootProject.file", "rootProject.projectDir", "settingsDir",
]
/// The functions that make lists, and their types.
private let listWords = ["arrayOf", "as", "listOf", "setOf", "String", "toTypedArray"]
/// The words of scripts that include modules in ways that are not read: by directories, by files, and by other scripts.
private let openingWords: Set = [
    "apply", "applyNativeModulesSettingsGradle", "eachDir", "eachDirMatch", "eachDirRecurse",
    "eachFile", "eachFileMatch", "eachFileRecurse", "evaluate", "fileTree",
    "forEachDirectoryEntry", "listDirectoryEntries", "listFiles", "newDirectoryStream", "traverse",
    "useDirectoryEntries", "visit", "walk", "walkBottomUp", "walkTopDown",
]
