import TestSupport

// How texts are damaged.

extension Fuzz {
    /// A text of the corpus with one to five damages.
    func mutant(_ generator: inout SplitMix) -> [UInt8] {
        var text = corpus.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...5, using: &generator) { damage(&text, &generator) }
        return text
    }

    private func damage(_ text: inout [UInt8], _ generator: inout SplitMix) {
        let start = Int.random(in: 0...text.count, using: &generator)
        let end = min(text.count, start + Int.random(in: 0...16, using: &generator))
        let piece = pieces.randomElement(using: &generator) ?? []
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: text.removeSubrange(start..<end)
        case 1: text.insert(contentsOf: piece, at: start)
        case 2: text.replaceSubrange(start..<end, with: piece)
        case 3: text.insert(UInt8.random(in: 0...255, using: &generator), at: start)
        case 4 where start < text.count:
            text[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 5: text.removeSubrange(start...)
        case 6: text.insert(contentsOf: text[start..<end], at: start)
        default: splice(&text, at: start, &generator)
        }
    }

    /// Puts a run of another text there.
    private func splice(_ text: inout [UInt8], at start: Int, _ generator: inout SplitMix) {
        let other = corpus.randomElement(using: &generator) ?? []
        let from = Int.random(in: 0...other.count, using: &generator)
        let length = Int.random(in: 0...200, using: &generator)
        text.insert(contentsOf: other[from..<min(other.count, from + length)], at: start)
    }
}

private let pieces = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "//", "/*", "*/", "#", "NOT ", "$(", ")", "$(lang)",
    "*", "?", "**", "?*", "%", "%2F", "\u{FEFF}", "“", "…", "é", "\u{301}", "\0", "\n", "\r\n",
    "\t",
    "null", "true", "1e999", "-", "\"/\":", "\"?\":", "\"#\":", "\"exclude\":", "\"appIDs\":",
    "\"appID\":", "\"paths\":", "\"components\":", "\"details\":", "\"applinks\":",
    "\"defaults\":", "\"substitutionVariables\":", "\"relation\":", "\"target\":", "[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":", "\\ud83d", "\\u0000", "- ", "  ", "&a ", "*a", "|\n", "---\n",
].map { Array($0.utf8) }
