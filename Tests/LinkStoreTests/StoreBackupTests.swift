import Foundation
import LinkIndex
import SQLite
import Testing
import Visits

@testable import LinkStore

@Suite("Backups of links and visits")
struct StoreBackupTests {
    private let directory = StoreDirectory()
    private let hour = 24 * 20_000 + 7
    private var copy: String { directory.path + "/links.db.20261125T180000.000Z.backup" }

    private func create(_ store: LinkStore, _ slug: String) throws -> Int {
        var random = SystemRandomNumberGenerator()
        let id = store.makeID(milliseconds: 1_700_000_000_000, &random)
        _ = try store.transaction { generation throws(StoreError) in
            try store.create(
                id, "short", slug: slug, LinkContent(), isExact: false, at: (100, 100),
                generation: generation)
        }
        return try #require(try store.number(of: id))
    }

    private func visit(_ visits: SharedVisits, _ link: Int, _ count: Int) throws {
        var batch = VisitBatch()
        batch.add(VisitKey(link: link, hour: hour, .visit), count)
        let day = LinkDay(link: link, day: hour / 24)
        for hash in 1...UInt32(count) {
            batch.add(visitor: .init(key: day.packed, number: hash, count: 1))
        }
        let added = VisitAddition(batch)
        try visits.use { store throws(StoreError) in try added.add(to: store) }
    }

    /// A batch, which cannot be captured.
    private final class VisitAddition: Sendable {
        private let piece: [UInt8]
        init(_ batch: borrowing VisitBatch) { piece = VisitPiece(batch).bytes }
        func add(to store: any CountedVisits) throws(StoreError) {
            var batch = VisitBatch()
            guard let piece = VisitPiece(piece) else { return }
            for slot in piece.counts { batch.add(slot) }
            for slot in piece.visitors { batch.add(visitor: slot) }
            try store.add(batch)
        }
    }

    private func count(_ visits: SharedVisits, _ link: Int) throws -> Int {
        try visits.use { store throws(StoreError) in
            try store.visits(of: link, hour..<hour + 1, by: .hour).first?.counts[.visit] ?? 0
        }
    }

    private func open(_ store: LinkStore) throws -> SharedVisits {
        let visits = SharedVisits()
        let opened = try visits.open(store.path + ".visits", of: store.identity)
        store.skipNumbers(to: opened.greatestLink)
        return visits
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test func `a backup has links and visits, and nothing that tells visitors apart`() throws {
        do {
            let store = try LinkStore(directory.database)
            let visits = try open(store)
            let link = try create(store, "a")
            _ = try visits.use { file throws(StoreError) in
                try file.salts(day: hour / 24) { _ in [UInt8](repeating: 1, count: 16) }
            }
            try visit(visits, link, 5)
            try visits.use { file throws(StoreError) in
                try file.beginMoving()
                while file.isMoving { try file.moveNext() }
            }
            try visit(visits, link, 2)
            // What other processes have left.
            let endings = [".part", ".part-journal", ".part.4711.new", ".visits.part-journal"]
            for draft in endings.map({ copy + $0 }) + [directory.path + "/links.db.part"] {
                try Data().write(to: URL(filePath: draft))
            }
            let backup = try StoreBackup(of: store, visits, to: copy)
            #expect(backup.visitsError == nil)
            #expect(throws: StoreError.self) { try StoreBackup(of: store, visits, to: copy) }
        }
        #expect(try !names().contains { $0.contains(".part") })
        for (sql, expected) in [
            ("SELECT count(*) FROM salt", 0),
            ("SELECT count(*) FROM visitor WHERE sketch IS NOT NULL", 0),
            ("SELECT count FROM visitor", 5), ("SELECT sum(count) FROM hour WHERE link = 1", 5),
            ("SELECT sum(count) FROM hour WHERE link = 0", 7),
        ] {
            let row = try SQLiteDatabase(copy + ".visits", .readWrite).prepare(sql)
            #expect(try row.step())
            #expect(row.integer(0) == expected, "\(sql)")
        }
        // It can be served.
        let store = try LinkStore(copy)
        let visits = try open(store)
        #expect(try count(visits, 1) == 7 && count(visits, 0) == 7)
    }

    @Test func `a restored store shows no visits of links that it never had`() throws {
        do {
            let store = try LinkStore(directory.database)
            let visits = try open(store)
            try visit(visits, create(store, "a"), 1)
            _ = try StoreBackup(of: store, nil, to: copy)
            try visit(visits, create(store, "b"), 9)
            try store.close()
            visits.close()
        }
        let restored = try StoreRestore(copy, to: directory.database)
        #expect(!restored.hasVisits && restored.kept == [directory.database + ".replaced"])
        let store = try LinkStore(directory.database)
        let visits = try open(store)
        let link = try create(store, "c")
        #expect(try link == 3 && count(visits, link) == 0 && count(visits, 1) == 1)
        #expect(try LinkStore(directory.database + ".replaced").index.count == 2)
    }

    @Test func `both files are restored`() throws {
        do {
            let store = try LinkStore(directory.database)
            let visits = try open(store)
            try visit(visits, create(store, "a"), 5)
            _ = try StoreBackup(of: store, visits, to: copy)
            try visit(visits, create(store, "b"), 9)
            #expect(throws: StoreError.isServed(path: directory.database)) {
                try StoreRestore(copy, to: directory.database)
            }
        }
        let restored = try StoreRestore(copy, to: directory.database)
        #expect(restored.hasVisits && restored.kept.count == 2)
        let store = try LinkStore(directory.database)
        let visits = try open(store)
        #expect(store.index.count == 1)
        #expect(try count(visits, 1) == 5 && count(visits, 2) == 0)
    }

