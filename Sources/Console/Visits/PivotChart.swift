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

    func write(_ page: inout PageWriter) {
        page.chart(pivot.rows.map { ($0.name, $0.total) }, isOfHours: isOfHours) { most, page in
            if isLong {
                page.outline(pivot.rows.map(\.total), of: most)
            } else {
                let rows = pivot.rows.map { row in
                    (name: row.name, parts: isDivided ? row.counts : [row.total])
                }
                ChartBars(rows: rows, most: most).write(&page)
            }
        }
        guard isDivided, !isLong, pivot.columns.count > 1 else { return }
        page.raw("<ul class=\"legend\">\n")
        for (place, column) in pivot.columns.enumerated() {
            page.raw("<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect width=\"10\"")
            page.raw(" height=\"10\"")
            page.attribute("class", ChartBars.styles[min(place, ChartBars.styles.count - 1)].text)
            page.raw("/></svg>")
            page.value(name(column, page))
            page.raw("</li>\n")
        }
        page.raw("</ul>\n")
    }

    /// Whether bars would be narrower than anybody sees, or have very many parts. They are one figure then, and not divided.
    private var isLong: Bool {
        let parts = isDivided ? max(1, pivot.columns.count) : 1
        return pivot.rows.count > ChartBars.barsMax || pivot.rows.count * parts > ChartBars.partsMax
    }
}
