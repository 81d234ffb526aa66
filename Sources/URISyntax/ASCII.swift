extension UInt8 {
    public var isUpperCaseLetter: Bool { self &- 0x41 < 26 }
    public var isLowerCaseLetter: Bool { self &- 0x61 < 26 }
    public var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    public var isDigit: Bool { self &- 0x30 < 10 }
    /// A space or a tab.
    package var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// An upper-case letter in lower case; any other octet unchanged.
    public var foldedToLowerCase: UInt8 { isUpperCaseLetter ? self | 0x20 : self }

    /// A character that means the same anywhere in a URL (RFC 3986 §2.3).
    public var isUnreserved: Bool {
        isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
    }

    /// A character that ends the authority of a URL (RFC 3986 §3.2).
    package var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }

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

    /// A character that a path or a query can contain without an escape: of the reserved
    /// characters, not `#`, which ends a query, and not the brackets, which only a host can contain
    /// (RFC 3986 §3.2.2 to §3.4). The percent sign of an escape is included.
    public var isPathOrQueryCharacter: Bool {
        isURLCharacter && self != UInt8(ascii: "#") && self != UInt8(ascii: "[")
            && self != UInt8(ascii: "]")
    }

    /// The value of an ASCII hex digit of either case, or nil.
    public var hexDigitValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The hex digit of this value, which is less than 16, in upper case.
    public var hexDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
    }

    /// The hex digit of this value, which is less than 16, in lower case.
    public var lowerCaseHexDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10
    }
}

extension [UInt8] {
    /// Appends an octet percent-encoded (RFC 3986 §2.1).
    public mutating func append(percentEncoded octet: UInt8) {
        append(UInt8(ascii: "%"))
        append((octet >> 4).hexDigit)
        append((octet & 0xF).hexDigit)
    }
}

extension String {
    /// As a segment of a path, or a name or value of a query: all but unreserved characters is
    /// percent-encoded (RFC 3986 §2.3).
    package var queryEscaped: String { utf8.percentEncoded(unless: \.isUnreserved) }
}

extension BidirectionalCollection<UInt8> {
    /// The octets without the blanks at both ends.
    package func trimmed(of isBlank: (UInt8) -> Bool = \.isBlank) -> SubSequence {
        let start = drop(while: isBlank)
        let last = start.lastIndex { !isBlank($0) }
        return start[..<(last.map { start.index(after: $0) } ?? start.startIndex)]
    }
}

extension UInt64 {
    /// Sixteen lower-case hexadecimal digits.
    package var hexadecimal: String {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }.hexadecimal
    }
}

extension Sequence<UInt8> {
    /// Two hex digits for each octet, letters in lower case.
    public var hexadecimal: String {
        let digits = flatMap { [($0 >> 4).lowerCaseHexDigit, ($0 & 0xF).lowerCaseHexDigit] }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The octets as text; octets that are not plain are percent-encoded.
    public func percentEncoded(unless isPlain: (UInt8) -> Bool) -> String {
        var result = [UInt8]()
        // An array's elements are read in place; another sequence's, from here, each by two calls.
        for octet in Array(self) {
            if isPlain(octet) { result.append(octet) } else { result.append(percentEncoded: octet) }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
