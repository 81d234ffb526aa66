/// The reason why a path is refused.
public enum PathFault: Error, Hashable, Sendable, CaseIterable {
    /// A percent sign without two hexadecimal digits.
    case unfinishedEscape
    /// An escape of a control character.
    case control
    /// Different readers see different paths.
    case escapedSlash, backslash
    /// An escape is left after decoding, and a reader may decode again.
    case escapedTwice
    /// Bytes that are not UTF-8, including overlong forms.
    case notUTF8
    /// A segment `.` or `..`: clients resolve these before they send a request.
    case dotSegment
}

/// Decodes a path once for all who read it, or refuses it (RFC 3986 §2.4, §6.2.2).
public enum PathDecoding {
    /// Decodes the path `source[range]` into `target` from its start.
    /// - Returns: the number of bytes of `target` that were filled.
    /// - Throws: the first reason to refuse the path.
    public static func decode(
        _ source: [UInt8], _ range: Range<Int>, into target: inout [UInt8]
    ) throws(PathFault) -> Int {
        precondition(target.count >= range.count)
        let span = source.span
        var path = target.mutableSpan
        var (index, count, hasEscapes) = (range.lowerBound, 0, false)
        while index < range.upperBound {
            var byte = span[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < range.upperBound, let high = span[index].hexDigitValue,
                    let low = span[index + 1].hexDigitValue
                else { throw .unfinishedEscape }
                byte = high << 4 | low
                index += 2
                guard byte >= 0x20, byte != 0x7F else { throw .control }
                guard byte != UInt8(ascii: "/") else { throw .escapedSlash }
                hasEscapes = true
            }
            guard byte != UInt8(ascii: "\\") else { throw .backslash }
            path[count] = byte
            count += 1
            if count > 2, path[count - 3] == UInt8(ascii: "%"),
                path[count - 2].hexDigitValue != nil, byte.hexDigitValue != nil
            {
                throw .escapedTwice
            }
        }
        if hasEscapes, !isUTF8(target, count) { throw .notUTF8 }
        guard !hasDotSegment(target, 0..<count) else { throw .dotSegment }
        return count
    }

    /// Whether a segment of a decoded path is `.` or `..`.
    public static func hasDotSegment(_ path: [UInt8], _ range: Range<Int>) -> Bool {
        let span = path.span
        var segment = range.lowerBound
        while segment < range.upperBound {
            var end = segment
            while end < range.upperBound, span[end] != UInt8(ascii: "/") { end += 1 }
            let dots = UInt8(ascii: ".")
            if end - segment == 1, span[segment] == dots { return true }
            if end - segment == 2, span[segment] == dots, span[segment + 1] == dots { return true }
            segment = end + 1
        }
        return false
    }

    /// A path, decoded or not, with the segments `.` and `..` resolved (RFC 3986 §5.2.4), as
    /// browsers do it, also if the full stops are escaped; nil if it has none.
    public static func resolvingDotSegments(_ path: [UInt8]) -> [UInt8]? {
        // Most paths have neither, and need not be split.
        guard path.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
            return nil
        }
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.contains(where: { dots($0) > 0 }) else { return nil }
        var kept = [ArraySlice<UInt8>]()
        for (index, segment) in segments.enumerated() {
            let dots = dots(segment)
            if dots == 2, kept.count > 1 { kept.removeLast() }
            if dots == 0 {
                kept.append(segment)
            } else if index == segments.count - 1 {
                kept.append([])
            }
        }
        return Array(kept.joined(separator: [UInt8(ascii: "/")]))
    }

    /// The number of full stops, escaped or not, of a segment that consists of one or two; 0 for
    /// any other.
    private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
        var (rest, count) = (segment, 0)
        while let first = rest.first, count <= 2 {
            let escape = rest.prefix(3).map { $0 | 0x20 }
            guard first == UInt8(ascii: ".") || escape.elementsEqual("%2e".utf8) else { return 0 }
            rest = rest.dropFirst(first == UInt8(ascii: ".") ? 1 : 3)
            count += 1
        }
        return count <= 2 ? count : 0
    }

    private static func isUTF8(_ bytes: [UInt8], _ count: Int) -> Bool {
        String(validating: bytes[..<count], as: UTF8.self) != nil
    }
}

/// Whether a percent sign begins no escape (RFC 3986 §2.1): it is not followed by two hexadecimal digits.
package func hasMalformedEscape(_ text: some Collection<UInt8>) -> Bool {
    var rest = text[...]
    while let sign = rest.firstIndex(of: UInt8(ascii: "%")) {
        rest = rest[sign...].dropFirst()
        let digits = rest.prefix(2)
        if digits.count < 2 || digits.contains(where: { $0.hexDigitValue == nil }) { return true }
    }
    return false
}
