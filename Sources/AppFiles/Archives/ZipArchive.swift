private import Diagnostics
private import Compression

/// The members of a zip archive (PKWARE, APPNOTE.TXT) by its central directory, as Android and iOS
/// read it. An archive whose parts contradict each other is refused, because readers would differ in
/// what they see in it.
package struct ZipArchive {
    /// A member of an archive.
    struct Member {
        let isDeflated: Bool
        let crc: Int
        let compressedBytes: Int
        let bytes: Int
        let headerOffset: Int
    }

    let source: ByteSource
    /// The offset of the central directory.
    let directoryOffset: Int
    private let members: [[UInt8]: Member]
    private let budget: ZipMemberReader.Budget

    /// Whether bytes begin like an archive.
    package static func isLikely(_ beginning: [UInt8]) -> Bool {
        beginning.starts(with: [0x50, 0x4B, 0x03, 0x04])
    }

    package init(
        _ source: ByteSource, inflatedBytesMax: Int = AppFileLimits.inflatedBytesMax
    ) throws(FormatFault) {
        self.source = source
        budget = ZipMemberReader.Budget(inflatedBytesMax)
        let end = try Self.findEnd(source)
        guard let count = end.record.little(2, at: 10), let here = end.record.little(2, at: 8),
            let size = end.record.little(4, at: 12), let offset = end.record.little(4, at: 16),
            end.record.little(2, at: 4) == 0, end.record.little(2, at: 6) == 0, here == count
        else { throw FormatFault("is one of several parts of an archive", advice: "give it whole") }
        guard count <= AppFileLimits.membersMax, size < 0xFFFF_FFFF, offset < 0xFFFF_FFFF else {
            throw FormatFault(
                "is a zip archive in its 64-bit form",
                advice: "make it with less than 65,535 members and 4 GB")
        }
        guard size <= AppFileLimits.directoryBytesMax else {
            throw FormatFault(
                "has a list of members of \(size) bytes, may have "
                    + "\(AppFileLimits.directoryBytesMax)")
        }
        guard offset + size == end.offset else {
            throw FormatFault(
                "is a zip archive with bytes between its list of members and its end",
                advice: "make it again: Android and other readers refuse it")
        }
        directoryOffset = offset
        members = try Self.readDirectory(try source.read(size, at: offset), count: count)
    }

    /// The record at the end, which a comment may follow.
    private static func findEnd(
        _ source: ByteSource
    ) throws(FormatFault) -> (record: [UInt8], offset: Int) {
        let size = min(source.count, endBytes + 0xFFFF)
        let tail = try source.read((source.count - size)..<source.count)
        var index = size - endBytes
        while index >= 0 {
            // A cheap look first: this is done for each of 65,557 bytes.
            if tail[index] == 0x50, tail.little(4, at: index) == 0x0605_4B50,
                tail.little(2, at: index + 20) == size - index - endBytes
            {
                return (Array(tail[index..<(index + endBytes)]), source.count - size + index)
            }
            index -= 1
        }
        throw FormatFault("is a zip archive without its end", advice: "copy or download it again")
    }

    private static func readDirectory(
        _ bytes: [UInt8], count: Int
    ) throws(FormatFault) -> [[UInt8]: Member] {
        var members = [[UInt8]: Member]()
        var offset = 0
        for _ in 0..<count {
            guard bytes.little(4, at: offset) == 0x0201_4B50,
                let flags = bytes.little(2, at: offset + 8),
                let method = bytes.little(2, at: offset + 10),
                let crc = bytes.little(4, at: offset + 16),
                let compressed = bytes.little(4, at: offset + 20),
                let size = bytes.little(4, at: offset + 24),
                let nameSize = bytes.little(2, at: offset + 28),
                let extraSize = bytes.little(2, at: offset + 30),
                let commentSize = bytes.little(2, at: offset + 32),
                let header = bytes.little(4, at: offset + 42),
                let name = bytes.part(offset + 46, nameSize).map({ Array($0) })
            else { throw FormatFault("is a zip archive with a damaged list of members") }
            offset += 46 + nameSize + extraSize + commentSize
            // Members that are encrypted, or compressed in other ways, are not read. They are listed
            // with a method that nothing reads.
            let isReadable = flags & 1 == 0 && (method == 0 || method == 8)
            let member = Member(
                isDeflated: method == 8, crc: crc,
                compressedBytes: isReadable ? compressed : 0xFFFF_FFFF, bytes: size,
                headerOffset: header)
            guard members.updateValue(member, forKey: name) == nil else {
                throw FormatFault(
                    "is a zip archive with two members of one name",
                    advice: "make it again: readers differ in which one they take")
            }
        }
        guard offset == bytes.count else {
            throw FormatFault("is a zip archive with a damaged list of members")
        }
        return members
    }

    /// The names of all members that are text, in no order.
    package var names: [String] {
        members.keys.compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// Whether there is a member of this name.
    package func contains(_ name: String) -> Bool { members[Array(name.utf8)] != nil }

    /// A member, which is read on from where the last read has ended. If it is read whole, its checksum
    /// is compared.
    package func member(_ name: String) throws(FormatFault) -> ByteSource {
        let bytes = Array(name.utf8)
        guard let member = members[bytes] else {
            throw FormatFault("has no member \(quoted(name))", advice: "give a whole archive")
        }
        let data = try dataRange(of: member, bytes, name)
        guard member.isDeflated || member.bytes == member.compressedBytes else {
            throw Self.contradiction(name)
        }
        let source = source
        let reader =
            member.isDeflated
            ? ZipMemberReader(source, data, bytes: member.bytes, name: name, budget: budget) : nil
        return ByteSource(count: member.bytes) { range throws(FormatFault) in
            let bytes =
                if let reader {
                    try reader.read(range)
                } else {
                    try source.read(range.count, at: data.lowerBound + range.lowerBound)
                }
            guard range.count < member.bytes || Int(crc32(of: bytes)) == member.crc else {
                throw Self.damaged(name)
            }
            return bytes
        }
    }

    /// The fault of a member whose data is not what the archive says of it.
    static func damaged(_ name: String) -> FormatFault {
        FormatFault("has a damaged member \(quoted(name))", advice: "copy or download it again")
    }

    /// The place of a member's data by its own header, which has to agree with the directory.
    private func dataRange(
        of member: Member, _ name: [UInt8], _ text: String
    ) throws(FormatFault) -> Range<Int> {
        guard member.compressedBytes < 0xFFFF_FFFF, member.bytes < 0xFFFF_FFFF else {
            throw FormatFault(
                "has a member \(quoted(text)) that is encrypted, or compressed in an unknown way",
                advice: "make the archive again, with deflate")
        }
        let header = try source.read(30, at: member.headerOffset)
        guard header.little(4, at: 0) == 0x0403_4B50, let flags = header.little(2, at: 6),
            let method = header.little(2, at: 8), let compressed = header.little(4, at: 18),
            let nameSize = header.little(2, at: 26), let extraSize = header.little(2, at: 28),
            nameSize == name.count, method == (member.isDeflated ? 8 : 0), flags & 1 == 0,
            try source.read(nameSize, at: member.headerOffset + 30) == name
        else { throw Self.contradiction(text) }
        // A streaming writer has the sizes behind the data.
        if flags & 8 == 0 {
            let own =
                compressed == 0xFFFF_FFFF
                ? try longSize(extraSize, at: member.headerOffset + 30 + nameSize) : compressed
            guard own == member.compressedBytes else { throw Self.contradiction(text) }
        }
        let start = member.headerOffset + 30 + nameSize + extraSize
        guard start + member.compressedBytes <= directoryOffset else {
            throw Self.contradiction(text)
        }
        return start..<(start + member.compressedBytes)
    }

    /// The compressed size in the extra fields of a member's own header, which some writers give in the 64-bit form
    /// however small it is (APPNOTE.TXT §4.5.3); nil if they do not.
    private func longSize(_ bytes: Int, at offset: Int) throws(FormatFault) -> Int? {
        let extra = try source.read(bytes, at: offset)
        var position = 0
        while let id = extra.little(2, at: position), let size = extra.little(2, at: position + 2) {
            if id == 1 { return size >= 16 ? extra.little(8, at: position + 12) : nil }
            position += 4 + size
        }
        return nil
    }

    private static func contradiction(_ name: String) -> FormatFault {
        FormatFault(
            "has a member \(quoted(name)) that contradicts the archive's list",
            advice: "make it again: readers differ in what they see in it")
    }
}

private let endBytes = 22
