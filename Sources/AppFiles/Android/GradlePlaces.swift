// What stands at places of a script.

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
        let words = lazy.filter { if case .symbol = $0 { false } else { true } }.prefix(2)
            .map { token -> [UInt8] in
                switch token {
                case .text(let text): Array((text ?? "").utf8)
                case .filled(let text): text
                default: []
                }
            }
        guard let first = words.first else { return false }
        let program = first.prefix { $0 != UInt8(ascii: " ") }
        return GradleNames.readingPrograms.contains(where: program.isText)
            || first.isText("node")
                && ["--print", "-p", "-e"].contains { words.last?.isText($0) == true }
    }
}

extension GradleToken {
    /// Whether it is of a directory whose files are neither resources nor manifests.
    var isHarmlessDirectory: Bool {
        pathParts.contains(where: GradleNames.outputDirectories.contains) && !isOutside
            && !pathParts.contains { $0.isText("res") }
    }

    /// Whether it is a text that may be of a directory with source.
    var isSourceDirectory: Bool {
        if case .word = self { return false }
        return isOutside || pathParts.contains(where: GradleNames.sourceDirectories.contains)
    }

    private var isOutside: Bool { pathText.firstRange(of: "..".utf8) != nil }

    private var pathText: [UInt8] {
        switch self {
        case .word(let word): word
        case .text(let literal): Array((literal ?? "..").utf8)
        case .filled(let bytes): bytes
        default: []
        }
    }

    private var pathParts: [[UInt8]] {
        pathText.split { "/${}.".utf8.contains($0) }.map { Array($0) }
    }
}

func isGradleDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// The tokens of a line that are looked at.
let gradleLineMax = 24
