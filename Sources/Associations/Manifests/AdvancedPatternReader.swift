/// Reads `pathAdvancedPattern` as Android does, with its checks: characters, `.`, sets in brackets, each
/// with `*`, `+` or a number of times in braces.
struct AdvancedPatternReader {
    private let units: [UInt16]
    private var index = 0
    /// The numbers that Android stores for what was read, which it limits.
    private var stored = 0
    private var tokens = [AndroidPattern.Element]()
    /// Whether the last token has a number of times.
    private var isModified = true

    init(_ units: [UInt16]) { self.units = units }

    mutating func elements() throws(AndroidPatternFault) -> [AndroidPattern.Element] {
        while index < units.count {
            try checkSize()
            let unit = units[index]
            index += 1
            switch unit {
            case letter("["): try readSet()
            case letter("{"): try readRange()
            // Outside of braces, it stands for nothing.
            case letter("}"): break
            case letter("*"): try modify(0, .max)
            case letter("+"): try modify(1, .max)
            case letter("."): add(.run(.all, least: 1, most: 1), storing: 1)
            case backslash:
                guard index < units.count else { throw .refused("escape found at end") }
                add(.one(units[index]), storing: 1)
                index += 1
            default: add(.one(unit), storing: 1)
            }
        }
        return tokens
    }

    private func checkSize() throws(AndroidPatternFault) {
        if stored > Self.storedMax - 3 { throw .refused("pattern is too large") }
    }

    private static let storedMax = 2_048

    private mutating func add(_ token: AndroidPattern.Element, storing count: Int) {
        tokens.append(token)
        stored += count
        isModified = false
    }

    private mutating func modify(_ least: Int, _ most: Int) throws(AndroidPatternFault) {
        guard !isModified, case .run(let set, _, _)? = tokens.last else {
            throw .refused("modifier must follow a token")
        }
        tokens[tokens.count - 1] = .run(set, least: least, most: most)
        stored += 1
        isModified = true
    }

    // MARK: Sets

    private mutating func readSet() throws(AndroidPatternFault) {
        guard index < units.count else { throw .refused("set was not terminated") }
        let isInverse = units[index] == letter("^")
        if isInverse { index += 1 }
        var ranges = [UnitSet.Range]()
        stored += 1
        var first: UInt16?
        while index < units.count {
            try checkSize()
            var unit = units[index]
            if unit == letter("]") {
                guard !ranges.isEmpty else { throw .refused("you must define characters in a set") }
                index += 1
                add(.run(UnitSet(ranges, isInverse: isInverse), least: 1, most: 1), storing: 1)
                return
            }
            if unit == backslash {
                index += 1
                guard index < units.count else { throw .refused("escape found at end") }
                unit = units[index]
            }
            if let start = first {
                ranges.append(UnitSet.Range(first: start, last: unit))
                first = nil
                stored += 1
            } else if index + 2 < units.count, units[index + 1] == letter("-"),
                units[index + 2] != letter("]")
            {
                first = unit
                index += 1
                stored += 1
            } else {
                ranges.append(UnitSet.Range(first: unit, last: unit))
                stored += 2
            }
            index += 1
        }
        throw .refused("set was not terminated")
    }

    // MARK: Numbers of times

    private mutating func readRange() throws(AndroidPatternFault) {
        guard !isModified else { throw .refused("modifier must follow a token") }
        guard let end = units[index...].firstIndex(of: letter("}")) else {
            throw .refused("range not ended with }")
        }
        let text = units[index..<end]
        index = end + 1
        let least: Int?
        let most: Int?
        if let comma = text.firstIndex(of: letter(",")) {
            least = number(text[..<comma])
            most = comma + 1 == end ? .max : number(text[(comma + 1)...])
        } else {
            least = number(text)
            most = least
        }
        guard let least, let most else { throw .refused("range number format incorrect") }
        guard least <= most else { throw .refused("range minimum is greater than maximum") }
        // No fewer than none.
        try modify(max(0, least), max(0, most))
        stored += 2
        try checkSize()
        stored += 1
    }

    /// A number as Java reads it: with a sign, of 32 bits.
    private func number(_ units: ArraySlice<UInt16>) -> Int? {
        let isNegative = units.first == letter("-")
        let digits = isNegative || units.first == letter("+") ? units.dropFirst() : units
        guard !digits.isEmpty else { return nil }
        var value = 0
        for unit in digits {
            guard (letter("0")...letter("9")).contains(unit) else { return nil }
            value = value * 10 + Int(unit - letter("0"))
            guard value <= Int(Int32.max) + (isNegative ? 1 : 0) else { return nil }
        }
        let isUnlimited = !isNegative && value == Int(Int32.max)
        return isUnlimited ? .max : isNegative ? -value : value
    }
}

private func letter(_ character: Unicode.Scalar) -> UInt16 { UInt16(character.value) }
