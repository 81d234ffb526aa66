private import URISyntax

// What other programs write for the variable parts of a path or a URL (Netlify, nginx, Apache,
// Caddy, routers, regular expressions), translated for advice.

/// A path pattern of a router or a regular expression as Waymark writes it: `/blog/*` for
/// `/blog/:id` and `^/blog/(.+)$`. Nil if it has no such syntax, or more than a star can say.
package func translatedPattern(_ text: String) -> String? {
    let star = UInt8(ascii: "*")
    let bytes = Array(text.utf8)
    var rest = bytes[...]
    var result = [UInt8]()
    if rest.first == UInt8(ascii: "^") || rest.starts(with: "/^".utf8) {
        rest = rest.drop { "/^".utf8.contains($0) }
        result.append(UInt8(ascii: "/"))
    }
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "|"): return nil
        case UInt8(ascii: "$") where rest.first == UInt8(ascii: "("):
            // A variable of Apple's.
            guard let end = rest.firstIndex(of: UInt8(ascii: ")")) else { return nil }
            result += [byte] + rest[...end]
            rest = rest[(end + 1)...]
        case UInt8(ascii: "$") where rest.isEmpty: break
        case UInt8(ascii: ":") where rest.first?.isLetter == true:
            rest = rest.drop(while: isNameByte)
            if rest.first == UInt8(ascii: "("), takeBrackets(&rest) == nil { return nil }
            result.append(star)
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"):
            rest = bytes[(rest.startIndex - 1)...]
            guard let inner = takeBrackets(&rest), !inner.contains(UInt8(ascii: "|")) else {
                return nil
            }
            result.append(star)
        case UInt8(ascii: ".") where rest.first.map("*+".utf8.contains) == true:
            result.append(star)
        case UInt8(ascii: "\\"):
            guard let next = rest.popFirst() else { return nil }
            result.append(next.isLetter ? star : next)
        default:
            result.append(byte)
            continue
        }
        // A quantifier belongs to what the star means.
        if result.last == star { rest = rest.drop { "*+?".utf8.contains($0) } }
    }
    let isSecond = { (index: Int) in index > 0 && result[index - 1] == star }
    let single = result.indices.filter { result[$0] != star || !isSecond($0) }.map { result[$0] }
    let pattern = String(decoding: single, as: UTF8.self)
    return pattern == text ? nil : pattern
}

/// Reads brackets with what they hold, other brackets among it.
/// - Returns: what is between them; nil if they do not end.
func takeBrackets(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var depth = 0
    for (index, byte) in zip(text.indices, text) {
        if "([{<".utf8.contains(byte) { depth += 1 }
        if ")]}>".utf8.contains(byte) { depth -= 1 }
        guard depth == 0 else { continue }
        defer { text = text[(index + 1)...] }
        return text[(text.startIndex + 1)..<index]
    }
    return nil
}

func isNameByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_")
}