    @Test func `the visits of a store that was replaced come back with it`() throws {
        let path = directory.database
        do {
            let store = try LinkStore(path)
            let visits = try open(store)
            try visit(visits, create(store, "a"), 5)
            _ = try StoreBackup(of: store, visits, to: copy)
            try visit(visits, 1, 9)
            try store.close()
            visits.close()
        }
        func expect(_ expected: Int) throws {
            let store = try LinkStore(path)
            let visits = try open(store)
            #expect(try count(visits, 1) == expected)
            try store.close()
            visits.close()
        }
        // The visits of another store were put aside, so that both names have a number.
        try Data("another".utf8).write(to: URL(filePath: path + ".visits.replaced"))
        var kept = try StoreRestore(copy, to: path).kept
        #expect(kept.sorted() == [path + ".replaced-2", path + ".visits.replaced-2"])
        try expect(5)
        kept = try StoreRestore(path + ".replaced-2", to: path).kept
        #expect(kept.sorted() == [path + ".replaced-3", path + ".visits.replaced-3"])
        try expect(14)
        // Without visits of its own, those that are there stay.
        try FileManager.default.removeItem(atPath: copy + ".visits")
        #expect(StoreRestore.visits(of: copy) == copy + ".visits")
        #expect(try StoreRestore(copy, to: path).kept == [path + ".replaced-4"])
        try expect(14)
        #expect(try !StoreRestore(path + ".replaced-4", to: path).hasVisits)
        try expect(14)
    }

    @Test func `visits of another store are not restored with links`() throws {
        let path = directory.database
        let other = directory.path + "/other.db"
        for store in [other, path] {
            let store = try LinkStore(store)
            let visits = try open(store)
            try visit(visits, create(store, "a"), 5)
            if store.path == path { _ = try StoreBackup(of: store, visits, to: copy) }
            try store.close()
            visits.close()
        }
        // What a start moves aside, with a name that is also that of visits of a replaced store.
        try FileManager.default.moveItem(
            atPath: other + ".visits", toPath: path + ".visits.replaced")
        try FileManager.default.copyItem(atPath: copy, toPath: path + ".replaced")
        let wrong = StoreError.countsOthers(
            path: path + ".visits.replaced", links: path + ".replaced")
        #expect(throws: wrong) { try StoreRestore(path + ".replaced", to: path) }
        #expect(try StoreRestore(copy, to: path).hasVisits)
        let store = try LinkStore(path)
        #expect(try count(open(store), 1) == 5)
    }

