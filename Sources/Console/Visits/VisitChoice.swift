internal import JSONSyntax

/// The choices of a person on the page of visits, as its URL has them.
struct VisitChoice {
    let request: ConsoleRequest

    static let periods = ["7", "30", "90", "own"]
    static let dimensions = [
        "day", "hour", "platform", "outcome", "collection", "tag", "campaign", "link",
    ]
    static let filters = ["collection", "tag", "campaign"]
    /// The properties of links, of which the API counts by one.
    static let ofLinks = ["collection", "tag", "campaign", "link"]

    /// The period. A day that somebody has written makes it their own, whatever the list of periods says, unless the form
    /// was shown with days already, and another period was chosen then.
    var period: String {
        let asked = request.item("period").flatMap { Self.periods.contains($0) ? $0 : nil }
        guard request.item("from") != nil || request.item("to") != nil else {
            return asked == "own" ? "30" : asked ?? "30"
        }
        return request.item("was") == "own" ? asked ?? "own" : "own"
    }

    /// Whether somebody wants a period of their own and has written no day of it.
    var lacksDays: Bool {
        request.item("period") == "own" && period != "own"
    }

    /// The first or the last day of a period of one's own.
    func day(_ name: String) -> String? { period == "own" ? request.item(name) : nil }

    var zone: String { request.item("zone") ?? "UTC" }

    /// Whether it is about some links alone, or in another zone than UTC.
    var isNarrowed: Bool {
        zone != "UTC" || Self.filters.contains { request.item($0) != nil }
    }

    /// The properties by which visits are counted; a time stands first.
    var dimensions: [String] {
        let asked = ["by", "and"].compactMap { request.item($0) }
            .filter { Self.dimensions.contains($0) }
        guard let first = asked.first else { return ["day"] }
        guard let second = asked.dropFirst().first, second != first else { return [first] }
        return second == "day" || second == "hour" ? [second, first] : [first, second]
    }

    /// The query of the API.
    /// - Parameters:
    ///   - names: of what is counted together.
    ///   - isBefore: whether the period directly before is meant.
    func query(by names: [String], isBefore: Bool = false) -> [(name: String, value: String)] {
        var items = [(name: String, value: String)]()
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { items.append((name, value)) }
        }
        if period == "own" {
            add("from", day("from"))
            add("to", day("to"))
            if day("from") == nil { add("days", "30") }
        } else {
            add("days", period)
        }
        if zone != "UTC" { add("zone", zone) }
        add("by", names.joined(separator: ","))
        for name in Self.filters { add(name, request.item(name)) }
        if isBefore { add("before", "true") }
        return items
    }

    /// The path of the same visits as a table for spreadsheets.
    var table: PagePath {
        request.query.reduce(PagePath("visits.csv")) { $0.with($1.name, $1.value) }
    }
}
