import Foundation
import LinkIndex
import PostgreSQL
import PostgreSQLSupport
import SQLite
import Sockets
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import SharedStore

/// Copies of a store from a file to a server, and back.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct `Copies of stores` {
    private let directory = StoreDirectory()
    private let hour = 24 * 20_000 + 7
    private var file: String { directory.database }
    private var back: String { directory.path + "/back.db" }

    /// Everything that a store of links has.
    private struct Content: Equatable {
        var links: [StoredLink]
        var numbers: [Int?]
        var slugs: [String]
        var tokens: [StoredToken]
        var people: [StoredPerson]
        var hashes: [[UInt8]]
        var audit: [String]
        var answer: RepeatedAnswer?
        var mark: String
        var facts: [String]

        init(_ store: LinkStore) throws {
            var filter = LinkFilter()
            (filter.includesArchived, filter.includesDeleted) = (true, true)
            links = try store.links(filter, after: nil, limit: .max)
            numbers = try links.map { try store.number(of: $0.id) }
            var slugs = [String]()
            store.index.forEach { bytes in
                let record = LinkRecord(bytes.indices.map { bytes[$0] })
                slugs.append("\(String(decoding: record.slug, as: UTF8.self)) \(record)")
            }
            self.slugs = slugs.sorted()
            (tokens, hashes) = (try store.tokens(), try store.tokensByHash().map(\.hash))
            people = try store.people()
            audit = try store.audit(before: nil, limit: .max).map { "\($0)" }
            answer = try store.answer(actor: 1, key: "k", at: 1)
            mark = try store.historyMark(at: store.index.generation)
            facts = try store.facts(after: 0, limit: .max).map { "\($0)" }
        }
    }

    @discardableResult
    private func make(
        _ slug: String, at store: LinkStore, _ content: LinkContent = content("https://a.example/")
    ) throws -> StoredLink {
        try store.transaction { generation throws(StoreError) in
            var random = SystemRandomNumberGenerator()
            return try store.create(
                store.makeID(milliseconds: 1_700_000_000_000, &random), "short", slug: slug,
                content, isExact: false, at: (1, 2), generation: generation)
        }.get()
    }

    /// Makes a store that has something of everything.
    private func fill(_ store: LinkStore) throws {
        var all = content("https://www.example.com/ü?x=1")
        all.details = #"{"page":{"title":"Spring sale"}}"#
        (all.tags, all.note) = (["mail", "spring sale"], "a \"note\"\nof two lines")
        (all.from, all.until, all.externalID, all.isArchived) = (10, 20, "ext-1", true)
        let first = try make("First", at: store, all)
        for number in 0..<30 { try make("s\(number)", at: store) }
        let gone = try make("gone", at: store)
        try store.transaction { generation throws(StoreError) in
            _ = try store.addAliases(
                ["Other", "b", "a"], to: first.id, isExact: false, at: 3, generation: generation)
            _ = try store.delete(gone.id, expected: nil, at: 4, generation: generation)
            for name in ["ci", "old"] {
                _ = try store.add(
                    StoredToken(
                        name: name, ending: "abcd", scopes: [.linksCreate, .linksRead],
                        collections: ["short"], created: 1, createdBy: "me", expires: 9),
                    hash: Array(name.utf8))
            }
            _ = try store.removeToken(2)
            try store.put(
                StoredPerson(
                    name: "anna", role: .editor, collections: ["short"], created: 1, createdBy: "me"
                ))
            try store.noteUse(of: 1, day: 20_000)
            var entry = AuditEntry(time: 5, actor: "me", action: "import", link: nil)
            (entry.after, entry.made) = ("{}", (first.id, gone.id))
            try store.add(entry)
            try store.add(AuditEntry(time: 6, actor: "me", action: "delete", link: gone.id))
            try store.keep(
                RepeatedAnswer(request: [7, 0, 255], status: 201, fields: "a\tb", content: "c"),
                actor: 1, key: "k", until: 100, at: 1)
        }
    }

    /// Counts visits: some of them are in the tables, and some wait in pieces.
    private func visit(_ visits: any CountedVisits) throws {
        for turn in 1...3 {
            var batch = VisitBatch()
            batch.add(VisitKey(link: turn, hour: hour, .visit, .redirect, platform: 1), 5)
            batch.add(
                visitor: .init(key: LinkDay(link: 1, day: hour / 24).packed, number: 7, count: 1))
            batch.add(LinkDay(link: 1, day: hour / 24), referrer: "a.example", turn)
            batch.add(
                country: .init(
                    key: LinkDay(link: turn, day: hour / 24).packed, number: 0x4154, count: 2))
            batch.addMiss(3, hour, "/none", 1)
            try visits.add(batch)
            guard turn == 2 else { continue }
            try visits.beginMoving()
            while visits.isMoving { try visits.moveNext() }
        }
        _ = try visits.salts(day: hour / 24) { _ in (0..<16).map { _ in 7 } }
    }

    private func counts(_ visits: any CountedVisits) throws -> [String] {
        let hours = hour - 2..<hour + 2
        var lines = [String]()
        for link in 0..<4 {
            for grouping in VisitStore.Grouping.allCases {
                lines.append("\(try visits.visits(of: link, hours, by: grouping))")
            }
            for (first, second) in [
                (VisitStore.Grouping.day, VisitStore.Grouping.platform), (.hour, .outcome),
                (.platform, .outcome), (.day, .referrer),
            ] {
                let local = LocalHours(hours) { _ in -11 * 3_600 }
                for local in second == .referrer ? [nil] : [nil, local] {
                    let groups = VisitGroups(first, second, local: local)
                    lines.append("\(try visits.visits(of: link, hours, by: groups))")
                }
            }
        }
        var groups = LinkGroups()
        for link in 1...3 { groups.add(link, to: link / 2) }
        for properties in [nil, VisitGroups(.day), VisitGroups(.hour, .platform)] {
            var sums = GroupedVisits(by: properties, of: 2)
            #expect(try visits.addVisits(of: groups, hours, to: &sums) == hours.upperBound)
            sums.finish()
            lines += sums.sums.map { "\($0.key) \($0.value)" }.sorted()
        }
        for links in [nil, groups] {
            var countries = CountrySums()
            let days = hour / 24 - 1..<hour / 24 + 2
            let end = try visits.addCountries(of: links, days, to: &countries)
            #expect(end == days.upperBound && !countries.days.isEmpty)
            lines += countries.days.map { "\($0.key) \($0.value)" }.sorted()
        }
        lines.append("\(try visits.misses(hour / 24..<hour / 24 + 1, nil, limit: 9))")
        let salts = try visits.salts(day: hour / 24) { _ in (0..<16).map { _ in 9 } }
        return lines + ["\(String(describing: salts?.salt(of: hour / 24)?.hash(1, 2, 3)))"]
    }

    private var copy: StoreCopy { StoreCopy { (_, _) throws(StoreError) in } }

    @Test func `a store comes to a server and back with all that it has`() throws {
        let database = try TestStores()
        let (content, counted): (Content, [String])
        do {
            let store = try LinkStore(file)
            try fill(store)
            content = try Content(store)
            let visits = try VisitStore(file + ".visits")
            #expect(try visits.counts(linksOf: store.identity))
            try visit(visits)
            counted = try counts(visits)
            try visits.close()
            try store.close()
        }
        let there = try copy.copy(file, to: database.place())
        #expect(there.tables.first { $0.name == "links" }?.sum.count == 32)
        #expect(there.tables.first { $0.name == "aliases" }?.sum.count == 3)
        #expect(there.tables.count == 14 && !there.wasThere)
        // It can be served, and goes on where the file was.
        let place = try database.place()
        do {
            let store = try LinkStore(place)
            #expect(try Content(store) == content)
            #expect(try counts(place.visits()) == counted)
            store.follow()
            #expect(store.failure == nil && store.takeSetback() == nil)
        }
        let again = try copy.copy(file, to: place)
        #expect(again.wasThere)
        let store = try LinkStore(place)
        #expect(throws: LinkConflict.self) { try make("FIRST", at: store) }
        #expect(throws: LinkConflict.self) { try make("OTHER", at: store) }
        let made = try make("made-there", at: store)
        #expect(
            try store.number(of: made.id) == 33
                && made.generation == content.links.map(\.generation).max()! + 1)
        let next = try store.transaction { _ throws(StoreError) in
            try store.add(AuditEntry(time: 7, actor: "me", action: "x", link: made.id))
            return try store.add(
                StoredToken(
                    name: "new", ending: "abcd", scopes: [], collections: nil, created: 1,
                    createdBy: "me", expires: nil), hash: [9])
        }
        #expect(next.id == 3)
        // And back into another file.
        // The token has a generation of its own, without a link.
        store.follow()
        let known = try Content(store)
        let home = try copy.copy(place, to: back)
        #expect(home.missed == 0 && home.tables.first { $0.name == "links" }?.sum.count == 33)
        let file = try LinkStore(back)
        #expect(try Content(file) == known)
        let visits = try VisitStore(back + ".visits")
        #expect(try visits.counts(linksOf: file.identity))
        #expect(try counts(visits) == counted)
        let last = try make("made-here", at: file)
        #expect(try file.number(of: last.id) == 34)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path)
                .allSatisfy { !$0.contains("copying") })
    }

    /// The end of an attempt after so many rounds, as if the process had been killed.
    private final class Scissors {
        var rounds: Int
        init(_ rounds: Int) { self.rounds = rounds }
        func cut() throws(StoreError) {
            rounds -= 1
            if rounds == 0 { throw .refused }
        }
    }

    private func cut(after rounds: Int) -> StoreCopy {
        let scissors = Scissors(rounds)
        var copy = StoreCopy { (_, _) throws(StoreError) in try scissors.cut() }
        copy.pieceRows = 7
        return copy
    }

    @Test func `what was cut anywhere goes on, and nobody serves it before`() throws {
        let database = try TestStores()
        let content: Content
        do {
            let store = try LinkStore(file)
            try fill(store)
            content = try Content(store)
            try store.close()
        }
        let place = try database.place()
        var (rounds, lefts) = (0, Set<Int>())
        while true {
            rounds += 3
            do throws(StoreError) {
                let summary = try cut(after: rounds).copy(file, to: place)
                lefts.insert(summary.left)
                break
            } catch {
                #expect(error == .refused)
                #expect(throws: StoreError.database(place: place.description, .isCopied)) {
                    try LinkStore(place)
                }
            }
        }
        #expect(rounds > 20 && lefts == [35])
        #expect(try Content(LinkStore(place)) == content)
        let indexes = try database.connect().run(
            "SELECT count(*) FROM pg_indexes WHERE schemaname = 'waymark'", by: soon)
        let other = try TestStores()
        _ = try other.open()
        let usual = try other.connect().run(
            "SELECT count(*) FROM pg_indexes WHERE schemaname = 'waymark'", by: soon)
        #expect(indexes.first?.integer(0) == usual.first?.integer(0))
        rounds = 0
        while true {
            rounds += 3
            do throws(StoreError) {
                _ = try cut(after: rounds).copy(place, to: back)
                break
            } catch {
                #expect(error == .refused && !FileManager.default.fileExists(atPath: back))
            }
        }
        #expect(rounds > 20)
        #expect(try Content(LinkStore(back)) == content)
    }

    @Test func `a store that was changed after the cut is copied anew`() throws {
        let database = try TestStores()
        let place = try database.place()
        try fill(LinkStore(file))
        #expect(throws: StoreError.refused) {
            try cut(after: 3).copy(file, to: place)
        }
        let content: Content
        do {
            let store = try LinkStore(file)
            let link = try #require(try store.link("short", slug: "s0"))
            _ = try store.transaction { generation throws(StoreError) in
                try store.delete(link.id, expected: nil, at: 9, generation: generation)
            }
            content = try Content(store)
        }
        #expect(try copy.copy(file, to: place).left == 0)
        #expect(try Content(LinkStore(place)) == content)
        // Back: nodes go on while an attempt is cut.
        #expect(throws: StoreError.refused) { try cut(after: 3).copy(place, to: back) }
        let store = try LinkStore(place)
        try make("new", at: store)
        #expect(try copy.copy(place, to: back).left == 0)
        #expect(try Content(LinkStore(back)) == Content(store))
    }

    @Test func `a link that the server refuses is corrected, and copied then`() throws {
        let database = try TestStores()
        let place = try database.place()
        let content: Content
        do {
            let store = try LinkStore(file)
            try fill(store)
            content = try Content(store)
            try store.close()
        }
        // More than a page of an index holds, and no text that is repeated.
        try SQLiteDatabase(file, .readWrite)
            .execute("UPDATE link SET slug = hex(randomblob(2500)) WHERE slug = 's0'")
        for _ in 0..<2 {
            #expect {
                try copy.copy(file, to: place)
            } throws: { "\(($0 as? StoreError)?.words.fact ?? "")".contains("does not take") }
        }
        try SQLiteDatabase(file, .readWrite)
            .execute("UPDATE link SET slug = 's0' WHERE length(slug) > 1000")
        #expect(try copy.copy(file, to: place).left == 0)
        #expect(try Content(LinkStore(place)) == content)
    }

    // MARK: What is refused

    @Test func `other links are left as they are, and a store without any is replaced`() throws {
        let (database, used, empty) = (try TestStores(), try TestStores(), try TestStores())
        try make("a", at: LinkStore(file))
        try make("theirs", at: used.open())
        #expect {
            try copy.copy(file, to: used.place())
        } throws: {
            "\(($0 as? StoreError)?.words.fact ?? "")".contains(
                "has 1 links, 0 tokens and 0 people")
        }
        #expect(try used.open().link("short", slug: "theirs") != nil)
        // A node that uses an empty one would not know what becomes of it.
        do {
            let node = try empty.open()
            #expect {
                try copy.copy(file, to: empty.place())
            } throws: { "\(($0 as? StoreError)?.words.fact ?? "")".contains("is used by nodes") }
            try node.close()
        }
        _ = try copy.copy(file, to: empty.place())
        #expect(try empty.open().link("short", slug: "a") != nil)
        _ = try copy.copy(file, to: database.place())
        // The same of files.
        try make("theirs", at: LinkStore(back))
        #expect {
            try copy.copy(database.place(), to: back)
        } throws: {
            "\(($0 as? StoreError)?.words.fact ?? "")".contains(
                "has 1 links, 0 tokens and 0 people")
        }
        let free = directory.path + "/free.db"
        try LinkStore(free).close()
        _ = try copy.copy(database.place(), to: free)
        #expect(try LinkStore(free).link("short", slug: "a") != nil)
    }

    @Test func `a file that is served is not copied, and nothing is made of it`() throws {
        let database = try TestStores()
        let store = try LinkStore(file)
        try make("a", at: store)
        #expect(throws: StoreError.isServed(path: file)) {
            try copy.copy(file, to: database.place())
        }
        let place = try database.place()
        #expect {
            try copy.copy(place, to: back)
        } throws: { "\(($0 as? StoreError)?.words.fact ?? "")".contains("has no stored links") }
        #expect(!FileManager.default.fileExists(atPath: back))
        try store.close()
    }

    @Test func `slugs that letter case alone tells apart are copied`() throws {
        let database = try TestStores()
        do {
            let store = try LinkStore(file)
            for slug in ["Ab", "aB"] {
                _ = try create(store, slug, LinkContent(), slug == "Ab" ? 1 : 2, isExact: true)
            }
        }
        _ = try copy.copy(file, to: database.place())
        let store = try database.open()
        #expect(record(store, "Ab") != nil && record(store, "aB") != nil)
        #expect(try create(store, "AB", LinkContent(), 3, isExact: true).get().slug == "AB")
    }
}
