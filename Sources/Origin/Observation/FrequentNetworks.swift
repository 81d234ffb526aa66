import ClientAddress

/// An address, or the network of IPv6 that is counted as one, as the operator is told of it.
package struct Network: Hashable, Sendable, CustomStringConvertible {
    private let address: IPAddress
    /// Nil for one address.
    private let bits: Int?

    /// - Parameters:
    ///   - v6Bits: how many bits make a network of IPv6, 1 to 128.
    ///   - isAnonymized: whether addresses are cut as the access log's are.
    init(of address: IPAddress, v6Bits: Int, isAnonymized: Bool) {
        let network = address.network(v6Bits: v6Bits)
        self.address = isAnonymized ? network.anonymized : network
        let most = address.isV4 ? 32 : v6Bits
        let bits = isAnonymized ? min(most, address.isV4 ? 24 : 48) : most
        self.bits = bits == (address.isV4 ? 32 : 128) ? nil : bits
    }

    /// As `192.0.2.1` or `2001:db8::/64`.
    package var description: String { "\(address)\(bits.map { "/\($0)" } ?? "")" }
}

/// The networks that came most often, counted in a few slots. A network without a slot takes the
/// slot of the rarest one, and continues its count (the "Space-Saving" algorithm). So a count is
/// never too low, and a network that came more often than one time in eight has a slot.
struct FrequentNetworks: Sendable {
    private var counts = [(network: Network, count: Int)]()

    mutating func note(_ network: Network, times count: Int = 1) {
        if let index = counts.firstIndex(where: { $0.network == network }) {
            counts[index].count += count
        } else if counts.count < placesMax {
            counts.append((network, count))
        } else if let rarest = counts.indices.min(by: { counts[$0].count < counts[$1].count }) {
            counts[rarest] = (network, counts[rarest].count + count)
        }
    }

    mutating func note(_ others: FrequentNetworks) {
        for (network, count) in others.counts { note(network, times: count) }
    }

    /// The one that came most often.
    var first: Network? { counts.max { $0.count < $1.count }?.network }
}

private let placesMax = 8
