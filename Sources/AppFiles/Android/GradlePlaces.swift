extension [GradleToken] {
    /// Whether a Boolean or a number stands at a place.
    func isFlag(_ index: Int) -> Bool {
        let word = self.word(index)
        return ["true", "false"].contains(where: word.isText)
            || word.first.map(isGradleDigit) == true
    }

    /// Whether a place begins the types of a call: `<A, B>(`.
    func isOfTypes(from start: Int) -> Bool {
        var depth = 0
        for index in start..<Swift.min(count, start + gradleLineMax) {
            switch self[index] {
            case .symbol(UInt8(ascii: "<")): depth += 1
            case .symbol(UInt8(ascii: ">")):
                depth -= 1
                if depth == 0 { return isSymbol("(", index + 1) || isSymbol("{", index + 1) }
            case .word, .symbol(UInt8(ascii: ",")), .symbol(UInt8(ascii: "*")),
                .symbol(UInt8(ascii: "?")):
                break
            default: return false
            }
        }
        return true
    }

    /// The word at a place; empty if there is none.
    func word(_ index: Int) -> [UInt8] {
        guard indices.contains(index), case .word(let word) = self[index] else {
            return []
        }
        return word
    }

    /// The tokens from one on in its line, of which a bounded number is looked at.
    func line(from index: Int) -> ArraySlice<GradleToken> {
        // Parentheses and brackets go on over ends of lines.
        var depth = 0
        return self[index...].prefix(gradleLineMax).prefix { token in
            depth += token.nesting
            return depth > 0 || token != .newline && token != .symbol(UInt8(ascii: ";"))
        }
    }

    /// Whether what stands at a place is a member of what stands before it.
    func isMember(_ index: Int) -> Bool {
        isSymbol(".", index - 1) || word(index - 1).last == UInt8(ascii: ".")
    }

    /// Whether nothing stands before a place in its statement or list.
    func beginsStatement(_ index: Int) -> Bool {
        switch token(index - 1) {
        case .newline: true
        case .symbol(let byte): "{},;".utf8.contains(byte)
        default: false
        }
    }

    /// Whether nothing stands behind a place in its statement.
    func endsStatement(_ index: Int) -> Bool {
        [.newline, .symbol(UInt8(ascii: "}")), .symbol(UInt8(ascii: ";"))].contains(
            token(index + 1))
    }

    /// Whether a value stands at a place, to which what stands before it is applied without parentheses.
    func isArgument(_ index: Int) -> Bool {
        switch token(index) {
        case .text, .filled, .symbol(UInt8(ascii: "{")): true
        case .word(let word): !GradleNames.infixWords.contains(word)
        default: false
        }
    }

    /// Whether a sign at a place is of a comparison, such as `==` and `!=`.
    func isOfComparison(_ index: Int) -> Bool {
        isSymbol("=", index + 1) || "=!<>".unicodeScalars.contains { isSymbol($0, index - 1) }
    }

    /// Whether a literal stands at a place.
    func isText(_ index: Int) -> Bool {
        if case .text(.some) = token(index) { true } else { false }
    }

    func token(_ index: Int) -> GradleToken {
        indices.contains(index) ? self[index] : .newline
    }

    func isSymbol(_ sign: Unicode.Scalar, _ index: Int) -> Bool {
        indices.contains(index) && self[index] == .symbol(UInt8(ascii: sign))
    }
}

extension ArraySlice<GradleToken> {
    /// Whether a command only reads, by its first words.
    var isReading: Bool {
        let texts = [[UInt8]](
            lazy.filter { if case .symbol = $0 { false } else { true } }.prefix(3)
                .map { $0.isWordOfCode ? [] : $0.pathText })
        let words = texts.joined(separator: [UInt8(ascii: " ")]).split(
            separator: UInt8(ascii: " ")
        ).map { Array($0) }
        guard let first = words.first, words.count > 1 || !first.isText("git") else { return false }
        if first.isText("git") {
            return GradleNames.readingCommands.contains(where: words[1].isText)
        }
        if GradleNames.readingPrograms.contains(where: first.isText) { return true }
        // `node --print "require.resolve('a')"`, of a package.
        guard first.isText("node"), texts.count > 2,
            ["--print", "-p", "-e"].contains(where: texts[1].isText)
        else { return false }
        return ["require.resolve(", "require('expo/"].contains { texts[2].starts(with: $0.utf8) }
            && texts[2].firstRange(of: "./".utf8) == nil
    }

