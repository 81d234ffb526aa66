import Foundation
import Glibc
import LinkIndex
import LinkStore
import SQLite
import Testing

/// A directory of its own, removed at the end.
final class StoreDirectory {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "waymark-store-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { path + "/links.db" }
}

@Suite struct LinkStoreTests {
    private let directory = StoreDirectory()
    private let short = CollectionName("short").number

    private func content(_ destination: String) -> LinkContent {
        var content = LinkContent()
        content.destination = destination
        return content
    }

    private func id(_ number: Int) -> LinkID {
        var random = SystemRandomNumberGenerator()
        return LinkID(milliseconds: 1_700_000_000_000 + number, random: &random)
    }

    @discardableResult
    private func create(
        _ store: LinkStore, _ slug: String, _ content: LinkContent, _ number: Int = 0,
        isExact: Bool = false
    ) throws -> Result<StoredLink, LinkConflict> {
        try store.transaction { generation throws(StoreError) in
            try store.create(
                id(number), "short", slug: slug, content, isExact: isExact, at: (100, 100),
                generation: generation)
        }
    }

    private func record(_ store: LinkStore, _ slug: String) -> LinkRecord? {
        var scratch = LinkLookup()
        let bytes = Array(slug.utf8)
        return store.index.find(short, bytes.span, isExact: true, &scratch)
            ? LinkRecord(scratch.record) : nil
    }

    @Test func aLinkIsInTheIndexAndInTheFileWhenItsTransactionEnds() throws {
        var all = content("https://www.example.com/spring?x=1")
        all.details = #"{"page":{"title":"Spring sale"}}"#
        all.tags = ["mail", "spring sale"]
        (all.note, all.from, all.until, all.externalID) = ("a note", 10, 20, "ext-1")
        let made: StoredLink
        do {
            let store = try LinkStore(directory.database)
            made = try create(store, "h7mtx3k9qz", all).get()
            #expect(made.generation == 1)
            #expect(record(store, "h7mtx3k9qz")?.destination == Array(all.destination!.utf8))
            #expect(try store.link(made.id) == made)
        }
        let store = try LinkStore(directory.database)
        #expect(try store.link(made.id) == made)
        #expect(try store.link(externalID: "ext-1") == made)
        #expect(try store.link("short", slug: "h7mtx3k9qz") == made)
        #expect(try store.link("short", slug: "H7mtx3k9qz") == nil)
        let found = record(store, "h7mtx3k9qz")
        #expect(found?.from == 10 && found?.until == 20)
        #expect(found?.details == Array(all.details!.utf8))
    }

    @Test(
        arguments: [
            // Slugs in the store and in the same transaction, the new one, letter case, the other.
            (["Ab"], [], "Ab", false, "Ab"), (["Ab"], [], "aB", false, "Ab"),
            (["Ab"], [], "aB", true, nil), (["Ab"], [], "Abc", false, nil),
            ([], ["Ab"], "aB", false, "Ab"), ([], ["Ab"], "aB", true, nil),
            ([], ["Ab"], "Ab", true, "Ab"),
        ] as [([String], [String], String, Bool, String?)])
    func aSlugIsTakenOnce(
        _ before: [String], _ same: [String], _ slug: String, _ isExact: Bool, _ other: String?
    ) throws {
        let store = try LinkStore(directory.database)
        for slug in before { try create(store, slug, content("https://a.example/"), isExact: true) }
        let result = try store.transaction { generation throws(StoreError) in
            for other in same {
                _ = try store.create(
                    id(1), "short", slug: other, LinkContent(), isExact: isExact, at: (1, 1),
                    generation: generation)
            }
            return try store.create(
                id(2), "short", slug: slug, LinkContent(), isExact: isExact, at: (1, 1),
                generation: generation)
        }
        switch result {
        case .success: #expect(other == nil)
        case .failure(let conflict):
            #expect(other.map { .slugTaken(by: $0, isDeleted: false) } == conflict)
        }
        let elsewhere = try store.transaction { generation throws(StoreError) in
            try store.create(
                id(3), "other", slug: slug, LinkContent(), isExact: isExact, at: (1, 1),
                generation: generation)
        }
        #expect((try? elsewhere.get()) != nil)
    }

