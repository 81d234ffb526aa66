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

    /// What a link has is in memory once, also while it is changed, and after a start.
    @Test func aliasesCostWhatTheirSlugsCost() throws {
        let details = "{\"app\":{\"data\":{\"k\":\"\(String(repeating: "v", count: 15_000))\"}}}"
        let slugs = (0..<100).map { "alias\($0)" }
        do {
            let store = try LinkStore(directory.database)
            var link = content("https://a.example/")
            link.details = details
            let made = try create(store, "a", link).get()
            let before = store.index.bytes
            _ = try store.transaction { generation throws(StoreError) in
                try store.addAliases(
                    slugs, to: made.id, isExact: false, at: 2, generation: generation)
            }
            #expect(store.index.bytes - before < 100_000, "\(store.index.bytes)")
            for destination in ["https://a.example/2", "https://a.example/3"] {
                link.destination = destination
                _ = try store.transaction { generation throws(StoreError) in
                    try store.update(made.id, expected: nil, at: 3, generation: generation) { _ in
                        link
                    }
                }
                #expect(record(store, "alias7")?.destination == Array(destination.utf8))
            }
        }
        let store = try LinkStore(directory.database)
        #expect(store.index.bytes < 150_000, "\(store.index.bytes)")
        let found = try #require(record(store, "alias99"))
        #expect(found.slug == Array("alias99".utf8) && found.ownSlug == Array("a".utf8))
        #expect(found.details == Array(details.utf8) && found.state == .active)
        let taken = try create(store, "Alias5", content("https://a.example/"))
        #expect(taken == .failure(.slugTaken(by: "alias5", isDeleted: false)))
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

    /// As programs do that write a file anew and rename it: what was acknowledged meanwhile is in neither.
    @Test(arguments: [true, false])
    func aStoreWithoutANameIsKeptWhenItIsClosed(isReplaced: Bool) throws {
        let (path, manager) = (directory.database, FileManager.default)
        let other = directory.path + "/other.db"
        do {
            let store = try LinkStore(path)
            try create(store, "a", LinkContent())
            try store.backup(to: other)
            try create(store, "b", LinkContent())
            try manager.removeItem(atPath: path)
            if isReplaced { try manager.moveItem(atPath: other, toPath: path) }
            #expect(throws: StoreError.isKept(path: path, kept: path + ".replaced")) {
                try store.close()
            }
        }
        #expect(try LinkStore(path + ".replaced").index.count == 2)
        if isReplaced { #expect(try LinkStore(path).index.count == 1) }
    }

    @Test func aStoreUnderItsOtherNameIsNotCopied() throws {
        let (path, other) = (directory.database, directory.path + "/other.db")
        do {
            let store = try LinkStore(path)
            try create(store, "a", LinkContent())
            try FileManager.default.moveItem(atPath: path, toPath: other)
            try store.close()
        }
        #expect(!FileManager.default.fileExists(atPath: path + ".replaced"))
        #expect(try LinkStore(other).index.count == 1)
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
