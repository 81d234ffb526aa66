/// The fields that this origin acts on; all others are checked for syntax and passed over.
package enum FieldName: UInt8, Sendable, CaseIterable {
    case other
    case acceptEncoding, connection, contentLength, expect, host
    case ifMatch, ifModifiedSince, ifNoneMatch, ifRange, ifUnmodifiedSince
    case range, referer, transferEncoding, userAgent
    /// Who asks, as proxies tell it (RFC 7239, and what was there before).
    case forwarded, forwardedFor, forwardedProto
    /// What a request is called in logs and traces.
    case requestIdentifier, traceParent

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
        case .referer: "referer"
        case .transferEncoding: "transfer-encoding"
        case .userAgent: "user-agent"
        case .forwarded: "forwarded"
        case .forwardedFor: "x-forwarded-for"
        case .forwardedProto: "x-forwarded-proto"
        case .requestIdentifier: "x-request-id"
        case .traceParent: "traceparent"
        }
    }
}

/// A field name of up to 24 bytes, packed eight to a word while it is scanned, letters folded to
/// lower case. Names are told apart by comparing words: no hash that could collide, no string.
struct PackedName {
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private(set) var count = 0

    /// Adds a token character. Folding by one bit maps no other token character onto a letter
    /// or the hyphen, which are all that known names consist of.
    mutating func append(_ byte: UInt8) {
        let folded = UInt64(byte | 0x20)
        switch count >> 3 {
        case 0: first = first << 8 | folded
        case 1: second = second << 8 | folded
        case 2: third = third << 8 | folded
        default: break
        }
        count += 1
    }

    /// The known field of this name. The words are the ASCII of the names in `FieldName.text`;
    /// a test holds the two together.
    var field: FieldName {
        switch (count, first, second, third) {
        case (4, 0x686F_7374, 0, 0): .host
        case (5, 0x72_616E_6765, 0, 0): .range
        case (6, 0x6578_7065_6374, 0, 0): .expect
        case (7, 0x72_6566_6572_6572, 0, 0): .referer
        case (8, 0x6966_2D6D_6174_6368, 0, 0): .ifMatch
        case (8, 0x6966_2D72_616E_6765, 0, 0): .ifRange
        case (9, 0x666F_7277_6172_6465, 0x64, 0): .forwarded
        case (10, 0x636F_6E6E_6563_7469, 0x6F6E, 0): .connection
        case (10, 0x7573_6572_2D61_6765, 0x6E74, 0): .userAgent
        case (11, 0x7472_6163_6570_6172, 0x65_6E74, 0): .traceParent
        case (12, 0x782D_7265_7175_6573, 0x742D_6964, 0): .requestIdentifier
        case (13, 0x6966_2D6E_6F6E_652D, 0x6D_6174_6368, 0): .ifNoneMatch
        case (14, 0x636F_6E74_656E_742D, 0x6C65_6E67_7468, 0): .contentLength
        case (15, 0x6163_6365_7074_2D65, 0x6E_636F_6469_6E67, 0): .acceptEncoding
        case (15, 0x782D_666F_7277_6172, 0x64_6564_2D66_6F72, 0): .forwardedFor
        case (17, 0x6966_2D6D_6F64_6966, 0x6965_642D_7369_6E63, 0x65): .ifModifiedSince
        case (17, 0x7472_616E_7366_6572, 0x2D65_6E63_6F64_696E, 0x67): .transferEncoding
        case (17, 0x782D_666F_7277_6172, 0x6465_642D_7072_6F74, 0x6F): .forwardedProto
        case (19, 0x6966_2D75_6E6D_6F64, 0x6966_6965_642D_7369, 0x6E_6365): .ifUnmodifiedSince
        default: .other
        }
    }
}
