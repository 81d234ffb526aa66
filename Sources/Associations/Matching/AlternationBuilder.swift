/// Assigns the bits of an `Alternation`.
struct AlternationBuilder {
    let words: Int
    private(set) var classes = [UInt8](repeating: 0, count: 256)
    private(set) var takes = [UInt64]()
    private(set) var heads, chainStarts, beforeStar, stars, scalars: BitRow
    private(set) var ends: BitRow
    private(set) var isNullable = false
    private(set) var starsMax = 0
    private(set) var starsMin = Int.max

    private var classCount = 0
    /// The classes of bytes that begin a scalar.
    private var leads = [Int]()

    /// - Parameter set: the bytes of a predefined variable, which stands for one of them.
    init(_ alternatives: [[PatternItem]], set: [UInt8] = []) {
        let bits = alternatives.reduce(set.isEmpty ? 0 : 1) { $0 + $1.count }
        words = max(1, (bits + 63) / 64)
        let row = BitRow(words: words)
        (heads, chainStarts, beforeStar, stars, scalars) = (row, row, row, row, row)
        ends = row
        classify(alternatives, set)
        var bit = 0
        for alternative in alternatives {
            lay(alternative, from: bit)
            bit += alternative.count
        }
        if !set.isEmpty { lay(set: set, at: bit) }
    }

    /// Gives each byte that an element names its own class; the other bytes share three classes.
    private mutating func classify(_ alternatives: [[PatternItem]], _ set: [UInt8]) {
        for byte in 0..<256 { classes[byte] = byte < 0x80 ? 0 : byte < 0xC0 ? 1 : 2 }
        var named = Set(set)
        for case .byte(let byte) in alternatives.joined() { named.insert(byte) }
        // UTF-8 never contains 13 of the byte values, so three classes remain for the others.
        for (number, byte) in named.sorted().enumerated() {
            classes[Int(byte)] = UInt8(truncatingIfNeeded: number + 3)
        }
        precondition(named.count <= 253, "UTF-8 never uses all bytes")
        classCount = named.count + 3
        leads = Set((0..<256).filter { $0 & 0xC0 != 0x80 }.map { Int(classes[$0]) }).sorted()
        takes = [UInt64](repeating: 0, count: classCount * words)
    }

    private mutating func lay(_ items: [PatternItem], from start: Int) {
        let starCount = items.count(where: \.isStar)
        starsMax = max(starsMax, starCount)
        starsMin = min(starsMin, starCount)
        guard let last = items.last else {
            isNullable = true
            return
        }
        for (index, item) in items.enumerated() { lay(item, at: start + index) }
        chainStarts.insert(start)
        heads.insert(start)
        if items[0].isStar, items.count > 1 { heads.insert(start + 1) }
        for index in items.indices.dropFirst().dropLast() where items[index].isStar {
            beforeStar.insert(start + index - 1)
        }
        let end = start + items.count - 1
        ends.insert(end)
        // A star at the end can match nothing.
        if last.isStar, items.count > 1 { ends.insert(end - 1) }
        if last.isStar, items.count == 1 { isNullable = true }
    }

    private mutating func lay(_ item: PatternItem, at bit: Int) {
        switch item {
        case .byte(let byte): take(Int(classes[Int(byte)]), bit)
        case .any:
            scalars.insert(bit)
            for number in leads { take(number, bit) }
        case .star:
            stars.insert(bit)
            // A star begins with a scalar, and continues over any byte.
            for number in leads { take(number, bit) }
        case .variable, .unterminated: preconditionFailure("not an element of an alternative")
        }
    }

    private mutating func lay(set: [UInt8], at bit: Int) {
        starsMin = 0
        for byte in set { take(Int(classes[Int(byte)]), bit) }
        chainStarts.insert(bit)
        heads.insert(bit)
        ends.insert(bit)
    }

    private mutating func take(_ number: Int, _ bit: Int) {
        takes[number * words + bit / 64] |= 1 << UInt64(bit % 64)
    }
}
