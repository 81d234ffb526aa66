/// Appends a path, or a pattern for one, in the form in which the two are compared.
///
/// Runs of `/` and of `*` become one; then a slash is put before and after what a star does not
/// leave open. That is why `/buy`, `buy/` and `/buy//` are one pattern, why `/buy/*` takes
/// `/buy`, and why `**` (which becomes `/*/`) is not `*`. A text of one character is left alone.
func appendNormalizedPath(_ source: Span<UInt8>, to target: inout [UInt8]) {
    guard !source.isEmpty else { return target.append(slash) }
    guard !isOneScalar(source) else { return append(source, to: &target) }
    let start = target.count
    target.reserveCapacity(start + source.count + 2)
    // A single star that is all that is left has a slash on either side, hence the second look.
    let isOnlyStars = source.indices.allSatisfy { source[$0] == star }
    if (source[0] != star || isOnlyStars) && source[0] != slash { target.append(slash) }
    var last: UInt8 = 0
    for index in source.indices {
        let byte = source[index]
        if byte != last || (byte != slash && byte != star) { target.append(byte) }
        last = byte
    }
    if (last != star || isOnlyStars) && last != slash { target.append(slash) }
}

private func isOneScalar(_ text: Span<UInt8>) -> Bool {
    text.count <= 4 && text.indices.count { text[$0] & 0xC0 != 0x80 } == 1
}

private let slash = UInt8(ascii: "/")
private let star = UInt8(ascii: "*")
