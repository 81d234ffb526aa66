private import Markup

/// Visits by one thing, or by two, as a table.
struct PivotTable {
    let pivot: VisitPivot
    let heading: ConsoleText
    /// Of the period before, by the names of rows; nil if it is not compared.
    let before: [String: Int]?
    /// The names of rows and of columns, for people.
    let rowName, columnName: (String?, PageWriter) -> String
    /// The pages of rows; nil where they have none.
    let path: (String) -> PagePath?

    func write(_ page: inout PageWriter) {
        page.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\"")
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
        page.raw("</tr></thead>\n<tbody>\n")
        for row in pivot.rows {
            page.raw("<tr><th scope=\"row\" class=\"long\">")
            let words = rowName(row.name, page)
            if let path = path(row.name) {
                page.link(path) { $0.value(words) }
            } else {
                page.value(words)
            }
            page.raw("</th>")
            if !pivot.columns.isEmpty { for count in row.counts { page.cell(count) } }
            page.cell(row.total)
            if let before { page.cell(before[row.name] ?? 0) }
            page.raw("</tr>\n")
        }
        page.raw("</tbody></table></div>\n")
        if pivot.omitted > 0 { page.hint(.omittedRows, ["count": "\(pivot.omitted)"]) }
    }
}
