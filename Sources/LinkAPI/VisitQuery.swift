import Diagnostics
import LinkStore
import URISyntax

/// The visits that a request asks for.
struct VisitQuery {
    /// Since 1970.
    private(set) var hours: Range<Int>
    /// The properties of visits that are summed up; nil if it is only a property of links.
    private(set) var groups: VisitGroups?
    /// The property of links that is summed up.
    private(set) var links: LinkDimension?
    /// The names of both, in their order.
    let dimensions: [String]
    /// Nil for UTC.
    private(set) var zone: VisitZone?
    let isTable: Bool
    /// Whether the visitors of several links are added up.
    let hasSumOfVisitors: Bool

    /// The items of a query that say which visits are counted.
    static let period = [
        Parameter("from", .text, "A day or time; 29 days ago by default."),
        Parameter("to", .text, "A day, which is included, or a time; today by default."),
    ]

    /// The items of a query that choose a period by its length.
    private static let length = [
        Parameter(
            "days", .number(1...VisitStore.daysKept),
            "The number of days up to `to`, in place of `from`."),
        Parameter(
            "before", .flag,
            "Whether the period of the same length directly before is counted instead."),
    ]

    /// The item of a query that asks for the visitors of several links.
    static let visitors = Parameter(
        "visitors", .flag,
        "Whether `visitors` is answered, too, with by=day in UTC: the sum of the visitors that each link had on the day."
    )

    /// The item of a query that says in which form they are answered.
    static let format = Parameter(
        "format", .choice(["json", "csv"]), "The format; json by default, or what Accept asks for.")

    /// The items of a query that say what is counted together.
    static func by(_ names: [String]) -> [Parameter] {
        length + [
            Parameter(
                "by", .choices(names),
                "The properties by which visits are counted, one or two; day by default."),
            Parameter(
                "zone", .text,
                "The time zone of days and hours, such as Europe/Berlin, or site for that of the links' site; UTC by "
                    + "default."),
        ]
    }

    /// - Parameter collection: of the links that it is about; nil for all.
    init(_ call: APICall, of collection: String?) throws(Problem) {
        zone = try VisitZone(call, of: collection)
        hours = try Self.hours(call, zone)
        isTable =
            call.request.item("format").map { $0 == "csv" }
            ?? call.request.fields["accept"]?.utf8.starts(with: "text/csv".utf8) ?? false
        hasSumOfVisitors = call.request.item("visitors") == "true"
        let text = call.request.item("by") ?? "day"
        dimensions = text.utf8.split(separator: UInt8(ascii: ",")).map { String($0) ?? "" }
        try readDimensions(text)
        // Also where nothing is counted by days: the period begins and ends with days of the zone.
        let local = try zone?.local(hours, at: call.now)
        groups?.local = local
        if zone != nil, let first = groups?.all.first(where: \.isOfDays) {
            throw Problem(
                .query,
                "\(first.words) are kept by the day of UTC: leave zone out, or ask by another thing"
            )
        }
        guard !hasSumOfVisitors || hasVisitors else {
            throw Problem(
                .query,
                "visitors is true, and visitors are told apart by the day of UTC, and by nothing else: ask by day, and leave "
                    + "zone out")
        }
    }

