private import Markup

/// Visits by one thing, or by two, as a table.
struct PivotTable {
    let pivot: VisitPivot
    let heading: ConsoleText
    /// Whether rows have names that people or programs have written, which can be long and without a blank.
    private let isNamed: Bool
    /// Of the period before, in the order of the rows; nil if it is not compared.
    let before: [Int]?
    /// Whether a chart says the same; the table is folded then, and begins with the last row.
    let isBehindChart: Bool
    /// The names of rows and of columns, for people.
    let rowName, columnName: (String?, PageWriter) -> String
    /// The pages of rows; nil where they have none.
    let path: (String) -> PagePath?

    /// The places of the rows that are shown, in their order.
    private let places: [Int]
    /// The rows that are left out.
    private let omitted: Int

    /// So many bytes of rows of days or hours, as far as can be said before they are written: a page stays small.
    private static let timeBytesMax = 36_000

    init(
        pivot: VisitPivot, by name: String, heading: ConsoleText, before: [Int]?,
        isBehindChart: Bool, rowName: @escaping (String?, PageWriter) -> String,
        columnName: @escaping (String?, PageWriter) -> String,
        path: @escaping (String) -> PagePath?
    ) {
        (self.pivot, self.heading, self.before) = (pivot, heading, before)
        (self.isBehindChart, self.rowName, self.columnName) = (isBehindChart, rowName, columnName)
        self.path = path
        isNamed = ["link", "tag", "campaign", "referrer", "collection"].contains(name)
        let all = isBehindChart ? Array(pivot.rows.indices.reversed()) : Array(pivot.rows.indices)
        guard name == "day" || name == "hour" else {
            (places, omitted) = (all, pivot.omitted)
            return
        }
        // The chart has the hours without visits.
        let counted = name == "day" ? all : all.filter { pivot.rows[$0].total > 0 }
        let most = Self.timeBytesMax / (60 + 30 * (1 + pivot.columns.count))
        (places, omitted) = (Array(counted.prefix(most)), max(0, counted.count - most))
    }

    /// Whether each row has a bar.
    private var hasBars: Bool { !isBehindChart }

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
        let most = pivot.rows.map(\.total).max() ?? 0
        page.scrolled(.asTable, style: isNarrow ? "scroll narrow" : "scroll") { page in
            page.table(.visits, style: "", columns) { page in
                for place in places {
                    let row = pivot.rows[place]
                    writeRow(row, before?[place], &page)
                    if hasBars { page.barCell(row.total, of: most) }
                    page.raw("</tr>\n")
                }
            }
        }
        if isBehindChart { page.raw("</details>\n") }
        if omitted > 0 { page.hint(.omittedRows, ["count": page.numeral(omitted)]) }
    }

    private func writeRow(_ row: VisitPivot.Row, _ before: Int?, _ page: inout PageWriter) {
        page.raw(isNamed ? "<tr><th scope=\"row\" class=\"long\">" : "<tr><th scope=\"row\">")
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
