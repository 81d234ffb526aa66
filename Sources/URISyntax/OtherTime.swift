/// A date and a time in another form than RFC 3339's, such as `01.12.2026`, RFC 5322's
/// `Tue, 01 Dec 2026 10:00:00 +0100` or seconds since 1970, written in that form for advice.
package struct OtherTime {
    /// `2026-12-01T10:00:00`.
    package let moment: String
    /// `Z` or an offset; nil where the text has none, or the name of a zone.
    package let zone: String?
    /// Whether the text has the name of a zone whose offset depends on the day.
    package let hasUnknownZone: Bool
    /// Whether the zone has a name, such as `CST`, that zones with other offsets have, too.
    package let hasZoneOfSeveral: Bool
    /// Whether the year has two digits, which another century can have, too.
    package let hasShortYear: Bool
    /// Whether the text is a day alone, whose beginning `moment` is.
    package let isDay: Bool

    /// Nil if the text is none, if its parts contradict each other, or if day, month and year could be
    /// exchanged.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        if let seconds = Self.secondsSince1970(text) {
            let time = Timestamp(seconds: seconds).description
            (moment, zone) = (String(decoding: time.utf8.dropLast(), as: UTF8.self), "Z")
            (hasUnknownZone, hasZoneOfSeveral) = (false, false)
            (hasShortYear, isDay) = (false, false)
            return
        }
        var parts = Parts()
        for word in Self.words(of: text) { guard parts.take(word) else { return nil } }
        guard let year = parts.year, let month = parts.month, let day = parts.day else {
            return nil
        }
        let time = parts.time ?? [0, 0, 0]
        let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        moment =
            "\(year)-\(digits(month))-\(digits(day))T"
            + time.map(digits).joined(separator: ":")
        zone = parts.zone
        (hasUnknownZone, isDay) = (parts.hasUnknownZone, parts.time == nil)
        (hasZoneOfSeveral, hasShortYear) = (parts.hasZoneOfSeveral, parts.hasShortYear)
        guard (try? Timestamp(moment + (zone ?? "Z"))) != nil, parts.hasItsWeekday else {
            return nil
        }
    }

    /// The moment that is meant.
    /// - Parameter isEnd: whether something ends then. A day alone is its end in that case, and its beginning in others.
    package func moment(isEnd: Bool) -> String {
        guard isDay, isEnd else { return moment }
        return String(decoding: moment.utf8.prefix(10), as: UTF8.self) + "T23:59:59"
    }

    /// No way to write a time is longer.
    private static let bytesMax = 100

    /// Nine or ten digits are seconds until the year 2286, thirteen are milliseconds. Other numbers are days of a spreadsheet, or a date without
    /// separators, and as seconds they would be a moment of another century.
    package static func secondsSince1970(_ text: String) -> Int? {
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text) else { return nil }
        switch text.utf8.count {
        case 9, 10: return number
        case 13: return number / 1000
        default: return nil
        }
    }

    /// Between blanks and commas; a date and its time, or a time and its zone, are words of their
    /// own.
    private static func words(of text: String) -> [[UInt8]] {
        var words = [[UInt8]]()
        for word in withPlainBlanks(text).split(whereSeparator: { " ,".utf8.contains($0) }) {
            let bytes = Array(word)
            let mark = bytes.indices.dropFirst().dropLast().first {
                bytes[$0] | 0x20 == UInt8(ascii: "t") && bytes[$0 - 1].isDigit
                    && bytes[$0 + 1].isDigit
            }
            if let mark { words.append(Array(bytes[..<mark])) }
            let rest = bytes[(mark.map { $0 + 1 } ?? 0)...]
            let isTime =
                mark != nil || rest.contains(UInt8(ascii: ":")) && rest.first?.isDigit == true
            let end = rest.firstIndex { !$0.isDigit && !":.".utf8.contains($0) } ?? rest.endIndex
            guard isTime, end > rest.startIndex else {
                words.append(Array(rest))
                continue
            }
            // A compact time gets its colons, so that it is known as one.
            var time = Array(rest[..<end])
            if time.allSatisfy(\.isDigit), time.count == 4 || time.count == 6 {
                for index in stride(from: time.count - 2, to: 0, by: -2) {
                    time.insert(UInt8(ascii: ":"), at: index)
                }
            }
            words.append(time)
            if end < rest.endIndex { words.append(Array(rest[end...])) }
        }
        return words
    }

    /// No-break spaces, which pages and spreadsheets put between a date and its time, become spaces: U+00A0, U+2007 and U+202F.
    private static func withPlainBlanks(_ text: String) -> [UInt8] {
        var bytes = [UInt8]()
        for scalar in text.unicodeScalars {
            if [0xA0, 0x2007, 0x202F].contains(scalar.value) {
                bytes.append(0x20)
            } else {
                bytes += String(scalar).utf8
            }
        }
        return bytes
    }

    /// The parts that were read so far.
    private struct Parts {
        var year: Int?
        var month: Int?
        var day: Int?
        /// From Monday, which is 0.
        var weekday: Int?
        var time: [Int]?
        var zone: String?
        var hasUnknownZone = false
        var hasZoneOfSeveral = false
        var hasShortYear = false

        /// Whether the day of the week, if there is one, is that of the date.
        var hasItsWeekday: Bool {
            guard let weekday, let year, let month, let day else { return true }
            // 1970 began on a Thursday.
            return CivilDate.days(year: year, month: month, day: day).map {
                ($0 + 3).dividedFloor(by: 7).remainder == weekday
            } ?? false
        }

        /// Whether the word belongs to a time, of which each part is there once.
        mutating func take(_ word: [UInt8]) -> Bool {
            let text = String(decoding: word.map(\.foldedToLowerCase), as: UTF8.self)
            if word.first?.isDigit == true, word.contains(UInt8(ascii: ":")) {
                return takeTime(word)
            }
            if year != nil || month != nil || time != nil, takeZone(text, word) { return true }
            if let number = monthNumber(text) {
                guard month == nil else { return false }
                month = number
                return true
            }
            if let number = weekdayNumber(text) {
                guard weekday == nil else { return false }
                weekday = number
                return true
            }
            return takeDate(word)
        }

        private mutating func takeTime(_ word: [UInt8]) -> Bool {
            // Seconds alone have a fraction.
            let pieces = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let parts = pieces[0].split(
                separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            let numbers = parts.compactMap(number)
            guard time == nil, numbers.count == parts.count, parts[0].count <= 2,
                parts.dropFirst().allSatisfy({ $0.count == 2 }),
                parts.count == 2 && pieces.count == 1 || parts.count == 3 && pieces.count <= 2
            else { return false }
            time = numbers + (numbers.count == 2 ? [0] : [])
            return true
        }

        private mutating func takeZone(_ text: String, _ word: [UInt8]) -> Bool {
            if let known = zones[text] {
                guard zone == nil else { return false }
                zone = known
                hasZoneOfSeveral = known != "Z"
                return true
            }
            if let sign = word.first, "+-".utf8.contains(sign), word.count > 2 {
                // `UTC +01:00` has its offset from UTC. Without a time, it is a part of the date or the hour.
                guard time != nil, zone == nil || zone == "Z" else { return false }
                let digits = word.dropFirst().filter(\.isDigit)
                let others = word.dropFirst().filter { !$0.isDigit && $0 != UInt8(ascii: ":") }
                guard others.isEmpty, [2, 4].contains(digits.count) else { return false }
                let minutes = digits.count == 4 ? Array(digits.suffix(2)) : Array("00".utf8)
                zone = String(
                    decoding: [sign] + digits.prefix(2) + ":".utf8 + minutes, as: UTF8.self)
                return true
            }
            // The name of another zone has an offset that depends on the day.
            guard time != nil, word.first?.isLetter == true, monthNumber(text) == nil,
                weekdayNumber(text) == nil, !["am", "pm", "a.m.", "p.m."].contains(text)
            else { return false }
            hasUnknownZone = true
            return true
        }

        private mutating func takeDate(_ word: [UInt8]) -> Bool {
            if word.allSatisfy(\.isDigit) { return takeNumber(word) }
            let separators = word.filter { "-/.".utf8.contains($0) }
            let parts = word.split { "-/.".utf8.contains($0) }
            // `1.` of `1. December 2026`.
            if parts.count == 1, separators.count == 1, word.last == UInt8(ascii: ".") {
                return takeNumber(Array(parts[0]))
            }
            guard parts.count == 3, separators.count == 2, separators[0] == separators[1],
                year == nil, month == nil, day == nil
            else { return false }
            if parts[0].count == 4 {
                (year, month, day) = (number(parts[0]), number(parts[1]), number(parts[2]))
                return day != nil && month != nil
            }
            let name = String(decoding: parts[1].map(\.foldedToLowerCase), as: UTF8.self)
            let (first, second) = (number(parts[0]), number(parts[1]) ?? monthNumber(name))
            guard let first, let second, let last = number(parts[2]) else { return false }
            hasShortYear = parts[2].count == 2
            year = hasShortYear ? 2000 + last : last
            let isNamed = number(parts[1]) == nil
            if separators[0] != UInt8(ascii: "."), !isNamed {
                // 12/01/2026 is a day of January or of December, and 26-12-01 may begin with its year.
                guard parts[2].count == 4, first > 12 || second > 12 || first == second else {
                    return false
                }
                (day, month) = first > 12 ? (first, second) : (second, first)
            } else {
                (day, month) = (first, second)
            }
            return true
        }

        private mutating func takeNumber(_ digits: [UInt8]) -> Bool {
            switch digits.count {
            case 1 where day == nil, 2 where day == nil: day = number(digits[...])
            case 4 where year == nil: year = number(digits[...])
            case 8 where year == nil && month == nil && day == nil:
                year = number(digits[..<4])
                (month, day) = (number(digits[4..<6]), number(digits[6...]))
            case 12, 14:
                guard year == nil, month == nil, day == nil, time == nil else { return false }
                year = number(digits[..<4])
                (month, day) = (number(digits[4..<6]), number(digits[6..<8]))
                time = stride(from: 8, to: 14, by: 2).map {
                    $0 < digits.count ? number(digits[$0..<($0 + 2)]) ?? 0 : 0
                }
            default: return false
            }
            return true
        }
    }
}

private func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.allSatisfy(\.isDigit) ? Int(String(decoding: digits, as: UTF8.self)) : nil
}

/// Of an English name or its first letters.
private func monthNumber(_ text: String) -> Int? {
    guard text.utf8.count >= 3 else { return nil }
    let names = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december",
    ]
    return names.firstIndex { $0.utf8.starts(with: text.utf8) }.map { $0 + 1 }
}

/// Of an English name or its first letters, from Monday, which is 0.
private func weekdayNumber(_ text: String) -> Int? {
    guard text.utf8.count >= 3 else { return nil }
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    return names.firstIndex { $0.utf8.starts(with: text.utf8) }
}

/// Names whose offset does not depend on the day.
private let zones = [
    "z": "Z", "utc": "Z", "gmt": "Z", "ut": "Z", "cet": "+01:00", "cest": "+02:00",
    "eet": "+02:00", "eest": "+03:00", "wet": "+00:00", "west": "+01:00", "est": "-05:00",
    "edt": "-04:00", "cst": "-06:00", "cdt": "-05:00", "mst": "-07:00", "mdt": "-06:00",
    "pst": "-08:00", "pdt": "-07:00",
]
