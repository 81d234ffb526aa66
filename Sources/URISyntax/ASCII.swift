extension UInt8 {
    public var isUpperCaseLetter: Bool { self &- 0x41 < 26 }
    public var isLowerCaseLetter: Bool { self &- 0x61 < 26 }
    public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    public var isDigit: Bool { self &- 0x30 < 10 }

    /// An unreserved or reserved character, or the percent sign (RFC 3986 §2).
    public var isURLCharacter: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
            UInt8(ascii: "}"):
            false
        default: self > 0x20 && self < 0x7F
        }
    }

    /// The value of an ASCII hex digit of either case, or nil.
    public var hexDigitValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }
}
