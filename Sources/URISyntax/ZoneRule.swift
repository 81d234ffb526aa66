/// A rule by which a zone changes its offset each year, as POSIX writes it in `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Equatable, Sendable {
    /// Seconds ahead of UTC.
    private var standard: Int
    private var summer: Summer?

    private struct Summer: Equatable {
        let offset: Int
        let begin, end: Change
    }

    /// A moment of each year, by the clock that is in force until then.
    private struct Change: Equatable {
        enum Day: Equatable {
            /// The week of a month, of which 5 is the last, and the day of the week from Sunday, 0.
            case week(month: Int, week: Int, day: Int)
            /// From 1 on, without leap days.
            case number(Int)
            /// From 0 on, with leap days.
            case numberWithLeapDays(Int)
        }

        let day: Day
        /// Seconds after midnight; those of other days may be meant.
        let time: Int

        /// In seconds since 1970, as if the clock were that of UTC.
        func seconds(in year: Int) -> Int {
            let first = CivilDate.days(year: year, month: 1, day: 1) ?? 0
            let number: Int
            switch day {
            case .week(let month, let week, let day):
                let begin = CivilDate.days(year: year, month: month, day: 1) ?? 0
                // The first of 1970 was a Thursday.
                let weekday = (begin + 4).dividedFloor(by: 7).remainder
                var place = 1 + (day - weekday + 7) % 7 + 7 * (week - 1)
                if CivilDate.days(year: year, month: month, day: place) == nil { place -= 7 }
                number = begin + place - 1
            case .number(let count):
                let isLeap = CivilDate.days(year: year, month: 2, day: 29) != nil
                number = first + count - (isLeap && count >= 60 ? 0 : 1)
            case .numberWithLeapDays(let count): number = first + count
            }
            return number * 86_400 + time
        }
    }

    /// - Returns: nil if it is no such rule.
    init?(_ text: ArraySlice<UInt8>) {
        var rest = text
        guard Self.skipName(&rest), let offset = Self.time(&rest) else { return nil }
        standard = -offset
        guard !rest.isEmpty else { return }
        guard Self.skipName(&rest) else { return nil }
        var ahead = standard + 3_600
        if rest.first != UInt8(ascii: ",") {
            guard let offset = Self.time(&rest) else { return nil }
            ahead = -offset
        }
        guard let begin = Self.change(&rest), let end = Self.change(&rest), rest.isEmpty else {
            return nil
        }
        summer = Summer(offset: ahead, begin: begin, end: end)
    }

    func offset(at seconds: Int) -> Int {
        guard let summer else { return standard }
        // No rule is asked for a moment that calendars do not have.
        let local = Timestamp(nearest: seconds + standard).seconds
        let year = CivilDate.dateAndTime(local).date.year
        let begin = summer.begin.seconds(in: year) - standard
        let end = summer.end.seconds(in: year) - summer.offset
        let isSummer =
            begin < end
            ? (begin..<end).contains(seconds) : !(end..<begin).contains(seconds)
        return isSummer ? summer.offset : standard
    }

    // MARK: Reading

    /// Letters, or anything between angle brackets.
    private static func skipName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let end = rest.firstIndex { !(0x41...0x5A).contains($0 & 0xDF) } ?? rest.endIndex
        guard end - rest.startIndex >= 3 else { return false }
        rest = rest[end...]
        return true
    }

    /// Hours, and perhaps minutes and seconds, in seconds.
    private static func time(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let sign = rest.first
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
        guard var seconds = number(&rest, upTo: 167).map({ $0 * 3_600 }) else { return nil }
        for unit in [60, 1] where rest.first == UInt8(ascii: ":") {
            rest.removeFirst()
            guard let count = number(&rest, upTo: 59) else { return nil }
            seconds += unit * count
        }
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, upTo most: Int) -> Int? {
        let digits = rest.prefix(while: \.isDigit)
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return number <= most ? number : nil
    }

    private static func change(_ rest: inout ArraySlice<UInt8>) -> Change? {
        guard rest.popFirst() == UInt8(ascii: ","), let day = day(&rest) else { return nil }
        guard rest.first == UInt8(ascii: "/") else { return Change(day: day, time: 7_200) }
        rest.removeFirst()
        return time(&rest).map { Change(day: day, time: $0) }
    }

    private static func day(_ rest: inout ArraySlice<UInt8>) -> Change.Day? {
        switch rest.first {
        case UInt8(ascii: "M"):
            rest.removeFirst()
            guard let month = number(&rest, upTo: 12), month > 0,
                rest.popFirst() == UInt8(ascii: "."), let week = number(&rest, upTo: 5), week > 0,
                rest.popFirst() == UInt8(ascii: "."), let day = number(&rest, upTo: 6)
            else { return nil }
            return .week(month: month, week: week, day: day)
        case UInt8(ascii: "J"):
            rest.removeFirst()
            guard let count = number(&rest, upTo: 365), count > 0 else { return nil }
            return .number(count)
        default: return number(&rest, upTo: 365).map { .numberWithLeapDays($0) }
        }
    }
}
