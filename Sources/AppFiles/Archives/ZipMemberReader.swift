private import Compression

/// Reads a deflated member forwards: what comes before a range passes by and is not kept.
final class ZipMemberReader {
    /// The number of bytes that may still be decompressed of an archive.
    final class Budget {
        let bytesMax: Int
        var bytesLeft: Int

        init(_ bytesMax: Int) { (self.bytesMax, bytesLeft) = (bytesMax, bytesMax) }
    }

    private let budget: Budget
    private let source: ByteSource
    private let data: Range<Int>
    private let bytes: Int
    private let name: String
    private var inflation: RawInflation?
    /// The offset of the next piece of the compressed data.
    private var next: Int
    /// Decompressed bytes that were not asked for yet, and where they begin.
    private var left = [UInt8]()
    private var leftOffset = 0

    init(
        _ source: ByteSource, _ data: Range<Int>, bytes: Int, name: String, budget: Budget
    ) {
        self.budget = budget
        (self.source, self.data, self.bytes, self.name) = (source, data, bytes, name)
        next = data.lowerBound
        inflation = RawInflation()
    }

    /// - Parameter range: within the member.
    func read(_ range: Range<Int>) throws(FormatFault) -> [UInt8] {
        // Whoever asks for what passed by reads from the beginning again.
        if range.lowerBound < leftOffset {
            (left, leftOffset, next) = ([], 0, data.lowerBound)
            inflation = RawInflation()
        }
        var result = [UInt8]()
        result.reserveCapacity(min(range.count, 1_048_576))
        take(range, from: left[...], at: leftOffset, into: &result)
        while result.count < range.count {
            try readPiece(range, into: &result)
        }
        return result
    }

    private func readPiece(
        _ range: Range<Int>, into result: inout [UInt8]
    ) throws(FormatFault) {
        guard next < data.upperBound else { throw damaged }
        let end = min(next + pieceBytes, data.upperBound)
        let piece = try source.read(next..<end)
        next = end
        let before = leftOffset + left.count
        var offset = before
        // Only the last piece is kept: the next range begins at or after this one's end.
        var (kept, keptOffset) = ([UInt8](), offset)
        var taken = result
        result = []
        let limit = bytes
        let isGood = inflation?.inflate(piece) { part in
            take(range, from: part, at: offset, into: &taken)
            if offset + part.count > range.upperBound {
                if kept.isEmpty { keptOffset = offset }
                kept += part
            }
            offset += part.count
            return offset <= limit
        }
        result = taken
        (left, leftOffset) = kept.isEmpty ? ([], offset) : (kept, keptOffset)
        guard isGood == true, offset <= limit else { throw damaged }
        budget.bytesLeft -= offset - before
        guard budget.bytesLeft >= 0 else {
            throw FormatFault(
                "has more than \(budget.bytesMax) bytes in what has to be read of it"
            )
        }
        if inflation?.isAtEnd == true, offset < range.upperBound { throw damaged }
    }

    /// Takes the part of a piece that is in the range.
    private func take(
        _ range: Range<Int>, from piece: ArraySlice<UInt8>, at offset: Int,
        into result: inout [UInt8]
    ) {
        let part = range.clamped(to: offset..<(offset + piece.count))
        guard !part.isEmpty else { return }
        result +=
            piece[
                (piece.startIndex + part.lowerBound - offset)..<(piece.startIndex + part.upperBound
                    - offset)]
    }

    private var damaged: FormatFault { ZipArchive.damaged(name) }
}

/// The compressed data that is read at once. A piece has at most 1,032 times as much in it, which is
/// not kept.
private let pieceBytes = 16_384
