import Countries
import Foundation
import Testing

/// Countries that another reader has found, as Tests/Tools/check-countries writes them.
@Suite struct ForeignFileTests {
    private static let names = ["COUNTRY_FILE", "COUNTRY_LINES"].compactMap {
        ProcessInfo.processInfo.environment[$0]
    }

    @Test(.enabled(if: names.count == 2, "Tests/Tools/check-countries runs it"))
    func `a file has the countries that another reader finds`() throws {
        let file = try Data(contentsOf: URL(filePath: Self.names[0]))
        let table = try CountryTable(file: Array(file))
        let lines = try String(contentsOfFile: Self.names[1], encoding: .utf8)
        var wrong = [String]()
        for line in lines.split(separator: "\n") {
            let words = line.split(separator: " ")
            let (high, low) = (UInt64(words[0]) ?? 0, UInt64(words[1]) ?? 0)
            let found = table.country(high: high, low: low).name
            if found != words[2] { wrong.append("\(line), and not \(found)") }
        }
        #expect(wrong.isEmpty, "\(wrong.count) are other ones: \(wrong.prefix(5))")
    }
}
