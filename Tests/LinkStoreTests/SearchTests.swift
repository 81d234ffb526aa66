import LinkIndex
@testable import LinkStore
import SQLite
import TestSupport
import Testing

/// Searches find what a look at each link finds, whether or not the table of letters narrows them.
@Suite("Searching links for a text") struct SearchTests {
    private let directory = StoreDirectory()

    @Test(
        "three letters of ASCII narrow a search",
        arguments: [
            ("ab", nil), ("", nil), ("é", nil), ("abéc", nil), ("ab\ncd", nil),
            ("\u{0}\u{7F}\u{1}", nil),
            ("abc", "\"abc\""), ("aBcd", "\"aBc\" AND \"Bcd\""), ("a\"b", "\"a\"\"b\""),
            ("xéabcd", "\"abc\" AND \"bcd\""), ("ab*", "\"ab*\""),
        ] as [(String, String?)])
    func letters(_ text: String, _ wanted: String?) {
        #expect(SQLiteLinkRows.letters(text) == wanted)
    }

    @Test("long texts cost no more than a part of them") func longText() {
        let words = SQLiteLinkRows.letters(String(repeating: "a", count: 100_000))
        #expect(words?.utf8.count == 64 * 10 - 5)
    }

    /// Texts of few letters, so that many are found, with some that SQLite, FTS5 and JSON could take for syntax.
    private static let parts = [
        "aba", "BA", "b\"a", "*", "é", "É", "Σ", " OR ", "\\", "%", "_", "\n", "-", "\u{212A}",
        "ab", "\u{1F600}",
    ]

    private static func text(_ random: inout SplitMix) -> String {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
            parts.randomElement(using: &random) ?? ""
        }.joined()
    }

    private static func json(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
            "\n", with: "\\n")
    }

    private static func someContent(_ random: inout SplitMix) -> LinkContent {
        var content = LinkContent()
        content.destination = "https://www.example.com/\(text(&random))"
        if Bool.random(using: &random) { content.note = text(&random) }
        if Bool.random(using: &random) {
            content.details = """
                {"page":{"title":"\(json(text(&random)))","description":"\(json(text(&random)))"}}
                """
        }
        return content
    }

    /// All links that a search finds, in parts as the API asks for them.
    private static func found(_ store: LinkStore, _ text: String) throws -> [LinkID] {
        var filter = LinkFilter()
        (filter.text, filter.includesDeleted) = (text, true)
        var (ids, last) = ([LinkID](), LinkID?.none)
        repeat {
            let end = try store.link(filter, after: last, rows: 7)
            ids += try store.links(filter, after: last, upTo: end, limit: 1_000).map(\.id)
            last = end
        } while last != nil
        return ids
    }

    /// Compares what the table finds with what a look at each link finds.
    private func check(
        _ store: LinkStore, _ random: inout SplitMix
    ) throws {
        let rows = try #require(store.rows as? SQLiteLinkRows)
        var narrowed = 0
        for _ in 0..<60 {
            let text = Self.text(&random)
            let found = try Self.found(store, text)
            if try rows.letters(of: text) != nil { narrowed += 1 }
            rows.hasLetters = false
            #expect(try Self.found(store, text) == found, "\(text.debugDescription)")
            rows.hasLetters = true
        }
        #expect(narrowed > 10)
    }

    /// How many links a search is narrowed to; nil if it reads all.
    private func narrowed(_ store: LinkStore, _ text: String) throws -> Bool {
        let rows = try #require(store.rows as? SQLiteLinkRows)
        return try rows.letters(of: text) != nil
    }

    @Test("what is found is what is there, after changes and a restart, too")
    func sameAsReading() throws {
        var (random, ids) = (SplitMix(seed: 11), [LinkID]())
        try served { store in
            for number in 0..<120 {
                let content = Self.someContent(&random)
                ids.append(try create(store, "s\(number)", content, number).get().id)
            }
            try check(store, &random)
        }
        for _ in 0..<2 {
            try served { store in
                try check(store, &random)
                for _ in 0..<40 {
                    let link = try #require(ids.randomElement(using: &random))
                    let content = Self.someContent(&random)
                    try store.transaction { generation throws(StoreError) in
                        _ = try store.update(
                            link, expected: nil, at: 200, generation: generation
                        ) { _ in content }
                    }
                }
                try check(store, &random)
            }
        }
    }

    /// Opens the store for as long as this takes.
    private func served(_ body: (LinkStore) throws -> Void) throws {
        let store = try LinkStore(directory.database)
        try body(store)
        try store.close()
    }

    @Test("a change that is taken back leaves no letters") func rollBack() throws {
        let store = try LinkStore(directory.database)
        try create(store, "kept", content("https://www.example.com/kept"))
        #expect(throws: StoreError.self) {
            try store.transaction { generation throws(StoreError) in
                _ = try store.create(
                    id(1), "short", slug: "gone", content("https://www.example.com/gone"),
                    isExact: false, at: (100, 100), generation: generation)
                throw StoreError.refused
            }
        }
        #expect(try Self.found(store, "gone").isEmpty)
        #expect(try Self.found(store, "kept").count == 1)
    }

    @Test("a text of more than a thousand links is looked for in all") func many() throws {
        let store = try LinkStore(directory.database)
        for number in 0...1_000 {
            try create(store, "s\(number)", content("https://www.example.com/\(number)"), number)
        }
        #expect(try !narrowed(store, "example"))
        #expect(try Self.found(store, "example").count == 1_001)
        #expect(try narrowed(store, "com/100"))
        #expect(try Self.found(store, "COM/100").count == 2)
    }

    /// Of a program before, of one that has changed links meanwhile, and of a copy.
    @Test(
        "a table that is not of these links is made anew",
        arguments: [
            "DROP TABLE letters; DROP TABLE lettered",
            "DROP TABLE lettered", "DROP TABLE letters", "DELETE FROM lettered",
            """
            UPDATE link SET destination = 'https://www.example.com/other' WHERE slug = 'a';
            UPDATE store SET generation = generation + 1
            """,
        ])
    func anew(_ change: String) throws {
        try served { store in
            for slug in ["a", "b"] {
                try create(store, slug, content("https://www.example.com/first"))
            }
        }
        try SQLiteDatabase(directory.database, .readWrite).execute(change)
        let next = try LinkStore(directory.database)
        let hasOther = change.contains("other")
        #expect(try narrowed(next, "first"))
        #expect(try Self.found(next, "first").count == (hasOther ? 1 : 2))
        #expect(try Self.found(next, "other").count == (hasOther ? 1 : 0))
        try create(next, "c", content("https://www.example.com/first"))
        #expect(try Self.found(next, "first").count == (hasOther ? 2 : 3))
    }
}
