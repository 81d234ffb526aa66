/// Whether `value` is accepted as a request id: 1 to 128 letters, digits, full stops, hyphens and
/// underscores. Other characters could be an attack on a reader of the log.
package func isRequestIdentifier(_ value: Span<UInt8>) -> Bool {
    guard (1...128).contains(value.count) else { return false }
    for index in 0..<value.count {
        switch value[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            continue
        default: return false
        }
    }
    return true
}

/// Whether `value` is a `traceparent` of version 00 (W3C Trace Context §3.2.2): lower-case digits,
/// and no identifier of only zeros. Later versions can continue after another hyphen; version ff is
/// invalid.
package func isTraceParent(_ value: Span<UInt8>) -> Bool {
    guard value.count >= 55, value[2] == .hyphen, value[35] == .hyphen, value[52] == .hyphen,
        isHexadecimal(value, 0..<2), isHexadecimal(value, 3..<35), isHexadecimal(value, 36..<52),
        isHexadecimal(value, 53..<55), !isZero(value, 3..<35), !isZero(value, 36..<52)
    else { return false }
    let isFirst = value[0] == UInt8(ascii: "0") && value[1] == UInt8(ascii: "0")
    let isNone = value[0] == UInt8(ascii: "f") && value[1] == UInt8(ascii: "f")
    return !isNone && (value.count == 55 || (!isFirst && value[55] == .hyphen))
}

private func isHexadecimal(_ value: Span<UInt8>, _ range: Range<Int>) -> Bool {
    for index in range {
        let byte = value[index]
        guard byte &- 0x30 < 10 || byte &- 0x61 < 6 else { return false }
    }
    return true
}

private func isZero(_ value: Span<UInt8>, _ range: Range<Int>) -> Bool {
    for index in range where value[index] != UInt8(ascii: "0") { return false }
    return true
}

extension UInt8 {
    fileprivate static var hyphen: UInt8 { 0x2D }
}
