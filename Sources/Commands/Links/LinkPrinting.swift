import ArgumentParser
import Diagnostics
import JSONSyntax
import Files
private import SiteConfiguration

/// The format of one link.
struct LinkFormat: ParsableArguments {
    @Option(help: "The format of what is printed: text or json.") var format = OutputFormat.text

    /// Prints the content of an answer: for people a member on each line, for programs one line.
    func write(_ answer: LinkOrigin.Answer) throws(ExitCode) {
        switch format {
        case .text: try printOutput(.lines(shown(answer.json)))
        case .json: try printOutput(.jsonLine(answer.json?.written ?? .null))
        }
    }
}

/// The members of an object with the names of those around them, aligned.
func shown(_ json: JSONValue?) -> [String] {
    let rows = json.map { members(of: $0, named: "") } ?? []
    let width = rows.map { terminalColumns($0.name) }.max() ?? 0
    return rows.map { padded($0.name, to: width) + "  " + $0.value }
}

private func members(of json: JSONValue, named name: String) -> [(name: String, value: String)] {
    switch json.content {
    case .object(let members):
        // Warnings are messages.
        members.filter { !name.isEmpty || $0.key != "warnings" }.flatMap {
            Commands.members(of: $0.value, named: name.isEmpty ? $0.key : "\(name).\($0.key)")
        }
    case .array(let elements) where elements.allSatisfy({ $0.text != nil }):
        [(onOneLine(name), onOneLine(listedTexts(elements.compactMap(\.text))))]
    case .string(let text): [(onOneLine(name), onOneLine(text))]
    default: [(onOneLine(name), json.written.compact)]
    }
}

/// Texts with commas between them. One that could be taken for two is in quotes, as in a table.
func listedTexts(_ texts: [String]) -> String {
    texts.map(TableCell.listed).joined(separator: ", ")
}

/// Rows with aligned columns, cut to the terminal's width if standard output is one. The widths are
/// those of the first rows that are written, so that memory does not grow with the list.
struct Table {
    private let headings: [String]
    private var widths = [Int]()

    init(_ headings: [String]) { self.headings = headings }

    /// The lines of these rows, and of the headings before the first ones.
    mutating func lines(of rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(onOneLine) }
        guard widths.isEmpty else { return rows.map(line) }
        let all = [headings] + rows
        widths = headings.indices.map { column in
            all.map { terminalColumns($0[column]) }.max() ?? 0
        }
        return all.map(line)
    }

    private func line(_ cells: [String]) -> String {
        var line = ""
        for (cell, width) in zip(cells, widths) {
            line += (line.isEmpty ? "" : "  ") + padded(cell, to: width)
        }
        let end = line.utf8.lastIndex { $0 != 0x20 }.map { line.utf8.index(after: $0) }
        let text = String(line[..<(end ?? line.startIndex)])
        return standardOutputColumns.map { cut(text, to: $0) } ?? text
    }
}

/// The text, or its beginning and an ellipsis if it has more columns.
func cut(_ text: String, to columns: Int) -> String {
    guard terminalColumns(text) > columns else { return text }
    var result = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
        used += terminalColumns(scalar)
        guard used < columns else { break }
        result.append(scalar)
    }
    return String(result) + "…"
}
