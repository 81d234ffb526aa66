import Foundation
import LinkIndex
import SQLite
import Testing

@testable import LinkStore

/// A store whose files other programs damage, exchange or write while it is open.
@Suite struct DamagedStoreTests {
    private let directory = StoreDirectory()
    private var copy: String { directory.path + "/copy.db" }
    private var log: String { directory.database + "-wal" }

    private func rows(of store: LinkStore) throws -> SQLiteLinkRows {
        try #require(store.rows as? SQLiteLinkRows)
    }

    private func create(_ store: LinkStore, _ slug: String, note: String? = nil) throws {
        var random = SystemRandomNumberGenerator()
        let id = store.makeID(milliseconds: 1_700_000_000_000, &random)
        var content = LinkContent()
        content.destination = "https://www.example.com/\(slug)"
        content.details = #"{"page":{"title":"\#(slug)"}}"#
        content.note = note
        _ = try store.transaction { generation throws(StoreError) in
            _ = try store.create(
                id, "short", slug: slug, content, isExact: false, at: (100, 100),
                generation: generation)
            return try store.addAliases(
                ["other-\(slug)"], to: id, isExact: false, at: 100, generation: generation)
        }
    }

    /// A store of links `s0`, … of which the file has the first, and its log the last ten.
    private func store(_ count: Int = 500) throws -> LinkStore {
        do {
            let store = try LinkStore(directory.database)
            for number in 0..<count { try create(store, "s\(number)", note: "n\(number)") }
            try store.close()
        }
        let store = try LinkStore(directory.database)
        for number in count..<count + 10 { try create(store, "s\(number)", note: "n\(number)") }
        return store
    }

    private func destination(_ store: LinkStore, _ slug: String) -> String? {
        record(store, slug).map { String(decoding: $0.destination, as: UTF8.self) }
    }

    /// Everything that was answered is in a copy, which can be served.
    private func expectWholeCopy(of store: LinkStore, _ count: Int = 510) throws {
        try store.backup(to: copy)
        let other = try LinkStore(copy)
        other.check()
        #expect(other.failure == nil)
        #expect(other.index.count == 2 * count && other.identity == store.identity)
        for slug in ["s0", "s\(count - 1)", "other-s0", "other-s\(count - 1)"] {
            #expect(destination(other, slug) == destination(store, slug), "\(slug)")
            #expect(try other.link("short", slug: slug) != nil, "\(slug)")
        }
        try create(other, "more")
        #expect(other.index.generation > store.index.generation)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func overwrite(_ path: String, _ body: (inout Data) -> Void) throws {
        var content = try Data(contentsOf: URL(filePath: path))
        body(&content)
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.write(contentsOf: content)
        try handle.truncate(atOffset: UInt64(content.count))
        try handle.close()
    }

