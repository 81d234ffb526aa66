/// Bytes that are read where they are needed: a file, or a member of an archive.
package struct ByteSource {
    package let count: Int
    private let readRange: (Range<Int>) throws(FormatFault) -> [UInt8]

    /// - Parameter read: returns exactly the bytes of a range below `count`.
    package init(
        count: Int, read: @escaping (Range<Int>) throws(FormatFault) -> [UInt8]
    ) {
        self.count = count
        readRange = read
    }

    /// Bytes that are in memory.
    package init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { range in Array(bytes[range]) }
    }

    /// The bytes of a range.
    /// - Throws: if the range is not within the source.
    package func read(_ range: Range<Int>) throws(FormatFault) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            throw FormatFault(
                "ends early: it has \(count) bytes, and must have \(range.upperBound)")
        }
        return try readRange(range)
    }

    /// The bytes from an offset on.
    /// - Throws: if they are not within the source.
    func read(_ size: Int, at offset: Int) throws(FormatFault) -> [UInt8] {
        let (end, overflows) = offset.addingReportingOverflow(size)
        guard !overflows, offset >= 0, size >= 0 else {
            throw FormatFault("names an impossible place in itself")
        }
        return try read(offset..<end)
    }

    /// All bytes, if there are not too many.
    package func readWhole(bytesMax: Int = AppFileLimits.documentBytesMax) throws(FormatFault)
        -> [UInt8]
    {
        guard count <= bytesMax else {
            throw FormatFault(
                "has \(count) bytes, may have \(bytesMax)", advice: "give a smaller file")
        }
        return try read(0..<count)
    }
}
