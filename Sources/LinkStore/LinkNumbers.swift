/// Numbers of links, with a bit for each up to the greatest: very many among a million take little memory.
package struct LinkNumbers: Sendable {
    private var words = [UInt64]()
    /// Whether a number was so great that it is not among them: another program has given it.
    package private(set) var lacksSome = false

    /// 16 MiB.
    package static let max: UInt64 = 1 << 27

    package init(_ numbers: some Sequence<UInt64>) {
        for number in numbers { insert(number) }
    }

    package mutating func insert(_ number: UInt64) {
        guard number < Self.max else { return lacksSome = true }
        let place = Int(number >> 6)
        if place >= words.count {
            words += [UInt64](repeating: 0, count: place + 1 - words.count)
        }
        words[place] |= 1 << (number & 63)
    }

    package func has(_ number: Int) -> Bool {
        let place = number >> 6
        return words.indices.contains(place) && words[place] >> UInt64(number & 63) & 1 == 1
    }
}
