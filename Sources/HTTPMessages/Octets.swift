// Classes of octets, with the names of RFC 9110 and 9112.

extension UInt8 {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var numberSign: UInt8 { 0x23 }
    static var percent: UInt8 { 0x25 }
    static var comma: UInt8 { 0x2C }
    static var fullStop: UInt8 { 0x2E }
    static var slash: UInt8 { 0x2F }
    static var colon: UInt8 { 0x3A }
    static var semicolon: UInt8 { 0x3B }
    static var questionMark: UInt8 { 0x3F }
    static var backslash: UInt8 { 0x5C }

    /// Optional whitespace (RFC 9110 §5.6.3).
    var isOWS: Bool { self == .space || self == .tab }

    /// A character of a token (RFC 9110 §5.6.2).
    var isTchar: Bool { isIn(tcharsBelow64, tcharsFrom64) }

    /// A character of a field value: visible characters, OWS and obs-text (RFC 9110 §5.5).
    var isFieldContent: Bool { self >= .space ? self != 0x7F : self == .tab }

    /// A character that is accepted in the path of a request-target: the characters of RFC 3986
    /// §3.3, and `[ ] ^ |`, which browsers do not escape. The backtick, which they do escape, is
    /// accepted too, because refusing it would cost every request time. A backslash is refused
    /// later, when the path is decoded.
    var isPathCharacter: Bool { isIn(pathCharactersBelow64, pathCharactersFrom64) }

    /// The same for a query (RFC 3986 §3.4). Browsers also send `{ } \` and the backtick there.
    var isQueryCharacter: Bool { isIn(queryCharactersBelow64, queryCharactersFrom64) }

    /// A character of a registered name: letters, digits, marks, and the `%` of an escape (RFC 3986
    /// §3.2.2).
    var isHostCharacter: Bool { isIn(hostCharactersBelow64, hostCharactersFrom64) }

    /// Whether this is an ASCII character whose bit is set in one of the two words.
    private func isIn(_ below64: UInt64, _ from64: UInt64) -> Bool {
        let word = self < 64 ? below64 : from64
        return self < 128 && word &>> UInt64(self & 63) & 1 == 1
    }
}

/// ! # $ % & ' * + - . and the digits.
private let tcharsBelow64: UInt64 = 0x03FF_6CFA_0000_0000
/// ^ _ ` | ~ and the letters.
private let tcharsFrom64: UInt64 = 0x57FF_FFFF_C7FF_FFFE
/// ! $ % & ' ( ) * + , - . / : ; = and the digits.
private let pathCharactersBelow64: UInt64 = 0x2FFF_FFF2_0000_0000
/// @ [ \ ] ^ _ ` | ~ and the letters.
private let pathCharactersFrom64: UInt64 = 0x57FF_FFFF_FFFF_FFFF
/// The same and ?.
private let queryCharactersBelow64: UInt64 = 0xAFFF_FFF2_0000_0000
/// All visible characters.
private let queryCharactersFrom64: UInt64 = 0x7FFF_FFFF_FFFF_FFFF
/// ! $ % & ' ( ) * + , - . ; = and the digits.
private let hostCharactersBelow64: UInt64 = 0x2BFF_7FF2_0000_0000
/// _ ~ and the letters.
private let hostCharactersFrom64: UInt64 = 0x47FF_FFFE_87FF_FFFE
