import Foundation
import LinkAPI
import LinkIndex
import LinkStore
import Testing

/// Tables as people and their programs write them.
@Suite struct TableTests {
    private static let upsert = [(name: "mode", value: "upsert")]

    private func errors(_ line: [String: Any]) -> [[String: String]] {
        let problem = line["problem"] as? [String: Any]
        return (problem?["errors"] as? [[String: Any]] ?? []).map { $0.mapValues { "\($0)" } }
    }

    // MARK: Headings

    @Test(arguments: [
        ("Collection,slug,destination", ["column 1 is \"Collection\"|write collection"]),
        ("collection,slug,Page Title", ["column 3 is \"Page Title\"|write page.title"]),
        ("collection,slug,external_id", ["column 3 is \"external_id\"|write externalId"]),
        (
            "collection,slug,destinaton",
            ["column 3 is \"destinaton\"|did you mean \"destination\"?"]
        ),
        ("collection,slug,Klicks im Mai", ["column 3 is \"Klicks im Mai\"|remove the column"]),
        ("slug,collection,slug", ["the columns 1 and 3 are both \"slug\"|remove one of them"]),
        ("slug,app.datum", ["column 2 is \"app.datum\"|did you mean \"app.data\"?"]),
        (
            "slug,campaign.source",
            ["column 2 is \"campaign.source\"|write UTM parameters into the query of the URL"]
        ),
        (
            "slug,campaign.appel",
            ["column 2 is \"campaign.appel\"|did you mean \"campaign.apple\"?"]
        ),
        ("slug,page..title", ["column 2 is \"page..title\"|write page.title"]),
        ("slug,tags.x", ["column 2 is \"tags.x\"|"]), ("slug,page.title.x", ["column 2 is"]),
        (
            "slug,Übersicht,STATE",
            ["column 2 is \"Übersicht\"", "column 3 is \"STATE\"|write state"]
        ),
    ])
    func aWrongHeadingIsToldOnceWithWhatIsMeant(heading: String, expected: [String]) throws {
        let api = try TestAPI()
        let table = heading + "\n" + String(repeating: "x,y,z\n", count: 50)
        let answer = try api.importing(table, type: "text/csv")
        #expect(answer.count == 2 && counts(answer) == [0, 0, 0, 1], "\(answer)")
        #expect(answer[0]["line"] as? Int == 1 && answer[0]["status"] as? Int == 422)
        let found = errors(answer[0])
        #expect(found.count == expected.count, "\(found)")
        for (fault, words) in zip(found, expected) {
            let parts = words.split(separator: "|", omittingEmptySubsequences: false)
            #expect(fault["detail"]?.hasPrefix(parts[0]) == true, "\(fault)")
            if parts.count > 1 {
                #expect(fault["advice"]?.hasPrefix(parts[1]) == true, "\(fault)")
            }
        }
    }

    @Test(arguments: [
        ("archived", "no", "true or false", "such as WAHR and FALSCH"),
        ("page.index", "yes", "true or false", "such as WAHR and FALSCH"),
        ("page.image.width", "10px", "a number", "write its digits alone"),
    ])
    func aCellOfAnotherTypeIsToldInTheWordsOfTables(
        column: String, cell: String, wanted: String, advice: String
    ) throws {
        let answer = try TestAPI().importing(
            "collection,slug,destination,\(column)\nshort,a,https://www.example.com/,\(cell)\n",
            type: "text/csv")
        let found = errors(answer[0])
        #expect(found.count == 1, "\(answer)")
        #expect(found.first?["detail"] == "it must be \(wanted), not \"\(cell)\"")
        #expect(found.first?["advice"]?.hasSuffix(advice) == true, "\(found)")
    }

    @Test(arguments: ["true", "TRUE", "Wahr", "vrai"])
    func aTruthValueIsThatOfTheSpreadsheet(cell: String) throws {
        let api = try TestAPI()
        let answer = try api.importing(
            "collection,slug,destination,archived,page.image.url,page.image.width,page.image.height\n"
                + "short,a,https://www.example.com/,\(cell),https://www.example.com/a.png,10,20\n",
            type: "text/csv")
        let id = try #require(answer[0]["id"] as? String, "\(answer)")
        #expect(api.ask("GET", "links/\(id)").object["archived"] as? Bool == true)
    }

