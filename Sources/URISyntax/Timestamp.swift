/// A moment, written as a date and a time with a zone (RFC 3339 §5.6), in whole seconds: a fraction
/// of a second, which programs write by themselves, is left out.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970, without leap seconds.
    package let seconds: Int

    package init(seconds: Int) { self.seconds = seconds }

    /// The moment nearest to this one that can be written.
    package init(nearest seconds: Int) { self.seconds = min(max(seconds, 0), Self.lastSecond) }

    /// Reads `2026-09-01T00:00:00+02:00`. The year is from 1970 to 9999 in UTC.
    /// - Throws: why the text is not such a moment.
    package init(_ text: String) throws(TimestampError) {
        let bytes = Array(text.utf8)
        guard let date = Self.date(bytes.prefix(10)) else {
            throw OtherTime(text)?.hasShortYear == true ? .shortYear : .form
        }
        let rest = bytes.dropFirst(10)
        if rest.isEmpty {
            let isThere = CivilDate.days(year: date[0], month: date[1], day: date[2]) != nil
            throw isThere ? .onlyDate : .noSuchTime
        }
        guard rest.count >= 9, rest[10] | 0x20 == UInt8(ascii: "t"),
            let time = Self.time(rest[11..<19])
        else { throw .form }
        var zone = bytes.dropFirst(19)
        if zone.first == UInt8(ascii: ".") {
            let rest = zone.dropFirst().drop(while: \.isDigit)
            guard rest.startIndex > zone.startIndex + 1 else { throw .form }
            zone = rest
        }
        if zone.isEmpty { throw .noZone }
        guard let offset = Self.offset(zone) else { throw .form }
        guard let days = CivilDate.days(year: date[0], month: date[1], day: date[2]),
            time[0] < 24, time[1] < 60, time[2] < 60
        else { throw .noSuchTime }
        seconds = days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2] - offset
        guard (0...Self.lastSecond).contains(seconds) else { throw .noSuchTime }
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.seconds < right.seconds
    }

    /// In UTC: `2026-08-31T22:00:00Z`.
    package var description: String {
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (date, time) = CivilDate.dateAndTime(seconds)
        let year = String(repeating: "0", count: max(0, 4 - "\(date.year)".utf8.count))
        return "\(year)\(date.year)-\(digits(date.month))-\(digits(date.day))"
            + "T\(digits(time / 3_600)):\(digits(time / 60 % 60)):\(digits(time % 60))Z"
    }

    /// The last second of the year 9999. This form cannot write a later one.
    package static let lastSecond = 253_402_300_799

    private static func date(_ text: ArraySlice<UInt8>) -> [Int]? {
        numbers(text, [4, 2, 2], between: UInt8(ascii: "-"))
    }

    private static func time(_ text: ArraySlice<UInt8>) -> [Int]? {
        numbers(text, [2, 2, 2], between: UInt8(ascii: ":"))
    }

    /// The seconds by which a zone is ahead of UTC.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
        guard let sign = text.first else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return text.count == 1 ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let parts = numbers(text.dropFirst(), [2, 2], between: UInt8(ascii: ":")),
            parts[0] < 24, parts[1] < 60
        else { return nil }
        let ahead = parts[0] * 3_600 + parts[1] * 60
        return sign == UInt8(ascii: "+") ? ahead : -ahead
    }

    /// Numbers of these lengths, with a separator between two.
    private static func numbers(
        _ text: ArraySlice<UInt8>, _ counts: [Int], between separator: UInt8
    ) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.count) == counts, parts.allSatisfy({ $0.allSatisfy(\.isDigit) }) else {
            return nil
        }
        return parts.map { $0.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
    }
}

/// The reason why a text is not a moment.
package enum TimestampError: Error, Hashable, Sendable, CustomStringConvertible {
    case onlyDate, noZone
    /// There is no such day, hour, minute or second, or it is not between 1970 and 9999.
    case noSuchTime
    /// A time in another form, whose year has two digits.
    case shortYear
    case form

    /// A predicate about the text, for messages.
    package var description: String {
        switch self {
        case .onlyDate: "is a day, and a day begins at another moment in each zone"
        case .noZone: "has no zone, so it is another moment in each country"
        case .noSuchTime: "is not a moment of the calendar between 1970 and 9999"
        case .shortYear: "has a year of two digits"
        case .form: "is not a time with its zone"
        }
    }

    /// The advice on the text.
    package func advice(on text: String) -> String {
        if self != .noSuchTime, let other = OtherTime(text) {
            let lead = self == .shortYear ? "write the year with four digits:" : "write"
            return "\(lead) \(other.moment)\(other.zone ?? "Z")"
                + (other.zone == nil ? " for UTC, or the offset of your zone, as +02:00" : "")
        }
        return switch self {
        case .noSuchTime: "check the month, the day and the hour; hours are from 00 to 23"
        default: "write year, month and day in this order: 2026-09-01T00:00:00+02:00 (RFC 3339)"
        }
    }
}

/// Days of the proleptic Gregorian calendar by their numbers, of which 1970-01-01 has 0.
package enum CivilDate {
    /// The number of a day; nil if the month does not have it.
    package static func days(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month) else { return nil }
        let first = number(year, month, 1)
        let next = month == 12 ? number(year + 1, 1, 1) : number(year, month + 1, 1)
        return (1...(next - first)).contains(day) ? first + day - 1 : nil
    }

    /// The day of a number of seconds since 1970, with the number of the day, and the seconds of
    /// that day.
    package static func dateAndTime(
        _ seconds: Int
    ) -> (date: (year: Int, month: Int, day: Int, number: Int), seconds: Int) {
        let (days, time) = seconds.dividedFloor(by: 86_400)
        let (year, month, day) = date(ofDay: days)
        return ((year, month, day, days), time)
    }

    /// Years begin in March here, so that the leap day is the last day.
    private static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = shifted.dividedFloor(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let yearOfEra = era.remainder
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era.quotient * 146_097 + dayOfEra - 719_468
    }

    private static func date(ofDay days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).dividedFloor(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int {
    /// Quotient and remainder, the quotient rounded down so that the remainder is not negative.
    package func dividedFloor(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
