/// The number of public addresses of one family in some blocks.
package struct AddressReach: Hashable, Sendable {
    /// The number of IPv4 addresses, or of IPv6 networks of 48 bits, which is the size of a site.
    package let count: Int
    /// Whether these are all public addresses.
    package let isWhole: Bool
}

extension [AddressBlock] {
    /// The number of publicly routed addresses that the blocks contain together (RFC 6890); for
    /// IPv6, these are in `2000::/3` (RFC 4291 §2.4).
    package func publicReach(v4 isV4: Bool) -> AddressReach {
        let others = isV4 ? specialV4 : specialV6
        let whole = 1 << (isV4 ? 32 : 48)
        let total = whole - united(others.map(\.numbers))
        let mine = filter { $0.isV4 == isV4 }
        let count = united((mine + others).map(\.numbers)) - (whole - total)
        return AddressReach(count: count, isWhole: count == total)
    }
}

extension AddressBlock {
    fileprivate var isV4: Bool { network.isV4 }

    /// The block's addresses as numbers; for IPv6, the first 48 bits.
    fileprivate var numbers: ClosedRange<Int> {
        let last = IPAddress(high: network.high | ~mask.high, low: network.low | ~mask.low)
        return number(network)...number(last)
    }

    private func number(_ address: IPAddress) -> Int {
        Int(isV4 ? address.low & 0xFFFF_FFFF : address.high >> 16)
    }
}

/// The number of integers in the union of the ranges.
private func united(_ ranges: [ClosedRange<Int>]) -> Int {
    var (count, end) = (0, -1)
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
        count += range.upperBound - max(range.lowerBound - 1, end)
        end = range.upperBound
    }
    return count
}

private let specialV4 = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.168.0.0/16", "224.0.0.0/3",
].compactMap { try? AddressBlock($0) }
private let specialV6 = ["::/3", "4000::/2", "8000::/1"].compactMap { try? AddressBlock($0) }
