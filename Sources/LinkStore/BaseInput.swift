internal import Files
internal import LinkIndex

/// The bytes of a base's file as they are read, a piece at a time. What a part says is used only after the checksum
/// behind that part.
struct BaseInput {
    private let file: OpenFile
    /// The bytes that were read last. Those before `position` were taken.
    private var bytes = [UInt8]()
    private var position = 0
    /// The place in the file behind these bytes.
    private var offset = 0
    private var checksum = BaseChecksum()

    init(_ file: OpenFile) { self.file = file }

    /// The bytes of the head.
    mutating func head() throws(BaseFault) -> [UInt8] {
        // A beginning of the form is a file that was cut.
        let form = BaseFile.form
        try need(min(form.count, file.stamp.bytes))
        guard form.starts(with: bytes[position...].prefix(form.count)) else { throw .otherForm }
        _ = try take(form.count)
        let count = try take(4).number
        guard count <= BaseFile.headBytesMax else {
            throw .damaged("its head has \(count) bytes, may have \(BaseFile.headBytesMax)")
        }
        let head = Array(try take(count))
        checksum.add(head.span)
        try check("its head")
        return head
    }

    mutating func record(into records: inout LinkRecords) throws(BaseFault) {
        let count = try take(2).number
        try need(count)
        let range = position..<position + count
        checksum.add(bytes, range)
        guard records.add(bytes, range) else {
            throw .damaged("a record before byte \(offset - bytes.count + range.upperBound)")
        }
        position += count
    }

    /// Checks all records, and that nothing follows them.
    mutating func end() throws(BaseFault) {
        try check("its links")
        let more = file.stamp.bytes - offset + bytes.count - position
        guard more == 0 else { throw .damaged("\(more) bytes follow its end") }
    }

    private mutating func check(_ part: String) throws(BaseFault) {
        let expected = checksum.value
        guard try take(8).number == expected else {
            throw .damaged("\(part) and the checksum of them differ")
        }
    }

    private mutating func take(_ count: Int) throws(BaseFault) -> ArraySlice<UInt8> {
        try need(count)
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads until so many bytes are there.
    private mutating func need(_ count: Int) throws(BaseFault) {
        let there = bytes.count - position
        guard there < count else { return }
        let left = file.stamp.bytes - offset
        guard left >= count - there else {
            throw .damaged("it ends at byte \(file.stamp.bytes), within a part")
        }
        let more = min(left, max(Self.pieceBytes, count - there))
        bytes.removeFirst(position)
        position = 0
        bytes += [UInt8](repeating: 0, count: more)
        do throws(FileError) {
            try file.read(into: &bytes, there..<there + more, from: offset)
        } catch {
            throw .unreadable(error)
        }
        offset += more
    }

    private static let pieceBytes = 1 << 18
}
