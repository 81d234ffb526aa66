import QRCodes
import Testing

@Suite("Levels and sizes of QR codes (ISO/IEC 18004, table 7)")
struct QRLevelTests {
    /// The bytes that versions 1, 7, 20, 27, 32 and 40 hold.
    static let capacities: [(QRLevel, [Int])] = [
        (.low, [17, 154, 858, 1465, 1952, 2953]), (.medium, [14, 122, 666, 1125, 1538, 2331]),
        (.quartile, [11, 86, 482, 805, 1112, 1663]), (.high, [7, 64, 382, 625, 842, 1273]),
    ]

    @Test("a version holds as many bytes as the standard says", arguments: capacities)
    func holds(_ level: QRLevel, _ counts: [Int]) {
        for (version, count) in zip([1, 7, 20, 27, 32, 40], counts) {
            let size = 17 + 4 * version
            let full = QRCode([UInt8](repeating: 0x61, count: count), level)
            let over = QRCode([UInt8](repeating: 0x61, count: count + 1), level)
            #expect(full?.size == size)
            #expect(over?.size == (version == 40 ? nil : size + 4))
        }
        #expect(QRCode.bytesMax(level) == counts.last)
    }

    @Test("the two kinds of lines make the same code", arguments: [1, 14, 15, 400, 1125])
    func sameCode(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(0x61 + $0 % 26) }
        let (short, long) = (try #require(QRCode(bytes)), try #require(QRCode(bytes, .medium)))
        #expect(short.size == long.size)
        for row in 0..<short.size {
            for column in 0..<short.size {
                #expect(
                    short.isDark(column: column, row: row) == long.isDark(column: column, row: row))
            }
        }
    }

    @Test(
        "a logo covers at most a quarter of the side, and is in the middle", arguments: [30, 300])
    func logos(_ count: Int) throws {
        let code = try #require(QRCode([UInt8](repeating: 0x61, count: count), .high))
        let logo = try #require(code.logo(percentMax: 25))
        #expect(logo.side % 2 == 1)
        #expect(logo.side * 4 <= code.size)
        #expect(2 * logo.first + logo.side == code.size)
    }

    @Test
    func `a logo is refused that error correction could not repair with half of its strength`()
        throws
    {
        let code = try #require(QRCode([UInt8](repeating: 0x61, count: 300), .low))
        let (low, high) = (
            code.logo(percentMax: 40),
            QRCode([UInt8](repeating: 0x61, count: 300), .high)?.logo(percentMax: 40)
        )
        #expect((low?.side ?? 0) < (high?.side ?? 0))
        #expect((high?.side ?? 0) * 100 < 40 * (21 + 4 * 20))
    }
}
