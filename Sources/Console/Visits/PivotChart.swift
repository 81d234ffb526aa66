private import Markup

/// The visits of each day as bars, which a second thing divides. The same numbers stand in a table below it.
struct PivotChart {
    let pivot: VisitPivot
    /// Whether bars are divided, so that each visit is in one part.
    let isDivided: Bool
    /// Whether rows are hours and not days.
    var isOfHours = false
    /// The name of a column, for people.
    let name: (String?, PageWriter) -> String

    private static let styles: [MarkupLiteral] = [
        "bar", "bar s1", "bar s2", "bar s3", "bar s4", "bar s5", "bar s6",
    ]

    func write(_ page: inout PageWriter) {
        page.chart(pivot.rows.map { ($0.name, $0.total) }, isOfHours: isOfHours) { most, page in
            if isLong {
                page.outline(pivot.rows.map(\.total), of: most)
            } else {
                writeBars(most, &page)
            }
        }
        guard isDivided, !isLong, pivot.columns.count > 1 else { return }
        page.raw("<ul class=\"legend\">\n")
        for (place, column) in pivot.columns.enumerated() {
            page.raw("<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect width=\"10\"")
            page.raw(" height=\"10\"")
            page.attribute("class", Self.styles[min(place, 6)].text)
            page.raw("/></svg>")
            page.value(name(column, page))
            page.raw("</li>\n")
        }
        page.raw("</ul>\n")
    }

    /// Whether bars would be narrower than anybody sees. They are one figure then, and not divided.
    private var isLong: Bool {
        let parts = isDivided ? max(1, pivot.columns.count) : 1
        return pivot.rows.count > BarPlaces.barsMax
            || isOfHours && pivot.rows.count * parts > Self.partsMax
    }

    /// More parts of hours make a large page.
    private static let partsMax = 400

    private func writeBars(_ most: Int, _ page: inout PageWriter) {
        let places = BarPlaces(count: pivot.rows.count)
        for (index, row) in pivot.rows.enumerated() where row.total > 0 {
            let (x, width) = places.place(index)
            page.raw("<g><title>")
            page.value("\(page.day(row.name)): \(page.numeral(row.total))")
            page.raw("</title>")
            var sum = 0
            let parts = isDivided ? row.counts : [row.total]
            for (place, count) in parts.enumerated() where count > 0 {
                // Both ends are rounded, so that parts meet and the whole is as high as without them.
                let (low, high) = (sum * 120 / most, (sum + count) * 120 / most)
                sum += count
                page.raw("<rect")
                page.attribute("class", Self.styles[min(place, 6)].text)
                page.attribute("x", "\(x)")
                page.attribute("y", "\(120 - max(high, low + 1))")
                page.attribute("width", "\(width)")
                page.attribute("height", "\(max(1, high - low))")
                page.raw("/>")
            }
            page.raw("</g>\n")
        }
    }
}
