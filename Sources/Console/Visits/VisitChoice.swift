internal import JSONSyntax

/// The choices of a person on the page of visits, as its URL has them.
struct VisitChoice {
    let request: ConsoleRequest

    static let periods = ["7", "30", "90", "own"]
    static let dimensions = [
        "day", "hour", "platform", "outcome", "collection", "tag", "campaign", "link",
    ]
    static let filters = ["collection", "tag", "campaign"]

    var period: String {
        let asked = request.item("period") ?? ""
        if Self.periods.contains(asked) { return asked }
        return request.item("from") == nil && request.item("to") == nil ? "30" : "own"
    }

    var zone: String { request.item("zone") ?? "UTC" }

    /// The properties by which visits are counted; a time stands first.
    var dimensions: [String] {
        let asked = ["by", "and"].compactMap { request.item($0) }
            .filter { Self.dimensions.contains($0) }
        guard let first = asked.first else { return ["day"] }
        guard let second = asked.dropFirst().first, second != first else { return [first] }
        return second == "day" || second == "hour" ? [second, first] : [first, second]
    }

    /// The query of the API.
    /// - Parameter isBefore: whether the period directly before is meant.
    func query(isBefore: Bool = false) -> [(name: String, value: String)] {
        var items = [(name: String, value: String)]()
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { items.append((name, value)) }
        }
        if period == "own" {
            add("from", request.item("from"))
            add("to", request.item("to"))
        } else {
            add("days", period)
        }
        if zone != "UTC" { add("zone", zone) }
        add("by", dimensions.joined(separator: ","))
        for name in Self.filters { add(name, request.item(name)) }
        if isBefore { add("before", "true") }
        return items
    }

    /// The path of the same visits as a table for spreadsheets.
    var table: PagePath {
        request.query.reduce(PagePath("visits.csv")) { $0.with($1.name, $1.value) }
    }
}
