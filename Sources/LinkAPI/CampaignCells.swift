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

    /// One for each name, of which there are five.
    private var found = [Cell]()
    /// Those of further columns with a name that is there, and another value.
    private var repeated = [Cell]()

    /// - Parameter column: its number from 0.
    mutating func add(_ name: String, _ value: String, _ column: Int) {
        let cell = Cell(column: column, name: name, value: value)
        guard let first = found.first(where: { $0.name.isScalarwise(name) }) else {
            return found.append(cell)
        }
        if !first.value.isScalarwise(value) { repeated.append(cell) }
    }

    /// Adds them to the destination. What it says already stays, but not a parameter without a value, which says nothing. A destination that
    /// is refused stays as it is written.
    /// - Parameters:
    ///   - place: of the destination; nil where the table has none.
    ///   - note: takes what is not kept, with the number of its column.
    func fill(_ cells: inout [String], at place: Int?, note: (Int, String) -> Void) {
        guard !found.isEmpty else { return }
        func omit(_ cell: Cell, _ reason: String) {
            note(cell.column, "\(quoted(cell.value)) is not kept: \(reason)")
        }
        for cell in repeated { omit(cell, "another column is the \(cell.name), too") }
        // Blanks around a URL are left out of every table.
        let url = place.map { withoutBlanks(TableCell.unprotected(cells[$0])) } ?? ""
        guard let place, Self.isAddress(url), url.utf8.count <= LinkRecord.destinationBytesMax
        else {
            let reason =
                url.isEmpty
                ? "the link has no destination"
                : Self.isAddress(url)
                    ? "the destination is too long" : "the destination is no address"
            return found.forEach { omit($0, reason) }
        }
        let bytes = url.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map {
            String(decoding: bytes[bytes.index(after: $0)..<end], as: UTF8.self)
        }
        let own = queryItems(query ?? "").filter { !$0.value.isEmpty }
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
        let kept = Self.query(query ?? "", without: added)
        let items =
            (kept.isEmpty ? [] : [kept])
            + added.map { "\($0.name)=\($0.value.queryEscaped)" }
        cells[place] =
            String(decoding: bytes[..<(mark ?? end)], as: UTF8.self) + "?"
            + items.joined(separator: "&") + String(decoding: bytes[end...], as: UTF8.self)
    }

    /// A query without the parameters of these names, which have no value there.
    private static func query(_ query: String, without cells: [Cell]) -> String {
        query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
            .filter { item in
                guard let name = queryItems(item).first?.name else { return true }
                return !cells.contains { $0.name.isScalarwise(name) }
            }
            .joined(separator: "&")
    }

    /// Whether a text begins as an address of the web.
    private static func isAddress(_ text: String) -> Bool {
        ["https://", "http://"].contains { scheme in
            text.utf8.starts(with: scheme.utf8) { $0.foldedToLowerCase == $1 }
        }
    }
}
