private import URISyntax

/// The lines of a text, without their ends.
func lines(of text: [UInt8]) -> [String] {
    text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
        String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
}

/// The words of a line, between blanks. Quotes hold a word together, and a backslash before a quote
/// makes it part of the word.
func words(of line: String) -> [String] {
    var words = [String]()
    var word = [UInt8]()
    var (quote, isWord) = (UInt8(0), false)
    var bytes = Array(line.utf8)[...]
    while let byte = bytes.popFirst() {
        let next = bytes.first
        if byte == UInt8(ascii: "\\"), next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
            word.append(bytes.removeFirst())
            isWord = true
        } else if quote != 0 {
            if byte == quote { quote = 0 } else { word.append(byte) }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            (quote, isWord) = (byte, true)
        } else if byte == 0x20 || byte == 0x09 {
            if isWord { words.append(String(decoding: word, as: UTF8.self)) }
            (word, isWord) = ([], false)
        } else {
            word.append(byte)
            isWord = true
        }
    }
    return isWord ? words + [String(decoding: word, as: UTF8.self)] : words
}

/// A text as a pattern that matches only this text: as browsers write it, and with `?` for
/// characters that a pattern gives a meaning.
func literalPattern(_ text: some Sequence<UInt8>) -> String {
    var result = [UInt8]()
    for byte in text {
        if "*?$".utf8.contains(byte) {
            result.append(UInt8(ascii: "?"))
        } else if byte > 0x20, byte < 0x7F, !"#{}\"<>\\^`|".utf8.contains(byte) {
            result.append(byte)
        } else {
            result.append(percentEncoded: byte)
        }
    }
    return String(decoding: result, as: UTF8.self)
}

func literalPattern(_ text: String) -> String { literalPattern(text.utf8) }

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
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let start = text.utf8.drop(while: isBlank)
    return String(decoding: start.reversed().drop(while: isBlank).reversed(), as: UTF8.self)
}
