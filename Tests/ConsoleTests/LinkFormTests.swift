@testable import Console
import Diagnostics
import JSONSyntax
import Testing

@Suite struct LinkFormTests {
    @Test(
        "a destination is taken apart and put together",
        arguments: [
            ("https://e.example/", "https://e.example/", ""),
            ("https://e.example/?utm_source=a", "https://e.example/", "a"),
            ("https://e.example/?utm_source=a&b=1#f", "https://e.example/?b=1#f", "a"),
            ("https://e.example/?b=1&utm_source=a%20b", "https://e.example/?b=1", "a b"),
            // What would be written in another way, or is there twice, stays.
            ("https://e.example/?utm_source=a+b", "https://e.example/?utm_source=a+b", ""),
            (
                "https://e.example/?utm_source=a&utm_source=b",
                "https://e.example/?utm_source=a&utm_source=b", ""
            ),
            ("https://e.example/?utm_source=", "https://e.example/?utm_source=", ""),
            ("https://e.example/#?utm_source=a", "https://e.example/#?utm_source=a", ""),
            ("https://e.example/?UTM_SOURCE=a", "https://e.example/?UTM_SOURCE=a", ""),
            ("", "", ""), ("?", "?", ""),
        ])
    func campaign(_ url: String, _ rest: String, _ source: String) {
        let taken = CampaignURL(url)
        #expect(taken.rest == rest && taken.values[0] == source)
        let items = { (text: String) in Set(text.split { "?&#".contains($0) }) }
        #expect(items(taken.text) == items(url))
    }

