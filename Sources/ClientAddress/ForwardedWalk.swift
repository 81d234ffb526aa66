import URISyntax

/// Finds the client behind trusted proxies. Each proxy appends the address of its peer to a list.
/// The list is read from the right, and trusted proxies are skipped. The first address that is not
/// a trusted proxy's is the client's. Everything to the left of it may be invented.
///
/// The lines of a field form one list (RFC 9110 §5.3): call `walk` for each line, the last one
/// first. A quoted string must end on its line; otherwise it is malformed.
package struct ForwardedWalk: Sendable {
    /// The client as far as it is known: the last trusted proxy, if all addresses of the list are
    /// trusted, or if a proxy reports no address.
    package private(set) var client: IPAddress
    /// Whether further lines cannot change the result.
    package private(set) var isOver = false
    /// The range of a text that should be an address but is not, and is not one of the names for
    /// hidden addresses either (RFC 7239 §6.2, §6.3).
    package private(set) var fault: Range<Int>?
    private var hops = 0

    /// Starts with the peer, which must be trusted.
    package init(from peer: IPAddress) { client = peer }

    /// Reads the value of one line.
    package mutating func walk(
        _ bytes: Span<UInt8>, _ line: Range<Int>, of field: ForwardingField,
        trusted: [AddressBlock]
    ) {
        var end = line.upperBound
        while !isOver {
            let element = field.lastElement(bytes, line.lowerBound..<end)
            if !element.isEmpty {
                let address = element.address(bytes)
                if address == nil, !element.hidesAddress(bytes) { fault = element.start..<end }
                step(to: address, trusted)
            }
            guard element.start > line.lowerBound else { return }
            end = element.start - 1
        }
    }

    private mutating func step(to address: IPAddress?, _ trusted: [AddressBlock]) {
        guard hops < hopsMax, let address else {
            isOver = true
            return
        }
        hops += 1
        client = address
        isOver = !trusted.contain(address)
    }
}

/// Longer lists are invented, or come from a loop of proxies.
private let hopsMax = 50

/// The field in which proxies report the client's address. One of the two is configured.
package enum ForwardingField: Sendable {
    /// `X-Forwarded-For`: addresses with or without ports.
    case forwardedFor
    /// `Forwarded` (RFC 7239 §4).
    case forwarded

    /// Its usual spelling.
    package var name: String {
        switch self {
        case .forwardedFor: "X-Forwarded-For"
        case .forwarded: "Forwarded"
        }
    }

    func lastElement(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ForwardedElement {
        switch self {
        case .forwardedFor: .lastInList(bytes, range)
        case .forwarded: .lastForwarded(bytes, range)
        }
    }

    /// Whether the nearest proxy received the request over https, by the value of the last line of
    /// `Forwarded` or `X-Forwarded-Proto`; nil if it does not say.
    package func isSecure(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool? {
        let element = lastElement(bytes, line)
        let scheme = self == .forwarded ? element.scheme : element.node
        guard let scheme else { return nil }
        if bytes.spells("https", scheme) { return true }
        return bytes.spells("http", scheme) ? false : nil
    }
}

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

extension Span<UInt8> {
    /// Whether a range is equal to this text in any letter case.
    func spells(_ text: String, _ range: Range<Int>) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            guard self[index].foldedToLowerCase == byte.foldedToLowerCase else { return false }
            index += 1
        }
        return true
    }
}
