import Foundation
import QRCodes
import TestSupport
import Testing

@Suite("QR codes (ISO/IEC 18004)")
struct QRCodeTests {
    /// A text and the code that an independent encoder made of it, a hexadecimal number a row.
    struct Fixture: CustomTestStringConvertible, Sendable {
        let text: String
        let rows: [String]

        var testDescription: String { "\(text.prefix(40)), \(rows.count) modules" }
    }

    static let fixtures: [Fixture] = {
        let file = repository("Tests/Fixtures/qr/codes.txt")
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n\n").map { block in
            let lines = block.split(separator: "\n").map { String($0) }
            return Fixture(text: lines[0], rows: Array(lines[2...]))
        }
    }()

    /// The rows of a code, written as in the fixtures.
    private func rows(_ code: QRCode) -> [String] {
        (0..<code.size).map { row in
            var number = UInt128(0)
            for column in 0..<code.size {
                number = number << 1 | (code.isDark(column: column, row: row) ? 1 : 0)
            }
            return String(number, radix: 16)
        }
    }

    @Test("a code is the one that another encoder makes", arguments: fixtures)
    func matrices(_ fixture: Fixture) throws {
        let code = try #require(QRCode(Array(fixture.text.utf8)))
        #expect(rows(code) == fixture.rows)
    }

    @Test(
        "the smallest size that holds the bytes is taken",
        arguments: [
            (0, 21), (14, 21), (15, 25), (180, 53), (181, 57), (213, 57), (214, 61), (1059, 121),
            (1060, 125), (1125, 125),
        ])
    func sizes(_ bytes: Int, _ size: Int) {
        #expect(QRCode([UInt8](repeating: 0x61, count: bytes))?.size == size)
    }

    @Test func `what no phone would read has no code`() {
        #expect(QRCode([UInt8](repeating: 0x61, count: 1126)) == nil)
    }
}
