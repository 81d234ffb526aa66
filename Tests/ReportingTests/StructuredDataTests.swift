import Testing

@testable import Reporting

@Suite("Structured data")
struct StructuredDataTests {
    private func data(_ texts: String...) -> StructuredItems {
        StructuredItems(texts.map { PageText(text: $0, line: 10) })
    }

    @Test func `things stand at the top, in lists and in graphs`() {
        let data = data(
            #"[{"@type": "A"}, {"@graph": [{"@type": ["schema:B", "C"]}]}]"#,
            "\n" + #"{"@type": "https://schema.org/D", "x": {"@type": "E"}, "@graph": [{}]}"#)
        #expect(data.things.map(\.types) == [["A"], ["B", "C"], ["D"], []])
        #expect(data.things.map(\.line) == [10, 10, 11, 11])
    }

    @Test func `a path goes through lists and names`() throws {
        let data = data(
            """
            {"@graph": [
              {"@id": "#a", "@type": "A", "b": {"@id": "#b"}, "c": [{"d": 1}, {"d": " 2 "}, {}],
               "e": "", "f": [], "g": {"@id": "#missing"}},
              {"@id": "#b", "name": "B"}
            ]}
            """)
        let thing = try #require(data.things.first).value
        #expect(data.text("b.name", of: thing) == "B")
        #expect(data.values("c.d", of: thing).compactMap(\.plainText) == ["1", "2"])
        for path in ["e", "f", "c.x", "b.name.x"] { #expect(data.values(path, of: thing).isEmpty) }
        #expect(data.text("g", of: thing) == "#missing")
    }

    @Test func `things that name one another in a ring end`() throws {
        let ring =
            #"{"@graph": [{"@id": "a", "x": {"@id": "b"}}, {"@id": "b", "x": {"@id": "a"}}]}"#
        let thing = try #require(data(ring).things.first).value
        #expect(data(ring).values("x.x.x.x", of: thing).count == 1)
    }

    @Test func `lists that multiply are cut`() throws {
        let list = Array(repeating: #"{"@id": "a"}"#, count: 200).joined(separator: ",")
        let data = data(#"{"@graph": [{"@id": "a", "x": [\#(list)]}]}"#)
        #expect(data.values("x.x.x.x.x.x", of: try #require(data.things.first).value).count == 100)
    }

    @Test(
        "a value in its form is taken, its nearest neighbour is not",
        arguments: [
            (.telephone, "+43 1 555-01.23", "0043 1 5550123"),
            (.telephone, "+1 (555) 0123", "+1 call us"),
            (.country, "AT", "At"), (.date, "2026-11-21", "2026-13-21"),
            (.date, "2026-11-21T10:00", "2026-11-21 10"),
            (.time, "2026-11-21T10:00:00Z", "2026-11-21T10:00:00"),
            (.time, "2026-11-21T10:00:00.5+01:00", "2026-11-21T24:00Z"),
            (.time, "2026-11-21", "21.11.2026"),
            (.duration, "PT1M33S", "1:33"), (.duration, "P1DT12H", "P1D12H"),
            (.duration, "PT0.5S", "PT"),
            (.price, "0", "free"), (.price, "9.90", "9,90"), (.currency, "EUR", "€"),
            (.address, "https://a.example/", "/a"), (.latitude, "-48.20849", "-98.20849"),
            (.longitude, "116.37138", "16.371"), (.rating, "4.5", "4.5/5"), (.count, "12", "12.5"),
            (.priceRange, "€€", String(repeating: "€", count: 34)),
        ] as [(ValueForm, String, String)])
    func forms(_ form: ValueForm, _ right: String, _ wrong: String) {
        #expect(form.fault(right) == nil)
        #expect(form.fault(wrong) != nil)
    }

    @Test func `what a page offers becomes buttons and lines`() throws {
        let card = try card(
            of: """
                <meta property=og:video content=https://a.example/v.mp4>
                <script type=application/ld+json>[{"@type": "MobileApplication", "offers":
                {"price": 0, "priceCurrency": "EUR"}, "aggregateRating": {"ratingValue": "4.5"}},
                {"@type": "Restaurant", "telephone": "+4315550123", "address": "Wien"}]</script>
                """)
        let result = try #require(card.result("result-actions"))
        #expect(
            result.evidence
                == #"Offer: "0 EUR"; Rating: "4.5 of 5"; Call: "+4315550123"; Directions: "Wien"; "#
                + #"Play: "https://a.example/v.mp4""#)
    }

    @Test(
        "a type asks for what search results need of it",
        arguments: [
            (#""MobileApplication", "name": "a""#, true), (#""VideoGame", "url": "a""#, false),
            (#""Restaurant", "name": "a", "address": {"streetAddress": "b"}"#, true),
            (#""LocalBusiness", "name": "a", "address": {}"#, false),
            (#""VideoObject", "name": "a", "thumbnailUrl": "b", "uploadDate": "2026-11-21""#, true),
            (#""VideoObject", "name": "a", "thumbnailUrl": "b""#, false),
            (#""WebSite", "name": "a", "url": "b""#, true), (#""WebSite", "name": "a""#, false),
            (#""BreadcrumbList", "itemListElement": [{"position": 1, "name": "a"}]"#, false),
            (#""Event", "name": "a", "startDate": "2026-11-21", "location": "b""#, true),
        ])
    func required(_ members: String, _ isComplete: Bool) throws {
        let card = try card(
            of: #"<script type=application/ld+json>{"@type": \#(members)}</script>"#)
        #expect(card.result("json-ld-required")?.status == (isComplete ? .pass : .required))
    }
}
