internal import Markup

/// A column of a table, by its heading.
enum TableColumn {
    case text(ConsoleText)
    case number(ConsoleText)
    /// Numbers of a value from outside.
    case numbers(of: String)
    /// Buttons and links; only those who listen need its heading.
    case deeds
    /// Bars that show the numbers beside them.
    case bars
}

extension PageWriter {
    /// A table with its caption, which stands for those who do not see the heading above it.
    /// - Parameter columns: none for a table without headings.
    mutating func table(
        _ caption: ConsoleText, style: MarkupLiteral = "links", _ columns: [TableColumn],
        rows: (inout PageWriter) -> Void
    ) {
        raw("<table")
        if !style.text.isEmpty { attribute("class", style.text) }
        write(">\n<caption>\(caption)</caption>\n")
        if !columns.isEmpty {
            raw("<thead><tr>")
            for column in columns { heading(column) }
            raw("</tr></thead>\n")
        }
        raw("<tbody>\n")
        rows(&self)
        raw("</tbody></table>\n")
    }

    /// A part that is wider than a narrow page, and scrolls by itself, with keys, too.
    mutating func scrolled(
        _ label: ConsoleText, style: MarkupLiteral = "scroll",
        _ content: (inout PageWriter) -> Void
    ) {
        raw("<div tabindex=\"0\" role=\"region\"")
        attribute("class", style.text)
        attribute("aria-label", filled(label))
        raw(">")
        content(&self)
        raw("</div>\n")
    }

    private mutating func heading(_ column: TableColumn) {
        switch column {
        case .text(let text):
            write("<th scope=\"col\">\(text)</th>")
        case .number(let text):
            write("<th scope=\"col\" class=\"number\">\(text)</th>")
        case .numbers(let text):
            write("<th scope=\"col\" class=\"number\">\(text)</th>")
        case .deeds:
            write("<th scope=\"col\"><span class=\"unseen\">\(.deeds)</span></th>")
        case .bars: raw("<td></td>")
        }
    }

    mutating func cell(_ text: String) { write("<td>\(text)</td>") }

    mutating func cell(_ count: Int) { write("<td class=\"number\">\(numeral(count))</td>") }

    /// The beginning of a cell, which says its column where a narrow page has no headings.
    /// - Parameter isProse: whether the cell has sentences of the server, whose words can be longer than a screen is wide.
    mutating func cellStart(_ column: ConsoleText, isProse: Bool = false) {
        raw(isProse ? "<td class=\"prose\"" : "<td")
        write(" data-label=\"\(filled(column))\">")
    }

    /// A cell with a text, which says its column where a narrow page has no headings.
    mutating func cell(_ column: ConsoleText, _ text: String) {
        cellStart(column)
        write("\(text)</td>")
    }

    /// A cell with a number, which says its column where a narrow page has no headings.
    mutating func cell(_ column: ConsoleText, _ count: Int) {
        write("<td class=\"number\" data-label=\"\(filled(column))\">\(numeral(count))</td>")
    }

    /// A cell with a bar, which shows the number of another cell.
    mutating func barCell(_ count: Int, of most: Int) {
        raw("<td class=\"meter\"><svg viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\"")
        raw(" aria-hidden=\"true\"><rect class=\"bar\" height=\"8\"")
        attribute("width", "\(max(count > 0 ? 1 : 0, count * 100 / max(1, most)))")
        raw("/></svg></td>")
    }

    /// The way to the parts of a list that one page does not have.
    mutating func paging(_ label: ConsoleText, _ links: [(path: PagePath, text: ConsoleText)]) {
        write("<nav class=\"paging\" aria-label=\"\(filled(label))\">\n")
        for link in links {
            self.link(link.path, style: "button", link.text)
            raw("\n")
        }
        raw("</nav>\n")
    }
}
