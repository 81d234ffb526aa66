private import URISyntax

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