    private func expectRefusal(_ store: LinkStore) throws {
        let failure = try #require(store.failure)
        #expect(failure.words.advice.contains("waymark links backup"), "\(failure)")
        for _ in 0..<2 { #expect(throws: failure) { try create(store, "new") } }
        #expect(store.failure == failure && destination(store, "s0") != nil)
        #expect(destination(store, "new") == nil)
    }

    // MARK: The file

    @Test(arguments: ["half", "pages", "header"])
    func `a read of a damaged file is told as a failing change is`(_ kind: String) throws {
        let store = try store()
        try overwrite(directory.database) { content in
            switch kind {
            case "half": content.removeLast(content.count / 2)
            case "header": content.replaceSubrange(0..<100, with: repeatElement(0x58, count: 100))
            default:
                for page in stride(from: 1, to: content.count / 4_096, by: 3) {
                    let start = 4_096 * page
                    content.replaceSubrange(start..<start + 200, with: repeatElement(7, count: 200))
                }
            }
        }
        _ = try? store.links(LinkFilter(), after: nil, limit: 1_000)
        store.checkFile()
        try expectRefusal(store)
        try expectWholeCopy(of: store)
    }

    @Test func `disabled and deleted links keep their aliases in a copy that is made from memory`()
        throws
    {
        let store = try LinkStore(directory.database)
        for slug in ["off", "gone"] { try create(store, slug) }
        let (off, gone) = (
            try #require(try store.link("short", slug: "off")),
            try #require(try store.link("short", slug: "gone"))
        )
        try store.transaction { generation throws(StoreError) in
            _ = try store.addAliases(
                ["OFF", "Other-Off"], to: off.id, isExact: true, at: 2, generation: generation)
            _ = try store.update(off.id, expected: nil, at: 2, generation: generation) {
                var content = $0.content
                content.isDisabled = true
                return content
            }
            _ = try store.delete(gone.id, expected: nil, at: 2, generation: generation)
        }
        try rows(of: store).database.execute("DROP TABLE audit")
        #expect(throws: StoreError.self) { _ = try store.audit(before: nil, limit: 1) }
        #expect(store.failure != nil)
        try store.backup(to: copy)
        let other = try LinkStore(copy)
        #expect(other.index.count == 6)
        for slug in ["off", "OFF", "other-off", "Other-Off", "gone", "other-gone"] {
            #expect(record(other, slug) == record(store, slug), "\(slug)")
            let state = slug.lowercased().hasSuffix("off") ? LinkRecord.State.disabled : .deleted
            #expect(record(other, slug)?.state == state, "\(slug)")
        }
    }

    @Test func `a table that is dropped is told once, and at the next start`() throws {
        do {
            let store = try store(10)
            try rows(of: store).database.execute("DROP TABLE audit")
            #expect(throws: StoreError.self) {
                try store.transaction { _ throws(StoreError) in
                    _ = try store.audit(before: nil, limit: 1)
                }
            }
            try expectRefusal(store)
            try expectWholeCopy(of: store, 20)
        }
        do {
            _ = try LinkStore(directory.database)
            #expect(Bool(false), "it is open")
        } catch {
            guard case .isDamaged(_, let reason) = error else {
                return #expect(Bool(false), "\(error)")
            }
            #expect(reason.contains("audit"))
        }
    }

    @Test(arguments: ["user_version = 0", "user_version = -1"])
    func `tables of no version are damaged`(pragma: String) throws {
        try LinkStore(directory.database).close()
        try SQLiteDatabase(directory.database, .readWrite).execute("PRAGMA \(pragma)")
        do {
            _ = try LinkStore(directory.database)
            #expect(Bool(false), "it is open")
        } catch {
            guard case .isDamaged = error else { return #expect(Bool(false), "\(error)") }
        }
    }

    // MARK: Its log

    @Test(arguments: ["removed", "emptied", "replaced", "scribbled", "scribbled at its end"])
    func `a log of transactions that others change takes no change, and is not written`(
        _ kind: String
    ) throws {
        let before: Data
        do {
            let store = try store()
            #expect(store.failure == nil)
            before = try Data(contentsOf: URL(filePath: directory.database))
            switch kind {
            case "removed": try FileManager.default.removeItem(atPath: log)
            case "emptied": try overwrite(log) { $0 = Data() }
            case "replaced":
                let content = try Data(contentsOf: URL(filePath: log))
                try FileManager.default.removeItem(atPath: log)
                try content.write(to: URL(filePath: log))
            default:
                let start = kind == "scribbled" ? 4_000 : 60_000
                try overwrite(log) {
                    let end = max(start, min(start + 40_000, $0.count))
                    $0.replaceSubrange(start..<end, with: repeatElement(0xA5, count: 40_000))
                }
            }
            #expect(throws: StoreError.self) { try create(store, "lost") }
            try expectRefusal(store)
            try expectWholeCopy(of: store)
            try store.close()
        }
        #expect(try Data(contentsOf: URL(filePath: directory.database)) == before)
    }

    @Test func `a stop looks at the log before it writes the file`() throws {
        let before: Data
        do {
            let store = try store()
            before = try Data(contentsOf: URL(filePath: directory.database))
            try overwrite(log) { $0 = Data() }
            try store.close()
        }
        #expect(try Data(contentsOf: URL(filePath: directory.database)) == before)
        let store = try LinkStore(directory.database)
        #expect(store.index.count == 1_000)
    }

    @Test func `a transaction that is taken back is no other program's`() throws {
        let store = try store(10)
        for size in [1, 3_000] {
            #expect(throws: StoreError.refused) {
                try store.transaction { generation throws(StoreError) in
                    for number in 0..<size {
                        var random = SystemRandomNumberGenerator()
                        let id = store.makeID(milliseconds: 1_700_000_000_000, &random)
                        var content = LinkContent()
                        content.note = String(repeating: "x", count: 30_000)
                        _ = try store.create(
                            id, "short", slug: "t\(number)", content, isExact: false,
                            at: (100, 100), generation: generation)
                    }
                    throw .refused
                }
            }
            store.checkFile()
            #expect(store.failure == nil)
            try create(store, "after-\(size)")
        }
    }

