import Foundation
import SQLite
import TestSupport
import Testing
import URISyntax

@testable import LinkAPI
@testable import LinkStore

/// The search of lists, beside a client that knows what it made.
@Suite struct SearchTests {
    private struct Known {
        let id: String
        var texts: [String]
        var tag: String
        var isArchived = false
        var isDeleted = false
    }

    private static let words = [
        "Spring", "spring sale", "a\"b", "c\\d", "été", "ÉTÉ", "10 %", "\u{212A}önig", "könig",
        "ab",
        "https", "x/y", "x", "naïve", "the tag",
    ]

    private func json(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    private func fold(_ text: String, isPlain: Bool) -> [Unicode.Scalar] {
        text.unicodeScalars.map { scalar in
            if isPlain {
                return 0x41...0x5A ~= scalar.value
                    ? Unicode.Scalar(scalar.value + 32) ?? scalar : scalar
            }
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            return lower.count == 1 ? lower.first ?? scalar : scalar
        }
    }

    private func has(_ texts: [String], _ wanted: String) -> Bool {
        let isPlain = wanted.utf8.allSatisfy { $0 < 0x80 }
        let sought = fold(wanted, isPlain: isPlain)
        return texts.contains { text in
            let own = fold(text, isPlain: isPlain)
            guard own.count >= sought.count else { return false }
            return (0...own.count - sought.count).contains {
                own[$0..<$0 + sought.count].elementsEqual(sought)
            }
        }
    }

    @Test(arguments: 0..<3) func aSearchFindsWhatIsThere(_ seed: Int) throws {
        let api = try TestAPI()
        var random = SplitMix(seed: UInt64(seed) + 21)
        func word() -> String { Self.words.randomElement(using: &random) ?? "" }
        var known = [Known]()
        for number in 1...120 {
            let (title, note) = (word(), Bool.random(using: &random) ? word() : "")
            let (slug, tag) = ("s\(number)", "t\(number % 3)")
            let url = "https://www.example.com/Path\(number)"
            let members = [
                #""collection": "short", "slug": "\#(slug)", "destination": "\#(url)""#,
                #""page": {"title": \#(try json(title))}, "tags": ["\#(tag)"]"#,
                note.isEmpty ? nil : "\"note\": \(try json(note))",
            ].compactMap(\.self).joined(separator: ", ")
            let id = try api.create("{\(members)}")["id"]
            var texts = [slug, url, title, note]
            if number % 7 == 0 {
                _ = api.ask("POST", "links/\(id)/aliases", #"{"slug": "Other\#(number)~"}"#)
                texts.append("Other\(number)~")
            }
            known.append(Known(id: id, texts: texts, tag: tag))
        }
        for place in stride(from: 0, to: 120, by: 17) {
            _ = api.ask(
                "PATCH", "links/\(known[place].id)", #"{"archived": true}"#, ["if-match": "*"])
            known[place].isArchived = true
        }
        for place in stride(from: 5, to: 120, by: 23) {
            _ = api.ask("DELETE", "links/\(known[place].id)", "", ["if-match": "*"])
            known[place].isDeleted = true
        }
        let wanted =
            Self.words + [
                "other7", "OTHER", "PATH7", "path11", "s1", "nothing", "ÖNIG", "\"", "önig",
                "e.com/path99", "~", "7~", "s7\nhttps",
            ]
        for text in wanted {
            for (query, isWanted) in [
                ("", { !$0.isArchived }), ("&archived=true", { _ in true }),
                ("&tag=t1&order=newest", { !$0.isArchived && $0.tag == "t1" }),
            ] as [(String, (Known) -> Bool)] {
                let own = known.filter { !$0.isDeleted && isWanted($0) && has($0.texts, text) }.map(
                    \.id)
                let expected = query.contains("newest") ? own.reversed() : own
                #expect(
                    try list(api, "q=\(text.queryEscaped)\(query)") == expected, "\(text) \(query)")
            }
        }
    }

    /// Names of files on a Mac have letters and marks apart.
    @Test func aLetterWithItsMarkIsOneLetter() throws {
        let api = try TestAPI()
        let titles = [
            "Fr\u{FC}hjahr", "Fru\u{308}hjahr", "FRU\u{308}HJAHR", "Fruhjahr", "Cafe\u{301}",
        ]
        let ids = try titles.map { title in
            try api.create(
                #"{"collection": "short", "destination": "https://www.example.com/", "page": {"title": "\#(title)"}}"#
            )["id"]
        }
        for text in ["fr\u{FC}h", "fru\u{308}h", "FRU\u{308}", "\u{DC}HJ", "u\u{308}"] {
            #expect(try list(api, "q=\(text.queryEscaped)") == Array(ids.prefix(3)), "\(text)")
        }
        #expect(try list(api, "q=\("caf\u{E9}".queryEscaped)") == [ids[4]])
        #expect(try list(api, "q=fruh") == [ids[3]])
        #expect(try list(api, "q=\("fru\u{300}h".queryEscaped)") == [])
    }

    /// Another program has written what no record can have.
    @Test(arguments: [
        "destination = 'https://www.example.com/ sought'", "slug = 'sought' || hex(zeroblob(40))",
        "details = '{\"page\":{\"title\":\"sought' || hex(zeroblob(9000)) || '\"}}'",
        "",
    ]) func aLinkThatNoIndexHasIsFound(_ change: String) throws {
        let before = try TestAPI()
        let ids = try (1...3).map { number in
            try before.create(
                """
                {"collection": "short", "slug": "l\(number)", "destination": "https://www.example.com/",
                 "note": "\(number == 3 ? "it is sought" : "a note")"}
                """)["id"]
        }
        let isOdd = !change.isEmpty
        if isOdd {
            let rows = try #require(before.store.rows as? SQLiteLinkRows)
            try rows.database.execute("UPDATE link SET \(change) WHERE id = 2")
        }
        let api = try TestAPI(files: before.store)
        #expect(api.store.unanswered.count == (isOdd ? 1 : 0))
        #expect(try list(api, "q=sought") == (isOdd ? [ids[1], ids[2]] : [ids[2]]))
        // Other links are found in the index all the same, and not row by row, which has one part here.
        #expect(api.parts > 1)
    }

    /// Another program has a table of its name.
    @Test(arguments: [false, true]) func notesAreFoundWithoutTheirIndex(_ isMissing: Bool) throws {
        let before = try TestAPI()
        let ids = try (1...9).map { number in
            let note = number % 3 == 0 ? #", "note": "SOUGHT \#(number)""# : ""
            return try before.create(
                """
                {"collection": "short", "slug": "l\(number)", "destination": "https://www.example.com/"\(note)}
                """)["id"]
        }
        if isMissing {
            let rows = try #require(before.store.rows as? SQLiteLinkRows)
            try rows.database.execute("DROP INDEX link_note; CREATE TABLE link_note (a)")
        }
        let api = try TestAPI(files: before.store)
        #expect((api.store.noteFault != nil) == isMissing)
        #expect(api.store.failure == nil)
        #expect(try list(api, "q=sought") == [ids[2], ids[5], ids[8]])
        #expect(api.parts > 1)
        // A part looks at so many rows: of links with a note, or of all.
        var (last, parts, found) = (LinkID?.none, 0, [LinkID]())
        repeat {
            last = try api.store.links(withNote: Array("sought".utf8), after: last, rows: 2) {
                found.append($0)
            }
            parts += 1
        } while last != nil && parts < 20
        #expect(found.map(\.description) == [ids[2], ids[5], ids[8]])
        #expect(parts == (isMissing ? 5 : 2))
    }

    /// Of very many, each row is read.
    @Test(arguments: [OddRows.max, OddRows.max + 1])
    func soManyLinksThatNoIndexHasAreReadOneByOne(_ count: Int) throws {
        let before = try TestAPI()
        _ = try before.create(
            #"{"collection": "short", "slug": "l1", "destination": "https://www.example.com/"}"#)
        let rows = try #require(before.store.rows as? SQLiteLinkRows)
        // Their slugs are too long for records.
        try rows.database.execute(
            """
            WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n <= \(count))
            INSERT INTO link (id, uid, collection, slug, disabled, archived, created, updated, generation)
            SELECT n, CAST(printf('%016d', n) AS BLOB), 1, 'sought' || n || '-' || hex(zeroblob(40)), 0, 0, 0, 0, 1
            FROM n
            """)
        let api = try TestAPI(files: before.store)
        #expect(api.store.unanswered.count == count)
        #expect(api.store.oddRows.areTooMany == (count > OddRows.max))
        for (query, found) in [("limit=200&q=sought", 200), ("q=sought\(count)-", 1)] {
            let links = api.ask("GET", "links?\(query)").object["links"] as? [[String: Any]]
            #expect(links?.count == found, "\(query)")
        }
    }

    /// The ids of all pages.
    private func list(_ api: TestAPI, _ query: String) throws -> [String] {
        var (ids, after) = ([String](), String?.none)
        repeat {
            let answer = api.ask(
                "GET", "links?limit=7&\(query)" + (after.map { "&after=\($0)" } ?? ""))
            #expect(answer.status == 200, "\(answer.text)")
            let page = (answer.object["links"] as? [[String: Any]] ?? []).compactMap {
                $0["id"] as? String
            }
            #expect(page.count <= 7)
            ids += page
            after = answer.fields["Link"] == nil ? nil : page.last
        } while after != nil && ids.count < 1_000
        return ids
    }

    @Test(arguments: [
        ("abc", "abc"), ("a\"bcd", "bcd"), ("ab\\c", "ab"), ("kältekreis", "reis"), ("täk", "t"),
        ("ä", ""), ("a\nbcd", ""), ("nike", "nike"), ("cafe\u{301}", "caf"),
    ]) func theIndexHasAPartOfEachText(_ text: String, _ part: String) {
        #expect(String(decoding: IndexedSearch.fragment(of: text), as: UTF8.self) == part)
    }
}
