private import Diagnostics
internal import JSONSyntax
private import URISyntax

/// The choices of a person on the page of visits, as its URL has them.
struct VisitChoice {
    let request: ConsoleRequest
    /// The time zone of the sites that it is about.
    private let home: SiteZone
    /// Whether the countries of visits are counted.
    private let countsCountries: Bool

    /// - Parameter collections: those that the person may see, as the API has them.
    init(request: ConsoleRequest, collections: [JSONValue]) {
        self.request = request
        home = SiteZone(collections, of: request.item("collection"))
        countsCountries = collections.contains { $0["countsCountries"]?.boolean == true }
    }

    static let periods = ["7", "30", "90", "own"]
    static let dimensions = [
        "day", "hour", "platform", "outcome", "referrer", "country", "collection", "tag",
        "campaign",
        "link",
    ]
    /// The properties of visits that are not kept with a country.
    static let notOfCountries = ["hour", "platform", "outcome", "referrer"]
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
    func day(_ name: String) -> String? {
        period == "own" ? request.item(name).map(withoutBlanks) : nil
    }

    /// The zone that somebody has asked for, or else that of the sites.
    var wantedZone: String { request.item("zone") ?? home.name }

    /// The zone of the days that are shown. In the zone of the sites, the API counts the last three months alone, and
    /// countries and hosts of referring pages are kept by the day of UTC.
    var zone: String {
        isOfCountries || isOfReferrers || isHome && !isRecent ? SiteZone.universal : wantedZone
    }

    /// Whether the hosts of referring pages are asked for.
    var isOfReferrers: Bool { dimensions.contains("referrer") }

    /// Whether somebody has chosen among the links.
    var isOfChosenLinks: Bool { Self.filters.contains { request.item($0) != nil } }

    /// Whether countries are asked for.
    var isOfCountries: Bool { dimensions.contains("country") }

    /// The properties among which somebody can choose.
    var offered: [String] {
        Self.dimensions.filter { $0 != "country" || countsCountries || isOfCountries }
    }

    /// Whether nobody has asked for another zone than that of the sites.
    var isHome: Bool { wantedZone.isScalarwise(home.name) }

    /// Whether the period, and the one before if that is asked for, is of days whose hours are kept.
    private var isRecent: Bool { age <= Self.recentDays }

    /// Whether the period begins on a day whose hours are not kept any more.
    var beginsBeforeHours: Bool { age > Self.recentDays + 1 }

    /// The days from the first that is asked for to today.
    private var age: Int {
        let today = request.now / 86_400
        func number(_ name: String) -> Int? {
            day(name).flatMap { try? Timestamp("\($0)T00:00:00Z") }.map { $0.seconds / 86_400 }
        }
        let last = min(number("to") ?? today, today)
        let length = number("from").map { last - $0 + 1 } ?? Int(period) ?? 30
        let isTwice = request.item("compare") != nil
        return today - last + length * (isTwice ? 2 : 1)
    }

    /// The API keeps hours for 90 days of UTC, and a day of another zone can begin a day before.
    private static let recentDays = 90

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
        if zone != SiteZone.universal { add("zone", zone) }
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
