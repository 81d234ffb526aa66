package import Memory
import URISyntax

extension TextBuffer {
    /// Appends an address in the form of RFC 5952, or an IPv4 address in its own form. There must
    /// be room for up to 39 bytes.
    package mutating func append(_ address: IPAddress) {
        guard !address.isV4 else { return appendOctets(UInt32(truncatingIfNeeded: address.low)) }
        let gap = longestZeros(address)
        var index = 0
        while index < 8 {
            if index == gap.lowerBound, !gap.isEmpty {
                append(UInt8.colon)
                append(UInt8.colon)
                index = gap.upperBound
                continue
            }
            if index > 0, index != gap.upperBound { append(UInt8.colon) }
            append(hexadecimal: address.group(index))
            index += 1
        }
    }

    private mutating func appendOctets(_ octets: UInt32) {
        append(octet: octets >> 24)
        append(UInt8.fullStop)
        append(octet: octets >> 16 & 0xFF)
        append(UInt8.fullStop)
        append(octet: octets >> 8 & 0xFF)
        append(UInt8.fullStop)
        append(octet: octets & 0xFF)
    }

    private mutating func append(octet: UInt32) {
        if octet >= 100 { append(UInt8(truncatingIfNeeded: octet / 100) | 0x30) }
        if octet >= 10 { append(UInt8(truncatingIfNeeded: octet / 10 % 10) | 0x30) }
        append(UInt8(truncatingIfNeeded: octet % 10) | 0x30)
    }

    private mutating func append(hexadecimal group: UInt16) {
        var shift = UInt16(12)
        while shift > 0, group >> shift == 0 { shift -= 4 }
        while true {
            append(UInt8(group >> shift & 0xF).lowerCaseHexDigit)
            guard shift > 0 else { return }
            shift -= 4
        }
    }

    /// The first of the longest runs of at least two groups of zeros (RFC 5952 §4.2).
    private func longestZeros(_ address: IPAddress) -> Range<Int> {
        var longest = 8..<8
        var index = 0
        while index < 8 {
            var end = index
            while end < 8, address.group(end) == 0 { end += 1 }
            if end - index > max(1, longest.count) { longest = index..<end }
            index = end + 1
        }
        return longest
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        var text = TextBuffer(capacity: 39)
        text.append(self)
        return String(decoding: text.array, as: UTF8.self)
    }
}
