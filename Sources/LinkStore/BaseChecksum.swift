internal import Memory

/// A checksum of parts, with their lengths: SipHash-1-3 with a key that everybody knows. It finds damage, and not what
/// somebody has changed on purpose.
struct BaseChecksum {
    private var state = SipState(0x7761_796D_6172_6B20, 0x6261_7365_2030_3120)

    mutating func add(_ bytes: [UInt8], _ range: Range<Int>) { add(bytes.span.extracting(range)) }

    mutating func add(_ bytes: Span<UInt8>) { state.add(bytes, rounds: 1) }

    /// The checksum of all parts so far.
    var value: Int {
        var state = state
        return Int(truncatingIfNeeded: state.finish(rounds: 3))
    }
}
