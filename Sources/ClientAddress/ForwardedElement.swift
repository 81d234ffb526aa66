private import URISyntax

/// One element of a list of proxies.
struct ForwardedElement {
    /// The offset at which it begins, after the comma before it.
    var start: Int
    /// The text for the client, without quotes; nil if there is none, or if it is malformed.
    var node: Range<Int>?
    /// The text for the scheme.
    var scheme: Range<Int>?
    var isEmpty = false
    /// Whether an IPv6 address must have brackets.
    var wantsBrackets = false

    /// The address of its node (RFC 7239 §6); nil for `unknown`, for obfuscated identifiers, and
    /// for anything else.
    func address(_ bytes: Span<UInt8>) -> IPAddress? {
        guard let node, !node.isEmpty else { return nil }
        if bytes[node.lowerBound] == UInt8(ascii: "[") { return bracketed(bytes, node) }
        if !wantsBrackets, let address = IPAddress(bytes.extracting(node)) { return address }
        var end = node.lowerBound
        while end < node.upperBound, bytes[end] != .colon { end += 1 }
        guard isPort(bytes, end..<node.upperBound) else { return nil }
        return IPAddress(bytes.extracting(node.lowerBound..<end))
    }

    /// Whether its node is a hidden address: `unknown` or an obfuscated identifier.
    func hidesAddress(_ bytes: Span<UInt8>) -> Bool {
        guard let node, !node.isEmpty else { return false }
        var end = node.lowerBound
        while end < node.upperBound, bytes[end] != .colon { end += 1 }
        return bytes[node.lowerBound] == UInt8(ascii: "_")
            || bytes.spells("unknown", node.lowerBound..<end)
    }

    private func bracketed(_ bytes: Span<UInt8>, _ node: Range<Int>) -> IPAddress? {
        var end = node.lowerBound + 1
        while end < node.upperBound, bytes[end] != UInt8(ascii: "]") { end += 1 }
        let inside = node.lowerBound + 1..<end
        guard end < node.upperBound, inside.contains(where: { bytes[$0] == .colon }),
            isPort(bytes, end + 1..<node.upperBound)
        else { return nil }
        return IPAddress(bytes.extracting(inside))
    }

    /// Whether a range is empty, or a colon and a port: digits, or an obfuscated identifier.
    private func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return true }
        let port = range.dropFirst()
        guard bytes[range.lowerBound] == .colon, let first = port.first else { return false }
        if bytes[first] == UInt8(ascii: "_") {
            return port.count > 1 && port.dropFirst().allSatisfy { bytes[$0].isNameCharacter }
        }
        return port.count <= 5 && port.allSatisfy { bytes[$0].isDigit }
    }
}

extension ForwardedElement {
    /// The last element of a list of addresses.
    static func lastInList(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ForwardedElement {
        var start = range.upperBound
        while start > range.lowerBound, bytes[start - 1] != .comma { start -= 1 }
        var (lower, upper) = (start, range.upperBound)
        while lower < upper, bytes[lower].isOWS { lower += 1 }
        while upper > lower, bytes[upper - 1].isOWS { upper -= 1 }
        return ForwardedElement(start: start, node: lower..<upper, isEmpty: lower == upper)
    }
}
