internal import Markup

/// The bars of a chart, each of which can have parts in several colours. One path draws all parts of a colour: an element for each of
/// them would make a large page.
struct ChartBars {
    /// The name of each row, for people, with the counts of its parts.
    let rows: [(name: String, parts: [Int])]
    /// The count of the highest bar, at least 1.
    let most: Int

    /// The colours of parts.
    static let styles: [MarkupLiteral] = [
        "bar", "bar s1", "bar s2", "bar s3", "bar s4", "bar s5", "bar s6",
    ]

    /// The most bars; more would be narrower than anybody sees, and are drawn as one figure.
    static let barsMax = 200
    /// The most parts of bars; more would make a large page, so the bars are not divided.
    static let partsMax = 1_000
    /// The most bytes of a chart, about, in which a pointer reads the name of each bar. The table beside it has all names.
    private static let namedBytesMax = 23_000

    func write(_ page: inout PageWriter) {
        let places = BarPlaces(count: rows.count)
        let width = rows.map(\.parts.count).max() ?? 1
        var paths = [String](repeating: "", count: max(1, width))
        for (index, row) in rows.enumerated() {
            let (x, width) = places.place(index)
            var sum = 0
            for (place, count) in row.parts.enumerated() where count > 0 {
                // Both ends are rounded, so that parts meet and the whole is as high as without them.
                let (low, high) = (sum * 120 / most, (sum + count) * 120 / most)
                sum += count
                let top = 120 - max(high, low + 1)
                paths[place] += "M\(x) \(top)h\(width)v\(max(1, high - low))h-\(width)z"
            }
        }
        for (place, path) in paths.enumerated() where !path.isEmpty {
            page.raw("<path")
            page.attribute("class", Self.styles[min(place, Self.styles.count - 1)].text)
            page.attribute("d", path)
            page.raw("/>\n")
        }
        if rows.count * (95 + 18 * width) <= Self.namedBytesMax { writeNames(places, &page) }
    }

    /// Writes what a pointer reads of each bar, above and below it, too.
    private func writeNames(_ places: BarPlaces, _ page: inout PageWriter) {
        for (index, row) in rows.enumerated() {
            let total = row.parts.reduce(0, +)
            guard total > 0 else { continue }
            let (x, width) = places.place(index)
            page.raw("<path class=\"hit\"")
            page.attribute("d", "M\(x) 0h\(width)v120h-\(width)z")
            page.raw("><title>")
            page.value("\(page.day(row.name)): \(page.numeral(total))")
            page.raw("</title></path>\n")
        }
    }
}
