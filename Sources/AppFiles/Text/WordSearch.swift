/// Whether a text has another in it.
func holds(_ mark: StaticString, in text: String) -> Bool {
    let (bytes, mark) = (Array(text.utf8), Array("\(mark)".utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: mark) }
}

/// The letters of ASCII in a name, in lower case, without the signs between its words.
func letters(of name: some Sequence<UInt8>) -> String {
    String(decoding: name.map { $0 | 0x20 }.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
}
