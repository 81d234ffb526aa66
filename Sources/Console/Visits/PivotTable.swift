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
        var columns = [TableColumn.text(heading)]
        for column in pivot.columns { columns.append(.numbers(of: columnName(column, page))) }
        columns.append(.number(.visits))
        if before != nil { columns.append(.number(.periodBefore)) }
        if hasBars { columns.append(.bars) }
        let rows = Array(pivot.rows.enumerated())
        let most = pivot.rows.map(\.total).max() ?? 0
        page.scrolled(.asTable, style: isNarrow ? "scroll narrow" : "scroll") { page in
            page.table(.visits, style: "", columns) { page in
                for (place, row) in isBehindChart ? rows.reversed() : rows {
                    writeRow(row, before?[place], &page)
                    if hasBars { page.barCell(row.total, of: most) }
                    page.raw("</tr>\n")
                }
            }
        }
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
}
