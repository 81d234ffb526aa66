import Diagnostics
import LinkStore
import URISyntax
import Visits

// Counted visits, in JSON and in tables.

extension APICall {
    /// Reads the visits that were counted.
    func readVisits<Value: Sendable>(
        _ body: (any CountedVisits) throws(StoreError) -> Value
    ) throws(Problem) -> Value {
        guard let visits else { throw .store("visits are not counted") }
        return try orProblem { () throws(StoreError) in try visits.use(body) }
    }

    /// The visits of one link, or of all as 0.
    func visits(
        of link: Int, _ query: VisitQuery, _ first: [(key: String, value: JSONText)] = []
    ) throws(Problem) -> APIResponse {
        guard let groups = query.groups else { throw .notFound }
        if query.isByCountry { return try countries(of: link, query, first) }
        let rows = try readVisits { store throws(StoreError) in
            try store.visits(of: link, query.hours, by: groups)
        }
        var table = VisitAnswerTable(query, first)
        table.rows = rows.map(table.row)
        table.isOfOneLink = link != 0
        return try table.response()
    }

    /// The same by country.
    private func countries(
        of link: Int, _ query: VisitQuery, _ first: [(key: String, value: JSONText)]
    ) throws(Problem) -> APIResponse {
        var own = LinkGroups()
        own.add(link, to: 0)
        let (links, days) = (link == 0 ? nil : own, query.daysKept(at: now))
        let sums = try readVisits { store throws(StoreError) in
            var (sums, next) = (CountrySums(), days.lowerBound)
            // Of one link, all days are read at once.
            while next < days.upperBound {
                next = try store.addCountries(of: links, next..<days.upperBound, to: &sums)
            }
            return sums
        }
        return try CountryAnswer(query, sums, at: now, first).response()
    }
}

extension VisitQuery {
    /// The days of UTC of the period of which something can be kept.
    /// - Parameter now: seconds since 1970.
    func daysKept(at now: Int) -> Range<Int> {
        let (days, today) = (daysOfUTC, now / 86_400)
        let first = max(days.lowerBound, today - VisitStore.daysKept)
        return first..<max(first, min(days.upperBound, today + 2))
    }

    /// The members of an answer that say which visits it has.
    var period: [(key: String, value: JSONText)] {
        func day(_ day: Int) -> JSONText {
            .string(String(decoding: time(ofHour: 24 * day).utf8.prefix(10), as: UTF8.self))
        }
        return [
            ("from", .string(Timestamp(seconds: hours.lowerBound * 3_600).description)),
            // The end of the last day of the calendar has no other name.
            ("to", .string(Timestamp(nearest: hours.upperBound * 3_600).description)),
            ("firstDay", day(days.first)), ("lastDay", day(days.last)),
        ] + (zone.map { [("zone", .string($0.name))] } ?? [])
    }
}

extension APIResponse {
    /// A table for spreadsheets. The rows have texts of others protected (`TableCell`), and numbers
    /// and times as they are.
    init(table titles: [String], _ rows: [[String]]) {
        self.init(200)
        type = "text/csv; charset=utf-8"
        content = TableCell.mark
        for row in [titles] + rows { content += csvLine(row).utf8 }
    }
}

/// The time at which an hour since 1970 begins. An hour that another program has written may be after the year 9999.
func time(ofHour hour: Int) -> String {
    Timestamp(seconds: min(max(hour, 0), 24 * 2_932_896) * 3_600).description
}

extension VisitClass {
    /// Its name in answers.
    var member: String {
        switch self {
        case .visit: "visits"
        case .notFound: "notFound"
        case .bot: "bots"
        case .prefetch: "prefetches"
        case .probe: "probes"
        case .open: "opens"
        case .firstOpen: "firstOpens"
        }
    }
}