    @Test(
        "a field of a campaign takes the place of what the destination has",
        arguments: [
            ("https://e.example/x?utm_source=zz", "https://e.example/x?utm_source=q"),
            (
                "https://e.example/x?utm_source=a&x=1&utm_source=b#f",
                "https://e.example/x?x=1&utm_source=q#f"
            ),
            ("https://e.example/x?utm_sourc%65=a", "https://e.example/x?utm_source=q"),
            ("https://e.example/x?utm_source", "https://e.example/x?utm_source=q"),
            ("https://e.example/x?utm_source=x+y&a=1", "https://e.example/x?a=1&utm_source=q"),
            // What is of another parameter stays as it is written.
            (
                "https://e.example/x?x+y&&utm_medium=a+b&UTM_SOURCE=c&",
                "https://e.example/x?x+y&&utm_medium=a+b&UTM_SOURCE=c&&utm_source=q"
            ),
            ("https://e.example/x?", "https://e.example/x?utm_source=q"),
            ("https://e.example/#?utm_source=a", "https://e.example/?utm_source=q#?utm_source=a"),
            ("", ""),
        ])
    func replaced(_ rest: String, _ expected: String) {
        let url = CampaignURL(rest: rest, values: ["q", "", "", "", ""])
        #expect(url.text == expected)
        // It is taken apart into the field again, so a second change makes no second one.
        if !rest.isEmpty { #expect(CampaignURL(url.text).values[0] == "q") }
        #expect(CampaignURL(rest: rest, values: ["", "", "", "", ""]).text == rest)
    }

    @Test(
        "data for the app stays what it is",
        arguments: [
            #"{"k": "v"}"#, #"{"k": "v", "l": "a=b"}"#, #"{"k": ""}"#, #"{"k": 1}"#,
            #"{"k": {"l": [true, null]}}"#,
            #"{"a=b": "c"}"#, #"{"k": "a\nb"}"#, #"{"k": " a"}"#, #"{"{": "a"}"#, #"{"": "a"}"#,
            #"{"k": "é\u0301"}"#,
        ])
    func data(_ json: String) throws {
        let link = try #require(
            JSONDocument(Array(#"{"app": {"data": \#(json)}}"#.utf8), file: "").root)
        let form = LinkForm(link: link)
        let own = try #require(link["app"]?["data"]?.written)
        #expect(LinkForm.data(form[.appData]).compact == own.compact)
    }

    @Test("what is no data is left to the API", arguments: ["x", "{", "{]", "a=b\nc"])
    func noData(_ text: String) {
        #expect(LinkForm.data(text) == .string(text))
    }

    @Test func `a time without seconds is of UTC`() throws {
        let link = try #require(
            JSONDocument(
                Array(#"{"from": "2027-01-01T10:00:00Z", "until": "2027-01-01T10:00:07Z"}"#.utf8),
                file: ""
            ).root)
        let form = LinkForm(link: link)
        #expect(form[.from] == "2027-01-01 10:00" && form[.until] == "2027-01-01 10:00:07")
        #expect(
            form.json.compact
                == #"{"from": "2027-01-01T10:00:00Z", "until": "2027-01-01T10:00:07Z"}"#)
    }

    @Test(
        "a time is read as people write it, and another text is left to the API",
        arguments: [
            ("2026-12-31", "2026-12-31T00:00:00Z", "2026-12-31T23:59:59Z"),
            ("31.12.2026", "2026-12-31T00:00:00Z", "2026-12-31T23:59:59Z"),
            ("1. December 2026", "2026-12-01T00:00:00Z", "2026-12-01T23:59:59Z"),
            ("2026-12-31 10:00", "2026-12-31T10:00:00Z", nil),
            ("2026-12-31T10:00", "2026-12-31T10:00:00Z", nil),
            ("31.12.2026 10:00", "2026-12-31T10:00:00Z", nil),
            ("2026-12-31 10:00 UTC", "2026-12-31T10:00:00Z", nil),
            ("2026-12-31T10:00:07Z", "2026-12-31T10:00:07Z", nil),
            ("2026-12-31T10:00:00+02:00", "2026-12-31T10:00:00+02:00", nil),
            ("2026-12-31 00:00", "2026-12-31T00:00:00Z", nil),
            ("2026-12-31 UTC", "2026-12-31T00:00:00Z", "2026-12-31T23:59:59Z"),
            ("31.12.2026 CET", "2026-12-31T00:00:00+01:00", "2026-12-31T23:59:59+01:00"),
            ("20261231", "2026-12-31T00:00:00Z", "2026-12-31T23:59:59Z"),
            ("202612311000", "2026-12-31T10:00:00Z", nil),
            ("20261231100007", "2026-12-31T10:00:07Z", nil),
            // As pages and spreadsheets have them.
            ("31.12.2026\u{A0}10:00", "2026-12-31T10:00:00Z", nil),
            ("31.12.2026\u{2007}10:00", "2026-12-31T10:00:00Z", nil),
            ("\u{A0}2026-12-31\u{202F}10:00\u{A0}UTC ", "2026-12-31T10:00:00Z", nil),
            ("2026-12-31\u{2003}10:00", "2026-12-31\u{2003}10:00", nil),
            // Hours of twelve, and a number that lacks its minutes.
            ("2026-12-31 10:00 pm", "2026-12-31 10:00 pm", nil),
            ("2026-12-31 10:00pm", "2026-12-31 10:00pm", nil),
            ("31.12.2026 10:00 Uhr", "31.12.2026 10:00 Uhr", nil),
            ("2026123110", "2026123110", nil), ("1796083200", "1796083200", nil),
            // A year of two digits is of a century that nobody has written.
            ("1.2.27", "1.2.27", nil), ("31.12.26 10:00", "31.12.26 10:00", nil),
            ("1-Feb-27", "1-Feb-27", nil),
            // Day and month could be exchanged; there is no such day; the zone depends on the day.
            ("12/01/2026", "12/01/2026", nil), ("2026-13-01", "2026-13-01", nil),
            ("2026-12-31 10:00 Europe/Vienna", "2026-12-31 10:00 Europe/Vienna", nil),
            ("tomorrow", "tomorrow", nil), ("", "", nil),
        ] as [(String, String, String?)])
    func times(_ typed: String, _ start: String, _ end: String?) {
        #expect(TypedTime.written(typed, isEnd: false) == start)
        #expect(TypedTime.written(typed, isEnd: true) == end ?? start)
    }

    @Test("tags are read as they are shown", arguments: [["a", "b c"], ["one, two", "\"x"], []])
    func tags(_ tags: [String]) {
        #expect(LinkForm.tags(LinkForm.shown(tags: tags)) == tags)
    }

    @Test(
        "a fault is beside the field that it is about",
        arguments: [
            ("/destination", .destination), ("/web/ios", .iPhone), ("/web/ipad", .iPad),
            ("/web", .everybody),
            ("/page/title", .title), ("/page", .title), ("/tags/3", .tags),
            ("/app/data/k", .appData),
            ("/app/database", nil), ("", nil), ("/x", nil), ("/after/ios", .after),
        ] as [(String, LinkField?)])
    func pointers(_ pointer: String, _ field: LinkField?) throws {
        let problem = JSONDocument(
            Array(#"{"errors": [{"pointer": "\#(pointer)", "detail": "d"}]}"#.utf8), file: ""
        ).root
        #expect(try #require(FormFindings(problem).all.first).field == field)
    }
}
