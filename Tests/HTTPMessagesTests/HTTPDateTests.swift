import HTTPMessages
import Testing

@Suite("Dates (RFC 9110 §5.6.7)")
struct HTTPDateTests {
    static let dates: [(Int, String)] = [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ]

    private func parse(_ text: String, now: Int = 784_111_777) -> Int? {
        let bytes = Array(text.utf8)
        return HTTPDate.parse(bytes, 0..<bytes.count, now: now)
    }

    @Test("a date is written and read back", arguments: dates)
    func roundTrip(_ seconds: Int, _ text: String) {
        #expect(String(decoding: HTTPDate.format(seconds), as: UTF8.self) == text)
        #expect(parse(text) == seconds)
    }

    @Test func `every day of four centuries is read back`() {
        for day in 0..<146_097 {
            let seconds = day * 86400
            let text = HTTPDate.format(seconds)
            #expect(HTTPDate.parse(text, 0..<text.count, now: 0) == seconds)
        }
    }

    @Test func `a year of two digits belongs to the century that is near`() {
        #expect(parse("Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777)
        let in2026 = 1_795_000_000
        #expect(parse("Sunday, 06-Nov-94 08:49:37 GMT", now: in2026) == 784_111_777)
        #expect(parse("Friday, 06-Nov-26 08:49:37 GMT", now: in2026) == 1_793_954_977)
    }

    @Test func `a leap second is the second before it, also in the last year`() {
        #expect(parse("Sat, 31 Dec 2016 23:59:60 GMT") == 1_483_228_799)
        #expect(parse("Sat, 31 Dec 2016 23:59:61 GMT") == nil)
        let last = "Fri, 31 Dec 9999 23:59:59 GMT"
        #expect(parse("Fri, 31 Dec 9999 23:59:60 GMT") == parse(last))
        #expect(parse(last).map(HTTPDate.format) == Array(last.utf8))
    }

    @Test(
        "what is no date is none",
        arguments: [
            "", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT ",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Thu, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 08:49:37 GMT",
            "Sunday, 31-Jun-94 08:49:37 GMT", "Mon Feb 29 08:49:37 2100",
            "Sun, 06 nov 1994 08:49:37 GMT",
            "Xxx, 06 Nov 1994 08:49:37 GMT", "Sun,16 Nov 1994 08:49:37 GMT",
            "Sun,x06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,",
            "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday,06-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "784111777",
        ])
    func refuses(_ text: String) {
        #expect(parse(text) == nil)
    }
}
