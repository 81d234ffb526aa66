import Memory

/// The fields that this origin acts on; all others are checked for syntax and passed over.
package enum FieldName: UInt8, Sendable, CaseIterable {
    case other
    case acceptEncoding, connection, contentLength, expect, host
    case ifMatch, ifModifiedSince, ifNoneMatch, ifRange, ifUnmodifiedSince
    case range, transferEncoding, userAgent

    var bit: UInt32 { self == .other ? 0 : 1 << UInt32(rawValue) }

    /// How the field is written in lower case; empty for `other`.
    package var text: String {
        switch self {
        case .other: ""
        case .acceptEncoding: "accept-encoding"
        case .connection: "connection"
        case .contentLength: "content-length"
        case .expect: "expect"
        case .host: "host"
        case .ifMatch: "if-match"
        case .ifModifiedSince: "if-modified-since"
        case .ifNoneMatch: "if-none-match"
        case .ifRange: "if-range"
        case .ifUnmodifiedSince: "if-unmodified-since"
        case .range: "range"
        case .transferEncoding: "transfer-encoding"
        case .userAgent: "user-agent"
        }
    }
}

extension FieldName {
    /// The known field that a range of token characters names, in letters of either case.
    ///
    /// Names are told apart by comparing eight octets at once: no hash that could collide, no
    /// string. The words are the ASCII of `text`; a test holds the two together.
    init(_ span: Span<UInt8>, _ range: Range<Int>) {
        let (start, end) = (range.lowerBound, range.upperBound)
        let first = span.word(start..<min(end, start + 8)).foldedToLowerCase
        var rest: UInt64 = 0
        if range.count > 8 {
            rest = span.word(start + 8..<min(end, start + 16)).foldedToLowerCase
        }
        self =
            switch range.count {
            case 4: first == 0x686F_7374 ? .host : .other
            case 5: first == 0x72_616E_6765 ? .range : .other
            case 6: first == 0x6578_7065_6374 ? .expect : .other
            case 8:
                first == 0x6966_2D6D_6174_6368
                    ? .ifMatch : first == 0x6966_2D72_616E_6765 ? .ifRange : .other
            case 10, 13, 14, 15: Self.long(first, rest)
            case 17, 19:
                Self.longer(
                    first, rest, span.word(start + 16..<end).foldedToLowerCase)
            default: .other
            }
    }

    private static func long(_ first: UInt64, _ rest: UInt64) -> FieldName {
        switch (first, rest) {
        case (0x636F_6E6E_6563_7469, 0x6F6E): .connection
        case (0x7573_6572_2D61_6765, 0x6E74): .userAgent
        case (0x6966_2D6E_6F6E_652D, 0x6D_6174_6368): .ifNoneMatch
        case (0x636F_6E74_656E_742D, 0x6C65_6E67_7468): .contentLength
        case (0x6163_6365_7074_2D65, 0x6E_636F_6469_6E67): .acceptEncoding
        default: .other
        }
    }

    private static func longer(_ first: UInt64, _ rest: UInt64, _ last: UInt64) -> FieldName {
        switch (first, rest, last) {
        case (0x6966_2D6D_6F64_6966, 0x6965_642D_7369_6E63, 0x65): .ifModifiedSince
        case (0x7472_616E_7366_6572, 0x2D65_6E63_6F64_696E, 0x67): .transferEncoding
        case (0x6966_2D75_6E6D_6F64, 0x6966_6965_642D_7369, 0x6E_6365): .ifUnmodifiedSince
        default: .other
        }
    }
}