    /// The hours of the period, by the days of a zone.
    private static func hours(_ call: APICall, _ zone: VisitZone?) throws(Problem) -> Range<Int> {
        let today = zone?.day(at: call.now) ?? call.now / 86_400
        var days = (first: Int?.none, last: today)
        var times = (begin: Int?.none, end: Int?.none)
        for name in ["from", "to"] {
            guard let value = call.request.item(name) else { continue }
            let isDay = value.utf8.count == 10
            guard let moment = try? Timestamp(isDay ? "\(value)T00:00:00Z" : value) else {
                throw Problem(
                    .query,
                    "\(name) is \(quoted(value)), must be a day, 2026-09-01, or a time, "
                        + "2026-09-01T08:00:00Z")
            }
            switch (name == "from", isDay) {
            case (true, true): days.first = moment.seconds / 86_400
            case (true, false): times.begin = moment.seconds / 3_600
            case (false, true): days.last = moment.seconds / 86_400
            case (false, false): times.end = (moment.seconds + 3_599) / 3_600
            }
        }
        let hasTimes = times.begin != nil || times.end != nil
        let length = call.request.number("days")
        guard length == nil || days.first == nil && !hasTimes else {
            throw Problem(.query, "days is used with to as a day, and without from: leave one out")
        }
        var first = days.first ?? (length.map { days.last + 1 - $0 } ?? today - 29)
        func hour(_ day: Int) -> Int { zone?.firstHour(ofDay: day) ?? 24 * day }
        let isBefore = call.request.item("before") == "true"
        if isBefore, !hasTimes { (first, days.last) = (first - (days.last + 1 - first), first - 1) }
        var (begin, end) = (times.begin ?? hour(first), times.end ?? hour(days.last + 1))
        if isBefore, hasTimes { (begin, end) = (begin - (end - begin), begin) }
        guard begin >= 0 else {
            throw Problem(
                .query, "the period begins before 1970: ask for a later one, or a shorter one")
        }
        guard begin < end else {
            throw Problem(
                .query,
                "the period begins at \(time(ofHour: begin)) and ends at \(time(ofHour: end)): "
                    + (call.request.item("from") == nil
                        ? "from is 29 days ago by default, so write it, or days"
                        : "from must be before to"))
        }
        return begin..<end
    }

    /// The first and the last day of the period.
    var days: (first: Int, last: Int) {
        func day(_ hour: Int) -> Int { zone?.day(at: hour * 3_600) ?? hour / 24 }
        return (day(hours.lowerBound), day(hours.upperBound - 1))
    }

    /// Whether countries are asked for, of which few visits are not named.
    var isByCountry: Bool { groups?.has(.country) == true }

    /// Whether the hosts of referring pages are asked for.
    var isByReferrer: Bool { groups?.has(.referrer) == true }

    /// The days of UTC of which a part is in the period.
    var daysOfUTC: Range<Int> { hours.lowerBound / 24..<(hours.upperBound + 23) / 24 }

    /// Whether the property of links stands before that of visits.
    var isByLinkFirst: Bool { links.map { isFirst($0.rawValue) } ?? false }

    /// Whether this is the first of the dimensions.
    func isFirst(_ dimension: String) -> Bool { dimensions.first == dimension }

    /// Whether the answer has visitors: they are counted by the days of UTC, and with nothing else.
    var hasVisitors: Bool { groups == VisitGroups(.day) && links == nil }

    /// Reads the properties that are named, which are kept together.
    private mutating func readDimensions(_ text: String) throws(Problem) {
        func refuse(_ reason: String) -> Problem {
            Problem(.query, "by is \(quoted(text)): \(reason)")
        }
        guard Set(dimensions).count == dimensions.count else {
            throw refuse("name two things, or one of them once")
        }
        let ofLinks = dimensions.compactMap { LinkDimension(rawValue: $0) }
        let ofVisits = dimensions.compactMap { VisitStore.Grouping(rawValue: $0) }
        guard ofLinks.count < 2 else {
            // Many links have a value of the others; each link has one of its own.
            let kept = ofLinks.contains(.link) ? .link : ofLinks[1]
            let other = ofLinks[0] == kept ? ofLinks[1] : ofLinks[0]
            throw refuse(
                "both are properties of links: ask by one of them, and name a value of the other, "
                    + "as in by=\(kept)&\(other)=…")
        }
        links = ofLinks.first
        if let first = ofVisits.first { groups = VisitGroups(first, ofVisits.dropFirst().first) }
        if let own = ofVisits.first(where: \.isOfDays),
            ofVisits.contains(where: { $0 != own && $0 != .day })
        {
            throw refuse(
                "\(own.words) are kept by day, and with nothing else, so that nobody can be found by "
                    + "them: ask for day,\(own.rawValue), or for each alone")
        }
        if let links, ofVisits.contains(.referrer) {
            throw refuse(
                "the hosts of referring pages are counted of all chosen links together: name a value, as in by=referrer&\(links)=…"
            )
        }
        if ofVisits.contains(.day), ofVisits.contains(.hour) {
            throw refuse("each hour is of one day: ask for hour")
        }
    }
}

extension VisitStore.Grouping {
    /// Whether it is kept by the day of UTC, and with nothing else.
    fileprivate var isOfDays: Bool { self == .referrer || self == .country }

    fileprivate var words: String {
        self == .referrer ? "the hosts of referring pages" : "the countries of visits"
    }
}