    @Test(arguments: ["", ".visits"])
    func `a file is not put in the place of a symbolic link`(ending: String) throws {
        let target = directory.path + "/target.db"
        do {
            let store = try LinkStore(target)
            try store.backup(to: copy)
            _ = try create(store, "a")
            try store.close()
        }
        let path = ending.isEmpty ? directory.database : target
        try FileManager.default.createSymbolicLink(
            atPath: path + ending, withDestinationPath: ending.isEmpty ? "target.db" : "other")
        #expect(throws: StoreError.isNoFile(path: path + ending, "a symbolic link")) {
            try StoreRestore(copy, to: path)
        }
        #expect(try LinkStore(target).index.count == 1)
        try FileManager.default.removeItem(atPath: path + ending)
        #expect(try StoreRestore(copy, to: target).kept == [target + ".replaced"])
        #expect(try LinkStore(target).index.count == 0)
    }

    @Test(
        arguments: [
            ("links.db.replaced", "links.db.visits.replaced"),
            ("a/links.db.replaced-12", "a/links.db.visits.replaced-12"),
            (".replaced", ".visits.replaced"),
            ("links.db.replaced-", nil), ("links.db.replaced2", nil), ("links.db", nil), ("7", nil),
            ("", nil),
        ] as [(String, String?)])
    func `visits that were replaced have the number of their store`(path: String, visits: String?) {
        #expect(StoreReplacement.visits(besides: path) == visits)
    }

    @Test func `of two restores at once, one waits for the other`() throws {
        try LinkStore(directory.database).backup(to: copy)
        do {
            let locks = try StoreLocks(directory.database)
            let path = directory.database
            #expect(throws: StoreError.isRestored(path: path)) { try StoreRestore(copy, to: path) }
            #expect(throws: StoreError.isRestored(path: path)) { _ = try LinkStore(path) }
            #expect(throws: StoreError.isRestored(path: path + ".visits")) {
                _ = try VisitStore(path + ".visits")
            }
            withExtendedLifetime(locks) {}
        }
        do {
            let store = try LinkStore(directory.database)
            #expect(throws: StoreError.isServed(path: directory.database)) {
                try StoreRestore(copy, to: directory.database)
            }
            try store.close()
        }
        #expect(try StoreRestore(copy, to: directory.database).kept.count == 1)
    }

    @Test func `what was replaced is put back`() throws {
        let (links, visits) = (directory.path + "/links", directory.path + "/links.visits")
        func write(_ text: String, _ path: String) throws {
            try Data(text.utf8).write(to: URL(filePath: path))
        }
        func read(_ path: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        }
        try write("visits before", visits)
        try write("other visits", visits + ".part")
        try write("links before", links)
        let ending = StoreReplacement.ending(for: [links, visits])
        var first = try StoreReplacement(of: visits, by: visits + ".part", ending: ending)
        // There is no such draft.
        var second = try StoreReplacement(of: links, by: links + ".part", ending: ending)
        try first.carryOut()
        #expect(try read(visits) == "other visits" && read(visits + ".replaced") == "visits before")
        #expect(throws: StoreError.self) { try second.carryOut() }
        #expect(second.undo())
        #expect(first.undo())
        #expect(try read(visits) == "visits before" && read(links) == "links before")
        #expect(try names().allSatisfy { !$0.contains(".replaced") })
        // Where there was no file, there is none.
        try write("new", links + ".part")
        var third = try StoreReplacement(
            of: directory.path + "/none", by: links + ".part", ending: ending)
        try third.carryOut()
        #expect(third.kept == nil)
        #expect(third.undo())
        #expect(try names().allSatisfy { $0 != "none" })
    }

    @Test func `a restore that was interrupted is repeated, and keeps the file before once`() throws
    {
        do {
            let store = try LinkStore(directory.database)
            try store.backup(to: copy)
            _ = try create(store, "a")
            try store.close()
        }
        let path = directory.database
        try FileManager.default.linkItem(atPath: path, toPath: path + ".replaced")
        #expect(try StoreRestore(copy, to: path).kept == [path + ".replaced"])
        #expect(try LinkStore(path + ".replaced").index.count == 1)
        // The name has another file now.
        #expect(try StoreRestore(copy, to: path).kept == [path + ".replaced-2"])
        // What was undone is a restore of the file before.
        #expect(try StoreRestore(path + ".replaced", to: path).kept == [path + ".replaced-3"])
        #expect(try LinkStore(path).index.count == 1)
    }

    @Test func `a file that is no backup replaces nothing`() throws {
        do { _ = try create(LinkStore(directory.database), "a") }
        let files: [(String, Data)] = [
            ("empty", Data()), ("text", Data(repeating: 65, count: 5_000)),
        ]
        for (name, content) in files {
            let path = directory.path + "/" + name
            try content.write(to: URL(filePath: path))
            #expect(throws: StoreError.isForeign(path: path, .links)) {
                try StoreRestore(path, to: directory.database)
            }
        }
        let path = directory.path + "/newer"
        try SQLiteDatabase(path, .create).execute(
            "PRAGMA application_id = 0x574D4C4B; PRAGMA user_version = 99; CREATE TABLE x (y)")
        #expect(throws: StoreError.isNewer(path: path, schema: 99, .links)) {
            try StoreRestore(path, to: directory.database)
        }
        #expect(try LinkStore(directory.database).index.count == 1)
        #expect(try !names().contains { $0.hasSuffix(".part") || $0.contains(".replaced") })
    }

    @Test func `what a restored backup does not answer is said, and a table that it lacks`() throws
    {
        do {
            let store = try LinkStore(directory.database)
            for slug in ["a", "b", "c"] { _ = try create(store, slug) }
            try store.backup(to: copy)
        }
        try SQLiteDatabase(copy, .readWrite).execute(
            "UPDATE link SET destination = char(7) WHERE slug <> 'a'")
        let restored = try StoreRestore(copy, to: directory.database)
        #expect(restored.unanswered.count == 2)
        #expect(restored.unanswered.fact?.contains("of \"b\"") == true)
        #expect(try LinkStore(directory.database).unanswered == restored.unanswered)
        try SQLiteDatabase(copy, .readWrite).execute("DROP TABLE audit")
        let damaged = StoreError.isDamaged(path: copy, "no such table: audit (SQLite 1)")
        #expect(throws: damaged) { try StoreRestore(copy, to: directory.database) }
        #expect(throws: StoreError.isNoFile(path: directory.path, "a directory")) {
            try StoreRestore(directory.path, to: directory.database)
        }
        let pipe = directory.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: StoreError.isNoFile(path: pipe, "a pipe")) {
            try StoreRestore(pipe, to: directory.database)
        }
    }

    // MARK: Tokens

    private func add(_ name: String, at time: Int, to store: LinkStore) throws -> Int {
        try store.transaction { _ throws(StoreError) in
            try store.add(
                StoredToken(
                    name: name, ending: "\(name)x", scopes: [.linksRead], collections: nil,
                    created: time, createdBy: "local", expires: nil), hash: Array(name.utf8)
            ).id
        }
    }

    private func remove(_ number: Int, from store: LinkStore) throws {
        #expect(try store.transaction { _ throws(StoreError) in try store.removeToken(number) })
    }

    @Test func `tokens that were removed since the backup stay removed`() throws {
        do {
            let store = try LinkStore(directory.database)
            _ = try create(store, "a")
            let stolen = try add("stolen", at: 5, to: store)
            _ = try add("kept", at: 7, to: store)
            try store.backup(to: copy)
            try remove(stolen, from: store)
            _ = try add("new", at: 9, to: store)
        }
        let before = try Data(contentsOf: URL(filePath: copy))
        let tokens = try StoreRestore(copy, to: directory.database).tokens
        #expect(tokens.count == 1 && tokens.lastMade == 7 && tokens.knowsRemovals)
        #expect(tokens.removed.map(\.name) == ["stolen"])
        #expect(tokens.removed.map(\.ending) == ["stolenx"])
        let store = try LinkStore(directory.database)
        #expect(try store.tokens().map(\.name) == ["kept"] && store.index.count == 1)
        // No number is used again, also not that of a token that the backup lacks.
        #expect(try add("next", at: 11, to: store) == 4)
        #expect(try Data(contentsOf: URL(filePath: copy)) == before)
    }

    /// - Parameter isRestored: whether the older backup is restored, or its file put in the place of the store.
    @Test(
        "a backup that is newer than the store keeps its tokens, unless a restore has ended them",
        arguments: [false, true])
    func newerBackup(isRestored: Bool) throws {
        let first = directory.path + "/first.backup"
        do {
            let store = try LinkStore(directory.database)
            _ = try create(store, "a")
            try store.backup(to: first)
            _ = try add("late", at: 5, to: store)
            try store.backup(to: copy)
            try store.close()
        }
        if isRestored {
            _ = try StoreRestore(first, to: directory.database)
        } else {
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: directory.database + end)
            }
            try FileManager.default.copyItem(atPath: first, toPath: directory.database)
        }
        let tokens = try StoreRestore(copy, to: directory.database).tokens
        #expect(tokens.knowsRemovals && tokens.count == (isRestored ? 0 : 1))
        #expect(tokens.removed.map(\.name) == (isRestored ? ["late"] : []))
        let store = try LinkStore(directory.database)
        #expect(try store.tokens().map(\.name) == (isRestored ? [] : ["late"]))
    }

    @Test(arguments: ["missing", "another", "damaged"])
    func `which tokens were removed is known of the same store only`(kind: String) throws {
        do {
            let store = try LinkStore(directory.database)
            let number = try add("stolen", at: 5, to: store)
            try store.backup(to: copy)
            try remove(number, from: store)
            try store.close()
        }
        switch kind {
        case "missing":
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: directory.database + end)
            }
        case "another":
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: directory.database + end)
            }
            let other = try LinkStore(directory.database)
            _ = try add("theirs", at: 5, to: other)
            try other.close()
        default:
            try Data(repeating: 65, count: 8_192).write(to: URL(filePath: directory.database))
        }
        let tokens = try StoreRestore(copy, to: directory.database).tokens
        #expect(!tokens.knowsRemovals && tokens.removed.isEmpty && tokens.count == 1)
        #expect(try LinkStore(directory.database).tokens().map(\.name) == ["stolen"])
    }

    @Test("a backup that was cut off restores nothing", arguments: [1, 100, 1_000, 4_095, 4_096])
    func cutOff(_ missing: Int) throws {
        do {
            let store = try LinkStore(directory.database)
            for number in 0..<200 { _ = try create(store, "s\(number)") }
            try store.backup(to: copy)
        }
        let whole = try Data(contentsOf: URL(filePath: copy))
        try whole.dropLast(missing).write(to: URL(filePath: copy))
        let error = #expect(throws: StoreError.self) {
            try StoreRestore(copy, to: directory.database)
        }
        guard case .isDamaged(copy, _)? = error else {
            return #expect(Bool(false), "\(error.map { "\($0)" } ?? "")")
        }
        #expect(try LinkStore(directory.database).index.count == 200)
    }

    @Test func `two backups in one millisecond have two names`() throws {
        let first = StoreBackup.freePath(copy, milliseconds: 999)
        #expect(first == "\(copy).999Z.backup")
        try Data().write(to: URL(filePath: first))
        #expect(StoreBackup.freePath(copy, milliseconds: 999) == "\(copy).000Z.backup")
    }

    @Test func `visits of another store are moved aside`() throws {
        do {
            let store = try LinkStore(directory.database)
            try visit(open(store), create(store, "a"), 5)
        }
        let other = StoreDirectory()
        defer { withExtendedLifetime(other) {} }
        let store = try LinkStore(other.database)
        try FileManager.default.copyItem(
            atPath: directory.database + ".visits", toPath: other.database + ".visits")
        let visits = SharedVisits()
        let aside = try visits.open(other.database + ".visits", of: store.identity).aside
        #expect(aside == other.database + ".visits.replaced")
        #expect(try count(visits, 1) == 0)
    }

    /// As `cp` does it, without another file.
    /// Behind a thousand pages of the log, SQLite writes them into the file.
    @Test func `a checkpoint behind commits that change no link is no other program's`() throws {
        let store = try LinkStore(directory.database)
        for _ in 0..<1_500 { try store.transaction { _ in } }
        #expect(try create(store, "a") > 0)
        store.checkFile()
        #expect(store.failure == nil)
    }

    @Test func `a file that is overwritten is noticed, and not written`() throws {
        let store = try LinkStore(directory.database)
        _ = try create(store, "a")
        try store.backup(to: copy)
        for number in 0..<50 { _ = try create(store, "b\(number)") }
        store.checkFile()
        #expect(store.failure == nil)
        let handle = try FileHandle(forWritingTo: URL(filePath: directory.database))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(contentsOf: URL(filePath: copy)))
        try handle.close()
        store.checkFile()
        #expect(store.failure == .isOverwritten(path: directory.database))
        #expect(throws: StoreError.isOverwritten(path: directory.database)) {
            try create(store, "c")
        }
        // Of what is in memory.
        try store.backup(to: copy + "2")
        #expect(try LinkStore(copy + "2").index.count == 51)
        #expect(store.index.count == 51)
        try store.close()
        let content = try Data(contentsOf: URL(filePath: directory.database))
        #expect(try content == Data(contentsOf: URL(filePath: copy)))
        #expect(try !names().contains("links.db-wal"))
    }
}
