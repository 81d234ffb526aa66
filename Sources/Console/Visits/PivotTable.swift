private import Markup

/// Visits by one thing, or by two, as a table.
struct PivotTable {
    let pivot: VisitPivot
    let heading: ConsoleText
    /// Of the period before, in the order of the rows; nil if it is not compared.
    let before: [Int]?
    /// Whether a chart says the same; the table is folded then, and begins with the last row.
    let isBehindChart: Bool
    /// The names of rows and of columns, for people.
    let rowName, columnName: (String?, PageWriter) -> String
    /// The pages of rows; nil where they have none.
    let path: (String) -> PagePath?

    /// Whether each row has a bar. Of some hundred hours nobody looks at one.
    private var hasBars: Bool { !isBehindChart && pivot.rows.count <= 200 }

    func write(_ page: inout PageWriter) {
        if isBehindChart {
            page.raw("<details class=\"numbers\"><summary>")
            page.words(.asTable)
            page.raw("</summary>\n")
        }
        let isNarrow = isBehindChart && pivot.columns.isEmpty
        page.raw(isNarrow ? "<div class=\"scroll narrow\"" : "<div class=\"scroll\"")
        page.raw(" tabindex=\"0\" role=\"region\"")
        page.attribute("aria-label", page.filled(.asTable))
        page.raw("><table>\n<thead><tr>")
        page.heading(heading)
        for column in pivot.columns {
            page.raw("<th scope=\"col\" class=\"number\">")
            page.value(columnName(column, page))
            page.raw("</th>")
        }
        page.heading(.visits, isNumber: true)
        if before != nil { page.heading(.periodBefore, isNumber: true) }
        if hasBars { page.raw("<td></td>") }
        page.raw("</tr></thead>\n<tbody>\n")
        let rows = Array(pivot.rows.enumerated())
        for (place, row) in isBehindChart ? rows.reversed() : rows {
            writeRow(row, before?[place], &page)
            if hasBars { writeBar(row.total, &page) }
            page.raw("</tr>\n")
        }
        page.raw("</tbody></table></div>\n")
        if isBehindChart { page.raw("</details>\n") }
        if pivot.omitted > 0 { page.hint(.omittedRows, ["count": page.numeral(pivot.omitted)]) }
    }

    private func writeRow(_ row: VisitPivot.Row, _ before: Int?, _ page: inout PageWriter) {
        page.raw(
            path(row.name) == nil
                ? "<tr><th scope=\"row\">" : "<tr><th scope=\"row\" class=\"long\">")
        let words = rowName(row.name, page)
        if let path = path(row.name) {
            page.link(path) { $0.value(words) }
        } else {
            page.value(words)
        }
        page.raw("</th>")
        if !pivot.columns.isEmpty { for count in row.counts { page.cell(count) } }
        page.cell(row.total)
        if let before { page.cell(before) }
    }

    private func writeBar(_ count: Int, _ page: inout PageWriter) {
        let most = max(1, pivot.rows.map(\.total).max() ?? 1)
        page.raw("<td class=\"meter\"><svg viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\"")
        page.raw(" aria-hidden=\"true\"><rect class=\"bar\" height=\"8\"")
        page.attribute("width", "\(max(count > 0 ? 1 : 0, count * 100 / most))")
        page.raw("/></svg></td>")
    }
}