    @Test func ofTwoEditorsOfOneGenerationOneWins() throws {
        let store = try LinkStore(directory.database)
        let link = try create(store, "a", content("https://a.example/1")).get()
        func edit(_ destination: String, expected: Int?) throws -> LinkEdit {
            try store.transaction { generation throws(StoreError) in
                try store.update(link.id, expected: expected, at: 200, generation: generation) {
                    var content = $0.content
                    content.destination = destination
                    return content
                }
            }
        }
        guard case .done(let second) = try edit("https://a.example/2", expected: link.generation)
        else { return #expect(Bool(false)) }
        #expect(second.generation > link.generation && second.updated == 200)
        #expect(try edit("https://a.example/3", expected: link.generation) == .changed(second))
        #expect(record(store, "a")?.destination == Array("https://a.example/2".utf8))
        // The same content again changes nothing, and so takes no generation.
        #expect(try edit("https://a.example/2", expected: nil) == .unchanged(second))
        #expect(store.index.generation == second.generation)
    }

    @Test func anAliasKnowsItsLinkAfterReading() throws {
        do {
            let store = try LinkStore(directory.database)
            let link = try create(store, "a", content("https://a.example/")).get()
            _ = try store.transaction { generation throws(StoreError) in
                try store.addAliases(
                    ["b", "c"], to: link.id, isExact: false, at: 2, generation: generation)
            }
        }
        let store = try LinkStore(directory.database)
        for alias in ["b", "c"] { #expect(record(store, alias)?.ownSlug == Array("a".utf8)) }
        #expect(record(store, "a") != nil && record(store, "a")?.ownSlug == nil)
        #expect(record(store, "c")?.destination == Array("https://a.example/".utf8))
    }

    @Test func aDeletedLinkKeepsItsSlugs() throws {
        let store = try LinkStore(directory.database)
        let link = try create(store, "a", content("https://a.example/")).get()
        let alias = try store.transaction { generation throws(StoreError) in
            try store.addAliases(["b"], to: link.id, isExact: false, at: 2, generation: generation)
        }
        guard case .done(let named) = alias else { return #expect(Bool(false)) }
        #expect(named.aliases == ["b"])
        #expect(record(store, "b")?.ownSlug == Array("a".utf8))
        #expect(record(store, "a") != nil && record(store, "a")?.ownSlug == nil)
        #expect(record(store, "b")?.destination == record(store, "a")?.destination)
        let deleted = try store.transaction { generation throws(StoreError) in
            try store.delete(link.id, expected: nil, at: 3, generation: generation)
        }
        guard case .done(let gone) = deleted else { return #expect(Bool(false)) }
        #expect(gone.deleted == 3 && gone.content == LinkContent())
        for slug in ["a", "b"] {
            #expect(record(store, slug)?.state == .deleted)
            #expect(
                try create(store, slug, LinkContent())
                    == .failure(.slugTaken(by: slug, isDeleted: true)))
        }
        let again = try store.transaction { generation throws(StoreError) in
            try store.delete(link.id, expected: nil, at: 4, generation: generation)
        }
        #expect(again == .missing)
        #expect(try store.links(LinkFilter(), after: nil, limit: 10).isEmpty)
    }

    @Test func aTransactionThatFailsChangesNothing() throws {
        let store = try LinkStore(directory.database)
        try create(store, "a", LinkContent())
        let generation = store.index.generation
        #expect(throws: StoreError.isFull) {
            try store.transaction { generation throws(StoreError) in
                _ = try store.create(
                    id(5), "short", slug: "b", LinkContent(), isExact: false, at: (1, 1),
                    generation: generation)
                throw StoreError.isFull
            }
        }
        #expect(record(store, "b") == nil && store.index.generation == generation)
        #expect(try store.link("short", slug: "b") == nil)
        #expect((try? create(store, "b", LinkContent()).get()) != nil)
    }

    @Test func linksAreListedInTheirOrderByPages() throws {
        let store = try LinkStore(directory.database)
        for number in 0..<25 {
            var content = content("https://www.example.com/\(number)")
            content.tags = number % 2 == 0 ? ["even", "all"] : ["all"]
            content.isDisabled = number == 3
            content.isArchived = number == 4
            try create(store, "s\(number)", content, number)
        }
        var (seen, last) = ([String](), LinkID?.none)
        while true {
            let page = try store.links(LinkFilter(), after: last, limit: 10)
            guard let end = page.last else { break }
            seen += page.map(\.slug)
            last = end.id
        }
        #expect(seen == (0..<25).filter { $0 != 4 }.map { "s\($0)" })
        func count(_ edit: (inout LinkFilter) -> Void) throws -> Int {
            var filter = LinkFilter()
            edit(&filter)
            return try store.links(filter, after: nil, limit: 100).count
        }
        #expect(try count { $0.includesArchived = true } == 25)
        #expect(try count { $0.tag = "even" } == 12)
        #expect(try count { $0.tag = "eve" } == 0)
        #expect(try count { $0.isDisabled = true } == 1)
        #expect(try count { $0.text = "EXAMPLE.com/7" } == 1)
        #expect(try count { $0.collection = "other" } == 0)
    }

    @Test func aStoreIsLookedAtInParts() throws {
        let store = try LinkStore(directory.database)
        for number in 0..<25 {
            try create(store, "s\(number)", content("https://www.example.com/\(number)"), number)
        }
        let all = try store.links(LinkFilter(), after: nil, limit: 100)
        var (filter, other) = (LinkFilter(), LinkFilter())
        filter.text = "/24"
        other.collection = "other"
        #expect(try store.link(filter, after: nil, rows: 10) == all[9].id)
        #expect(try store.link(filter, after: all[9].id, rows: 10) == all[19].id)
        #expect(try store.link(filter, after: all[19].id, rows: 5) == all[24].id)
        #expect(try store.link(filter, after: all[19].id, rows: 6) == nil)
        #expect(try store.link(other, after: nil, rows: 1) == nil)
        #expect(
            try store.links(filter, after: all[9].id, upTo: all[19].id, limit: 10).isEmpty)
        #expect(try store.links(filter, after: all[19].id, limit: 10).map(\.id) == [all[24].id])
    }

    /// What one token may have kept is bounded, whatever it asks for.
    @Test(arguments: [(50_002, 10), (40, 1 << 20)])
    func answersThatAreKeptHaveABudget(_ count: Int, _ bytes: Int) throws {
        let store = try LinkStore(directory.database)
        let content = String(repeating: "x", count: bytes)
        func keep(_ key: String, actor: Int, at now: Int) throws(StoreError) {
            let answer = RepeatedAnswer(request: [1], status: 201, fields: "", content: content)
            try store.transaction { _ throws(StoreError) in
                try store.keep(answer, actor: actor, key: key, until: now + 86_400, at: now)
            }
        }
        func isKept(_ key: String, actor: Int, at now: Int) throws -> Bool {
            try store.answer(actor: actor, key: key, at: now) != nil
        }
        try keep("0", actor: 2, at: 0)
        try store.transaction { _ throws(StoreError) in
            for number in 0..<count { try keep("\(number)", actor: 1, at: number / 1_000) }
        }
        // The newest are kept, the oldest are not, and nobody else's is touched.
        #expect(try isKept("\(count - 1)", actor: 1, at: 100))
        #expect(try isKept("\(count / 2)", actor: 1, at: 100))
        #expect(try !isKept("0", actor: 1, at: 100))
        #expect(try isKept("0", actor: 2, at: 100))
        #expect(try !isKept("0", actor: 2, at: 86_400))
    }

    @Test func aSecondProcessIsKeptOut() throws {
        let store = try LinkStore(directory.database)
        #expect(throws: StoreError.isServed(path: directory.database)) {
            _ = try LinkStore(directory.database)
        }
        try store.close()
    }

