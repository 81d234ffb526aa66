/// A part of a binary document of Android, which is a tree of them (`ResourceTypes.h`).
struct BinaryChunk {
    let type: Int
    let start: Int
    let headerBytes: Int
    let end: Int

    /// The offset of the content.
    var body: Int { start + headerBytes }

    /// Nil where it does not fit before the end.
    init?(_ bytes: [UInt8], at offset: Int, end: Int) {
        guard let type = bytes.little(2, at: offset), let header = bytes.little(2, at: offset + 2),
            let size = bytes.little(4, at: offset + 4),
            header >= 8, size >= header, size <= end - offset
        else { return nil }
        (self.type, start, headerBytes, self.end) = (type, offset, header, offset + size)
    }
}
