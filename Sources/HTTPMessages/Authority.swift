private import URISyntax

/// The host and port of a Host field or of a target in absolute form (RFC 3986 §3.2).
struct Authority {
    var host: Range<Int>
    var port: Range<Int>

    /// Nil unless the range is a name or an address, with or without a port. User information is
    /// not allowed here (RFC 9110 §4.2.4). An empty host is valid.
    static func read(_ span: Span<UInt8>, _ range: Range<Int>) -> Authority? {
        var index = range.lowerBound
        if index < range.upperBound, span[index] == UInt8(ascii: "[") {
            guard let end = endOfAddress(span, range) else { return nil }
            index = end
        } else {
            index = span.endOfHostName(from: range)
            guard span.hasWholeEscapes(range.lowerBound..<index) else { return nil }
        }
        let host = range.lowerBound..<index
        guard index < range.upperBound else { return .init(host: host, port: index..<index) }
        guard span[index] == .colon, !host.isEmpty else { return nil }
        let port = index + 1..<range.upperBound
        guard port.count <= 5, port.isEmpty || span.decimal(port).map({ $0 <= 65535 }) == true
        else { return nil }
        return .init(host: host, port: port)
    }

    /// The end of an IPv6 address in brackets (RFC 3986 §3.2.2): eight groups, of which one run can
    /// be left out, and the last two can be an IPv4 address. An address of a future IP version is
    /// valid too, although no host here has one.
    private static func endOfAddress(_ span: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let text = span.extracting(range)
        if text.count > 1, text[1] | 0x20 == UInt8(ascii: "v") {
            return endOfFutureAddress(text).map { range.lowerBound + $0 }
        }
        var (index, groups) = (1, 0)
        var isShortened = text.count > 3 && text[1] == .colon && text[2] == .colon
        if isShortened { index = 3 }
        while index < text.count, text[index] != UInt8(ascii: "]") {
            let start = index
            while index < text.count, text[index].hexDigitValue != nil { index += 1 }
            guard index > start, index < text.count else { return nil }
            if text[index] == UInt8(ascii: ".") {
                guard let end = endOfIPv4(text, from: start) else { return nil }
                index = end
                groups += 2
                break
            }
            guard index - start <= 4 else { return nil }
            groups += 1
            guard text[index] == .colon else { break }
            index += 1
            guard index < text.count, text[index] != UInt8(ascii: "]") else { return nil }
            if text[index] == .colon {
                guard !isShortened else { return nil }
                isShortened = true
                index += 1
            }
        }
        guard index < text.count, text[index] == UInt8(ascii: "]"),
            isShortened ? groups < 8 : groups == 8
        else { return nil }
        return range.lowerBound + index + 1
    }

    /// The end of `[v1.address]`: a version in hex digits, a full stop, and unreserved characters,
    /// sub-delimiters or colons (RFC 3986 §3.2.2 IPvFuture).
    private static func endOfFutureAddress(_ text: Span<UInt8>) -> Int? {
        var index = 2
        while index < text.count, text[index].hexDigitValue != nil { index += 1 }
        guard index > 2, index < text.count, text[index] == UInt8(ascii: ".") else { return nil }
        let start = index + 1
        index = start
        while index < text.count, text[index] == .colon || text[index].isHostCharacter,
            text[index] != .percent
        { index += 1 }
        guard index > start, index < text.count, text[index] == UInt8(ascii: "]") else {
            return nil
        }
        return index + 1
    }

    /// The end of four numbers up to 255 with full stops between them and without leading zeros.
    private static func endOfIPv4(_ text: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        for number in 0..<4 {
            if number > 0 {
                guard index < text.count, text[index] == UInt8(ascii: ".") else { return nil }
                index += 1
            }
            let first = index
            while index < text.count, text[index].isDigit { index += 1 }
            let count = index - first
            guard (1...3).contains(count), count == 1 || text[first] != UInt8(ascii: "0"),
                text.decimal(first..<index) ?? 256 < 256
            else { return nil }
        }
        return index
    }
}

extension Span<UInt8> {
    /// Whether two hex digits follow each `%` of a range.
    fileprivate func hasWholeEscapes(_ range: Range<Int>) -> Bool {
        for index in range where self[index] == .percent {
            guard index + 2 < range.upperBound, self[index + 1].hexDigitValue != nil,
                self[index + 2].hexDigitValue != nil
            else { return false }
        }
        return true
    }
}
