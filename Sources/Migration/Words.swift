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
func literalPattern(_ text: String) -> String {
    var result = [UInt8]()
    for byte in text.utf8 {
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
