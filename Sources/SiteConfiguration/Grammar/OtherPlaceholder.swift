private import Diagnostics
private import URISyntax

/// Text in a URL with which another program fills in a value, and which is ordinary text here.
struct OtherPlaceholder {
    /// As written: `:splat`, `$1`.
    let text: String
    let advice: String
    /// Whether the advice has the translated URL.
    let isTranslated: Bool

    /// A quick check: most URLs have no byte with which such a text begins.
    static func mayBe(in template: URLTemplate) -> Bool {
        var last: UInt8 = 0
        for byte in template.text.utf8.dropFirst(template.originBytes) {
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "$"): return true
            case UInt8(ascii: ":") where last == UInt8(ascii: "/") || last == UInt8(ascii: "="):
                return true
            default:
                if last == UInt8(ascii: "%"), byte.isDigit { return true }
                last = byte
            }
        }
        return false
    }

    /// Nil if the URL has no such text.
    /// - Parameters:
    ///   - pattern: the path pattern of the link, which gives the stars their numbers.
    ///   - hasPattern: whether stars have a value; otherwise `{path}` means them.
    init?(in url: String, pattern: String? = nil, hasPattern: Bool = true) {
        var reading = OtherURL(url, pattern, hasPattern: hasPattern)
        reading.read()
        guard let first = reading.first else { return nil }
        text = first
        let written = String(decoding: reading.result, as: UTF8.self)
        guard reading.isTranslated, let template = URLTemplate(valid: written) else {
            advice = "write {1} to {9}, {path}, {query} or {query.name} behind the host"
            isTranslated = false
            return
        }
        let meaning =
            template.starsNeeded > 0 ? "; {1} is the text of the first * in the link's `match`" : ""
        advice = "write \(quoted(written))\(meaning)"
        isTranslated = true
    }
}
