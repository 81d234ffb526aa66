import Testing

@testable import URISyntax

@Suite("Moments with their zone (RFC 3339 §5.6)")
struct TimestampTests {
    @Test(
        "a moment is read in its zone, and written in UTC",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
            ("2026-09-01T00:00:00Z", 1_788_220_800, "2026-09-01T00:00:00Z"),
            ("2026-09-01T00:00:00+02:00", 1_788_213_600, "2026-08-31T22:00:00Z"),
            ("2026-08-31T18:30:00-05:30", 1_788_220_800, "2026-09-01T00:00:00Z"),
            ("2026-09-01t00:00:00z", 1_788_220_800, "2026-09-01T00:00:00Z"),
            ("2026-09-01T00:00:00-00:00", 1_788_220_800, "2026-09-01T00:00:00Z"),
            // JavaScript's toISOString() writes milliseconds.
            ("2026-09-01T00:00:00.000Z", 1_788_220_800, "2026-09-01T00:00:00Z"),
            ("2026-09-01T00:00:00.999999999Z", 1_788_220_800, "2026-09-01T00:00:00Z"),
            ("2026-09-01T02:00:00.5+02:00", 1_788_220_800, "2026-09-01T00:00:00Z"),
            ("2024-02-29T12:00:00Z", 1_709_208_000, "2024-02-29T12:00:00Z"),
            ("2000-02-29T00:00:00Z", 951_782_400, "2000-02-29T00:00:00Z"),
            ("9999-12-31T23:59:59Z", 253_402_300_799, "9999-12-31T23:59:59Z"),
        ])
    func read(_ text: String, _ seconds: Int, _ written: String) throws {
        let time = try Timestamp(text)
        #expect(time.seconds == seconds)
        #expect(time.description == written)
    }

    @Test(
        "what is not a moment is refused with its reason",
        arguments: [
            ("2026-09-01", .onlyDate), ("2026-09-01T00:00:00", .noZone),
            ("2026-09-01T00:00:00.Z", .form), ("2026-09-01T00:00:00.5", .noZone),
            ("2026-09-01T00:00:00,5Z", .form), ("2026-09-01T00:00:00.5.5Z", .form),
            ("2026-02-29T00:00:00Z", .noSuchTime), ("2100-02-29T00:00:00Z", .noSuchTime),
            ("2026-13-01T00:00:00Z", .noSuchTime), ("2026-00-10T00:00:00Z", .noSuchTime),
            ("2026-09-00T00:00:00Z", .noSuchTime), ("2026-09-31T00:00:00Z", .noSuchTime),
            ("2026-09-01T24:00:00Z", .noSuchTime), ("2026-09-01T23:60:00Z", .noSuchTime),
            ("2026-12-31T23:59:60Z", .noSuchTime), ("1969-12-31T23:59:59Z", .noSuchTime),
            ("9999-12-31T23:59:59-00:01", .noSuchTime),
            ("2026-09-01 00:00:00Z", .form), ("2026-09-01T00:00Z", .form),
            ("2026-09-01T00:00:00+2:00", .form), ("2026-09-01T00:00:00+02:60", .form),
            ("2026-09-01T00:00:00+24:00", .form), ("2026-09-01T00:00:00Zz", .form),
            ("2026-9-1T00:00:00Z", .form), ("01.09.2026", .form), ("", .form), ("tomorrow", .form),
            ("2026-09-01T00:00:00\u{301}Z", .form),
        ] as [(String, TimestampError)])
    func refused(_ text: String, _ error: TimestampError) {
        #expect(throws: error) { try Timestamp(text) }
    }

    @Test(
        "another form is written anew where it can be known",
        arguments: [
            ("2026-12-01", "2026-12-01T00:00:00Z for UTC,"),
            ("01.12.2026", "2026-12-01T00:00:00Z for UTC,"),
            ("1.12.2026 9:30", "2026-12-01T09:30:00Z for UTC,"),
            ("2026-12-01 10:00", "2026-12-01T10:00:00Z for UTC,"),
            ("2026-12-01T10:00Z", "2026-12-01T10:00:00Z"),
            ("2026-12-01 10:00:00+01:00", "2026-12-01T10:00:00+01:00"),
            ("2026-12-01T10:00:00+0100", "2026-12-01T10:00:00+01:00"),
            ("2026-12-01T10:00:00-05", "2026-12-01T10:00:00-05:00"),
            ("2026-12-01T10:00:00 UTC", "2026-12-01T10:00:00Z"),
            ("2026-12-01T10:00:00CET", "2026-12-01T10:00:00+01:00"),
            ("2026-12-01T10:00:00 Europe/Vienna", "2026-12-01T10:00:00Z for UTC, or the offset"),
            ("20261201T100000Z", "2026-12-01T10:00:00Z"), ("20261201", "2026-12-01T00:00:00Z for"),
            ("20261201100030", "2026-12-01T10:00:30Z for UTC,"),
            ("202612011000", "2026-12-01T10:00:00Z for UTC,"),
            ("202612011000 +0100", "2026-12-01T10:00:00+01:00"),
            ("1796083200", "2026-12-01T00:00:00Z"), ("1796083200000", "2026-12-01T00:00:00Z"),
            ("Tue, 01 Dec 2026 10:00:00 GMT", "2026-12-01T10:00:00Z"),
            ("Tue, 1 Dec 2026 10:00:00 +0100", "2026-12-01T10:00:00+01:00"),
            ("Tue Dec  1 10:00:00 2026", "2026-12-01T10:00:00Z for UTC,"),
            ("December 1, 2026", "2026-12-01T00:00:00Z for UTC,"),
            ("1. December 2026", "2026-12-01T00:00:00Z for UTC,"),
            ("13/12/2026", "2026-12-13T00:00:00Z for"), ("12/13/2026", "2026-12-13T00:00:00Z for"),
            ("13-12-2026", "2026-12-13T00:00:00Z for"),
            ("2026-12-01 10:00 UTC +02:00", "2026-12-01T10:00:00+02:00"),
        ])
    func rewritten(_ text: String, _ start: String) throws {
        let error = try #require(throws: TimestampError.self) { try Timestamp(text) }
        #expect(error.advice(on: text).hasPrefix("write \(start)"), "\(error.advice(on: text))")
    }

    @Test(
        "a year of two digits is named, and is to be written with four",
        arguments: [
            ("1.12.26", "2026-12-01T00:00:00Z for UTC, or the offset"),
            ("1.12.26 9:30", "2026-12-01T09:30:00Z for UTC, or the offset"),
            ("Tuesday, 01-Dec-26 10:00:00 GMT", "2026-12-01T10:00:00Z"),
        ])
    func shortYears(_ text: String, _ start: String) throws {
        let error = try #require(throws: TimestampError.self) { try Timestamp(text) }
        #expect(error == .shortYear)
        let advice = error.advice(on: text)
        #expect(advice.hasPrefix("write the year with four digits: \(start)"), "\(advice)")
    }

    @Test(
        "a form that could mean two moments, or none, gets an example",
        arguments: [
            "12/01/2026", "tomorrow", "", "10:00", "2026-12", "Dec 2026", "31.02.2026",
            "1 2 2026", "2026-12-01 10:00:00 a b c 99", "+", "-:-", "0.0.0", "99999999999999999999",
            "12-01-2026", "26-12-01", "01/12/26", "1.12-2026", "10 1.12.2026", "2026-12-01 March",
            "10 20261201", "Mon, 1 Dec 2026", "Tue Wed 1 Dec 2026", "2026-12-01 24:00",
            "2026-12-01 10:00 pm", "2026-12-01 10:00pm", "2026-12-01 10:00 a.m.",
            "1.12.2026-10:00", "1.12.2026 10:0", "1.12.2026 10:00.30", "1.12.2026 10::00",
            "1.12.2026 99999999999999999999:10:00", "2026-12-01 10:00 CET +02:00",
            "2026-12-01" + String(repeating: " ", count: 100),
            // Numbers of other lengths, and what is no moment of the calendar.
            "20261201100", "202612011000301", "20261301100000", "202612012500",
            "202612011000 10:00",
            "1 202612011000", "2026 202612011000", "202612011000 2026",
        ])
    func unknown(_ text: String) throws {
        let error = try #require(throws: TimestampError.self) { try Timestamp(text) }
        #expect(error.advice(on: text).hasPrefix("write year, month and day in this order: "))
    }

    @Test func `every day of four centuries follows the one before`() throws {
        var last = -1
        for year in 1999...2401 {
            for month in 1...12 {
                for day in 1...31 {
                    guard let number = CivilDate.days(year: year, month: month, day: day) else {
                        continue
                    }
                    #expect(last < 0 || number == last + 1)
                    last = number
                    let date = CivilDate.dateAndTime(number * 86_400).date
                    #expect(date.year == year && date.month == month && date.day == day)
                }
            }
        }
    }
}
