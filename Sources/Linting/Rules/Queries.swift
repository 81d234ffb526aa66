import Associations
import Diagnostics

extension RuleReading {
    /// Items whose pattern is a star: a missing item counts as an empty one, and matches.
    var queryFindings: [Finding] {
        guard case .items(let items) = query else { return [] }
        return items.enumerated().compactMap { index, item in
            guard item.pattern.isScalarwise("*") else { return nil }
            return Finding(
                .warning, .queryStar, itemSpot(index),
                "\"*\" requires nothing of the query item \(quoted(item.name)), so links without "
                    + "it also match", advice: "write \"?*\" to require an item that is not empty")
        }
    }

    /// Separators of a URL's parts in a pattern for one part, which can never contain its own
    /// separator.
    var markFindings: [Finding] { [fragmentMark, queryMark].compactMap(\.self) + itemMarks }

    private var fragmentMark: Finding? {
        guard let fragment, let mark = fragment.value.utf8.firstIndex(of: UInt8(ascii: "#")),
            isWritten || mark == fragment.value.utf8.startIndex
        else { return nil }
        return markFinding(
            "\(quoted(fragment.value)) contains a #, but fragments begin after it, so nothing "
                + "matches",
            Finding.Spot(fragment), "write the pattern without the #, such as \"top\"")
    }

    private var queryMark: Finding? {
        guard case .whole(let text) = query else { return nil }
        if isWritten, text.utf8.contains(UInt8(ascii: "#")) {
            return markFinding(
                "\(quoted(text)) contains a #, but the fragment is not part of a query, so nothing "
                    + "matches",
                querySpot, "write the fragment's pattern under the key \"#\"")
        }
        guard text.utf8.first == UInt8(ascii: "?"), let second = text.utf8.dropFirst().first,
            isAlphanumeric(second), text.utf8.contains(UInt8(ascii: "="))
        else { return nil }
        return markFinding(
            "\(quoted(text)) begins with a ?, which matches any one character here; the query "
                + "begins after it", querySpot, "write \(quoted(String(text.dropFirst())))")
    }

    private var itemMarks: [Finding] {
        guard case .items(let items) = query else { return [] }
        return items.enumerated().compactMap { index, item in
            let isMarked = item.name.utf8.first == UInt8(ascii: "?") && item.name.utf8.count > 1
            let holdsMark = item.name.utf8.contains { "&=#".utf8.contains($0) }
            if isMarked || (isWritten && holdsMark) {
                return markFinding(
                    "no query item has the name \(quoted(item.name)), because ?, &, = and # "
                        + "separate items",
                    itemSpot(index), "write {\"name\": \"pattern\"} for each item")
            }
            guard isWritten, item.pattern.utf8.contains(where: { "&#".utf8.contains($0) }) else {
                return nil
            }
            return markFinding(
                "\(quoted(item.pattern)) contains & or #, which end the item \(quoted(item.name)), "
                    + "so nothing matches", itemSpot(index),
                "write {\"name\": \"pattern\"} for each item")
        }
    }

    /// Whether links are compared as they are written. Then a separator in a part is never an
    /// encoded character.
    private var isWritten: Bool { percentEncoded }

    private var querySpot: Finding.Spot { Finding.Spot(pointer: "\(pointer)/?", start: start) }

    private func markFinding(_ message: String, _ spot: Finding.Spot, _ advice: String) -> Finding {
        Finding(.error, .markInPattern, spot, message, advice: advice)
    }
}
