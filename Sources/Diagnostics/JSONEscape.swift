/// The escape of a character that a JSON string cannot contain (RFC 8259 §7): for texts here, for
/// bytes in the access log, and for scripts in pages. It works on scalars, because a quote with a
/// combining mark is still a quote. Writing allocates nothing.
package struct JSONEscape: Sendable {
    /// The character after a backslash; 0 for an escape with digits.
    private let short: UInt8
    private let scalar: Unicode.Scalar

    /// The escape of a character that need not be escaped.
    package init(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "\\": short = UInt8(ascii: scalar)
        case "\n": short = UInt8(ascii: "n")
        default: short = 0
        }
        self.scalar = scalar
    }

    /// The escape of a character that would end the string, or that would control the reader's
    /// terminal; nil for others.
    /// - Parameter inScript: whether `<`, `>` and `&` are escaped too, because in a script of a
    ///   page they could end the element or open a comment.
    package init?(neededBy scalar: Unicode.Scalar, inScript: Bool = false) {
        switch scalar {
        case "\"", "\\": break
        case "<", ">", "&": guard inScript else { return nil }
        case " "..."~": return nil
        default: guard steersReader(scalar) else { return nil }
        }
        self.init(scalar)
    }

    /// Passes the escape's bytes, all ASCII: at most six for each UTF-16 code unit.
    package func write(_ append: (UInt8) -> Void) {
        append(UInt8(ascii: "\\"))
        guard short == 0 else { return append(short) }
        let value = scalar.value
        guard value > 0xFFFF else { return write(unit: value, append) }
        write(unit: 0xD7C0 + value >> 10, append)
        append(UInt8(ascii: "\\"))
        write(unit: 0xDC00 + value & 0x3FF, append)
    }

    private func write(unit: UInt32, _ append: (UInt8) -> Void) {
        append(UInt8(ascii: "u"))
        for shift in stride(from: 12, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
    }
}
