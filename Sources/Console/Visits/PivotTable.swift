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

    /// The places of the rows that can be shown, in their order.
    private let places: [Int]

    /// The most bytes of rows; the table for download has the rest.
    private static let bytesMax = 48_000
    /// The most bytes of rows behind a chart, which makes a page large itself.
    private static let bytesMaxBehindChart = 24_000

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
        // The chart has the hours without visits.
        places = name == "hour" ? all.filter { pivot.rows[$0].total > 0 } : all
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
        // A narrow page shows the first columns without a scroll.
        columns.append(.number(.visits))
        if before != nil { columns.append(.number(.periodBefore)) }
        for column in pivot.columns { columns.append(.numbers(of: columnName(column, page))) }
        if hasBars { columns.append(.bars) }
        let most = pivot.rows.map(\.total).max() ?? 0
        let bytesMax = isBehindChart ? Self.bytesMaxBehindChart : Self.bytesMax
        var omitted = pivot.omitted
        page.scrolled(.asTable, style: isNarrow ? "scroll narrow" : "scroll") { page in
            page.table(.visits, style: "pivot", columns) { page in
                let start = page.markup.bytes.count
                for (index, place) in places.enumerated() {
                    guard page.markup.bytes.count - start < bytesMax else {
                        omitted += places.count - index
                        break
                    }
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
        let counts = pivot.columns.isEmpty ? [] : row.counts
        for count in [row.total] + [before].compactMap(\.self) + counts {
            page.cell(page.numeral(count))
        }
    }
}
