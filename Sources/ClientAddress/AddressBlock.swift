import URISyntax

/// The addresses with the same first bits, such as `10.0.0.0/8` or `2001:db8::/32`; a single
/// address is also a block (RFC 4632 §3.1, RFC 4291 §2.3).
package struct AddressBlock: Hashable, Sendable {
    let network: IPAddress
    let mask: IPAddress

    /// - Throws: `AddressBlockError`, with a message for the operator.
    package init(_ text: String) throws(AddressBlockError) {
        let bytes = Array(text.utf8)
        let slash = bytes.firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
        guard let address = IPAddress(bytes.span.extracting(0..<slash)) else { throw .noAddress }
        let most = address.isV4 ? 32 : 128
        var length = most
        if slash < bytes.count {
            let digits = bytes[(slash + 1)...]
            guard (1...3).contains(digits.count), digits.allSatisfy(\.isDigit),
                digits.count == 1 || digits.first != UInt8(ascii: "0")
            else { throw .noPrefixLength(most: most) }
            length = digits.reduce(0) { $0 * 10 + Int($1 & 0xF) }
            guard length <= most else { throw .noPrefixLength(most: most) }
        }
        let bits = length + (address.isV4 ? 96 : 0)
        mask = IPAddress(
            high: bits == 0 ? 0 : ~0 << UInt64(64 - min(bits, 64)),
            low: bits <= 64 ? 0 : ~0 << UInt64(128 - bits))
        network = IPAddress(high: address.high & mask.high, low: address.low & mask.low)
        guard network == address else { throw .bitsBehindPrefix("\(network)/\(length)") }
    }

    /// Whether the block contains the address. A block of IPv6 addresses contains no IPv4 address.
    package func contains(_ address: IPAddress) -> Bool {
        address.high & mask.high == network.high && address.low & mask.low == network.low
            && address.isV4 == network.isV4
    }

    /// The block as it is written in a configuration.
    package var text: String {
        let length = mask.high.nonzeroBitCount + mask.low.nonzeroBitCount
        return "\(network)/\(length - (network.isV4 ? 96 : 0))"
    }

    /// This machine, and private networks (RFC 1918, RFC 4193 §3.1).
    package static let privateBlocks: [AddressBlock] = [
        "10.0.0.0/8", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1", "fc00::/7",
    ].compactMap { text in try? AddressBlock(text) }
}

extension [AddressBlock] {
    /// Whether the address is in one of the blocks.
    package func contain(_ address: IPAddress) -> Bool {
        for block in self where block.contains(address) { return true }
        return false
    }
}

/// The reason why a text is not a block of addresses.
package enum AddressBlockError: Error, Hashable, Sendable {
    case noAddress
    case noPrefixLength(most: Int)
    /// The address has bits set after the prefix; the value is the block that contains it.
    case bitsBehindPrefix(String)
}
