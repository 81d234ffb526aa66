/// The countries of networks, made of a MaxMind DB: a binary tree over the bits of addresses, with a country in place of each
/// record. A look-up follows the bits until one of them leads to a country.
package final class CountryTable: Sendable {
    /// Two entries for each node: that for a bit 0, and that for a bit 1. An entry is the number of a node, or a country with
    /// `leaf`.
    private let entries: [UInt32]
    /// The entries to which the first bits of an address of IPv4 lead, and of IPv6.
    private let starts: (v4: [UInt32], v6: [UInt32])
    /// The number of these bits.
    private let startBits: Int
    /// The time at which the database was made, in seconds since 1970; nil if it does not say it.
    package let builtSeconds: Int?
    /// The number of nodes.
    package var nodeCount: Int { entries.count / 2 }

    /// The bit of an entry that is a country.
    static let leaf: UInt32 = 1 << 31
    /// With fewer nodes, all bits are followed.
    package static let nodesWithStarts = 4_096
    private static let startBitsUsual = 16

    /// - Parameters:
    ///   - entries: two for each node, of which there is at least one.
    ///   - isV6: whether they are about addresses of IPv6, among which those of IPv4 are `::/96`.
    init(entries: [UInt32], isV6: Bool, builtSeconds: Int?) {
        self.entries = entries
        self.builtSeconds = builtSeconds
        startBits = entries.count >= 2 * Self.nodesWithStarts ? Self.startBitsUsual : 0
        var v4: UInt32 = 0
        if isV6 {
            for _ in 0..<96 where v4 & Self.leaf == 0 { v4 = entries[2 * Int(v4)] }
        }
        starts = (
            Self.starts(entries, from: v4, bits: startBits),
            isV6 ? Self.starts(entries, from: 0, bits: startBits) : [Self.leaf]
        )
    }

    /// The entries to which so many bits lead, in the order of these.
    private static func starts(_ entries: [UInt32], from first: UInt32, bits: Int) -> [UInt32] {
        var level = [first]
        for _ in 0..<bits {
            var next = [UInt32]()
            next.reserveCapacity(2 * level.count)
            for entry in level {
                let isLeaf = entry & leaf != 0
                next.append(isLeaf ? entry : entries[2 * Int(entry)])
                next.append(isLeaf ? entry : entries[2 * Int(entry) + 1])
            }
            level = next
        }
        return level
    }

    /// The country of an address of 16 octets, of which those of IPv4 are mapped into IPv6.
    package func country(high: UInt64, low: UInt64) -> CountryCode {
        var entry: UInt32
        if high == 0, low >> 32 == 0xFFFF {
            entry = start(starts.v4, low << 32)
            follow((low << 32) << UInt64(startBits), 32 - startBits, &entry)
        } else {
            // A table of IPv4 has one entry for all others.
            entry = starts.v6.count == 1 ? starts.v6[0] : start(starts.v6, high)
            follow(high << UInt64(startBits), 64 - startBits, &entry)
            follow(low, 64, &entry)
        }
        guard entry & Self.leaf != 0 else { return .unknown }
        return CountryCode(UInt8(truncatingIfNeeded: entry >> 8), UInt8(truncatingIfNeeded: entry))
    }

    @inline(__always)
    private func start(_ starts: [UInt32], _ bits: UInt64) -> UInt32 {
        starts[startBits == 0 ? 0 : Int(bits &>> UInt64(64 - startBits))]
    }

    /// Follows bits, the highest first, to a country. A tree whose nodes lead in a circle has none.
    @inline(__always)
    private func follow(_ bits: UInt64, _ count: Int, _ entry: inout UInt32) {
        var (bits, left) = (bits, count)
        while entry & Self.leaf == 0, left > 0 {
            entry = entries[2 * Int(entry) + Int(bits >> 63)]
            bits &<<= 1
            left -= 1
        }
    }
}
