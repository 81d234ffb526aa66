/// An IPv4 or IPv6 address (RFC 791, RFC 4291): sixteen octets as two words, the first octet
/// highest. IPv4 is mapped into IPv6, so a client has the same value on sockets of both families.
package struct IPAddress: Hashable, BitwiseCopyable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The IPv4 address of these four octets.
    package init(v4 octets: UInt32) { self.init(high: 0, low: 0xFFFF << 32 | UInt64(octets)) }

    /// Whether this is an IPv4 address (RFC 4291 §2.5.5.2).
    package var isV4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The address with its last bits zero: a /24 of IPv4, a /48 of IPv6. This identifies a
    /// provider's group of customers, and rarely a person.
    package var anonymized: IPAddress {
        isV4 ? .init(high: high, low: low & ~0xFF) : .init(high: high & ~0xFFFF, low: 0)
    }

    /// The network of an IPv6 address with a prefix of 1 to 128 bits. An IPv4 address is its own
    /// network.
    package func network(v6Bits bits: Int) -> IPAddress {
        guard !isV4 else { return self }
        precondition((1...128).contains(bits))
        return .init(
            high: high & ~0 << UInt64(64 - min(bits, 64)),
            low: bits <= 64 ? 0 : low & ~0 << UInt64(128 - bits))
    }

    /// One of the eight groups of an IPv6 address, the first being number 0.
    func group(_ index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> UInt64(48 - index % 4 * 16))
    }
}
