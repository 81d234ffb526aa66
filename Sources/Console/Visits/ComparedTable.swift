private import Diagnostics
private import JSONSyntax

/// A table for spreadsheets with the visits of the period before as its last column, as the page has them.
struct ComparedTable {
    /// The columns that are no counts.
    private let names: [String]
    private let isOfDays: Bool
    /// The visits of the period before, by the values of rows.
    private var before = [[[UInt8]]: Int]()
    /// The first values of the page's rows.
    private let shown: Set<[UInt8]>

    /// The things whose names people and programs have written.
    private static let written = ["collection", "tag", "campaign", "referrer"]

    /// - Parameter names: of the one or two things that are counted together.
    init(_ names: [String], _ count: VisitCount, _ earlier: VisitCount) {
        (self.names, isOfDays) = (names, names[0] == "day")
        let days = count.pivot.rows.map { Array($0.name.utf8) }
        shown = Set(
            isOfDays
                ? days
                : (count.answer.json?["rows"]?.elements ?? [])
                    .map { Array(($0[names[0]]?.text ?? "").utf8) })
        // A day is compared with the one in the same place.
        let places = Dictionary(
            zip(earlier.pivot.rows.map { Array($0.name.utf8) }, days),
            uniquingKeysWith: { first, _ in first })
        for row in earlier.answer.json?["rows"]?.elements ?? [] {
            var values = names.map { Array((row[$0]?.text ?? "").utf8) }
            if isOfDays { values[0] = places[values[0]] ?? values[0] }
            before[values, default: 0] += row["visits"]?.count ?? 0
        }
    }

    /// The table with its last column, and with rows for what only the period before has beside a row of the page.
    /// - Parameter table: one of the API, whose first columns name what each row is of.
    func with(_ table: [UInt8]) -> [UInt8] {
        var reader = CSVReader(cellsMax: 64)
        reader.add(table.dropFirst(TableCell.mark.count))
        var (rows, rest) = ([[String]](), before)
        while let cells = try? reader.next(isEnd: true)?.cells {
            guard !rows.isEmpty else {
                rows.append(cells + ["before"])
                continue
            }
            let values = cells.prefix(names.count).map { Array(TableCell.unprotected($0).utf8) }
            rows.append(cells + ["\(rest.removeValue(forKey: values) ?? 0)"])
        }
        guard let heading = rows.first else { return table }
        let zeros = [String](repeating: "0", count: heading.count - names.count - 1)
        let missing = rest.filter { $0.value > 0 && shown.contains($0.key[0]) }
            .sorted {
                $0.key.lexicographicallyPrecedes($1.key) { $0.lexicographicallyPrecedes($1) }
            }
        rows += missing.map { values, count in
            zip(names, values).map { name, value in
                let text = String(decoding: value, as: UTF8.self)
                return Self.written.contains(name) ? TableCell.protected(text) : text
            } + zeros + ["\(count)"]
        }
        if isOfDays, !missing.isEmpty {
            // The rows of a day stay together, as far as they are of the period.
            let sorted = rows.dropFirst().enumerated().sorted {
                ($0.element[0], $0.offset) < ($1.element[0], $1.offset)
            }
            rows = [heading] + sorted.map(\.element)
        }
        return rows.reduce(into: TableCell.mark) { $0 += Array(csvLine($1).utf8) }
    }
}