    /// SQLite takes the transaction back itself, and has written a part of it into its log.
    @Test func `a full disk is not taken for a writing of others`() throws {
        let store = try store(10)
        let pages = try rows(of: store).number("PRAGMA page_count")
        try rows(of: store).database.execute(
            "PRAGMA cache_size = 10; PRAGMA max_page_count = \(pages + 60)")
        #expect(throws: StoreError.isFull) {
            try store.transaction { _ throws(StoreError) in
                for number in 0..<2_000 {
                    do { try create(store, "full\(number)") } catch let error as StoreError {
                        throw error
                    } catch {}
                }
            }
        }
        store.checkFile()
        #expect(store.failure == .isFull)
        try rows(of: store).database.execute("PRAGMA max_page_count = 1073741823")
        let later = ContinuousClock.now + RoomShortage.quietTime
        store.clock = { later }
        try create(store, "room")
        #expect(store.failure == nil && destination(store, "room") != nil)
        #expect(destination(store, "full0") == nil)
    }

    /// Between large changes that are refused, small ones succeed.
    @Test
    func `a disk that is nearly full is full until a change as large has room, or for a minute`()
        throws
    {
        let store = try store(10)
        var now = ContinuousClock.now
        store.clock = { now }
        func createMany(_ name: String) throws {
            try store.transaction { _ throws(StoreError) in
                for number in 0..<500 {
                    do { try create(store, "\(name)\(number)") } catch let error as StoreError {
                        throw error
                    } catch {}
                }
            }
        }
        func fill() throws {
            let pages = try rows(of: store).number("PRAGMA page_count")
            try rows(of: store).database.execute("PRAGMA max_page_count = \(pages + 20)")
            #expect(throws: StoreError.isFull) { try createMany("many") }
            #expect(store.failure == .isFull)
        }
        try rows(of: store).database.execute("PRAGMA cache_size = 10")
        try fill()
        try create(store, "small")
        try store.transaction { _ in }
        #expect(store.failure == .isFull && destination(store, "small") != nil)
        // Another refusal begins the minute anew.
        now += RoomShortage.quietTime - .seconds(1)
        try fill()
        now += RoomShortage.quietTime - .seconds(1)
        try store.transaction { _ in }
        #expect(store.failure == .isFull)
        now += .seconds(1)
        try store.transaction { _ in }
        #expect(store.failure == nil)
        try fill()
        try rows(of: store).database.execute("PRAGMA max_page_count = 1073741823")
        try createMany("room")
        #expect(store.failure == nil && destination(store, "room499") != nil)
    }

    /// As where a disk is full, but sooner.
    @Test func `nothing is written after a statement that has ended its transaction`() throws {
        let store = try store(10)
        let rows = try rows(of: store)
        try rows.database.execute(
            """
            CREATE TRIGGER ending BEFORE INSERT ON link WHEN NEW.slug = 'first'
            BEGIN SELECT RAISE(ROLLBACK, 'it has ended'); END
            """)
        rows.file.noteWritten()
        #expect(throws: StoreError.self) {
            try store.transaction { generation throws(StoreError) in
                for (number, slug) in ["first", "second"].enumerated() {
                    _ = try? store.create(
                        id(900 + number), "short", slug: slug, LinkContent(), isExact: false,
                        at: (1, 1), generation: generation)
                    #expect(!rows.isInTransaction)
                }
            }
        }
        #expect(try store.link("short", slug: "second") == nil)
        try create(store, "second")
        #expect(store.failure == nil && destination(store, "second") != nil)
    }

    @Test(arguments: ["SELECT * FROM link", "BEGIN IMMEDIATE", "PRAGMA wal_checkpoint(TRUNCATE)"])
    func `another program neither reads nor writes a store that is open`(sql: String) throws {
        let store = try store(10)
        let other = try SQLiteDatabase(directory.database, .readWrite)
        let error = #expect(throws: SQLiteError.self) { try other.execute(sql) }
        #expect(error?.kind == .busy, "\(sql): \(error.map { "\($0)" } ?? "")")
        try create(store, "a")
        #expect(store.failure == nil)
        #expect(try names() == ["links.db", "links.db-wal", "links.db.lock"])
    }

    @Test func `another program that has had it open before shares it`() throws {
        do { try store(10).close() }
        let other = try SQLiteDatabase(directory.database, .readWrite)
        try other.execute("SELECT * FROM link")
        let store = try LinkStore(directory.database)
        #expect(store.index.count == 40)
        try other.execute("BEGIN IMMEDIATE")
        #expect(throws: StoreError.isHeld(path: directory.database)) { try create(store, "a") }
        try other.execute("ROLLBACK")
        try create(store, "a")
        #expect(store.failure == nil)
        // What it writes is noticed.
        try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.checkFile()
        try expectRefusal(store)
        let advice = try #require(store.failure).words.advice
        #expect(advice.contains("start waymark again") && advice.contains("if"), "\(advice)")
    }

    // MARK: Rows

    @Test func `a row without an identity ends no page of links or of changes`() throws {
        do { try store(10).close() }
        try SQLiteDatabase(directory.database, .readWrite).execute(
            "UPDATE link SET uid = CAST(id AS BLOB) WHERE id BETWEEN 4 AND 9")
        let store = try LinkStore(directory.database)
        var (last, slugs) = (LinkID?.none, [String]())
        repeat {
            let page = try store.links(LinkFilter(), after: last, limit: 2)
            slugs += page.map(\.slug)
            last = page.count == 2 ? page.last?.id : nil
        } while last != nil
        #expect(slugs.count == 14, "\(slugs)")
        var (place, changed) = (ChangePlace?.some(ChangePlace(generation: 0, id: nil)), 0)
        while let from = place {
            let page = try store.changes(after: from, in: nil, limit: 2, rows: 2)
            changed += page.links.count
            place = page.last
        }
        #expect(changed == 14)
    }

    // MARK: A start

    @Test(arguments: ["removed", "renamed", "emptied", "created anew"])
    func `a store that is missing beside its other files is not begun anew`(kind: String) throws {
        do {
            let store = try store(10)
            let visits = SharedVisits()
            try visits.open(store.path + ".visits", of: store.identity)
            visits.close()
            try store.close()
        }
        let aside = directory.path + "/aside"
        if kind == "emptied" {
            try overwrite(directory.database) { $0 = Data() }
        } else {
            try FileManager.default.moveItem(atPath: directory.database, toPath: aside)
        }
        if kind == "created anew" {
            try SQLiteDatabase(directory.database, .create).execute("PRAGMA journal_mode = WAL")
        }
        let visits = directory.database + ".visits"
        do {
            _ = try LinkStore(directory.database)
            #expect(Bool(false), "it is open")
        } catch {
            #expect(error == .isMissing(path: directory.database, beside: visits))
            #expect(error.words.advice.contains("waymark links restore"))
            #expect(error.words.advice.contains("rm \(visits)"), "\(error.words)")
        }
        if kind == "renamed" {
            #expect(!FileManager.default.fileExists(atPath: directory.database))
            try FileManager.default.moveItem(atPath: aside, toPath: directory.database)
            #expect(try LinkStore(directory.database).index.count == 40)
        } else {
            try FileManager.default.removeItem(atPath: visits)
            #expect(try LinkStore(directory.database).index.count == 0)
        }
    }

    @Test func `a log of transactions beside no store is not removed`() throws {
        try Data(repeating: 1, count: 100).write(to: URL(filePath: log))
        #expect(throws: StoreError.isMissing(path: directory.database, beside: log)) {
            _ = try LinkStore(directory.database)
        }
        #expect(try Data(contentsOf: URL(filePath: log)).count == 100)
    }
}
