private import Diagnostics
private import URISyntax

/// A directive of nginx with its words, and its block if it has one.
struct NginxDirective {
    let name: String
    let words: [String]
    let source: SourceLine
    /// Nil if it ends with a semicolon.
    var block: [NginxDirective]?

    /// The directives of this name in it, and itself. Blocks have at most `NginxReader.depthMax`
    /// levels.
    func all(_ wanted: String) -> [NginxDirective] {
        (name == wanted ? [self] : []) + (block ?? []).flatMap { $0.all(wanted) }
    }

    /// Whether it or something in it redirects.
    var isRedirecting: Bool {
        name == "return" || name == "rewrite" || (block ?? []).contains(where: \.isRedirecting)
    }
}

/// Reads the grammar of an nginx configuration: words, semicolons and blocks.
struct NginxReader {
    /// The levels of blocks; nginx's own modules have six.
    static let depthMax = 32

    private let bytes: [UInt8]
    private let file: String
    private var index = 0
    private var line = 1
    private var column = 1
    private var fault: RedirectFault?

    /// The directives of the file, or the first fault for which nginx refuses it.
    static func read(_ text: [UInt8], file: String) -> (
        directives: [NginxDirective], fault: RedirectFault?
    ) {
        var reader = NginxReader(bytes: text, file: file)
        let directives = reader.readAll()
        return (reader.fault == nil ? directives : [], reader.fault)
    }

    private init(bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

    private struct Word {
        let text: String
        let position: SourcePosition
    }

    /// A block that has begun, and the directives in it so far.
    private struct Frame {
        let head: [Word]
        var directives = [NginxDirective]()
    }

    private mutating func readAll() -> [NginxDirective] {
        var open = [Frame(head: [])]
        var words = [Word]()
        while fault == nil, let token = next() {
            switch token {
            case .word(let word):
                checkEnd(of: words, before: word)
                words.append(word)
            case .end(let position):
                guard !words.isEmpty else {
                    report(("there is no directive in front of this ;", "remove it"), at: position)
                    break
                }
                check(words, within: open[open.count - 1], hasBlock: false)
                open[open.count - 1].directives.append(directive(words, block: nil))
                words = []
            case .open(let position):
                begin(words, position, &open)
                words = []
            case .close(let position):
                guard words.isEmpty else {
                    report(unended(words), at: words[words.count - 1].position)
                    break
                }
                guard open.count > 1, let frame = open.popLast() else {
                    report(("there is no { for this }", "remove it"), at: position)
                    break
                }
                open[open.count - 1].directives.append(
                    directive(frame.head, block: frame.directives))
            }
        }
        if fault == nil, let last = words.last { report(unended(words), at: last.position) }
        if fault == nil, open.count > 1, let head = open[open.count - 1].head.first {
            report(
                ("the block of \(quoted(head.text)) is not closed", "write }"), at: head.position)
        }
        return open[0].directives
    }

    private mutating func begin(
        _ words: [Word], _ position: SourcePosition, _ open: inout [Frame]
    ) {
        guard let head = words.first else {
            return report(("a block has no name", "write a directive in front of {"), at: position)
        }
        if let whole = bracedWord(words) {
            return report(
                (
                    "the { in \(quoted(whole)) begins a block, because the text is not in "
                        + "quotation marks",
                    "write \(quoted(whole)), with the quotation marks"
                ), at: position)
        }
        guard !Self.simple.contains(head.text) else {
            return report(unended(words), at: words[words.count - 1].position)
        }
        check(words, within: open[open.count - 1], hasBlock: true)
        guard open.count <= Self.depthMax else {
            return report(
                ("blocks have more than \(Self.depthMax) levels", "move some out"), at: position)
        }
        open.append(Frame(head: words))
        if head.text.utf8.suffix(10).elementsEqual("_lua_block".utf8) { skipCode() }
    }

    /// The word that a brace divides, such as an expression with a number of repetitions.
    private func bracedWord(_ words: [Word]) -> String? {
        guard let head = words.first, let word = words.last, index >= 2, bytes[index - 2] > 0x20
        else { return nil }
        let rest = bytes[index...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") }
        let isClosed = rest.firstIndex(of: UInt8(ascii: "}")).map { $0 > index } ?? false
        guard isClosed || Self.simple.contains(head.text) else { return nil }
        return "\(word.text){\(String(decoding: rest, as: UTF8.self))"
    }

    private func directive(_ words: [Word], block: [NginxDirective]?) -> NginxDirective {
        let source = SourceLine(
            file: file, line: words[0].position.line,
            text: words.map(\.text).joined(separator: " "))
        return NginxDirective(
            name: words[0].text, words: words.dropFirst().map(\.text), source: source,
            block: block)
    }

    // MARK: Faults

    /// Directives without a block, and those of which one is likely the next line.
    private static let simple: Set = [
        "return", "rewrite", "server_name", "listen", "root", "error_page", "set", "index",
    ]
    private static let others: Set = ["location", "server", "if", "proxy_pass", "try_files"]

    /// A directive that goes on with the name of another one on a later line lacks its semicolon.
    private mutating func checkEnd(of words: [Word], before word: Word) {
        guard let head = words.first, let last = words.last, Self.simple.contains(head.text),
            word.position.line > last.position.line,
            Self.simple.contains(word.text) || Self.others.contains(word.text)
        else { return }
        report(unended(words), at: last.position)
    }

    /// Blocks with directives; those of `map` and others have entries, which can begin with anything.
    private static let blocks: Set = ["http", "server", "location", "if", "limit_except"]
    private static let withBlock: Set = ["location", "if", "limit_except", "map"]

    /// Checks what only the directive's name decides: whether there is one, its block, and the
    /// variables in its texts.
    private mutating func check(_ words: [Word], within frame: Frame, hasBlock: Bool) {
        guard let head = words.first else { return }
        if let outer = frame.head.first?.text {
            guard Self.blocks.contains(outer) else { return }
            guard head.text.utf8.first?.isLetter == true else {
                return report(
                    (
                        "\(quoted(head.text)) is not the name of a directive",
                        "remove it; a text with { or ; needs quotation marks"
                    ), at: head.position)
            }
        }
        if !hasBlock, Self.withBlock.contains(head.text) {
            let text = words.map(\.text).joined(separator: " ")
            report(
                (
                    "\(quoted(text)) has no block",
                    "write { and } in place of ; or put a text with ; in quotation marks"
                ), at: head.position)
        }
        // The first word of `rewrite` is an expression, in which $ is the end.
        let texts = head.text == "return" ? words.dropFirst() : words.dropFirst(2)
        guard ["return", "rewrite"].contains(head.text),
            let word = texts.first(where: { hasNamelessVariable($0.text) })
        else { return }
        report(
            (
                "a $ in \(quoted(word.text)) is not followed by the name of a variable",
                "write the name; nginx has no other way to write a $"
            ), at: word.position)
    }

    private func hasNamelessVariable(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        return parts.dropFirst().contains { part in
            let isBraced = part.first == UInt8(ascii: "{")
            let rest = isBraced ? part.dropFirst() : part
            let end = rest.first { !$0.isLetter && !$0.isDigit && $0 != UInt8(ascii: "_") }
            let isNamed = rest.first.map { $0 == UInt8(ascii: "_") || $0.isLetter || $0.isDigit }
            return isNamed != true || isBraced && end != UInt8(ascii: "}")
        }
    }

    private func unended(_ words: [Word]) -> (String, String) {
        let text = words.map(\.text).joined(separator: " ")
        return ("\(quoted(text)) does not end", "write ; behind it")
    }

    private mutating func report(_ text: (fact: String, advice: String), at: SourcePosition) {
        fault = fault ?? RedirectFault(position: at, fact: text.fact, advice: text.advice)
    }

    // MARK: Tokens

    private enum Token {
        case word(Word)
        case end(SourcePosition)
        case open(SourcePosition)
        case close(SourcePosition)
    }

    private var position: SourcePosition { SourcePosition(file: file, line: line, column: column) }

    private mutating func advance() {
        if bytes[index] == 0x0A {
            (line, column) = (line + 1, 1)
        } else if bytes[index] & 0xC0 != 0x80 {
            column += 1
        }
        index += 1
    }

    private mutating func next() -> Token? {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0D, 0x0A: advance()
            case UInt8(ascii: "#"):
                while index < bytes.count, bytes[index] != 0x0A { advance() }
            case UInt8(ascii: ";"):
                defer { advance() }
                return .end(position)
            case UInt8(ascii: "{"):
                defer { advance() }
                return .open(position)
            case UInt8(ascii: "}"):
                defer { advance() }
                return .close(position)
            case UInt8(ascii: "\""), UInt8(ascii: "'"): return .word(quotedWord())
            default: return .word(plainWord())
            }
        }
        return nil
    }

