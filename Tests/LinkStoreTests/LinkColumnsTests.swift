import LinkIndex
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import SharedStore

/// Properties of links in memory, whichever database has their rows.
@Suite(.serialized) struct LinkColumnsTests {
    private func facts(_ number: Int, tags: String = "", collection: String = "short") -> LinkFacts
    {
        LinkFacts(
            number: number, id: id(1), collection: collection, tags: tags, destination: nil,
            generation: 1)
    }

    @Test func `links of another program's numbers are left out`() {
        var columns = LinkColumns()
        for number in [Int.min, -1, 0, VisitKey.linkMax + 1, .max] {
            columns.put(facts(number), campaign: "")
        }
        #expect(columns.links.isEmpty)
        for number in [VisitKey.linkMax, 7, 1] { columns.put(facts(number), campaign: "") }
        #expect(columns.links == [1, 7, VisitKey.linkMax])
    }

    @Test(
        "tags of rows are read, also of those that another program has written",
        arguments: [
            ("", []), ("\n", []), ("\na\n", ["a"]), ("\na b\nc\n", ["a b", "c"]),
            ("a\n\n\nc", ["a", "c"]),
        ] as [(String, [String])])
    func lines(_ text: String, _ tags: [String]) {
        var columns = LinkColumns()
        columns.put(facts(1, tags: text), campaign: "")
        #expect(linesOfTags(columns.tagTexts.texts[Int(columns.tags[0])]) == tags)
        #expect(facts(1, tags: text).tags == tags)
    }

    @Test func `texts that no link has any more are counted`() {
        var columns = LinkColumns()
        for turn in 0..<10_005 {
            #expect(!columns.hasManyOldTexts)
            columns.put(facts(turn % 2 + 1), campaign: "c\(turn)")
        }
        // Two links may have twice two texts, and some.
        #expect(columns.campaignTexts.texts.count == 10_005 && columns.hasManyOldTexts)
        #expect(columns.byteCount > 10_005 * 150)
    }

    private func read(_ store: LinkStore, turns: Int = 100) throws -> Bool {
        for _ in 0..<turns where try store.updateColumns(limit: 2, campaign: { $0.tags.joined() }) {
            return true
        }
        return false
    }

    private func tags(_ store: LinkStore) -> [String] {
        store.columns.tags.map { store.columns.tagTexts.texts[Int($0)] }
    }

    private func change(_ store: LinkStore, _ slug: String, tags: [String]) throws {
        let link = try #require(try store.link("short", slug: slug))
        try store.transaction { generation throws(StoreError) in
            _ = try store.update(link.id, expected: nil, at: 200, generation: generation) {
                before in
                var next = before.content
                next.tags = tags
                return next
            }
        }
    }

    @Test(arguments: TestStores.kinds) func `they follow changes, and begin anew for lack of room`(
        _ kind: TestStores.Kind
    ) throws {
        let database = try TestStores(kind)
        let store = try database.open()
        for number in 1...7 {
            try create(store, "s\(number)", content("https://a.example/"), number)
        }
        #expect(try read(store) && tags(store) == [String](repeating: "", count: 7))
        try change(store, "s3", tags: ["a", "b"])
        #expect(try read(store) && tags(store)[2] == "\na\nb\n")
        // Texts of before take the room, until they are forgotten.
        store.known = KnownColumns(bytesMax: 7 * 36 + 3_000)
        for turn in 1...20 {
            try change(store, "s4", tags: ["t\(turn)"])
            #expect(try read(store) && tags(store)[3] == "\nt\(turn)\n")
            #expect(store.columns.byteCount <= 7 * 36 + 3_000 && !store.hasTooManyLinks)
        }
        // The links alone have no room.
        store.known = KnownColumns(bytesMax: 3 * 36)
        #expect(try !read(store) && store.hasTooManyLinks && store.columns.links.isEmpty)
        store.known.tooLargeAt = store.index.generation - KnownColumns.changesOfTry
        #expect(!store.hasTooManyLinks)
        #expect(try !read(store) && store.hasTooManyLinks)
    }

    /// Notes and numbers are read a part at a time, by which the search of lists begins.
    @Test(arguments: TestStores.kinds) func `notes are read in parts`(_ kind: TestStores.Kind)
        throws
    {
        let database = try TestStores(kind)
        let store = try database.open()
        var ids = [LinkID]()
        for number in 1...9 {
            var own = content("https://a.example/")
            // The sign of Kelvin is no ASCII letter.
            let words = number == 6 ? "\u{212A}_note" : "k_note"
            own.note = number % 3 == 0 ? "É \(words) \(number)" : number == 4 ? "knote" : nil
            ids.append(try create(store, "s\(number)", own, number).get().id)
        }
        let cases: [(text: String, expected: [LinkID])] = [
            ("K_Note", [ids[2], ids[8]]), ("_NOTE 6", [ids[5]]), ("not%", []),
            ("note", [ids[2], ids[3], ids[5], ids[8]]),
        ]
        for limit in [1, 2, 3, 9, 100] {
            for (text, expected) in cases {
                var (found, last, parts) = ([LinkID](), LinkID?.none, 0)
                repeat {
                    last = try store.links(withNote: Array(text.utf8), after: last, rows: limit) {
                        found.append($0)
                    }
                    parts += 1
                } while last != nil && parts < 20
                #expect(found == expected, "\(limit) \(text)")
                #expect(parts <= 9 / limit + 1)
            }
        }
        let numbers = try ids.map { id throws(StoreError) in try store.number(of: id) ?? 0 }
        #expect(try Set(store.ids(of: numbers + [99])) == Set(ids) && store.ids(of: []).isEmpty)
    }
}
