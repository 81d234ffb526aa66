/// A size of code, at error correction level M (ISO/IEC 18004, tables 1, 7 and 9).
struct QRVersion: Sendable {
    let number: Int
    /// Codewords of error correction in a block.
    let correction: Int
    let blocks: Int

    /// From the smallest to the largest whose row of modules fits 128 bits.
    static let allCases = zip(corrections, blockCounts).enumerated().map { index, row in
        QRVersion(number: index + 1, correction: row.0, blocks: row.1)
    }

    private static let corrections = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28,
        28, 28, 28, 28,
    ]
    private static let blockCounts = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23,
        25,
    ]

    /// Modules of a side.
    var size: Int { 17 + 4 * number }

    /// Where the centres of alignment patterns are, in both directions.
    var alignments: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        return [6] + (0..<count - 1).map { size - 7 - step * $0 }.reversed()
    }

    /// Codewords that the modules hold, data and correction.
    var total: Int {
        var modules = (16 * number + 128) * number + 64
        if number > 1 {
            let count = number / 7 + 2
            modules -= (25 * count - 10) * count - 55
            if number > 6 { modules -= 36 }
        }
        return modules / 8
    }

    private var data: Int { total - correction * blocks }
    private var lengthBytes: Int { number < 10 ? 1 : 2 }

    /// Mode, length and terminator take their part.
    var bytesMax: Int { data - lengthBytes - 1 }

    /// The bytes as the code holds them: after mode and length, filled up, and in blocks that each
    /// have their correction, the codewords of all blocks in turns (ISO/IEC 18004 §7.4, §7.6).
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        // The mode takes half a byte, and so does the terminator.
        var words = [UInt8]()
        words.reserveCapacity(total)
        var half = UInt8(0b0100)
        let length = [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)].suffix(lengthBytes)
        for byte in length + bytes {
            words.append(half << 4 | byte >> 4)
            half = byte & 15
        }
        words.append(half << 4)
        for index in 0..<data - words.count { words.append(index % 2 == 0 ? 0xEC : 0x11) }

        let code = ReedSolomon.codes[correction]
        // The last blocks have a word more than the first.
        let (short, longBlocks) = (data / blocks, data % blocks)
        var parts = [ArraySlice<UInt8>]()
        var start = 0
        for index in 0..<blocks {
            let length = short + (index >= blocks - longBlocks ? 1 : 0)
            parts.append(words[start..<start + length])
            start += length
        }
        let corrections = parts.map(code.correction)
        words = (0...short).flatMap { index in parts.compactMap { $0.dropFirst(index).first } }
        for index in 0..<correction { words += corrections.map { $0[index] } }
        return words
    }
}
