/// Whether the text is a number of JSON: an optional minus, an integer without leading zeros,
/// fraction, exponent (RFC 8259 §6).
package func isJSONNumber(_ text: String) -> Bool {
    var rest = Substring(text).utf8
    func digits() -> Int {
        let count = rest.prefix { $0 &- 0x30 < 10 }.count
        rest.removeFirst(count)
        return count
    }
    func take(_ choices: UInt8...) -> Bool {
        guard let first = rest.first, choices.contains(first) else { return false }
        rest.removeFirst()
        return true
    }
    _ = take(UInt8(ascii: "-"))
    let leadsWithZero = rest.first == UInt8(ascii: "0")
    let integer = digits()
    guard integer == 1 || (integer > 1 && !leadsWithZero) else { return false }
    if take(UInt8(ascii: ".")), digits() == 0 { return false }
    if take(UInt8(ascii: "e"), UInt8(ascii: "E")) {
        _ = take(UInt8(ascii: "+"), UInt8(ascii: "-"))
        guard digits() > 0 else { return false }
    }
    return rest.isEmpty
}
