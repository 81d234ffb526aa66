private import URISyntax

/// A hash of files (FNV-1a). By that of a configuration's files, two nodes know whether theirs are the
/// same: it depends on no path, and no certificate or public file is a part of it.
struct ConfigurationDigest {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds bytes, and where they end.
    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(byte) }
        for shift in 0..<8 { add(UInt8(truncatingIfNeeded: bytes.count >> (8 * shift))) }
    }

    mutating func add(_ other: ConfigurationDigest) { add(Array(other.text.utf8)) }

    private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0100_0000_01B3 }

    /// Sixteen hexadecimal digits.
    var text: String { state.hexadecimal }
}