    @Test func aHeadingHasALimitOfColumnsAndDepth() throws {
        let api = try TestAPI()
        func answer(_ heading: String) throws -> [[String: Any]] {
            try api.importing(heading + "\nx\n", type: "text/csv")
        }
        let deep = try answer("a" + String(repeating: ".a", count: 32_000))
        #expect(faults(deep[0]) == [" unknown-key"] && deep.count == 2)
        let long = try answer("app.data" + String(repeating: ".a", count: 30_000))
        #expect(faults(long[0]) == [" unknown-key"])
        let wide = try answer((0..<1_024).map { "app.data.k\($0)" }.joined(separator: ","))
        #expect(errors(wide[0]).allSatisfy { $0["detail"]?.contains("column") != true }, "\(wide)")
        let wider = try answer((0..<1_025).map { "app.data.k\($0)" }.joined(separator: ","))
        #expect(
            errors(wider[0]).map { $0["detail"] } == ["the heading has 1025 columns, may have 1024"]
        )
        let strange = try answer((0..<1_000).map { "x\($0)" }.joined(separator: ","))
        #expect(errors(strange[0]).count == 21)
        let filled = try answer("slug,destination" + String(repeating: ",", count: 16_000))
        #expect(faults(filled[0]) != [" table-form"], "\(filled)")
        let huge = try answer(String(repeating: "a", count: 70_000))
        #expect(huge[0]["status"] as? Int == 413, "\(huge)")
    }

    @Test(arguments: [
        ("a,https://www.example.com/,,,x", "the line has 5 cells, the heading has 4"),
        ("a,https://www.example.com/,,x", "cell 4 has no heading"),
    ])
    func aCellWithoutAHeadingIsNotLost(row: String, detail: String) throws {
        let api = try TestAPI()
        let answer = try api.importing(
            "slug,destination,note,\n\(row)\nb,https://www.example.com/,,,,\n",
            [("collection", "short")], type: "text/csv")
        #expect(counts(answer) == [1, 0, 0, 1], "\(answer)")
        #expect(errors(answer[0]).map { $0["detail"] } == [detail])
    }

    @Test func membersOfObjectsHaveColumns() throws {
        let api = try TestAPI()
        let table = #"""
            collection;slug;destination;app.data.coupon;app.data.n.m;page.translations.de.title;\#
            page.title;web.ios;web
            short;a;https://www.example.com/;A1;{x;Titel;Title;landing;
            short;b;https://www.example.com/;;;;;landing;gone
            short;c;https://www.example.com/;;;;;landing;"{""ios"": ""gone""}"
            short;d;https://www.example.com/;;;;;landing;"{""android"": ""gone""}"
            short;e;https://www.example.com/;;;;;;"{""ios"": ""gone"""
            short;f;https://www.example.com/;;;;;;"{""ios"": ""gone"", ""ios"": ""page""}"

            """#
        let answer = try api.importing(table, type: "text/csv")
        #expect(
            answer.compactMap { $0["status"] as? Int } == [201, 422, 422, 201, 422, 422],
            "\(answer)")
        #expect(faults(answer[1]) == ["/web duplicate-key"])
        #expect(errors(answer[1])[0]["heading"] == "web")
        #expect(faults(answer[2]) == ["/web/ios duplicate-key"])
        #expect(errors(answer[2])[0]["heading"] == "web.ios")
        #expect(errors(answer[5]).first?["heading"] == "web", "\(answer[5])")
        let exported = try api.exported()
        #expect(exported.contains(#""data": {"coupon": "A1", "n": {"m": "{x"}}"#), "\(exported)")
        #expect(exported.contains(#""translations": {"de": {"title": "Titel"}}"#), "\(exported)")
    }

    // MARK: Files

    private static let table =
        "collection,slug,destination,page.title\nshort,a,https://www.example.com/,Grün 😀\n"

    @Test func aTableIsReadAsSpreadsheetsSaveIt() throws {
        let separated = { (separator: String) in Self.table.replacing(",", with: separator) }
        let utf16 = { (text: String) in
            "\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
        let forms: [[UInt8]] = [
            Array(Self.table.utf8), Array(("\u{FEFF}" + Self.table).utf8),
            Array(separated(";").utf8), utf16(separated("\t")), utf16(Self.table),
            Array(Self.table.replacing("\n", with: "\r\n").utf8),
            Array(Self.table.replacing("\n", with: "\r").utf8),
            Array(("sep=;\r\n" + separated(";").replacing("\n", with: "\r\n")).utf8),
        ]
        for bytes in forms {
            for pieceBytes in [1, 7, 1 << 16] {
                let api = try TestAPI()
                let answer = try api.importing(
                    bytes: bytes, type: "text/csv", pieceBytes: pieceBytes)
                #expect(counts(answer) == [1, 0, 0, 0], "\(answer)")
                let link = try #require(try api.store.link("short", slug: "a"))
                #expect(link.content.details?.contains("Grün 😀") == true)
            }
        }
    }

    @Test func whatIsNotUTF8IsRefusedWithItsPlaceAndNothingOfTheFileIsMade() throws {
        let api = try TestAPI()
        var bytes = Array("slug,destination,page.title\n".utf8)
        bytes += Array("a,https://www.example.com/,A\n".utf8)
        bytes += Array("b,https://www.example.com/,Gr".utf8) + [0xFC] + Array("n\n".utf8)
        bytes += Array("c,https://www.example.com/,Gr".utf8) + [0xFC] + Array("n\n".utf8)
        let answer = try api.importing(bytes: bytes, [("collection", "short")], type: "text/csv")
        #expect(answer.count == 2 && counts(answer) == [0, 0, 0, 1], "\(answer)")
        #expect(answer[0]["line"] as? Int == 3 && answer[0]["column"] as? Int == 30, "\(answer)")
        let fault = try #require(errors(answer[0]).first)
        #expect(fault["rule"] == "not-utf8" && fault["advice"]?.contains("CSV UTF-8") == true)
        #expect(fault["detail"] == "the byte FC is not UTF-8 (in Windows-1252 it is \"ü\")")
        #expect(try api.store.link("short", slug: "a") == nil)
    }

    @Test func anOpenQuoteSwallowsNothing() throws {
        let api = try TestAPI()
        let rows = (0..<3_000).map { "s\($0),https://www.example.com/,\n" }.joined()
        for quote in ["x,https://www.example.com/,\"open\n", "x,\"https://www.example.com/,\n"] {
            let answer = try api.importing(
                "slug,destination,note\n\(quote)\(rows)", [("collection", "short")],
                type: "text/csv")
            #expect(answer[0]["line"] as? Int == 2 && answer.count == 2, "\(answer.prefix(3))")
            #expect("\(answer)".contains("a quote opens here"))
            #expect(api.store.index.count == 0)
        }
    }

    @Test(arguments: [
        ("application/x-ndjson", "PK\u{3}\u{4}[Content_Types].xml", "an Excel file (.xlsx)"),
        ("text/csv", "PK\u{3}\u{4}[Content_Types].xml", "an Excel file (.xlsx)"),
        ("application/x-ndjson", "slug;destination\na;b\n", "the content is a table"),
        ("application/x-ndjson", "\u{FEFF}slug\na\n", "the content is a table"),
        ("application/x-ndjson", "<html>", "HTML or XML"),
    ])
    func anotherKindOfFileIsNamed(type: String, content: String, words: String) throws {
        for pieceBytes in [1, 1 << 16] {
            let answer = try TestAPI().importing(content, type: type, pieceBytes: pieceBytes)
            #expect(answer.count == 2 && "\(answer[0])".contains(words), "\(answer)")
            #expect(errors(answer[0])[0]["advice"] != nil)
        }
    }

    @Test func aHeadingAloneIsNothingToImport() throws {
        for content in ["slug,destination\n", "slug,destination", "\nslug,destination\n,\n\n"] {
            let answer = try TestAPI().importing(content, type: "text/csv")
            #expect(faults(answer[0]) == [" nothing-to-import"] && answer.count == 2, "\(answer)")
        }
    }

    // MARK: Spreadsheets

    /// Links of whose cells a spreadsheet would make something else.
    private static let links = [
        #"{"slug": "007", "destination": "https://www.example.com/", "tags": ["a, b", "\"x\"", "c"]}"#,
        #"{"slug": "TRUE", "destination": "https://www.example.com/", "note": "=HYPERLINK(\"x\")"}"#,
        #"{"slug": "1e5", "destination": "https://www.example.com/", "note": "'=1", "tags": [" a "]}"#,
        #"{"slug": "-x", "destination": "https://www.example.com/", "note": "@a", "archived": true, "page": {"title": "＝1+1", "description": "＠x"}}"#,
        #"{"slug": "1-2", "destination": "https://www.example.com/", "note": "'tis ü", "externalId": "0042"}"#,
        #"{"slug": "mar1", "destination": "https://www.example.com/", "note": "a\nb; \"c\"", "tags": ["2.10"]}"#,
        #"{"slug": "3.10", "destination": "https://www.example.com/", "app": {"path": "/1", "minVersion": "2.10"}}"#,
        #"{"slug": "x", "destination": "https://www.example.com/", "from": "2027-01-01T00:00:30Z", "until": "2999-04-01T00:00:00Z"}"#,
    ].joined(separator: "\n")

    /// What a spreadsheet does with a table that it opens and saves.
    private static func resaved(_ table: String) -> String {
        var lines = table.replacing("\u{FEFF}", with: "").split(separator: "\r\n").map(String.init)
        lines = lines.map { line in
            let cells = split(line).map { cell -> String in
                if let number = Double(cell) {
                    return "\(number == number.rounded() ? "\(Int(number))" : "\(number)")"
                }
                if cell == "true" || cell == "false" { return cell.uppercased() }
                if cell.hasPrefix("=") || cell.hasPrefix("+") { return "#NAME?" }
                if cell.wholeMatch(of: #/\d{4}-\d\d-\d\dT.*/#) != nil { return "01.01.2027 00:00" }
                return cell
            }
            return cells.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ";")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func split(_ line: String) -> [String] {
        var (cells, cell, isOpen) = ([String](), "", false)
        for character in line {
            switch character {
            case "\"":
                isOpen.toggle()
                if isOpen, cell.hasSuffix("\u{0}") { cell = cell.dropLast() + "\"" }
                if !isOpen { cell += "\u{0}" }
            case "," where !isOpen:
                cells.append(cell)
                cell = ""
            default: cell.append(character)
            }
        }
        return (cells + [cell]).map { $0.replacing("\u{0}", with: "") }
    }

    @Test func whatASpreadsheetSavesAgainChangesNothing() throws {
        let api = try TestAPI()
        let made = try api.importing(Self.links, [("collection", "short")])
        #expect(counts(made) == [8, 0, 0, 0], "\(made)")
        let exported = try api.exported([("format", "csv")])
        #expect(exported.hasPrefix("\u{FEFF}id,collection,slug"))
        let before = try api.exported()
        let again = try api.importing(Self.resaved(exported), Self.upsert, type: "text/csv")
        #expect(counts(again) == [0, 0, 8, 0], "\(again)")
        #expect(try api.exported() == before)
        let other = try TestAPI()
        let copied = try other.importing(Self.resaved(exported), type: "text/csv")
        #expect(counts(copied) == [8, 0, 0, 0], "\(copied)")
        #expect(try other.exported() == before)
    }

    /// Null is a value in an app's data and in structured data, and no instruction to remove it.
    @Test(arguments: [
        ##""page": {"title": "T", "translations": {"de": {"title": "V"}}}"##,
        ##""page": {"title": "T", "schema": {"@type": "Product", "gtin": null}}"##,
        ##""page": {"title": "T", "translations": {"de": {"title": "V"}}, "schema": {"@type": "Product", "gtin": null}}"##,
        ##""web": {"ios": "landing"}, "page": {"translations": {"de": {"title": "V"}}}"##,
    ])
    func nullsSurviveATableAndAChange(members: String) throws {
        let api = try TestAPI()
        let made = try api.importing(
            ##"{"collection": "short", "slug": "a", "destination": "https://www.example.com/", "##
                + ##""app": {"path": "/x", "data": {"n": null, "o": {"deep": null}, "a": "1"}}, "##
                + members + "}")
        #expect(counts(made) == [1, 0, 0, 0], "\(made)")
        let before = try api.exported()
        let table = try api.exported([("format", "csv")])
        let again = try api.importing(table, Self.upsert, type: "text/csv")
        #expect(counts(again) == [0, 0, 1, 0], "\(again)")
        #expect(try api.exported() == before)
        // What is changed beside them leaves them, too.
        let changes = [
            (before, "application/x-ndjson"), (table, "text/csv"),
        ]
        for (number, (content, type)) in changes.enumerated() {
            let changed = try api.importing(
                content.replacing("www.example.com/", with: "www.example.com/\(number)"),
                Self.upsert, type: type)
            #expect(counts(changed) == [0, 1, 0, 0], "\(changed)")
            let after = try api.exported()
            func members(_ text: String) -> Substring {
                text[(text.range(of: #""app""#)?.lowerBound ?? text.startIndex)...]
            }
            #expect(members(after) == members(before))
        }
        // A member that a line sets to null is removed as before.
        let cleared = try api.importing(
            #"{"collection": "short", "slug": "a", "app": {"data": null}}"#, Self.upsert)
        #expect(counts(cleared) == [0, 1, 0, 0], "\(cleared)")
        #expect(try !api.exported().contains("deep"))
        #expect(try api.exported().contains(#""path": "/x""#))
    }

    /// Of a table in which one column was sorted alone, each line names two links.
    @Test(arguments: ["create", "upsert"])
    func aLineWhoseNamesAreOfTwoLinksIsRefused(mode: String) throws {
        let api = try TestAPI()
        let made = try api.importing(
            ["ed1", "ed2"].map {
                #"{"collection": "short", "slug": "\#($0)", "externalId": "x-\#($0)", "destination": "https://www.example.com/"}"#
            }.joined(separator: "\n"))
        let ids = made.compactMap { $0["id"] as? String }
        #expect(api.ask("POST", "links/\(ids[1])/aliases", #"{"slug": "ed3"}"#).status == 201)
        let before = try api.exported()
        let heading = "id,url,collection,slug,externalId,destination,page.title\n"
        let query = [(name: "mode", value: mode)]
        func row(_ id: String, _ url: String, _ slug: String, _ name: String = "") -> String {
            heading + "\(id),\(url),short,\(slug),\(name),https://www.example.com/,X\n"
        }
        let url = "https://go.example.com/s/"
        for (table, column) in [
            (row(ids[1], "", "ed1"), "id"), (row("", url + "ed2", "ed1"), "url"),
            (row("", url + "ed3", "ed1"), "url"), (row(ids[0], url + "ed2", "ed1"), "url"),
            (row(ids[1], "", "", "x-ed1"), "id"), (row("", url + "ed2", "", "x-ed1"), "url"),
            (row("", url + "ed2", "new"), "url"), (row(ids[1], "", "new"), "id"),
        ] {
            let refused = try api.importing(table, query, type: "text/csv")
            #expect(counts(refused) == [0, 0, 0, 1], "\(refused)")
            #expect(try api.exported() == before)
            guard mode == "upsert" else { continue }
            #expect(faults(refused[0]) == ["/\(column) wrong-value"], "\(table)\(refused)")
            #expect(errors(refused[0])[0]["heading"] == column)
            #expect(refused[0]["line"] as? Int == 2)
        }
        guard mode == "upsert" else { return }
        // Its own names, and those of another origin, contradict nothing.
        let foreign = "01893a4c-1b2c-7d3e-8f40-123456789abc"
        for table in [
            row(ids[1], url + "ED2", "ed2"), row("", url + "ed3?utm_source=x", "ed2", "x-ed2"),
            row(foreign, "https://staging.example.com/s/ed1", "ed2"),
        ] {
            let taken = try api.importing(table, query, type: "text/csv")
            #expect(summary(taken)["refused"] as? Int == 0, "\(taken)")
        }
        #expect(try api.store.link("short", slug: "ed1")?.content.details == nil)
    }

    /// Times of its making are those of another program; those of its period are the link's.
    @Test func timesInTheFormOfALanguageAreNotGuessed() throws {
        let api = try TestAPI()
        let heading = "collection,slug,destination,created,updated,from\n"
        let rows = heading + "short,a,https://www.example.com/,02/01/2027 00:00,2/1/27 0:00,\n"
        let made = try api.importing(rows, type: "text/csv")
        #expect(counts(made) == [1, 0, 0, 0], "\(made)")
        let warnings = made[0]["warnings"] as? [[String: Any]] ?? []
        #expect(warnings.compactMap { $0["heading"] as? String } == ["created", "updated"])
        let again = try api.importing(rows, Self.upsert, type: "text/csv")
        #expect(counts(again) == [0, 0, 1, 0] && again[0]["warnings"] == nil, "\(again)")
        let wrong = try api.importing(
            heading + "short,b,https://www.example.com/,,,02/01/2027 00:00\n", type: "text/csv")
        #expect(faults(wrong[0]) == ["/from wrong-value"], "\(wrong)")
        #expect(errors(wrong[0])[0]["heading"] == "from")
    }

    @Test(arguments: [
        ("mail,\"two, words\"", ["mail", "two, words"]), (" a , b ", ["a", "b"]),
        ("\"say \"\"x\"\"\",y", ["say \"x\"", "y"]), ("a\"b", ["a\"b"]), ("\" a \"", [" a "]),
        ("\"open", []), ("\"a\"b", []),
    ])
    func tagsWithCommasAreInQuotes(cell: String, tags: [String]) throws {
        let api = try TestAPI()
        let quoted = cell.replacing("\"", with: "\"\"")
        let answer = try api.importing(
            "collection,slug,destination,tags\nshort,a,https://www.example.com/,\"\(quoted)\"\n",
            type: "text/csv")
        guard !tags.isEmpty else {
            return #expect(faults(answer[0]) == ["/tags table-form"], "\(answer)")
        }
        #expect(try api.store.link("short", slug: "a")?.content.tags == tags, "\(answer)")
    }

    @Test func marksThatACellHasAsEscapesAreRefused() throws {
        func answer(_ count: Int) throws -> [[String: Any]] {
            let key = "a" + String(repeating: #"\u0301"#, count: count)
            return try TestAPI().importing(
                "collection,destination,app.data\nshort,https://www.example.com/,"
                    + "\"{\"\"\(key)\"\":1}\"\n",
                type: "text/csv")
        }
        let (taken, refused) = (try answer(30), try answer(31))
        #expect(faults(taken[0]).isEmpty, "\(taken)")
        #expect(faults(refused[0]) == ["/app/data wrong-value"], "\(refused)")
        #expect("\(refused)".contains("the cell has more than 30"), "\(refused)")
    }

    @Test func aFaultOfAMeaningNamesNoPlaceThatIsNotThere() throws {
        let api = try TestAPI()
        let line =
            #"{"collection": "short", "destination": "https://www.example.com/", "from": "2030-01-01T00:00:00Z", "until": "2029-01-01T00:00:00Z"}"#
        let answer = api.ask("POST", "links", line)
        #expect(answer.status == 422)
        #expect(answer.text.contains("the link never begins"), "\(answer.text)")
        #expect(!answer.text.contains("in line"), "\(answer.text)")
    }
}
