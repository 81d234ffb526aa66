private import URISyntax

/// The part of a request from which a text comes.
enum SourceText {
    /// A path, percent-encoded; a plus sign is a plus sign.
    case path
    /// A query, percent-encoded; a plus sign is a space.
    case query
    /// Decoded text; a percent sign is a percent sign.
    case decoded
}

/// The part of a URL in which a text is written. Characters with a meaning there must be escaped
/// (RFC 3986 §3).
enum TargetText {
    /// A path, whose slashes are kept.
    case path
    /// One segment of a path: a slash is escaped.
    case segment
    /// Whole items of a query.
    case queryItems
    /// The value of an item.
    case queryValue
    case fragment
    /// A URL within a value: everything is escaped that is not unreserved, including percent signs.
    case nested

    /// The characters that are not escaped.
    fileprivate var unescaped: ByteSet {
        switch self {
        case .path: Self.pathBytes
        case .segment: Self.segmentBytes
        case .queryItems: Self.queryBytes
        case .queryValue: Self.valueBytes
        case .fragment: Self.fragmentBytes
        case .nested: Self.unreservedBytes
        }
    }

    private static let unreserved =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    private static let unreservedBytes = ByteSet(unreserved)
    private static let segmentBytes = ByteSet(unreserved + "!$&'()*+,;=:@")
    private static let pathBytes = ByteSet(unreserved + "!$&'()*+,;=:@/")
    private static let queryBytes = ByteSet(unreserved + "!$&'()*+,;=:@/?")
    private static let valueBytes = ByteSet(unreserved + "!$'()*,:@/?")
    private static let fragmentBytes = queryBytes
}

/// Appends a part of a request, escaped for its position. Existing escapes are kept, except those
/// of control characters, which are left out. The text cannot end the part of the URL, or a line.
func append(
    _ text: [UInt8], _ range: Range<Int>, of source: SourceText, as target: TargetText,
    to result: inout [UInt8]
) {
    let (span, unescaped) = (text.span, target.unescaped)
    var index = range.lowerBound
    while true {
        // Most texts need no escape, and are copied at once.
        let start = index
        while index < range.upperBound, unescaped.contains(span[index]),
            source != .query || span[index] != UInt8(ascii: "+")
        {
            index += 1
        }
        if index > start { result += text[start..<index] }
        guard index < range.upperBound else { return }
        let byte = span[index]
        index += 1
        if byte == UInt8(ascii: "%"), source != .decoded, index + 1 < range.upperBound,
            let high = span[index].hexDigitValue, let low = span[index + 1].hexDigitValue
        {
            let isControl = high << 4 | low < 0x20 || high << 4 | low == 0x7F
            if !isControl {
                if target == .nested {
                    result.append(percentEncoded: byte)
                } else {
                    result.append(byte)
                }
                result.append(span[index])
                result.append(span[index + 1])
            }
            index += 2
        } else if byte == UInt8(ascii: "+"), source == .query, target != .nested {
            // A space, which only a query writes as a plus sign.
            let isInQuery = target == .queryItems || target == .queryValue
            if isInQuery { result.append(byte) } else { result.append(percentEncoded: 0x20) }
        } else if byte >= 0x20, byte != 0x7F {
            result.append(percentEncoded: byte)
        }
    }
}

/// A set of ASCII bytes.
private struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ text: String) {
        for byte in text.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : high
        return byte < 128 && word &>> UInt64(byte & 63) & 1 == 1
    }
}
