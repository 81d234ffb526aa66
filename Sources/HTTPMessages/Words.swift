import Memory

// Short texts as words: up to eight ASCII octets, the first octet highest. Comparing one takes one
// instruction and no string. A test compares every constant here with its text.

enum Word {
    static var get: UInt64 { 0x47_4554 }
    static var head: UInt64 { 0x4845_4144 }
    static var options: UInt64 { 0x4F_5054_494F_4E53 }
    static var put: UInt64 { 0x50_5554 }
    static var post: UInt64 { 0x504F_5354 }
    static var patch: UInt64 { 0x50_4154_4348 }
    static var trace: UInt64 { 0x54_5241_4345 }
    static var delete: UInt64 { 0x4445_4C45_5445 }
    static var connect: UInt64 { 0x43_4F4E_4E45_4354 }
    /// `GET `, first octet lowest.
    static var getSpace: UInt64 { 0x2054_4547 }
    /// `HTTP/1.1`, first octet lowest.
    static var http11: UInt64 { 0x312E_312F_5054_5448 }

    // In lower case; texts are folded before they are compared.
    static var http: UInt64 { 0x68_7474_703A_2F2F }
    static var https: UInt64 { 0x6874_7470_733A_2F2F }
    static var close: UInt64 { 0x63_6C6F_7365 }
    static var chunked: UInt64 { 0x63_6875_6E6B_6564 }
    static var gzip: UInt64 { 0x677A_6970 }
    static var xGzip: UInt64 { 0x782D_677A_6970 }
    static var bytes: UInt64 { 0x62_7974_6573 }
    static var identity: UInt64 { 0x6964_656E_7469_7479 }
    /// `keep-alive` in two parts.
    static var keepAlive: (UInt64, UInt64) { (0x6B65_6570_2D61_6C69, 0x7665) }
    /// `100-continue` in two parts.
    static var continuing: (UInt64, UInt64) { (0x3130_302D_636F_6E74, 0x696E_7565) }
}

extension Span<UInt8> {
    /// Whether a range is equal to this word in any letter case.
    func equals(_ range: Range<Int>, lowercased word: UInt64) -> Bool {
        range.count <= 8 && folded(range) == word
    }

    /// Whether a range is equal to this text of nine to sixteen octets in any letter case.
    func equals(_ range: Range<Int>, lowercased words: (UInt64, UInt64)) -> Bool {
        guard (9...16).contains(range.count) else { return false }
        let middle = range.lowerBound + 8
        return folded(range.lowerBound..<middle) == words.0
            && folded(middle..<range.upperBound) == words.1
    }

    private func folded(_ range: Range<Int>) -> UInt64 { word(range).foldedToLowerCase }

    /// The number that the digits of a range represent; nil if there is no digit, another
    /// character, or more than 18 digits.
    func decimal(_ range: Range<Int>) -> Int? {
        guard (1...18).contains(range.count) else { return nil }
        var number = 0
        for index in range {
            let digit = self[index] &- 0x30
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// The range without the optional whitespace at its ends.
    func trimmingOWS(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, self[lower].isOWS { lower += 1 }
        while upper > lower, self[upper - 1].isOWS { upper -= 1 }
        return lower..<upper
    }
}

/// The members of a comma-separated field value, without empty ones (RFC 9110 §5.6.1). Commas
/// within quoted strings do not separate.
struct FieldList {
    private var rest: Range<Int>

    init(_ value: Range<Int>) { rest = value }

    mutating func next(_ span: Span<UInt8>) -> Range<Int>? {
        while !rest.isEmpty {
            var index = rest.lowerBound
            var isQuoted = false
            while index < rest.upperBound, isQuoted || span[index] != .comma {
                if span[index] == .quote { isQuoted.toggle() }
                index += 1
            }
            let item = span.trimmingOWS(rest.lowerBound..<index)
            rest = min(index + 1, rest.upperBound)..<rest.upperBound
            if !item.isEmpty { return item }
        }
        return nil
    }
}
