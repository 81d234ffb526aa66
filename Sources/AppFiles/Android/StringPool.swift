/// The texts of a binary document, each decoded once.
struct StringPool {
    private let bytes: [UInt8]
    private let count: Int
    private let isUTF8: Bool
    private let offsets: Int
    private let texts: Int
    private var known = [Int: String]()
    /// Many attributes may have one long text, each of which is looked through.
    private var bytesLeft = AppFileLimits.documentBytesMax

    /// - Parameter bytes: the whole document.
    init(_ bytes: [UInt8], _ chunk: BinaryChunk) throws(FormatFault) {
        guard let count = bytes.little(4, at: chunk.start + 8),
            let flags = bytes.little(4, at: chunk.start + 16),
            let texts = bytes.little(4, at: chunk.start + 20),
            chunk.body + 4 * count <= chunk.end
        else { throw BinaryXML.damaged }
        (self.bytes, self.count, isUTF8) = (bytes, count, flags & 0x100 != 0)
        (offsets, self.texts) = (chunk.body, chunk.start + texts)
    }

    mutating func text(_ number: Int) throws(FormatFault) -> String {
        let text = if let text = known[number] { text } else { try decoded(number) }
        bytesLeft -= text.utf8.count
        guard bytesLeft >= 0 else {
            throw FormatFault(
                "has texts that stand for more than \(AppFileLimits.documentBytesMax) bytes",
                advice: "give the file that aapt2 has made")
        }
        known[number] = text
        return text
    }

    private func decoded(_ number: Int) throws(FormatFault) -> String {
        guard number < count, let offset = bytes.little(4, at: offsets + 4 * number) else {
            throw BinaryXML.damaged
        }
        return try isUTF8 ? narrow(texts + offset) : wide(texts + offset)
    }

    /// Two lengths, in UTF-16 units and in bytes, each of one or two bytes.
    private func narrow(_ start: Int) throws(FormatFault) -> String {
        var offset = start
        var length = 0
        for _ in 0..<2 {
            guard let first = bytes.big(1, at: offset), let both = bytes.big(2, at: offset) else {
                throw BinaryXML.damaged
            }
            length = first & 0x80 == 0 ? first : both & 0x7FFF
            offset += first & 0x80 == 0 ? 1 : 2
        }
        guard let text = bytes.part(offset, length) else { throw BinaryXML.damaged }
        return String(decoding: text, as: UTF8.self)
    }

    /// A length of one or two units.
    private func wide(_ start: Int) throws(FormatFault) -> String {
        guard let first = bytes.little(2, at: start) else { throw BinaryXML.damaged }
        var (offset, length) = (start + 2, first)
        if first & 0x8000 != 0 {
            guard let second = bytes.little(2, at: offset) else { throw BinaryXML.damaged }
            (offset, length) = (offset + 2, (first & 0x7FFF) << 16 | second)
        }
        guard let text = bytes.part(offset, 2 * length).map({ Array($0) }) else {
            throw BinaryXML.damaged
        }
        let units = stride(from: 0, to: text.count, by: 2).map {
            UInt16(text[$0]) | UInt16(text[$0 + 1]) << 8
        }
        return String(decoding: units, as: UTF16.self)
    }
}
