private import URISyntax

/// The words of a table, arranged so that most bytes of a text need only one comparison.
struct CompiledWords: Sendable {
    /// Added to each byte of a text: the bit by which letters differ in case, or nothing.
    private let fold: UInt8
    /// All words in the order of their first bytes, one after the other.
    private let text: [UInt8]
    private let entries: [Entry]
    /// For each byte, the number of the first entry that begins with this byte or a greater one.
    private let firstEntries: [Int]
    /// For each byte, the bytes (in 32 kinds) that follow it in words that it begins, and whether
    /// it is a letter or digit.
    private let kinds: [UInt64]

    private struct Entry: Sendable {
        let second: UInt8
        let token: VisitorToken
        let start: Int
        let end: Int
    }

    /// - Parameter isAnywhere: whether words are also found within words, and in either letter
    ///   case; they are given in lower case then, and have no byte below a space.
    init(_ words: [(word: StaticString, token: VisitorToken)], isAnywhere: Bool) {
        fold = isAnywhere ? 0x20 : 0
        let sorted = words.map { (bytes: Array($0.word.description.utf8), token: $0.token) }
            .sorted { $0.bytes[0] < $1.bytes[0] }
        text = sorted.flatMap(\.bytes)
        var start = 0
        entries = sorted.map { bytes, token in
            defer { start += bytes.count }
            return Entry(second: bytes[1], token: token, start: start, end: start + bytes.count)
        }
        firstEntries = (0...256).map { byte in
            sorted.firstIndex { Int($0.bytes[0]) >= byte } ?? sorted.count
        }
        kinds = (UInt8.min...UInt8.max).map { byte in
            let isInWord = !isAnywhere && (byte.isLetter || byte.isDigit)
            let own: UInt64 = isInWord ? Self.wordBit : 0
            return sorted.filter { $0.bytes[0] == byte }.reduce(own) { $0 | Self.bit($1.bytes[1]) }
        }
    }

    private static let wordBit: UInt64 = 1 << 63
    private static func bit(_ byte: UInt8) -> UInt64 { 1 << UInt64(byte & 31) }

    func tokens(in userAgent: Span<UInt8>) -> VisitorTokens {
        let kinds = kinds.span
        var tokens = VisitorTokens()
        guard var byte = userAgent.isEmpty ? nil : userAgent[0] | fold else { return tokens }
        var isInWord = false
        for index in 1..<userAgent.count {
            let next = userAgent[index] | fold
            let kind = kinds[Int(byte)]
            if !isInWord, kind & Self.bit(next) != 0 {
                insert(&tokens, of: userAgent, behind: index)
            }
            isInWord = kind & Self.wordBit != 0
            byte = next
        }
        return tokens
    }

    /// - Parameter second: the position of the second byte of the words.
    private func insert(
        _ tokens: inout VisitorTokens, of userAgent: Span<UInt8>, behind second: Int
    ) {
        let (text, entries) = (text.span, entries.span)
        let byte = Int(userAgent[second - 1] | fold)
        for number in firstEntries[byte]..<firstEntries[byte + 1]
        where entries[number].second == userAgent[second] | fold {
            let entry = entries[number]
            guard entry.end - entry.start - 1 <= userAgent.count - second else { continue }
            var (position, index) = (entry.start + 2, second + 1)
            while position < entry.end, text[position] == userAgent[index] | fold {
                position += 1
                index += 1
            }
            guard position == entry.end else { continue }
            if entry.token == .bot, !isProgram(userAgent, second - 1) { continue }
            tokens.insert(entry.token)
        }
    }

    /// Whether `bot` at a position is the end of a program's name: it is not within a word, such as
    /// `bottom`, and not that of the phones of Cubot.
    private func isProgram(_ userAgent: Span<UInt8>, _ start: Int) -> Bool {
        let end = start + 3
        if end < userAgent.count, userAgent[end].isLetter, userAgent[end] | 0x20 != 0x73 {
            return false
        }
        return start < 2 || userAgent[start - 2] | 0x20 != 0x63
            || userAgent[start - 1] | 0x20 != 0x75
    }
}
