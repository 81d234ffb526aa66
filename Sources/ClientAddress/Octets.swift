import URISyntax

extension UInt8 {
    static var colon: UInt8 { 0x3A }
    static var comma: UInt8 { 0x2C }
    static var equals: UInt8 { 0x3D }
    static var fullStop: UInt8 { 0x2E }
    static var quote: UInt8 { 0x22 }
    static var semicolon: UInt8 { 0x3B }
    static var space: UInt8 { 0x20 }

    /// Optional whitespace (RFC 9110 §5.6.3).
    var isOWS: Bool { self == .space || self == 0x09 }

    /// A character of an obfuscated identifier (RFC 7239 §6.3).
    var isNameCharacter: Bool {
        isLetter || isDigit || self == UInt8(ascii: "_")
            || self == UInt8(ascii: "-") || self == .fullStop
    }

    /// A character of a token (RFC 9110 §5.6.2).
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: isNameCharacter
        }
    }
}
