import URISyntax

extension IPAddress {
    /// Reads an address that fills `text`: IPv4 as four decimal numbers without leading zeros, or
    /// any form of IPv6 (RFC 4291 §2.2), without brackets or zone.
    package init?(_ text: Span<UInt8>) {
        var index = 0
        while index < text.count, text[index] != .colon { index += 1 }
        if index == text.count {
            guard let octets = Self.octets(text, 0..<text.count) else { return nil }
            self.init(v4: octets)
        } else {
            self.init(v6: text)
        }
    }

    /// Reads an address that fills `text`.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span)
    }

    private init?(v6 text: Span<UInt8>) {
        var groups = GroupReader()
        var index = 0
        if text.count >= 2, text[0] == .colon {
            guard text[1] == .colon else { return nil }
            groups.gap = 0
            index = 2
        }
        while index < text.count {
            var end = index
            while end < text.count, text[end] != .colon { end += 1 }
            if end == text.count, let octets = Self.octets(text, index..<end) {
                guard groups.append(UInt16(octets >> 16)), groups.append(UInt16(octets & 0xFFFF))
                else { return nil }
                break
            }
            guard let group = Self.group(text, index..<end), groups.append(group) else {
                return nil
            }
            index = end + 1
            guard end < text.count else { break }
            guard index < text.count else { return nil }
            if text[index] == .colon {
                guard groups.gap == nil else { return nil }
                groups.gap = groups.count
                index += 1
            }
        }
        guard let words = groups.words else { return nil }
        self.init(high: words.high, low: words.low)
    }

    private static func octets(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
        var octets: UInt32 = 0
        var index = range.lowerBound
        for part in 0..<4 {
            if part > 0 {
                guard index < range.upperBound, text[index] == .fullStop else { return nil }
                index += 1
            }
            let start = index
            var number: UInt32 = 0
            while index < range.upperBound, index < start + 3, text[index].isDigit {
                number = number * 10 + UInt32(text[index] & 0xF)
                index += 1
            }
            let hasLeadingZero = index > start + 1 && text[start] == UInt8(ascii: "0")
            guard index > start, !hasLeadingZero, number <= 255 else { return nil }
            octets = octets << 8 | number
        }
        return index == range.upperBound ? octets : nil
    }

    private static func group(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        guard (1...4).contains(range.count) else { return nil }
        var group: UInt16 = 0
        for index in range {
            guard let digit = text[index].hexDigitValue else { return nil }
            group = group << 4 | UInt16(digit)
        }
        return group
    }
}

/// The groups of an IPv6 address that were read so far, and the position of `::` among them.
private struct GroupReader {
    private var groups: [8 of UInt16] = .init(repeating: 0)
    private(set) var count = 0
    var gap: Int?

    mutating func append(_ group: UInt16) -> Bool {
        guard count < 8 else { return false }
        groups[count] = group
        count += 1
        return true
    }

    /// Nil unless there are eight groups, where `::` stands for at least one group.
    var words: (high: UInt64, low: UInt64)? {
        guard gap == nil ? count == 8 : count < 8 else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        let skipped = 8 - count
        for index in 0..<count {
            let position = index < gap ?? count ? index : index + skipped
            let shifted = UInt64(groups[index]) << UInt64(48 - position % 4 * 16)
            if position < 4 { words.high |= shifted } else { words.low |= shifted }
        }
        return words
    }
}
