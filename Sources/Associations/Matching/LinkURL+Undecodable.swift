private import URISyntax

extension LinkURL {
    /// The URL with U+FFFD for each escape that is no part of UTF-8, and for each run of such escapes,
    /// as decoders replace them; none if it has no such escape.
    var replacingUndecodable: [LinkURL] {
        guard !escapesAreUTF8 else { return [] }
        let (each, runs) = (replacingUndecodable(inRuns: false), replacingUndecodable(inRuns: true))
        return (each == runs ? [each] : [each, runs]).compactMap { try? LinkURL(utf8: $0) }
    }

    private func replacingUndecodable(inRuns: Bool) -> [UInt8] {
        var result = Array(bytes[..<pathRange.lowerBound])
        let mark = Array("%EF%BF%BD".utf8)
        var (index, isInRun) = (pathRange.lowerBound, false)
        while index < bytes.count {
            let (end, isUndecodable) = decodedUnit(at: index, takesDigits: !inRuns)
            if !isUndecodable {
                result += bytes[index..<end]
            } else if !inRuns || !isInRun {
                result += mark
            }
            (index, isInRun) = (end, isUndecodable)
        }
        return result
    }

    /// The end of what a decoder takes at once, and whether it is no character.
    /// - Parameter takesDigits: whether a percent sign that begins no escape takes what stands in the
    ///   place of its digits, as on Android.
    private func decodedUnit(at index: Int, takesDigits: Bool) -> (end: Int, isUndecodable: Bool) {
        guard bytes[index] == UInt8(ascii: "%") else { return (index + 1, false) }
        guard isEscape(at: index) else {
            var end = index + 1
            guard takesDigits else { return (end, true) }
            if end < bytes.count, bytes[end].hexDigitValue != nil { end += 1 }
            let takesMore = end < bytes.count && !"/?#&=%".utf8.contains(bytes[end])
            return (takesMore ? end + 1 : end, true)
        }
        // The longest escaped character of UTF-8 here, or a single byte of none.
        let whole = (1...4).first { count in
            let end = index + 3 * count
            guard end <= bytes.count, (1..<count).allSatisfy({ isEscape(at: index + 3 * $0) })
            else { return false }
            return isDecodable(index..<end)
        }
        return (index + 3 * (whole ?? 1), whole == nil)
    }
}
