import LinkStore
import Testing

@testable import LinkAPI

/// UTM parameters in columns of a table, which become a part of the destination.
@Suite struct CampaignCellTests {
    private static let columns = [
        (name: "columns", value: "d=destination,s=slug,c=utm_campaign,e=utm_source"),
        (name: "collection", value: "short"),
    ]

    private func details(_ line: [String: Any], _ member: String = "warnings") -> [String] {
        let faults =
            member == "errors"
            ? (line["problem"] as? [String: Any])?["errors"] : line[member]
        return (faults as? [[String: Any]] ?? []).compactMap { $0["detail"] as? String }
    }

    /// What an import says of one row: a destination, a slug, a campaign and a source.
    private func imported(
        _ row: String, _ api: TestAPI, _ more: [(name: String, value: String)] = []
    ) throws -> [[String: Any]] {
        try api.importing("d,s,c,e\n\(row)\n", Self.columns + more, type: "text/csv")
    }

    @Test(arguments: [
        (
            "https://www.example.com/x",
            "https://www.example.com/x?utm_campaign=a%20b&utm_source=mail"
        ),
        (
            "https://www.example.com/x?",
            "https://www.example.com/x?utm_campaign=a%20b&utm_source=mail"
        ),
        (
            "https://www.example.com/x?k=v#top",
            "https://www.example.com/x?k=v&utm_campaign=a%20b&utm_source=mail#top"
        ),
        // What the destination says already stays.
        (
            "https://www.example.com/?utm_source=own",
            "https://www.example.com/?utm_source=own&utm_campaign=a%20b"
        ),
        // A parameter without a value says nothing, and the other one of its name does.
        (
            "https://www.example.com/?utm_source=&k=&utm_campaign#top",
            "https://www.example.com/?k=&utm_campaign=a%20b&utm_source=mail#top"
        ),
        (
            "https://www.example.com/?utm%5Fsource=",
            "https://www.example.com/?utm_campaign=a%20b&utm_source=mail"
        ),
        (
            "https://www.example.com/?utm_source=&utm_source=own",
            "https://www.example.com/?utm_source=&utm_source=own&utm_campaign=a%20b"
        ),
        (
            "https://www.example.com/?utm_term=",
            "https://www.example.com/?utm_term=&utm_campaign=a%20b&utm_source=mail"
        ),
        // Blanks around it are left out, as in every table.
        (
            " https://www.example.com/x ",
            "https://www.example.com/x?utm_campaign=a%20b&utm_source=mail"
        ),
        (
            "https://www.example.com/x\u{A0}",
            "https://www.example.com/x?utm_campaign=a%20b&utm_source=mail"
        ),
        (
            "HTTPS://www.example.com/x",
            "HTTPS://www.example.com/x?utm_campaign=a%20b&utm_source=mail"
        ),
    ])
    func theyAreAddedToTheDestination(_ destination: String, _ expected: String) throws {
        let api = try TestAPI()
        let answer = try imported("\"\(destination)\",a,a b,mail", api)
        #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
        let found = try api.store.link("short", slug: "a")?.content.destination
        #expect(found?.lowercased() == expected.lowercased())
        #expect(details(answer[0]).isEmpty == !destination.contains("own"), "\(answer)")
    }

    /// An address as people write it is one. The parameters of a line that is refused are no remarks beside the reason.
    @Test(
        arguments: [
            ("404", nil), ("ftp://www.example.com/x", nil), ("", "the row has no destination"),
            ("https://www.example.com/\(String(repeating: "x", count: 2_030))", nil),
        ] as [(String, String?)])
    func whatIsRefusedIsRefusedAsItIsWritten(_ destination: String, _ reason: String?) throws {
        let answer = try imported("\(destination),a,sale,", try TestAPI())
        #expect(counts(answer) == [0, 0, 0, 1], "\(answer)")
        let faults = details(answer[0], "errors")
        #expect(
            !faults.isEmpty && !faults.contains { $0.contains("utm_") || $0.contains("'404") },
            "\(faults)")
        let remarks = details(answer[0])
        guard let reason else { return #expect(remarks.isEmpty, "\(answer)") }
        #expect(remarks.contains { $0.contains("\"sale\" is not kept: \(reason)") }, "\(answer)")
    }

