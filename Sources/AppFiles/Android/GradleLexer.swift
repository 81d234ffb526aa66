/// A token of a Gradle script, in Groovy or Kotlin.
enum GradleToken: Equatable {
    /// A name with what follows its full stops, such as `android.defaultConfig`.
    case word([UInt8])
    /// A literal; nil if it has escapes.
    case text(String?)
    /// A text with parts that the script fills in, as it is written, or a pattern of Groovy with its slashes.
    case filled([UInt8])
    case symbol(UInt8)
    case newline

    func isWord(_ name: String) -> Bool {
        if case .word(let word) = self { word.elementsEqual(name.utf8) } else { false }
    }

    /// One for a parenthesis or bracket that opens, minus one for one that closes, and zero for others.
    var nesting: Int {
        guard case .symbol(let byte) = self else { return 0 }
        return "([".utf8.contains(byte) ? 1 : ")]".utf8.contains(byte) ? -1 : 0
    }

    /// The parts of a word between its full stops; none of another token.
    var parts: [String] {
        guard case .word(let word) = self else { return [] }
        return word.split(separator: UInt8(ascii: ".")).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Splits a Gradle script into tokens. It refuses nothing: a script is a program, of which literals are read.
struct GradleLexer {
    private let bytes: [UInt8]
    private let isKotlin: Bool
    private var index = 0
    private var triesLeft = 100

    /// - Parameter name: that of the file, which says the language.
    static func tokens(of bytes: [UInt8], in name: String) -> [GradleToken] {
        var lexer = GradleLexer(bytes, name)
        var tokens = [GradleToken]()
        // The brackets that are open: within parentheses, a new line ends nothing.
        var open = [UInt8]()
        while true {
            let isInside = tokens.last == .newline && open.last != nil && open.last != brace
            let end = tokens.count - (isInside ? 1 : 0)
            let last = end > 0 ? tokens[end - 1] : nil
            // Behind `i++`, too, a slash divides.
            let isStep = end > 1 && steps.contains(tokens[end - 1]) && tokens[end - 2] == last
            guard let token = lexer.next(afterValue: isStep || last.map(Self.endsValue) == true)
            else { break }
            if case .symbol(let byte) = token {
                if "([{".utf8.contains(byte) { open.append(byte) }
                if ")]}".utf8.contains(byte) { _ = open.popLast() }
            }
            if tokens.last == .newline, token == .newline || continuing.contains(token) {
                tokens.removeLast()
            }
            tokens.append(token)
            joinWords(&tokens)
        }
        return tokens
    }

    /// Makes one word of two with a full stop between them that stands in another line, such as `pluginManager` and `.apply`.
    private static func joinWords(_ tokens: inout [GradleToken]) {
        guard case .word(let last)? = tokens.last, let first = tokens.dropLast(2).last,
            tokens[tokens.count - 2] == .symbol(UInt8(ascii: ".")), case .word(let word) = first,
            word.count <= namesMax
        else { return }
        tokens.removeLast(3)
        tokens.append(.word(word + [UInt8(ascii: ".")] + last))
    }

    /// A chain of more bytes is of many calls, and would be copied for each.
    static let namesMax = 200

    private init(_ bytes: [UInt8], _ name: String) {
        self.bytes = bytes
        isKotlin = [".kt", ".kts"].contains {
            name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
    }

    private mutating func next(afterValue isBehindValue: Bool) -> GradleToken? {
        while index < bytes.count {
            let byte = bytes[index]
            if isLineEnd(byte) {
                index += 1
                return .newline
            } else if byte == UInt8(ascii: "\\"), index + 1 < bytes.count,
                isLineEnd(bytes[index + 1])
            {
                index += bytes[index...].starts(with: "\\\r\n".utf8) ? 3 : 2
            } else if byte <= 0x20 {
                index += 1
            } else if starts("//") {
                index = bytes[index...].firstIndex(where: isLineEnd) ?? bytes.count
            } else if starts("/*") {
                skipComment()
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                return text(byte)
            } else if !isKotlin, starts("$/") {
                return pattern { $0.skipDollarPattern() }
            } else if !isKotlin, byte == UInt8(ascii: "/"), !isBehindValue {
                return pattern { $0.skipPattern() }
            } else if isWordByte(byte) {
                let start = index
                while index < bytes.count,
                    isWordByte(bytes[index]) || bytes[index] == UInt8(ascii: ".")
                        || !isKotlin && bytes[index] == UInt8(ascii: "$")
                {
                    index += 1
                }
                return .word(Array(bytes[start..<index]))
            } else {
                index += 1
                return byte == UInt8(ascii: "`") ? quotedName() : .symbol(byte)
            }
        }
        return nil
    }

    private func starts(_ mark: String) -> Bool { bytes[index...].starts(with: mark.utf8) }

    /// Goes behind a text of Groovy between `$/` and `/$`, in which a dollar sign escapes both of these signs.
    private mutating func skipDollarPattern() {
        index += 2
        while index < bytes.count, !starts("/$") {
            index += starts("$/$") ? 3 : starts("$$") || starts("$/") ? 2 : 1
        }
        index += 2
    }

    /// The name behind the sign `` ` `` if it has signs with which texts or comments begin; otherwise that sign.
    private mutating func quotedName() -> GradleToken {
        let name = bytes[index...].prefix { $0 != UInt8(ascii: "`") && !isLineEnd($0) }
        guard isKotlin, name.contains(where: { "\"'/".utf8.contains($0) }),
            name.endIndex < bytes.count
        else { return .symbol(UInt8(ascii: "`")) }
        index = name.endIndex + 1
        return .word(Array(name))
    }

    /// Goes behind a comment, and in Kotlin behind those within it.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            if starts("/*"), depth == 0 || isKotlin {
                depth += 1
                index += 2
            } else if starts("*/") {
                depth -= 1
                index += 2
            } else {
                index += 1
            }
        } while depth > 0 && index < bytes.count
    }

