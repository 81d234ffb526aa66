import URISyntax

/// The texts that a request may put into a path that must not leave its beginning. Servers differ
/// in what they do with a path: they decode it once or twice, take a backslash for a slash, leave
/// the parameter of a segment out (`..;x`), read bytes that are no UTF-8, or fold full-width
/// characters. So a value is only passed on if it is the same to all of them.
enum ConfinedValue {
    /// Whether a text, escaped for a path, has unreserved characters and slashes, some others that
    /// have no meaning in a path, and escapes of letters and marks beyond ASCII.
    static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
        var decoded = [UInt8]()
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == UInt8(ascii: "%") else {
                guard plain.contains(text[index]) else { return false }
                decoded.append(text[index])
                index += 1
                continue
            }
            guard index + 2 < text.endIndex, let high = text[index + 1].hexDigitValue,
                let low = text[index + 2].hexDigitValue
            else { return false }
            let byte = high << 4 | low
            // What is escaped without need could be decoded once more than is checked.
            guard byte >= 0x80 || escaped.contains(byte) else { return false }
            decoded.append(byte)
            index += 3
        }
        guard let scalars = String(validating: decoded, as: UTF8.self)?.unicodeScalars,
            scalars.allSatisfy({ $0.isASCII || isOwn($0) })
        else { return false }
        return !decoded.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .contains { $0.allSatisfy { $0 == UInt8(ascii: ".") } && !$0.isEmpty }
    }

    /// Whether no folding makes another character of it.
    private static func isOwn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .decimalNumber:
            return !scalar.properties.isFullCompositionExclusion
                && !(0xFF00...0xFFEF).contains(scalar.value)
        default: return false
        }
    }

    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,=:@/".utf8)
    /// Characters that a path has only escaped, and that no server takes for others.
    private static let escaped = Set(" \"<>[]^`{|}".utf8)
}
