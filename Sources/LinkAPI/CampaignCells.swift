import Diagnostics
import URISyntax

/// The UTM parameters that a row of a foreign table has in columns of their own.
struct CampaignCells {
    private var found = [(column: Int, name: String, value: String)]()

    /// - Parameter column: its number from 0.
    mutating func add(_ name: String, _ value: String, _ column: Int) {
        found.append((column, name, value))
    }

    /// Adds them to the destination. What it says already stays.
    /// - Parameters:
    ///   - place: of the destination; nil where the table has none.
    ///   - note: takes what is not kept, with the number of its column.
    func fill(_ cells: inout [String], at place: Int?, note: (Int, String) -> Void) {
        guard let place, !cells[place].isEmpty else { return }
        for (column, name, value) in found {
            let url = cells[place].utf8
            let end = url.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
            let mark = url[..<end].firstIndex(of: UInt8(ascii: "?"))
            let query = mark.map {
                String(decoding: url[url.index(after: $0)..<end], as: UTF8.self)
            }
            if let own = queryItems(query ?? "").first(where: { $0.name.isScalarwise(name) }) {
                if !own.value.isScalarwise(value) {
                    note(column, "\(quoted(value)) is not kept: the destination has \(name)")
                }
                continue
            }
            let sign = query.map { $0.isEmpty ? "" : "&" } ?? "?"
            cells[place] =
                String(decoding: url[..<end], as: UTF8.self)
                + "\(sign)\(name)=\(value.queryEscaped)"
                + String(decoding: url[end...], as: UTF8.self)
        }
    }
}
