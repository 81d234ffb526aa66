/// The offsets of a time zone from UTC, as a file of the system's zone data has them (TZif, RFC 9636).
package struct ZoneRules: Equatable, Sendable {
    /// The moments at which the offset changes, in ascending order, in seconds since 1970.
    private var times = [Int]()
    /// The offsets before the first change, and after each.
    private var offsets = [0]
    /// The rule that is in force after the last change; nil if nothing changes any more.
    private var rule: ZoneRule?

    /// Reads a file, strictly: version 2 or later, in UTC without leap seconds.
    /// - Returns: nil if it is none.
    package init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes: bytes)
        guard let old = reader.header() else { return nil }
        // The numbers of four bytes, for programs of last century.
        reader.position += 5 * old.times + 6 * old.types + old.letters
        reader.position += old.standard + old.universal
        guard let counts = reader.header(), counts.types > 0 else { return nil }
        for _ in 0..<counts.times {
            guard let time = reader.number(8), times.last.map({ $0 < time }) ?? true else {
                return nil
            }
            times.append(time)
        }
        let places = reader.take(counts.times)
        var known = [Int]()
        for _ in 0..<counts.types {
            guard let offset = reader.number(4), Self.offsetRange.contains(offset),
                reader.take(2)?.count == 2
            else { return nil }
            known.append(offset)
        }
        reader.position += counts.letters + counts.standard + counts.universal
        guard let places, places.allSatisfy({ $0 < known.count }), let text = reader.footer() else {
            return nil
        }
        offsets = [known[0]] + places.map { known[Int($0)] }
        if !text.isEmpty {
            guard let rule = ZoneRule(text) else { return nil }
            self.rule = rule
        }
    }

    /// The seconds by which the zone is ahead of UTC at a moment.
    package func offset(at seconds: Int) -> Int {
        if let rule, times.last.map({ $0 <= seconds }) ?? true { return rule.offset(at: seconds) }
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return offsets[low]
    }

    /// The moment at which clocks of the zone show a time.
    /// - Parameter local: the time, as seconds since 1970 if it were one of UTC.
    /// - Returns: the first one where the clocks show it twice. Where they leave it out, the moment at which they would show it
    ///   without the change.
    package func moment(_ local: Int) -> Int {
        let around = [offset(at: local - 86_400), offset(at: local + 86_400)]
        let moments = around.map { local - $0 }
        return moments.first { $0 + offset(at: $0) == local } ?? moments[0]
    }

    private static let offsetRange = -89_999...93_599

    /// A position in the bytes of a file.
    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        struct Counts {
            let universal, standard, times, types, letters: Int
        }

        mutating func header() -> Counts? {
            guard position <= bytes.count, let mark = take(5), mark.starts(with: "TZif".utf8),
                mark[mark.startIndex + 4] >= UInt8(ascii: "2"), take(15) != nil,
                let universal = number(4), let standard = number(4), number(4) == 0,
                let times = number(4), let types = number(4), let letters = number(4)
            else { return nil }
            // No count can be greater than the file.
            let all = [universal, standard, times, types, letters]
            guard all.allSatisfy({ (0...bytes.count).contains($0) }) else { return nil }
            return Counts(
                universal: universal, standard: standard, times: times, types: types,
                letters: letters)
        }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard position <= bytes.count - count else { return nil }
            defer { position += count }
            return bytes[position..<position + count]
        }

        /// In big-endian order, with a sign.
        mutating func number(_ count: Int) -> Int? {
            guard let own = take(count), let first = own.first else { return nil }
            return own.dropFirst().reduce(Int(Int8(bitPattern: first))) { $0 << 8 | Int($1) }
        }

        /// The text between the line ends at the end of the file.
        func footer() -> ArraySlice<UInt8>? {
            guard position <= bytes.count - 2, bytes[position] == 0x0A, bytes.last == 0x0A else {
                return nil
            }
            return bytes[position + 1..<bytes.count - 1]
        }
    }
}