    /// The text that is skipped, which the script fills in.
    private mutating func pattern(_ skip: (inout GradleLexer) -> Void) -> GradleToken {
        let start = index
        skip(&self)
        return .filled(Array(bytes[start..<min(index, bytes.count)]))
    }

    /// Goes behind a text of Groovy between slashes, such as `/a"b/`.
    private mutating func skipPattern() {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "/") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
    }

    /// Whether a slash behind a token divides its value, and begins no text (Groovy, `GroovyLexer.g4`).
    private static func endsValue(_ token: GradleToken) -> Bool {
        switch token {
        case .text, .filled: true
        case .word: !["return", "in", "case", "else", "assert"].contains(where: token.isWord)
        case .symbol(let byte): ")]}!*".utf8.contains(byte)
        case .newline: false
        }
    }

    /// The place behind what a text fills in here; nil if nothing begins here, or if it has no end.
    private mutating func endOfFilledIn() -> Int? {
        guard starts("${"), triesLeft > 0 else { return nil }
        let end = bytes.endOfFilledIn(from: index)
        // Each try without a result can cost as much as the longest one.
        if end == nil { triesLeft -= 1 }
        return end
    }

    /// The text that a quotation mark begins. One of three marks goes over lines, and in Kotlin has no escapes.
    private mutating func text(_ mark: UInt8) -> GradleToken {
        let isLong = bytes[index...].prefix(3).elementsEqual([mark, mark, mark])
        let width = isLong ? 3 : 1
        index += width
        let start = index
        var (isLiteral, isFilled) = (true, false)
        while index < bytes.count, isLong || !isLineEnd(bytes[index]),
            !bytes[index...].prefix(width).allSatisfy({ $0 == mark })
        {
            let isEscape = bytes[index] == UInt8(ascii: "\\") && !(isKotlin && isLong)
            if isEscape { isLiteral = false }
            // A dollar sign behind an escape can be of a pattern.
            let sign = index + (isEscape ? 1 : 0)
            if sign < bytes.count, bytes[sign] == UInt8(ascii: "$") { isFilled = true }
            // What is filled in can have texts of its own.
            if !isEscape, let end = endOfFilledIn() {
                index = end
            } else {
                index += isEscape ? 2 : 1
            }
        }
        // Of more than three marks, Kotlin takes the last ones.
        while isKotlin, isLong, index + width < bytes.count, bytes[index + width] == mark {
            index += 1
        }
        let end = min(index, bytes.count)
        index = end + width
        if isFilled { return .filled(Array(bytes[start..<end])) }
        return .text(isLiteral ? String(decoding: bytes[start..<end], as: UTF8.self) : nil)
    }
}

private let brace = UInt8(ascii: "{")
/// The symbols with which a line goes on with the one before it.
private let continuing = ".?:&|".utf8.map(GradleToken.symbol)

/// The signs of which two stand behind a variable that they change.
private let steps = "+-".utf8.map(GradleToken.symbol)

private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        true
    default: false
    }
}
