import Files
import Foundation
import LinkIndex
import Testing

@testable import LinkStore

/// The file with the links that a node knows.
@Suite struct `The file of a base` {
    private let directory = StoreDirectory()
    private static let database = DatabaseName(hosts: ["a:5432", "b:5432"], name: "waymark")

    private var file: BaseFile { BaseFile("\(directory.path)/links.base", of: Self.database) }

    private func base(slugs: Int = 3, mark: [UInt8]? = [1, 2, 3, 4, 5, 6, 7, 8]) -> StoreBase {
        let short = CollectionName("short")
        var changes = [LinkRecord]()
        for number in 0..<slugs {
            changes.append(
                LinkRecord(
                    collection: short.number, id: UInt64(number + 1),
                    slug: Array("s\(number)".utf8),
                    destination: Array("https://www.example.com/\(number)".utf8)))
        }
        // Slugs that differ in letter case alone, of which four find room where they are looked for.
        for (number, slug) in ["aaa", "Aaa", "aAa", "aaA", "AAa", "AaA"].enumerated() {
            changes.append(
                LinkRecord(
                    collection: short.number, id: UInt64(slugs + number + 1),
                    slug: Array(slug.utf8), state: .deleted))
        }
        changes[0].details = Array(#"{"page":{"title":"Frühling"}}"#.utf8)
        (changes[1].from, changes[1].until) = (1_700_000_000, 1_800_000_000)
        var alias = changes[1]
        (alias.slug, alias.ownSlug) = (Array("ålias".utf8), changes[1].slug)
        return StoreBase(
            index: LinkIndex().changed(
                (changes + [alias]).compactMap(LinkChange.init), generation: 77),
            names: [short, CollectionName("site/other")], lastID: id(5), lastRow: 99,
            identity: Array(0..<16), history: KnownHistory(mark: mark, system: -7, timeline: 3))
    }

    private func records(_ index: LinkIndex) -> [[UInt8]] {
        var all = [[UInt8]]()
        index.forEach { record in all.append(record.indices.map { record[$0] }) }
        return all.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func write(_ base: StoreBase, at seconds: Int = 1_700_000_000) throws -> Int? {
        try file.write(base, asOf: seconds) { true }
    }

    @Test func `has all that was known`() throws {
        let base = base(slugs: 20_000)
        #expect(try file.read() == nil && file.history() == nil)
        // By that, its keeper knows that somebody has removed it.
        #expect(throws: FileError.missing) { try file.confirm(at: 1_700_000_000) }
        let bytes = try #require(try write(base))
        let (read, confirmed) = try #require(try file.read())
        #expect(confirmed == 1_700_000_000)
        #expect(read.index.generation == 77 && records(read.index) == records(base.index))
        #expect(read.index.count == 20_007)
        #expect(read.names == base.names && read.lastID == base.lastID && read.lastRow == 99)
        #expect(read.identity == base.identity && read.history == base.history)
        #expect(file.history() == base.history && read.version == base.version)
        let status = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(status[.posixPermissions] as? Int == 0o600 && status[.size] as? Int == bytes)
        try file.confirm(at: 1_700_000_600)
        #expect(try file.read()?.confirmed == 1_700_000_600)
        // A store without a link, and a server that tells of no history.
        let empty = StoreBase(
            index: LinkIndex(), names: [], lastID: nil, lastRow: 0, identity: [],
            history: KnownHistory(mark: nil, system: nil, timeline: nil))
        _ = try write(empty)
        let none = try #require(try file.read()).base
        #expect(none.index.count == 0 && none.lastID == nil && none.history == empty.history)
        #expect(none.version != base.version)
    }

    @Test func `that was cut or changed anywhere is not trusted in any part`() throws {
        _ = try write(base(slugs: 2))
        let whole = try Data(contentsOf: URL(filePath: file.path))
        func fault(_ bytes: Data) throws -> BaseFault? {
            try bytes.write(to: URL(filePath: file.path))
            do throws(BaseFault) {
                return try file.read() == nil ? .otherForm : nil
            } catch {
                return error
            }
        }
        #expect(try fault(whole) == nil)
        for count in 0..<whole.count {
            guard case .damaged = try fault(whole[..<count]) else {
                Issue.record("cut at \(count)")
                return
            }
        }
        #expect(try fault(whole + [0]) == .damaged("1 bytes follow its end"))
        for (index, byte) in whole.enumerated() {
            for bit in 0..<8 {
                var changed = whole
                changed[index] = byte ^ 1 << UInt8(bit)
                let found = try fault(changed)
                let expected = index < BaseFile.form.count
                guard expected ? found == .otherForm : found != nil && found != .otherForm else {
                    Issue.record("bit \(bit) of byte \(index): \(String(describing: found))")
                    return
                }
            }
        }
    }

    /// What somebody has written who knows the checksum is taken for what it is, and ends no process.
    @Test func `whose checksums fit to nonsense is refused`() throws {
        let base = base()
        var output = BaseOutput(BaseHead(base, of: Self.database))
        let nonsense: [UInt8] = [1, 2, 3]
        for _ in 0..<base.index.count { output.add(nonsense.span) }
        output.end()
        try Data(output.bytes).write(to: URL(filePath: file.path))
        #expect(throws: BaseFault.self) { try file.read() }
        // A head that names more than there is.
        for end in [[UInt8](repeating: 0xFF, count: 8), [UInt8](repeating: 0x7F, count: 8)] {
            let head = BaseHead(base, of: Self.database).bytes
            for start in stride(from: 0, to: head.count - 8, by: 1) {
                var changed = head
                changed.replaceSubrange(start..<start + 8, with: end)
                _ = try? BaseHead(changed)
            }
        }
    }

    @Test func `of another database is passed over, and of one that has moved is not`() throws {
        _ = try write(base())
        func read(_ hosts: [String], _ name: String) throws(BaseFault) -> Bool {
            try BaseFile(file.path, of: DatabaseName(hosts: hosts, name: name)).read() != nil
        }
        #expect(try read(["c:5432", "b:5432"], "waymark"))
        for (hosts, name) in [(["a:5432"], "other"), (["c:5432"], "waymark"), ([], "waymark")] {
            #expect(throws: BaseFault.ofOther(Self.database)) { try read(hosts, name) }
        }
        #expect(
            "\(BaseFault.ofOther(Self.database))" == "is of another database, a:5432,b:5432/waymark"
        )
    }

    @Test func `stays as it is where an attempt is given up, and what was left is removed`() throws
    {
        _ = try write(base())
        for pieces in [0, 1] {
            var asked = 0
            let given = try file.write(base(slugs: 60_000), asOf: 1) {
                asked += 1
                return asked <= pieces
            }
            #expect(given == nil)
        }
        #expect(try file.read()?.base.index.count == 10)
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        }
        #expect(try names() == ["links.base"])
        for name in ["links.base.17.new", "links.base.x.new", "links.base..new", "other.17.new"] {
            try Data().write(to: URL(filePath: "\(directory.path)/\(name)"))
        }
        file.removeDrafts()
        #expect(
            try names() == ["links.base", "links.base..new", "links.base.x.new", "other.17.new"])
        // A directory that is not there.
        let nowhere = BaseFile("\(directory.path)/none/links.base", of: Self.database)
        #expect(throws: FileError.missing) { try nowhere.write(base(), asOf: 1) { true } }
        #expect(try nowhere.read() == nil)
    }
}
