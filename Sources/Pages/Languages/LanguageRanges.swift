private import URISyntax

/// The languages that a visitor prefers, best first (RFC 9110 §12.5.4).
package struct LanguageRanges: Hashable, Sendable {
    private struct Range: Hashable {
        /// In lower case.
        let name: String
        let thousandths: Int
    }

    private var ranges = [Range]()

    /// Reads a field value. Items that are not language ranges are ignored, and so is everything
    /// after ten ranges or 1,024 bytes.
    package init(_ field: some Sequence<UInt8>) {
        let bytes = Array(field.prefix(Self.bytesMax + 1))
        var items = bytes.prefix(Self.bytesMax)
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        // The last item may have been cut.
        if bytes.count > Self.bytesMax { items.removeLast() }
        ranges = items.prefix(Self.rangesMax).compactMap { Self.range($0) }
        // Of items with equal weight, the first is preferred.
        ranges = ranges.enumerated().sorted { left, right in
            (left.element.thousandths, right.offset) > (right.element.thousandths, left.offset)
        }.map(\.element)
    }

    /// The best language by lookup (RFC 4647 §3.4). If lookup finds none, the first tag that begins
    /// with a range, so that `de` gets `de-AT`.
    /// - Parameter available: tags; a tag that the visitor refuses with weight 0 is not used.
    /// - Returns: nil if no language matches.
    package func best(among available: [String]) -> String? {
        let refused = ranges.filter { $0.thousandths == 0 }.map(\.name)
        let rest = available.filter { !refused.contains($0.lowercased()) }
        let wanted = ranges.filter { $0.thousandths > 0 && $0.name != "*" }
        for range in wanted {
            if let found = Self.lookUp(range.name, among: rest) { return found }
        }
        for range in wanted {
            let start = "\(range.name)-"
            let found = rest.first { $0.lowercased().utf8.starts(with: start.utf8) }
            if let found { return found }
        }
        return nil
    }

    /// The tag that equals the range, or the range without one or more subtags from its end (RFC
    /// 4647 §3.4).
    static func lookUp(_ range: String, among available: some Sequence<String>) -> String? {
        var parts = range.lowercased().utf8.split(separator: UInt8(ascii: "-"))
        while !parts.isEmpty {
            let prefix = parts.map { String(Substring($0)) }.joined(separator: "-")
            if let found = available.first(where: { $0.lowercased() == prefix }) { return found }
            parts.removeLast()
            // The letter that begins an extension is removed with it.
            if parts.last?.count == 1 { parts.removeLast() }
        }
        return nil
    }

    private static let rangesMax = 10
    private static let bytesMax = 1024

    /// `de-AT;q=0.8`, with the whitespace that RFC 9110 allows.
    private static func range(_ item: ArraySlice<UInt8>) -> Range? {
        let parts = item.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Array($0.trimmed()) }
        guard let name = parts.first, isRange(name), parts.count <= 2 else { return nil }
        guard parts.count == 1 || parts[1].count >= 3 else { return nil }
        let weight = parts.count == 1 ? 1000 : weight(parts[1])
        return weight.map {
            Range(name: String(decoding: name, as: UTF8.self).lowercased(), thousandths: $0)
        }
    }

    private static func isRange(_ name: [UInt8]) -> Bool {
        if name == [UInt8(ascii: "*")] { return true }
        let subtags = name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return subtags.allSatisfy { subtag in
            (1...8).contains(subtag.count) && subtag.allSatisfy { $0.isLetter || $0.isDigit }
        }
    }

    /// `q=` and a number from 0 to 1 with at most three digits (RFC 9110 §12.4.2).
    private static func weight(_ text: [UInt8]) -> Int? {
        guard text[0] | 0x20 == UInt8(ascii: "q"), text[1] == UInt8(ascii: "=") else { return nil }
        let number = text[2...].split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let digits = number.count > 1 ? Array(number[1]) : []
        guard let whole = number.first, whole.count == 1, let first = whole.first,
            first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), digits.count <= 3,
            digits.allSatisfy(\.isDigit)
        else { return nil }
        let padded = (digits + [0x30, 0x30, 0x30]).prefix(3)
        let thousandths = padded.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let weight = Int(first - 0x30) * 1000 + thousandths
        return weight <= 1000 ? weight : nil
    }
}
