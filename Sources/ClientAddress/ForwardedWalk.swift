import URISyntax

/// Finds the client behind trusted proxies. Each proxy adds the address of whoever asked it at the
/// right end of a list; so the list is walked from the right, past the proxies that are trusted.
/// The first address that is none of theirs is the client's, and what stands left of it is hearsay.
///
/// The lines of a field make one list (RFC 9110 §5.3): `walk` takes them from the last on. A quoted
/// string ends in its line; one that would go on in the next is malformed.
package struct ForwardedWalk: Sendable {
    /// The client, as far as is known: the last trusted proxy where all of the list are, or where
    /// one of them tells no address.
    package private(set) var client: IPAddress
    /// Whether no further line can change it.
    package private(set) var isOver = false
    /// Where in the bytes something stands that should be an address and is none, nor one of the
    /// words for those that are not told (RFC 7239 §6.2, §6.3).
    package private(set) var fault: Range<Int>?
    private var hops = 0

    /// Begins at the peer, which must be trusted.
    package init(from peer: IPAddress) { client = peer }

    /// Goes on through the value of one line.
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

/// Longer lists are made up, or go round in circles.
private let hopsMax = 50

/// The field that proxies tell the client's address in; there are two, and one of them is believed.
package enum ForwardingField: Sendable {
    /// `X-Forwarded-For`: addresses, with or without ports.
    case forwardedFor
    /// `Forwarded` (RFC 7239 §4).
    case forwarded

    /// Its name, as it is usually written.
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

    /// Whether the nearest proxy was asked over https, by the value of the last line of `Forwarded`
    /// or `X-Forwarded-Proto`; nil where it does not tell.
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
    /// Where it begins, after the comma before it.
    var start: Int
    /// What names the client, without quotes; nil where nothing does, or nothing can be understood.
    var node: Range<Int>?
    /// What names the scheme.
    var scheme: Range<Int>?
    var isEmpty = false
    /// Whether an IPv6 address must stand in brackets.
    var wantsBrackets = false

    /// The address of its node (RFC 7239 §6): nil for `unknown`, for names that are made up, and
    /// for what is none of these.
    func address(_ bytes: Span<UInt8>) -> IPAddress? {
        guard let node, !node.isEmpty else { return nil }
        if bytes[node.lowerBound] == UInt8(ascii: "[") { return bracketed(bytes, node) }
        if !wantsBrackets, let address = IPAddress(bytes.extracting(node)) { return address }
        var end = node.lowerBound
        while end < node.upperBound, bytes[end] != .colon { end += 1 }
        guard isPort(bytes, end..<node.upperBound) else { return nil }
        return IPAddress(bytes.extracting(node.lowerBound..<end))
    }

    /// Whether its node says that there is an address which is not told.
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

    /// Nothing, or a colon and a port: digits, or a name that is made up.
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
    /// Whether a range is this text, letters of either case.
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
