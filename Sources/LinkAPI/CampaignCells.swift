import Diagnostics
import LinkIndex
import URISyntax

/// The UTM parameters that a row of a foreign table has in columns of their own.
struct CampaignCells {
    private struct Cell {
        let column: Int
        let name: String
        let value: String
    }

    /// The first cell of each name, of which there are five.
    private var found = [Cell]()
    /// Cells of further columns with a name that is there, and another value.
    private var repeated = [Cell]()

    /// - Parameter column: its number from 0.
    mutating func add(_ name: String, _ value: String, _ column: Int) {
        let cell = Cell(column: column, name: name, value: value)
        guard let first = found.first(where: { $0.name.isScalarwise(name) }) else {
            return found.append(cell)
        }
        if !first.value.isScalarwise(value) { repeated.append(cell) }
    }

    /// Adds the parameters to the destination. A parameter that has a value there keeps it. A destination that is refused stays as it is
    /// written.
    /// - Parameters:
    ///   - place: of the destination; nil where the table has none.
    ///   - note: takes what is not kept, with the number of its column.
    func fill(_ cells: inout [String], at place: Int?, note: (Int, () -> String) -> Void) {
        guard !found.isEmpty else { return }
        func omit(_ cell: Cell, _ reason: String) {
            note(cell.column) { "\(quoted(cell.value)) is not kept: \(reason)" }
        }
        for cell in repeated { omit(cell, "another column is the \(cell.name), too") }
        // Blanks around a URL are left out of every table.
        let url = place.map { withoutBlanks(TableCell.unprotected(cells[$0])) } ?? ""
        guard let place, !url.isEmpty else {
            return found.forEach { omit($0, "the row has no destination") }
        }
        // The line is refused, and the reason is said once.
        guard Self.isAddress(url), url.utf8.count <= LinkRecord.destinationBytesMax else { return }
        let own = queryItems(query(of: url)).filter { !$0.value.isEmpty }
        var added = [Cell]()
        for cell in found {
            guard let there = own.first(where: { $0.name.isScalarwise(cell.name) }) else {
                added.append(cell)
                continue
            }
            if !there.value.isScalarwise(cell.value) {
                omit(cell, "the destination has \(cell.name)")
            }
        }
        guard !added.isEmpty else { return }
        // Those that the destination has under these names are without a value.
        cells[place] = replacingQueryItems(
            of: url, with: added.map { (name: $0.name, value: $0.value) })
    }

    /// Whether a text begins as an address of the web.
    private static func isAddress(_ text: String) -> Bool {
        ["https://", "http://"].contains { scheme in
            text.utf8.starts(with: scheme.utf8) { $0.foldedToLowerCase == $1 }
        }
    }
}