    private mutating func quotedWord() -> Word {
        let (start, quote) = (position, bytes[index])
        var word = [UInt8]()
        advance()
        while index < bytes.count, bytes[index] != quote { takeByte(&word) }
        if index < bytes.count {
            advance()
        } else {
            report(("a quotation mark has no partner", "write the second one"), at: start)
        }
        if index < bytes.count, bytes[index] > 0x20, !";{)".utf8.contains(bytes[index]) {
            let text = String(decoding: word, as: UTF8.self)
            report(
                (
                    "\(quoted(text)) is followed by more than a blank, ; or {",
                    "put the whole text in quotation marks"
                ), at: position)
        }
        return Word(text: String(decoding: word, as: UTF8.self), position: start)
    }

    /// A brace within a word that ends none belongs to a variable, `${name}`.
    private mutating func plainWord() -> Word {
        let start = position
        var word = [UInt8]()
        // Only what `next` passes over ends a word, or it would be read again for ever.
        while index < bytes.count,
            ![0x20, 0x09, 0x0D, 0x0A, UInt8(ascii: ";")].contains(bytes[index]),
            bytes[index] != UInt8(ascii: "{") || word.last == UInt8(ascii: "$")
        {
            takeByte(&word)
        }
        return Word(text: String(decoding: word, as: UTF8.self), position: start)
    }

    /// Takes a byte of a word. Behind a backslash, another one and quotation marks stand for
    /// themselves, and both bytes of other pairs belong to the word.
    private mutating func takeByte(_ word: inout [UInt8]) {
        let byte = bytes[index]
        advance()
        guard byte == UInt8(ascii: "\\"), index < bytes.count else { return word.append(byte) }
        let known = [UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "n"): 0x0A]
        if let control = known[bytes[index]] {
            word.append(UInt8(control))
        } else {
            if !"\\\"'".utf8.contains(bytes[index]) { word.append(byte) }
            word.append(bytes[index])
        }
        advance()
    }

    /// Passes over a block of another language, up to the brace that ends it.
    private mutating func skipCode() {
        // The brace that begins it was read.
        var depth = 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "{") { depth += 1 }
            if bytes[index] == UInt8(ascii: "}") { depth -= 1 }
            if depth == 0 { return }
            advance()
        }
    }
}
