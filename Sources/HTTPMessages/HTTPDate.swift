private import URISyntax

/// Dates in HTTP's formats (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// The length of every date that this server writes.
    package static let count = 29

    /// `Sun, 06 Nov 1994 08:49:37 GMT` for seconds since 1970.
    package static func format(_ seconds: Int) -> [UInt8] {
        let ((year, month, day, number), time) = CivilDate.dateAndTime(seconds)
        var text = [UInt8]()
        text.reserveCapacity(count)
        text += dayNames[(number + 4).dividedFloor(by: 7).remainder]
        text += [UInt8(ascii: ","), .space]
        text += digits(day, 2) + [.space] + monthNames[month - 1] + [.space]
        text += digits(year, 4) + [.space]
        text += digits(time / 3600, 2) + [.colon] + digits(time / 60 % 60, 2) + [.colon]
        text += digits(time % 60, 2) + " GMT".utf8
        return text
    }

    /// The date of `format` as a string.
    package static func text(_ seconds: Int) -> String {
        String(decoding: format(seconds), as: UTF8.self)
    }

    /// `1994-11-06T08:49:37` for seconds since 1970, in the format of logs (RFC 3339 §5.6), without
    /// fractions of a second.
    package static func formatTimestamp(_ seconds: Int) -> [UInt8] {
        let ((year, month, day, _), time) = CivilDate.dateAndTime(seconds)
        let hyphen = UInt8(ascii: "-")
        return digits(year, 4) + [hyphen] + digits(month, 2) + [hyphen] + digits(day, 2)
            + [UInt8(ascii: "T")] + digits(time / 3600, 2) + [.colon] + digits(time / 60 % 60, 2)
            + [.colon] + digits(time % 60, 2)
    }

    /// The seconds since 1970 of a date in any of the three forms that recipients must accept, or
    /// nil. A two-digit year more than 50 years after `now` belongs to the last century.
    package static func parse(_ bytes: [UInt8], _ range: Range<Int>, now: Int) -> Int? {
        let text = bytes[range]
        if let comma = text.firstIndex(of: .comma) {
            guard text[(comma + 1)...].first == .space else { return nil }
            let rest = text[(comma + 2)...]
            return rest.dropFirst(2).first == UInt8(ascii: "-")
                ? parseRFC850(rest, day: text[..<comma], now) : parseFixdate(rest, text[..<comma])
        }
        return parseAsctime(text)
    }

    /// `06 Nov 1994 08:49:37 GMT`.
    private static func parseFixdate(_ text: ArraySlice<UInt8>, _ day: ArraySlice<UInt8>) -> Int? {
        let parts = text.split(separator: .space, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].count == 2, parts[4].elementsEqual("GMT".utf8),
            dayNames.contains(Array(day))
        else { return nil }
        return seconds(day: parts[0], month: parts[1], year: number(parts[2], 4), time: parts[3])
    }

    /// `06-Nov-94 08:49:37 GMT`, after the full name of the day.
    private static func parseRFC850(
        _ text: ArraySlice<UInt8>, day: ArraySlice<UInt8>, _ now: Int
    ) -> Int? {
        let parts = text.split(separator: .space, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].elementsEqual("GMT".utf8), (6...9).contains(day.count),
            day.suffix(3).elementsEqual("day".utf8), dayNames.contains(Array(day.prefix(3)))
        else { return nil }
        let date = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard date.count == 3, date[0].count == 2, let short = number(date[2], 2) else {
            return nil
        }
        let thisYear = CivilDate.dateAndTime(now).date.year
        var year = thisYear - thisYear % 100 + short
        if year > thisYear + 50 { year -= 100 }
        return seconds(day: date[0], month: date[1], year: year, time: parts[1])
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func parseAsctime(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.count == 24, dayNames.contains(Array(text.prefix(3))) else { return nil }
        let base = text.startIndex
        for gap in [3, 7, 10, 19] where text[base + gap] != .space { return nil }
        var day = text[base + 8..<base + 10]
        if day.first == .space { day = day.dropFirst() }
        return seconds(
            day: day, month: text[base + 4..<base + 7], year: number(text[(base + 20)...], 4),
            time: text[base + 11..<base + 19])
    }

    private static func seconds(
        day: ArraySlice<UInt8>, month: ArraySlice<UInt8>, year: Int?, time: ArraySlice<UInt8>
    ) -> Int? {
        let clock = time.split(separator: .colon, omittingEmptySubsequences: false)
        guard clock.count == 3, let year, let day = number(day, day.count),
            let month = monthNames.firstIndex(of: Array(month)),
            let days = CivilDate.days(year: year, month: month + 1, day: day),
            let hour = number(clock[0], 2), hour < 24, let minute = number(clock[1], 2),
            minute < 60, let second = number(clock[2], 2), second < 61
        else { return nil }
        // A leap second counts as the second before it, because a date in the year 10000 could not
        // be written.
        return days * 86400 + hour * 3600 + minute * 60 + min(second, 59)
    }

    private static func number(_ text: ArraySlice<UInt8>, _ count: Int) -> Int? {
        guard text.count == count, !text.isEmpty, text.count <= 4 else { return nil }
        var number = 0
        for byte in text {
            guard byte.isDigit else { return nil }
            number = number * 10 + Int(byte &- 0x30)
        }
        return number
    }

    private static func digits(_ number: Int, _ count: Int) -> [UInt8] {
        var (rest, text) = (number, [UInt8](repeating: 0x30, count: count))
        for index in text.indices.reversed() {
            text[index] += UInt8(rest % 10)
            rest /= 10
        }
        return text
    }

    private static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map {
        Array($0.utf8)
    }
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map { Array($0.utf8) }
}
