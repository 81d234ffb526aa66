/// Turns the bytes of a text file into UTF-8 as they come: UTF-8 with or without a byte-order mark,
/// or UTF-16 with one. The text ends before the first byte that is no character.
struct TextDecoder: Sendable {
    private enum Encoding: Sendable {
        case unknown
        case utf8
        case utf16(isBigEndian: Bool)
    }

    /// The reason why the text ends before its bytes do.
    enum End: Equatable, Sendable {
        /// The file is of another kind, in words.
        case otherFile(String, advice: String)
        /// The next bytes are no character: a byte of UTF-8, or half a pair of UTF-16.
        case noCharacter(byte: UInt8?)
    }

    /// The text that has come and was not taken.
    private(set) var text = [UInt8]()
    /// The number of its bytes that were taken.
    private(set) var position = 0
    private(set) var end: End?
    private var encoding = Encoding.unknown
    /// Bytes that are not decoded yet.
    private var rest = [UInt8]()

    mutating func add(_ more: some Sequence<UInt8>) {
        if end == nil { rest += more }
    }

    /// Takes the text up to here.
    mutating func take(upTo position: Int) { self.position = position }

    /// Decodes what has come.
    /// - Parameter isEnd: whether no more bytes come.
    mutating func decode(isEnd: Bool) {
        // Less is moved than was taken, so all of it costs what its bytes cost.
        if position == text.count {
            text.removeAll(keepingCapacity: true)
            position = 0
        } else if position > text.count / 2 {
            text.removeFirst(position)
            position = 0
        }
        guard end == nil, !rest.isEmpty else { return }
        if case .unknown = encoding {
            guard rest.count >= FileSignature.bytesNeeded(rest) || isEnd else { return }
            begin()
        }
        switch encoding {
        case .unknown: break
        case .utf8: decodeUTF8(isEnd)
        case .utf16(let isBigEndian): decodeUTF16(isBigEndian, isEnd)
        }
    }

    private mutating func begin() {
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) {
            encoding = .utf8
            rest.removeFirst(3)
        } else if rest.starts(with: [0xFF, 0xFE]) || rest.starts(with: [0xFE, 0xFF]) {
            encoding = .utf16(isBigEndian: rest[0] == 0xFE)
            rest.removeFirst(2)
        } else if let other = FileSignature.otherFile(rest) {
            end = .otherFile(other.words, advice: other.advice)
            rest = []
        } else {
            encoding = .utf8
        }
    }

    private mutating func decodeUTF8(_ isEnd: Bool) {
        var index = 0
        while index < rest.count, end == nil {
            let lead = rest[index]
            guard lead >= 0x80 else {
                index += 1
                continue
            }
            let length = Self.sequenceLength(lead)
            let present = min(length, rest.count - index)
            let isValid =
                length > 0
                && (1..<present).allSatisfy { Self.mayFollow(lead, rest[index + $0], at: $0) }
            guard isValid, present == length || !isEnd else {
                end = .noCharacter(byte: lead)
                break
            }
            guard present == length else { break }
            index += length
        }
        text += rest[..<index]
        rest = end == nil ? Array(rest[index...]) : []
    }

    /// The bytes of a sequence by its first one; 0 for a byte that begins none (Unicode, table 3-7).
    private static func sequenceLength(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    private static func mayFollow(_ lead: UInt8, _ byte: UInt8, at index: Int) -> Bool {
        switch (lead, index) {
        case (0xE0, 1): 0xA0...0xBF ~= byte
        case (0xED, 1): 0x80...0x9F ~= byte
        case (0xF0, 1): 0x90...0xBF ~= byte
        case (0xF4, 1): 0x80...0x8F ~= byte
        default: 0x80...0xBF ~= byte
        }
    }

    private mutating func decodeUTF16(_ isBigEndian: Bool, _ isEnd: Bool) {
        func unit(_ index: Int) -> UInt32 {
            let (first, second) = (UInt32(rest[index]), UInt32(rest[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        var index = 0
        while index < rest.count, end == nil {
            guard index + 1 < rest.count else {
                if isEnd { end = .noCharacter(byte: nil) }
                break
            }
            var (value, length) = (unit(index), 2)
            if 0xD800...0xDBFF ~= value {
                guard index + 3 < rest.count else {
                    if isEnd { end = .noCharacter(byte: nil) }
                    break
                }
                let low = unit(index + 2)
                if 0xDC00...0xDFFF ~= low {
                    value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                    length = 4
                }
            }
            guard let scalar = Unicode.Scalar(value) else {
                end = .noCharacter(byte: nil)
                break
            }
            text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            index += length
        }
        rest = end == nil ? Array(rest[index...]) : []
    }
}