    /// Whether it is the name of a module of a plugin that is known, and no more than its version is computed.
    var namesKnownModule: Bool {
        let texts = filter { if case .symbol = $0 { false } else { true } }.map(\.pathText)
        guard texts.count == 1, !contains(where: \.isWordOfCode),
            let version = texts[0].lastIndex(of: UInt8(ascii: ":"))
        else { return false }
        return AppliedPlugins.isKnown(texts[0]) && !texts[0][..<version].contains(UInt8(ascii: "$"))
    }

    /// Whether it is the path of a directory whose files are neither resources nor manifests.
    var isOfOutputs: Bool {
        contains(where: \.isOfOutputs)
            && allSatisfy { token in
                if case .word = token {
                    return token.pathParts.allSatisfy(GradleNames.outputWords.contains)
                }
                return token.isOfOutputs || !token.isOfSource
            }
    }

    /// Whether the block that it opens is of a task that runs ktlint, which writes no more than source.
    var runsKtlint: Bool {
        let block = prefix(gradleBlockMax).prefix { $0 != .symbol(UInt8(ascii: "}")) }
        let mains = block.indices.filter { index in
            block[index].parts.contains { ["main", "mainClass"].contains($0) }
        }
        // `mainClass.set("a")`, and `main = "a"`.
        return mains.count == 1
            && block[mains[0]...].prefix(3).contains { $0 == .text("com.pinterest.ktlint.Main") }
    }

    /// Whether a text in it has the sign for a directory above another one.
    var leavesDirectory: Bool { contains { !$0.isWordOfCode && $0.isOutside } }

    /// Whether it is literals for aapt2 alone, none of which renames the package (`--rename-manifest-package`) or adds resources
    /// (`-R`).
    var areAaptFlags: Bool {
        let texts = dropFirst().filter { if case .symbol = $0 { false } else { true } }
        return !texts.isEmpty
            && texts.allSatisfy { token in
                token.isWord("listOf")
                    || !token.isWordOfCode
                        && !["anifest", "-R", ".flat"].contains {
                            token.pathText.firstRange(of: $0.utf8) != nil
                        }
            }
    }
}

extension GradleToken {
    /// The bytes of a literal; nil for another token.
    var literal: [UInt8]? { if case .text(let text?) = self { Array(text.utf8) } else { nil } }
    fileprivate var isWordOfCode: Bool { if case .word = self { true } else { false } }

    /// Whether it is of a directory whose files are neither resources nor manifests.
    fileprivate var isOfOutputs: Bool {
        if isWordOfCode { return pathParts.contains(where: GradleNames.outputVariables.contains) }
        return pathParts.contains(where: GradleNames.outputTexts.contains) && !isOutside
            && !pathParts.contains { ["intermediates", "res"].contains(where: $0.isText) }
    }

    /// Whether it may be of a directory with source.
    fileprivate var isOfSource: Bool {
        isOutside || pathParts.contains(where: GradleNames.sourceDirectories.contains)
    }

    fileprivate var isOutside: Bool { pathText.firstRange(of: "..".utf8) != nil }

    fileprivate var pathText: [UInt8] {
        switch self {
        case .word(let word): word
        case .text(let literal): Array((literal ?? "..").utf8)
        case .filled(let bytes): bytes
        default: []
        }
    }

    fileprivate var pathParts: [[UInt8]] {
        pathText.split { "/${}.".utf8.contains($0) }.map { Array($0) }
    }
}

func isGradleDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// The tokens of a line that are looked at.
let gradleLineMax = 24
/// The tokens of a block that are looked at.
private let gradleBlockMax = 64
