// Classes of octets, as the grammars of RFC 9110 and 9112 name them.

extension UInt8 {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var comma: UInt8 { 0x2C }
    static var slash: UInt8 { 0x2F }
    static var colon: UInt8 { 0x3A }
    static var semicolon: UInt8 { 0x3B }

    /// Optional whitespace (RFC 9110 §5.6.3).
    var isOWS: Bool { self == .space || self == .tab }

    /// A character of a token (RFC 9110 §5.6.2).
    var isTchar: Bool {
        if self < 64 { return tcharsBelow64 >> UInt64(self) & 1 == 1 }
        return self < 128 && tcharsFrom64 >> UInt64(self & 63) & 1 == 1
    }

    /// What a field value may hold: visible characters, OWS and obs-text (RFC 9110 §5.5).
    var isFieldContent: Bool { self >= .space ? self != 0x7F : self == .tab }

    /// A visible ASCII character other than `#`, which no request-target can hold (RFC 9112 §3.2).
    var isTargetCharacter: Bool { self > .space && self < 0x7F && self != UInt8(ascii: "#") }
}

/// ! # $ % & ' * + - . and the digits.
private let tcharsBelow64: UInt64 = 0x03FF_6CFA_0000_0000
/// ^ _ ` | ~ and the letters.
private let tcharsFrom64: UInt64 = 0x57FF_FFFF_C7FF_FFFE
