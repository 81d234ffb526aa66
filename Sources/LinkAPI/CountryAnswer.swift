import Countries
import Diagnostics
import LinkStore
import Visits

/// An answer about the countries of visits. Of a country with so few visits that they could be known to be somebody's, the visits are
/// `other` (`CountryCells`).
struct CountryAnswer {
    private let query: VisitQuery
    private let sums: CountrySums
    private let cells: CountryCells
    private var table: VisitAnswerTable
    /// The values that the links of a group have; nil if links are not told apart.
    private let values: ((Int) -> [String])?

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - first: members of the answer that stand before those of the question.
    ///   - values: those that the links of a group have.
    init(
        _ query: VisitQuery, _ sums: CountrySums, at now: Int,
        _ first: [(key: String, value: JSONText)] = [], values: ((Int) -> [String])? = nil
    ) {
        (self.query, self.sums, self.values) = (query, sums, values)
        let today = now / 86_400
        cells = CountryCells(query.daysOfUTC, firstKept: today - VisitStore.daysKept, today: today)
        table = VisitAnswerTable(query, first)
    }

    /// The visits for which no country is named.
    static let others = "other"

    func response() throws(Problem) -> APIResponse {
        guard !sums.isFull else {
            throw Problem(
                .query,
                "the answer would have more than \(CountrySums.sumsMax) sums: ask for a shorter period, or for fewer "
                    + "links")
        }
        var table = table
        table.rows = query.groups?.has(.day) == true ? rowsOfDays : rowsOfValues
        return try table.response()
    }

    // MARK: Rows

    /// A country of links with a value.
    private struct Place: Hashable {
        let value: ScalarText
        let country: Int
    }

    private var rowsOfValues: [VisitAnswerTable.Row] {
        // Links with several tags are in several groups, of which each value is one.
        var days = [Place: [Int: Int]]()
        var texts = [Int: [ScalarText]]()
        for (key, counts) in sums.days {
            let own = texts[key.group] ?? (values?(key.group) ?? [""]).map(ScalarText.init)
            texts[key.group] = own
            for value in own {
                days[Place(value: value, country: key.country), default: [:]]
                    .merge(counts, uniquingKeysWith: +)
            }
        }
        var counts = [ScalarText: [(country: Int, count: Int)]]()
        var others = [ScalarText: Int]()
        for (place, own) in days {
            let named = cells.named(own)
            if named > 0 { counts[place.value, default: []].append((place.country, named)) }
            others[place.value, default: 0] += own.values.reduce(-named, +)
        }
        let hasValues = values != nil
        let all = others.keys.sorted().flatMap { value in
            rows(counts[value] ?? [], others: others[value] ?? 0, of: hasValues ? value.text : nil)
        }
        guard hasValues, query.links.map({ !query.isFirst($0.rawValue) }) == true else {
            return all
        }
        return all.sorted { ($0.names[0], $0.names[1]) < ($1.names[0], $1.names[1]) }
    }

    private var rowsOfDays: [VisitAnswerTable.Row] {
        var counts = [Int: [(country: Int, count: Int)]]()
        var others = [Int: Int]()
        for (key, days) in sums.days {
            for (day, count) in days where query.daysOfUTC.contains(day) {
                let named = cells.named(ofDay: count)
                if named > 0 { counts[day, default: []].append((key.country, named)) }
                others[day, default: 0] += count - named
            }
        }
        let all = others.keys.sorted().flatMap { day in
            rows(counts[day] ?? [], others: others[day] ?? 0, of: table.name(ofDay: day))
        }
        guard !query.isFirst(VisitStore.Grouping.day.rawValue) else { return all }
        return all.sorted { ($0.names[0], $0.names[1]) < ($1.names[0], $1.names[1]) }
    }

    /// The countries with the most visits first, and all others last.
    private func rows(
        _ counts: [(country: Int, count: Int)], others: Int, of value: String?
    ) -> [VisitAnswerTable.Row] {
        let sorted = counts.sorted { ($1.count, $0.country) < ($0.count, $1.country) }
        return sorted.map {
            table.row(value, country: CountryCode(of: $0.country).name, visits: $0.count)
        } + (others > 0 ? [table.row(value, country: Self.others, visits: others)] : [])
    }
}

/// A text that is compared by its scalars, as filters compare them: two tags can look the same.
private struct ScalarText: Hashable, Comparable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ScalarText, right: ScalarText) -> Bool {
        left.text.isScalarwise(right.text)
    }

    static func < (left: ScalarText, right: ScalarText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
