import URISyntax

// Forms that values of structured data must have.

/// A date, or a date and time, in the calendar's form (ISO 8601; RFC 3339).
struct DateForm {
    /// Whether a time has a time zone.
    let hasZone: Bool
    let hasTime: Bool

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, matches(bytes.prefix(10), "0000-00-00"),
            (1...12).contains(digits(bytes[5..<7])), (1...31).contains(digits(bytes[8..<10]))
        else { return nil }
        hasTime = bytes.count > 10
        guard hasTime else {
            hasZone = false
            return
        }
        guard bytes[10] == UInt8(ascii: "T") || bytes[10] == 0x20 else { return nil }
        var rest = bytes[11...]
        guard rest.count >= 5, matches(rest.prefix(5), "00:00"),
            digits(rest.prefix(2)) < 24
        else { return nil }
        rest = rest.dropFirst(5)
        if matches(rest.prefix(3), ":00") { rest = rest.dropFirst(3) }
        if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop(while: \.isDigit) }
        hasZone = !rest.isEmpty
        let isZone =
            rest.isEmpty || rest.elementsEqual("Z".utf8) || matches(rest, "+00:00")
            || matches(rest, "-00:00") || matches(rest, "+0000") || matches(rest, "-0000")
        guard isZone else { return nil }
    }
}

/// Whether the text is a duration such as `PT1M33S` (ISO 8601).
func isDuration(_ text: String) -> Bool {
    var rest = Substring(text).utf8
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return false }
    var units = Array("YMWD".utf8)
    var isTime = false
    var count = 0
    while let byte = rest.first {
        if byte == UInt8(ascii: "T"), !isTime {
            (isTime, units) = (true, Array("HMS".utf8))
            rest.removeFirst()
            guard !rest.isEmpty else { return false }
            continue
        }
        let number = rest.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
        guard !number.isEmpty, let unit = rest.dropFirst(number.count).first,
            let position = units.firstIndex(of: unit)
        else { return false }
        units.removeFirst(position + 1)
        rest = rest.dropFirst(number.count + 1)
        count += 1
    }
    return count > 0
}

/// Whether the text is a telephone number that begins with its country (ITU-T E.123).
func isInternationalNumber(_ text: String) -> Bool {
    let digits = text.utf8.count(where: \.isDigit)
    return text.utf8.first == UInt8(ascii: "+") && (7...15).contains(digits)
        && text.utf8.dropFirst().allSatisfy { $0.isDigit || " -()./".utf8.contains($0) }
}

/// Decimal digits with a full stop at most, as `price` and coordinates are written.
struct DecimalForm {
    let value: Double
    /// Digits after the full stop.
    let decimals: Int

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let unsigned = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        let parts = unsigned.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard bytes.count <= 40, let whole = parts.first, !whole.isEmpty,
            parts.allSatisfy({ $0.allSatisfy(\.isDigit) }), let value = Double(text)
        else { return nil }
        self.value = value
        decimals = parts.count > 1 ? parts[1].count : 0
    }
}

/// Whether the bytes have the form, in which `0` is any digit.
private func matches(_ bytes: ArraySlice<UInt8>, _ form: StaticString) -> Bool {
    let form = form.description.utf8
    return bytes.count == form.count
        && zip(bytes, form).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDigit : $0 == $1 }
}

private func digits(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
}