    @Test(arguments: ["symbolic", "hard", "renamed"])
    func theLockFollowsTheFile(_ kind: String) throws {
        let store = try LinkStore(directory.database)
        try create(store, "a", content("https://a.example/"))
        let other = directory.path + "/other.db"
        let files = FileManager.default
        switch kind {
        case "symbolic":
            try files.createSymbolicLink(atPath: other, withDestinationPath: "links.db")
        case "hard": try files.linkItem(atPath: directory.database, toPath: other)
        default: try files.moveItem(atPath: directory.database, toPath: other)
        }
        #expect(throws: StoreError.isServed(path: other)) { _ = try LinkStore(other) }
        if kind == "renamed" { try files.moveItem(atPath: other, toPath: directory.database) }
        try create(store, "b", content("https://b.example/"))
        try store.close()
    }

    @Test func aStoreBehindASymbolicLinkIsServedOnce() throws {
        let other = directory.path + "/real.db"
        try LinkStore(other).close()
        try FileManager.default.createSymbolicLink(
            atPath: directory.database, withDestinationPath: "real.db")
        let store = try LinkStore(directory.database)
        try create(store, "a", content("https://a.example/"))
        #expect(throws: StoreError.isServed(path: other)) { _ = try LinkStore(other) }
        try store.close()
    }

