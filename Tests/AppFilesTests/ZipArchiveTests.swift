import Compression
import Testing

@testable import AppFiles

/// Writes archives, also ones that lie.
struct ZipBuilder {
    var members = [(name: String, method: Int, data: [UInt8], size: Int)]()
    var comment = [UInt8]()
    /// Between the list of members and its end.
    var gap = [UInt8]()
    var localName: String?
    var localMethod: Int?
    /// The compressed size that the 64-bit extra field of a member's own header has; nil for none.
    var longSize: Int?
    var flags = 0
    var total: Int?
    var crc: Int?

    init(_ members: [(String, [UInt8])] = []) {
        for (name, data) in members { add(name, data) }
    }

    mutating func add(_ name: String, _ data: [UInt8], method: Int = 0, size: Int? = nil) {
        members.append((name, method, data, size ?? data.count))
    }

    private func little(_ size: Int, _ number: Int) -> [UInt8] {
        (0..<size).map { UInt8(number >> (8 * $0) & 0xFF) }
    }

    var bytes: [UInt8] {
        var (body, list) = ([UInt8](), [UInt8]())
        for member in members {
            let offset = body.count
            let name = Array((localName ?? member.name).utf8)
            let sizes = little(4, member.data.count) + little(4, member.size)
            let extra =
                longSize.map {
                    little(2, 9) + little(2, 1) + [0] + little(2, 1) + little(2, 16)
                        + little(8, member.size) + little(8, $0)
                }
                ?? []
            body += little(4, 0x0403_4B50) + little(2, 20) + little(2, flags)
            body += little(2, localMethod ?? member.method) + little(4, 0) + little(4, 0)
            body += longSize == nil ? sizes : little(4, 0xFFFF_FFFF) + little(4, 0xFFFF_FFFF)
            body += little(2, name.count) + little(2, extra.count) + name + extra + member.data
            list += little(4, 0x0201_4B50) + little(4, 20) + little(2, flags)
            list += little(2, member.method) + little(4, 0)
            list += little(4, crc ?? Int(crc32(of: member.data))) + sizes
            list += little(2, member.name.utf8.count) + little(12, 0) + little(4, offset)
            list += Array(member.name.utf8)
        }
        let count = total ?? members.count
        return body + list + gap + little(4, 0x0605_4B50) + little(4, 0) + little(2, count)
            + little(2, count) + little(4, list.count) + little(4, body.count)
            + little(2, comment.count) + comment
    }

    func archive() throws -> ZipArchive { try ZipArchive(ByteSource(bytes)) }
}

@Suite("Zip archives")
struct ZipArchiveTests {
    private let two = ZipBuilder([("a", [1, 2, 3]), ("b/c", [4])])

    private func fact(_ read: () throws -> Void) -> String? {
        do {
            try read()
            return nil
        } catch {
            return (error as? FormatFault)?.fact
        }
    }

    @Test func `members are found by the list at the end`() throws {
        var builder = two
        builder.comment = Array("a comment".utf8)
        let archive = try builder.archive()
        #expect(archive.names.sorted() == ["a", "b/c"])
        #expect(try archive.member("a").readWhole() == [1, 2, 3])
        #expect(fact { _ = try archive.member("c") } == "has no member \"c\"")
    }

    @Test func `a deflated member is read in parts, forwards and again`() throws {
        let archive = try ZipArchive(ByteSource(Made.bytes("shop.ipa")))
        let member = try archive.member("Payload/Shop.app/Shop")
        let whole = try member.readWhole()
        #expect(whole == (try Made.bytes("fat")))
        for range in [0..<4, 100..<300, 300..<301, 0..<10, whole.count - 1..<whole.count] {
            #expect(try member.read(range) == Array(whole[range]))
        }
        #expect(fact { _ = try member.read(0..<whole.count + 1) }?.contains("ends early") == true)
    }

