/// A size of code at a level of error correction (ISO/IEC 18004, tables 1, 7 and 9).
struct QRVersion: Sendable {
    let level: QRLevel
    let number: Int
    /// Codewords of error correction in a block.
    let correction: Int
    let blocks: Int

    /// From the smallest to the largest.
    static func all(_ level: QRLevel) -> [QRVersion] { everyVersion[level] ?? [] }

    private static let everyVersion = [QRLevel: [QRVersion]](
        uniqueKeysWithValues: QRLevel.allCases.map { level in
            let rows = zip(level.corrections, level.blockCounts).enumerated()
            return (
                level,
                rows.map { QRVersion(level: level, number: $0 + 1, correction: $1.0, blocks: $1.1) }
            )
        })

    /// Modules of a side.
    var size: Int { 17 + 4 * number }

    /// The centres of alignment patterns, in both directions.
    var alignments: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let step = (number * 8 + count * 3 + 5) / (count * 4 - 4) * 2
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
        var parts = [ArraySlice<UInt8>]()
        var start = 0
        for length in blockLengths {
            parts.append(words[start..<start + length])
            start += length
        }
        let corrections = parts.map(code.correction)
        words = (0...data / blocks).flatMap { index in
            parts.compactMap { $0.dropFirst(index).first }
        }
        for index in 0..<correction { words += corrections.map { $0[index] } }
        return words
    }

    /// Data codewords of each block: the last blocks have one more than the first.
    private var blockLengths: [Int] {
        (0..<blocks).map { data / blocks + ($0 >= blocks - data % blocks ? 1 : 0) }
    }

    /// The block of each codeword, in the order in which the code holds them.
    var blockOfCodeword: [Int] {
        let lengths = blockLengths
        let ofData = (0...data / blocks).flatMap { index in
            (0..<blocks).filter { index < lengths[$0] }
        }
        return ofData + (0..<correction).flatMap { _ in 0..<blocks }
    }

    /// The number of wrong codewords of a block that can be corrected.
    var correctable: Int { correction / 2 }
}