    @Test func whatOfAPathIsMissingIsTold() throws {
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: directory.database, withDestinationPath: "real.db")
        func fact(_ path: String) -> String {
            var found = ""
            do throws(StoreError) { _ = try LinkStore(path) } catch { found = error.words.fact }
            #expect(findStoreFault(path)?.words.fact == found)
            return found
        }
        #expect(
            fact(directory.database).hasSuffix(
                "is a symbolic link to a file that does not exist; name the file itself, or create "
                    + "it, empty"))
        #expect(
            fact(directory.path + "/none/links.db").hasSuffix(
                "the directory does not exist"))
        #expect(files.createFile(atPath: directory.path + "/real.db", contents: nil))
        #expect(findStoreFault(directory.database) == nil)
        let store = try LinkStore(directory.database)
        try create(store, "a", content("https://a.example/"))
        // Nor can a copy be written where there is no directory.
        #expect(
            throws: StoreError.cannotOpen(
                path: directory.path + "/none/copy",
                "the directory does not exist")
        ) { try store.backup(to: directory.path + "/none/copy") }
        try store.close()
    }

    @Test func otherFilesAreRefusedAndLeftAsTheyAre() throws {
        let text = Data("A text that is no database, long enough to be read as a header.".utf8)
        try text.write(to: URL(fileURLWithPath: directory.database))
        #expect(throws: StoreError.isForeign(path: directory.database)) {
            _ = try LinkStore(directory.database)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: directory.database)) == text)
        let other = directory.path + "/other.db"
        try SQLiteDatabase(other, .create).execute("CREATE TABLE t (a)")
        #expect(throws: StoreError.isForeign(path: other)) { _ = try LinkStore(other) }
        let pipe = directory.database + ".pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let within = directory.database + ".within"
        try FileManager.default.createDirectory(atPath: within, withIntermediateDirectories: true)
        for (path, kind) in [(pipe, "a pipe"), (within, "a directory"), ("/dev/null", "a device")] {
            let error = #expect(throws: StoreError.isNoFile(path: path, kind)) {
                _ = try LinkStore(path)
            }
            // Without opening it, the same is known.
            #expect(findStoreFault(path) == error)
            // No link was read.
            #expect(error?.words.fact.contains("\(kind), and not a file") == true)
            #expect(error?.words.advice.contains("as before") == false)
            #expect(
                path.hasPrefix("/dev/") || !FileManager.default.fileExists(atPath: path + ".lock"))
        }
        #expect(throws: StoreError.self) { _ = try LinkStore(directory.path + "/none/links.db") }
    }

    @Test func aNewerStoreIsRefused() throws {
        try LinkStore(directory.database).close()
        try SQLiteDatabase(directory.database, .readWrite).execute("PRAGMA user_version = 9")
        #expect(throws: StoreError.isNewer(path: directory.database, schema: 9)) {
            _ = try LinkStore(directory.database)
        }
    }

    @Test func aDamagedStoreIsRefused() throws {
        do {
            let store = try LinkStore(directory.database)
            for number in 0..<500 {
                try create(store, "s\(number)", content("https://a.example/\(number)"), number)
            }
            try store.close()
        }
        let file = URL(fileURLWithPath: directory.database)
        var bytes = try Data(contentsOf: file)
        for index in stride(from: 8_192, to: bytes.count, by: 64) { bytes[index] ^= 0xFF }
        try bytes.write(to: file)
        do {
            try LinkStore(directory.database).check()
            #expect(Bool(false), "it is whole")
        } catch {
            guard case .isDamaged = error else { return #expect(Bool(false), "\(error)") }
        }
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test func aStoreThatWasRemovedOrReplacedTakesNoChange() throws {
        let store = try LinkStore(directory.database)
        let link = try create(store, "a", content("https://a.example/")).get()
        let other = directory.path + "/other.db"
        try FileManager.default.moveItem(atPath: directory.database, toPath: other)
        #expect(throws: StoreError.isGone(path: directory.database)) {
            try create(store, "b", LinkContent())
        }
        #expect(store.failure == .isGone(path: directory.database))
        try Data(contentsOf: URL(fileURLWithPath: other)).write(
            to: URL(fileURLWithPath: directory.database))
        #expect(throws: StoreError.isGone(path: directory.database)) {
            try create(store, "b", LinkContent())
        }
        #expect(try store.link(link.id) == link)
        try FileManager.default.removeItem(atPath: directory.database)
        try FileManager.default.moveItem(atPath: other, toPath: directory.database)
        _ = try create(store, "b", LinkContent()).get()
        #expect(store.failure == nil)
    }

    @Test func aBackupIsAStoreOfItsOwn() throws {
        let store = try LinkStore(directory.database)
        let link = try create(store, "a", content("https://a.example/")).get()
        let copy = directory.path + "/copy.db"
        try store.backup(to: copy)
        try create(store, "b", LinkContent())
        let other = try LinkStore(copy)
        #expect(try other.link("short", slug: "a") == link)
        #expect(try other.link("short", slug: "b") == nil)
        #expect(other.index.count == 1)
    }

    @Test func identitiesAreReadAsTheyAreWritten() {
        let id = id(7)
        #expect(LinkID(id.description) == id)
        #expect(LinkID(id.description.uppercased()) == id)
        #expect(LinkID(String(id.description.dropLast())) == nil)
        #expect(LinkID(id.description.replacingOccurrences(of: "-", with: "")) == nil)
        #expect(LinkID("") == nil)
        #expect(Array(id.description)[14] == "7")
    }
}
