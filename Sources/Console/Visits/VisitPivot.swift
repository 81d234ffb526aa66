internal import JSONSyntax
private import URISyntax

/// Visits by one thing, or by two as rows and columns.
struct VisitPivot {
    struct Row {
        let name: String
        /// In the order of the columns; one without columns.
        var counts: [Int]
        /// Of all columns; where a visit is in several of them, it counts once.
        let total: Int
    }

    private(set) var rows = [Row]()
    /// The values of the second thing with the most visits; nil for all others, which are the last.
    private(set) var columns = [String?]()
    /// The totals of all rows by the bytes of their names, also of those that are left out; by days and hours, there are none.
    private(set) var totals = [[UInt8]: Int]()
    /// The rows that are left out.
    private(set) var omitted = 0

    private static let columnsMax = 6
    private static let rowsMax = 100
    /// The most days of a chart.
    private static let daysMax = 800

    /// - Parameters:
    ///   - names: of the one or two things, as the answer has them.
    ///   - whole: the answer by the first alone, where a visit can be in several columns.
    init(_ answer: JSONValue?, by names: [String], whole: JSONValue? = nil) {
        let found = answer?["rows"]?.elements ?? []
        let first = names[0]
        let second = names.count > 1 ? names[1] : nil
        if let second {
            let sums = Self.sums(of: answer, second)
            let sorted = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            columns = sorted.prefix(Self.columnsMax).map(\.key)
            if sorted.count > Self.columnsMax { columns.append(nil) }
        }
        let places = Dictionary(
            columns.enumerated().compactMap { place, name in name.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
        let width = max(1, columns.count)
        var counts = [String: [Int]]()
        var order = [String]()
        func add(_ name: String) {
            guard counts[name] == nil else { return }
            counts[name] = [Int](repeating: 0, count: width)
            order.append(name)
        }
        if first == "day" { for day in Self.days(of: answer) { add(day) } }
        if first == "hour" {
            for hour in HourSpan(answer, counted: found.map { $0[first]?.text ?? "" }).names {
                add(hour)
            }
        }
        for row in found {
            let name = row[first]?.text ?? ""
            add(name)
            let place = second.map { places[row[$0]?.text ?? ""] ?? width - 1 } ?? 0
            counts[name]?[place] += row["visits"]?.count ?? 0
        }
        let sums = whole.map { Self.sums(of: $0, first) }
        rows = order.map { name in
            let own = counts[name] ?? []
            return Row(
                name: name, counts: own, total: sums.map { $0[name] ?? 0 } ?? own.reduce(0, +))
        }
        guard first != "day", first != "hour" else { return }
        rows.sort { ($1.total, $0.name) < ($0.total, $1.name) }
        totals = Dictionary(rows.map { (Array($0.name.utf8), $0.total) }) { first, _ in first }
        omitted = max(0, rows.count - Self.rowsMax)
        rows = Array(rows.prefix(Self.rowsMax))
    }

    private static func sums(of answer: JSONValue?, _ name: String) -> [String: Int] {
        (answer?["rows"]?.elements ?? []).reduce(into: [:]) { sums, row in
            sums[row[name]?.text ?? "", default: 0] += row["visits"]?.count ?? 0
        }
    }

    /// All days of the period, also those without visits.
    static func days(of answer: JSONValue?) -> [String] {
        let ends = ["firstDay", "lastDay"].compactMap { name in
            answer?[name]?.text.flatMap { try? Timestamp("\($0)T00:00:00Z").seconds / 86_400 }
        }
        guard ends.count == 2, ends[0] <= ends[1], ends[1] - ends[0] < daysMax else { return [] }
        return (ends[0]...ends[1]).map { day in
            String(
                decoding: Timestamp(seconds: day * 86_400).description.utf8.prefix(10),
                as: UTF8.self)
        }
    }
}
