package import URISyntax

/// The clocks by which people read and write times: those of the site's time zone.
package struct SiteClock: Sendable {
    package static let universal = SiteClock("UTC", nil)

    /// The name of the zone, for people.
    let name: String
    /// Nil for UTC.
    private let rules: ZoneRules?

    package init(_ name: String, _ rules: ZoneRules?) { (self.name, self.rules) = (name, rules) }

    var isUniversal: Bool { rules == nil }

    /// The seconds by which the clocks are ahead of UTC at a moment.
    func offset(at seconds: Int) -> Int { rules?.offset(at: seconds) ?? 0 }

    /// The moment at which the clocks show a time (`ZoneRules.moment`).
    func moment(_ local: Int) -> Int { rules?.moment(local) ?? local }

    /// Whether the clocks show the time of a moment twice, so that it is written with its offset.
    func isTwice(_ seconds: Int) -> Bool {
        let local = seconds + offset(at: seconds)
        let around = [offset(at: local - 86_400), offset(at: local + 86_400)]
        return around[0] != around[1]
            && around.allSatisfy { local - $0 + offset(at: local - $0) == local }
    }

    /// The moments of the calendar, in seconds since 1970.
    private static let calendar = 0..<253_402_300_800

    /// Whether the clocks show a moment as a time of the calendar. Programs write its last second for *never*.
    func isShown(_ seconds: Int) -> Bool {
        Self.calendar.contains(seconds + offset(at: seconds))
    }

    /// The moment of the calendar at which the clocks show a time, or the nearest one.
    func calendarMoment(_ local: Int) -> Int {
        min(max(moment(local), 0), Self.calendar.upperBound - 1)
    }

    /// The time that the clocks show, without an offset; at the ends of the calendar, that of UTC.
    func shown(_ seconds: Int) -> String {
        let time = Timestamp(seconds: isShown(seconds) ? seconds + offset(at: seconds) : seconds)
            .description
        return String(decoding: time.utf8.dropLast(), as: UTF8.self)
    }

    /// An offset from UTC, such as `+02:00`.
    func offsetText(at seconds: Int) -> String {
        let offset = offset(at: seconds)
        let minutes = Int(offset.magnitude) / 60
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(offset < 0 ? "-" : "+")\(digits(minutes / 60)):\(digits(minutes % 60))"
    }
}