    @Test func `two members of one name are refused`() {
        let builder = ZipBuilder([("a", [1]), ("a", [2])])
        #expect(
            fact { _ = try builder.archive() } == "is a zip archive with two members of one name")
    }

    @Test func `bytes before the end that no reader expects are refused`() {
        var builder = two
        builder.gap = [0]
        #expect(
            fact { _ = try builder.archive() }
                == "is a zip archive with bytes between its list of members and its end")
    }

    @Test func `the 64-bit form is refused`() {
        var builder = two
        builder.total = 0xFFFF
        #expect(fact { _ = try builder.archive() } == "is a zip archive in its 64-bit form")
    }

    @Test("a small member may have its size in the 64-bit form", arguments: [3, 4, 0])
    func longSize(_ size: Int) throws {
        var builder = ZipBuilder([("a", [1, 2, 3])])
        builder.longSize = size
        let archive = try builder.archive()
        if size == 3 {
            #expect(try archive.member("a").readWhole() == [1, 2, 3])
        } else {
            #expect(
                fact { _ = try archive.member("a") }
                    == "has a member \"a\" that contradicts the archive's list")
        }
    }

    @Test("a member that contradicts the list is refused", arguments: ["b", "ab", ""])
    func contradicts(_ name: String) throws {
        var builder = ZipBuilder([("a", [1])])
        builder.localName = name
        let archive = try builder.archive()
        #expect(
            fact { _ = try archive.member("a") }
                == "has a member \"a\" that contradicts the archive's list")
    }

    @Test func `a member of an unknown method, or an encrypted one, is refused when it is needed`()
        throws
    {
        var builder = ZipBuilder()
        builder.add("a", [1], method: 12)
        let other = try builder.archive()
        #expect(
            fact { _ = try other.member("a") }?.contains("compressed in an unknown way") == true)
        builder = ZipBuilder([("a", [1])])
        builder.flags = 1
        let encrypted = try builder.archive()
        #expect(fact { _ = try encrypted.member("a") }?.contains("encrypted") == true)
    }

    @Test func `a member that is larger than its size says is damaged`() throws {
        // A final block with three stored bytes.
        let deflated: [UInt8] = [1, 3, 0, 0xFC, 0xFF, 7, 8, 9]
        for (size, isRead) in [(3, true), (2, false), (4, false)] {
            var builder = ZipBuilder()
            builder.add("a", deflated, method: 8, size: size)
            builder.crc = Int(crc32(of: [7, 8, 9]))
            let archive = try builder.archive()
            let read = fact { _ = try archive.member("a").readWhole() }
            #expect((read == nil) == isRead, "\(size): \(read ?? "")")
        }
    }

    @Test func `of all members together only so much is decompressed`() throws {
        let bytes = try Made.bytes("shop.ipa")
        let name = "Payload/Shop.app/Shop"
        let size = try ZipArchive(ByteSource(bytes)).member(name).count
        let archive = try ZipArchive(ByteSource(bytes), inflatedBytesMax: 2 * size)
        #expect(try archive.member(name).readWhole().count == size)
        #expect(try archive.member(name).readWhole().count == size)
        #expect(
            fact { _ = try archive.member(name).readWhole() }
                == "has more than \(2 * size) bytes in what has to be read of it")
    }

    @Test func `a member that is read whole has its checksum`() throws {
        var builder = ZipBuilder([("a", Array("123456789".utf8))])
        builder.add("b", [1, 3, 0, 0xFC, 0xFF, 7, 8, 9], method: 8, size: 3)
        builder.crc = 0xCBF4_3926
        let archive = try builder.archive()
        #expect(throws: Never.self) { try archive.member("a").readWhole() }
        #expect(
            fact { _ = try archive.member("b").readWhole() } == "has a damaged member \"b\"")
        builder.crc = 0
        let stored = try builder.archive().member("a")
        #expect(fact { _ = try stored.readWhole() } == "has a damaged member \"a\"")
        // A part has none: of an executable of a gigabyte, the signature is read.
        #expect(try stored.read(0..<2) == Array("12".utf8))
    }

    @Test func `of a large archive only the needed bytes are read`() throws {
        // 3 GB of a member that nobody asks for, which exist nowhere.
        let hole = 3_000_000_000
        let bytes = ZipBuilder([("a", [1, 2, 3])]).bytes
        let list = bytes.count - 22 - 47
        var read = 0
        var end = Array(bytes[list...])
        let moved = hole + list
        for index in 0..<4 { end[47 + 16 + index] = UInt8(moved >> (8 * index) & 0xFF) }
        let source = ByteSource(count: hole + bytes.count) { range in
            read += range.count
            return range.map { position in
                position < list
                    ? bytes[position]
                    : position < moved ? 0 : end[position - moved]
            }
        }
        let archive = try ZipArchive(source)
        #expect(try archive.member("a").readWhole() == [1, 2, 3])
        #expect(read < 100_000)
    }
}