    @Test(arguments: ["www.example.com/x", "WWW.example.com/x"])
    func anAddressWithoutItsSchemeIsOne(_ destination: String) throws {
        let api = try TestAPI()
        let answer = try imported("\(destination),a,sale,", api)
        #expect(counts(answer) == [1, 0, 0, 0] && details(answer[0]).isEmpty, "\(answer)")
        let found = try api.store.link("short", slug: "a")?.content.destination
        #expect(found == "https://\(destination)?utm_campaign=sale")
        // Neither is a word, nor an address with a port.
        for other in ["sale", "www.example.com:80/x"] {
            #expect(try counts(imported("\(other),b,,", api)) == [0, 0, 0, 1], "\(other)")
        }
    }

    /// A link that is changed without a word about its destination keeps it, and the parameter has no place.
    @Test func aRowWithoutADestinationSaysWhatItLoses() throws {
        let api = try TestAPI()
        let upsert = [(name: "mode", value: "upsert")]
        let answer = try imported("https://www.example.com/x,up,a,", api, upsert)
        #expect(counts(answer) == [1, 0, 0, 0])
        let again = try imported(",up,b,", api, upsert)
        #expect(counts(again) == [0, 0, 1, 0], "\(again)")
        #expect(
            details(again[0]).contains {
                $0.contains("\"b\" is not kept: the row has no destination")
            }, "\(again)")
    }

    /// Of several columns with one parameter, the first counts, and another value of a later one is told.
    @Test func aSecondColumnOfAParameterIsNotKept() throws {
        let api = try TestAPI()
        let query = [
            (name: "columns", value: "d=destination,a=utm_term,b=utm_term,c=utm_term"),
            (name: "collection", value: "short"), (name: "mode", value: "create"),
        ]
        let answer = try api.importing(
            "d,a,b,c\nhttps://www.example.com/x,one,two,one\n", query, type: "text/csv")
        #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
        let found = details(answer[0])
        #expect(
            found.count == 1
                && found[0].contains("\"two\" is not kept: another column is the utm_term, too"))
    }

    /// A row costs what it has, and not its columns times its destination.
    @Test func manyColumnsOfOneParameterCostWhatTheyHave() throws {
        let api = try TestAPI()
        let names = (0..<450).map { "\($0)=utm_term" }.joined(separator: ",")
        let query = [
            (name: "columns", value: "dest=destination,\(names)"),
            (name: "collection", value: "exact"),
            (name: "dry-run", value: "true"),
        ]
        let heading = "dest," + (0..<450).map { "\($0)" }.joined(separator: ",")
        let cells = String(repeating: ",v", count: 450)
        let short = "https://www.example.com/x?" + String(repeating: "a&", count: 900)
        let long = "https://www.example.com/x?" + String(repeating: "a&", count: 30_000)
        let clock = ContinuousClock()
        for (destination, refused) in [(short, 0), (long, 4)] {
            let rows = (0..<4).map { _ in destination + cells }.joined(separator: "\n")
            let time = try clock.measure {
                let answer = try api.importing("\(heading)\n\(rows)\n", query, type: "text/csv")
                #expect(counts(answer)[3] == refused)
            }
            // Each of the columns read the whole destination before, which took half a minute.
            #expect(time < .seconds(10))
        }
    }

    /// A row can have as many cells as a table has columns, and an import keeps the remarks on thousands of rows at once.
    @Test(arguments: ["utm_term", "note", "slug"])
    func aRowHasABoundOfRemarks(_ heading: String) throws {
        for (count, remarks) in [(21, 20), (22, 21), (400, 21)] {
            let names = (0..<count).map { "c\($0)" }
            let columns = [
                (
                    name: "columns",
                    value: (["d=destination"] + names.map { "\($0)=\(heading)" }).joined(
                        separator: ",")
                ),
                (name: "collection", value: "short"),
            ]
            let rows = [
                (["d"] + names).joined(separator: ","),
                (["https://www.example.com/"] + names).joined(separator: ","),
            ]
            let answer = try TestAPI().importing(
                rows.joined(separator: "\n"), columns, type: "text/csv")
            let found = details(answer[0])
            #expect(found.count == remarks, "\(answer)")
            if count == 400 { #expect(found.last == "379 more cells of the line have remarks") }
        }
    }
}
