import Associations
import Foundation

extension PlainMatcher {
    func matches(_ rule: RuleText, _ url: LinkURL) -> Bool {
        let folded = !rule.caseSensitive
        func seen(_ text: String) -> Text {
            Array((rule.percentEncoded ? text : Self.decoded(text)).unicodeScalars)
        }
        if let path = rule.path {
            guard matches(path, seen(url.path), folded: folded, isPath: true) else { return false }
        }
        if let fragment = rule.fragment {
            guard matches(fragment, seen(url.fragment ?? ""), folded: folded) else { return false }
        }
        switch rule.query {
        case nil: return true
        case .whole(let query): return matches(query, seen(url.query ?? ""), folded: folded)
        case .items(let items):
            return items.allSatisfy { item in
                let values = (url.query ?? "").components(separatedBy: "&").compactMap { part in
                    let pieces = part.components(separatedBy: "=")
                    guard seen(pieces[0]) == Array(item.name.unicodeScalars) else {
                        return nil as String?
                    }
                    return pieces.dropFirst().joined(separator: "=")
                }
                return (values.isEmpty ? [""] : values)
                    .allSatisfy { matches(item.pattern, seen($0), folded: folded) }
            }
        }
    }

    /// Escapes become the characters that their bytes encode in UTF-8, one character after the
    /// other; an escape that is part of none stays.
    static func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var decoded = [UInt8]()
        var index = 0
        while index < bytes.count {
            var escaped = [UInt8]()
            while escaped.count < 4, let byte = escape(bytes, at: index + 3 * escaped.count) {
                escaped.append(byte)
            }
            let character = (0...escaped.count).map { Array(escaped.prefix($0)) }.first {
                String(validating: $0, as: UTF8.self)?.unicodeScalars.count == 1
            }
            decoded += character ?? [bytes[index]]
            index += character.map { 3 * $0.count } ?? 1
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func escape(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard index + 2 < bytes.count, bytes[index] == UInt8(ascii: "%") else { return nil }
        let digits = bytes[(index + 1)...(index + 2)]
        guard digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else {
            return nil
        }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
