private import URISyntax

/// Whether a text begins with a byte-order mark.
func beginsWithMark(_ text: [UInt8]) -> Bool { text.starts(with: [0xEF, 0xBB, 0xBF]) }

/// The lines of a text, without their ends.
func lines(of text: [UInt8]) -> [String] {
    text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
        String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
}

/// The way in which a format writes a word with blanks. nginx, whose words end at semicolons and go on
/// over lines, has a reader of its own.
struct Quoting: Sendable {
    /// The characters that begin a quoted word, and end it.
    var quotes = [UInt8]()
    /// Whether a backslash takes the meaning of a character in a word with this quote, which is 0 for
    /// a word without one.
    var isEscape: @Sendable (_ character: UInt8, _ quote: UInt8) -> Bool = { _, _ in false }
    /// Whether a # at the beginning of a word begins a comment.
    var hasComments = false

    /// Netlify's lines have neither quotes nor escapes.
    static let netlify = Quoting(hasComments: true)
    /// A comment is a whole line, and was taken out before (Apache, `ap_getword_conf`).
    static let apache = Quoting(quotes: Array("\"'".utf8), isEscape: { $1 != 0 && $0 == $1 })
    /// Backquotes have no escapes (Caddy, "Caddyfile concepts").
    static let caddy = Quoting(
        quotes: Array("\"`".utf8),
        isEscape: { $0 == UInt8(ascii: "\"") && $1 == $0 }, hasComments: true)
}

/// The words of a line, between blanks. A quote counts at the beginning of a word only.
func words(of line: String, _ quoting: Quoting) -> [String] {
    var words = [String]()
    var word = [UInt8]()
    var (quote, isWord) = (UInt8(0), false)
    var bytes = Array(line.utf8)[...]
    func end() {
        if isWord { words.append(String(decoding: word, as: UTF8.self)) }
        (word, quote, isWord) = ([], 0, false)
    }
    while let byte = bytes.popFirst() {
        if byte == UInt8(ascii: "\\"), let next = bytes.first, quoting.isEscape(next, quote) {
            word.append(bytes.removeFirst())
            isWord = true
        } else if quote != 0 {
            if byte == quote { end() } else { word.append(byte) }
        } else if byte == 0x20 || byte == 0x09 {
            end()
        } else if !isWord, quoting.hasComments, byte == UInt8(ascii: "#") {
            break
        } else if !isWord, quoting.quotes.contains(byte) {
            (quote, isWord) = (byte, true)
        } else {
            word.append(byte)
            isWord = true
        }
    }
    end()
    return words
}

/// The arguments of mod_rewrite's directives: a backslash in front of a blank keeps the blank in the
/// argument, and stays (Apache, `parseargline`).
func rewriteArguments(_ text: some Sequence<UInt8>) -> [String] {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var (words, rest) = ([String](), Array(text)[...])
    while words.count < 3 {
        rest = rest.drop(while: isBlank)
        guard let first = rest.first else { break }
        let isQuoted = "\"'".utf8.contains(first)
        if isQuoted { rest = rest.dropFirst() }
        var word = [UInt8]()
        while let byte = rest.popFirst(), isQuoted ? byte != first : !isBlank(byte) {
            word.append(byte)
            if byte == UInt8(ascii: "\\"), let next = rest.first, isBlank(next) {
                word.append(next)
                rest = rest.dropFirst()
            }
        }
        words.append(String(decoding: word, as: UTF8.self))
    }
    return words
}

/// A text as a pattern that matches only this text: as browsers write it, and with `?` for
/// characters that a pattern gives a meaning. A question mark in a path is always escaped.
/// - Parameter isDecoded: whether the text has no escapes, so that a percent sign is one.
func literalPattern(_ text: some Sequence<UInt8>, isDecoded: Bool = false) -> String {
    var result = [UInt8]()
    for byte in text {
        if isDecoded, byte == UInt8(ascii: "%") {
            result.append(percentEncoded: byte)
        } else if "*$".utf8.contains(byte) {
            result.append(UInt8(ascii: "?"))
        } else if byte > 0x20, byte < 0x7F, !"?#{}\"<>\\^`|".utf8.contains(byte) {
            result.append(byte)
        } else {
            result.append(percentEncoded: byte)
        }
    }
    return String(decoding: result, as: UTF8.self)
}

func literalPattern(_ text: String, isDecoded: Bool = false) -> String {
    literalPattern(text.utf8, isDecoded: isDecoded)
}

/// The text as a regular expression that matches only this text.
func literalExpression(_ text: some Sequence<UInt8>) -> [UInt8] {
    text.flatMap { byte in
        let isPlain =
            byte.isLetter || byte.isDigit || byte >= 0x80 || "/-_~%=&,;:@!' ".utf8.contains(byte)
        return isPlain ? [byte] : [UInt8(ascii: "\\"), byte]
    }
}

/// A text without blanks at its ends.
func trimmed(_ text: some StringProtocol) -> String {
    String(decoding: Array(text.utf8).trimmed { $0.isBlank || $0 == 0x0D }, as: UTF8.self)
}
