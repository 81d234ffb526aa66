import Testing

@testable import Countries

@Suite("Names of countries")
struct CountryNamesTests {
    private let lines = CountryNames.lines

    @Test func `each line of the table is read, and its letters are a country once, in order`() {
        #expect(countryTable.split(separator: "\n").count == lines.count)
        // ISO 3166-1 has given letters to so many.
        #expect(lines.count == 249)
        #expect(lines.allSatisfy { $0.code != .unknown })
        let codes = lines.map(\.code.number)
        #expect(zip(codes, codes.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `each country has a name of its own in both languages`() {
        let names = [lines.map(\.english), lines.map(\.german)]
        for all in names {
            #expect(Set(all).count == lines.count)
            for name in all {
                let bytes = Array(name.utf8)
                #expect(bytes.first != 0x20 && bytes.last != 0x20 && bytes.count >= 4, "\(name)")
                #expect(bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "|") }, "\(name)")
            }
        }
    }

    @Test func `a line is as it is written`() {
        let texts = lines.map { "\($0.code.name) \($0.english)|\($0.german)" }
        #expect(texts.joined(separator: "\n") == countryTable)
    }

    @Test(
        arguments: [
            ("AT", "Austria", "Österreich"), ("DE", "Germany", "Deutschland"),
            ("AD", "Andorra", "Andorra"), ("ZW", "Zimbabwe", "Simbabwe"),
            ("AX", "Åland Islands", "Ålandinseln"), ("US", "United States", "Vereinigte Staaten"),
        ])
    func `two letters are named`(_ code: String, english: String, german: String) {
        let names = CountryNames(code: code)
        #expect(names?.english == english && names?.german == german)
    }

    @Test(
        arguments: [
            "XK", "EU", "AP", "XX", "ZZ", "UK", "T1", "A1", "", "A", "AUT", "other", "unknown",
            "ÖS",
            "A\u{308}", "A|", "1A",
        ])
    func `everything else has no name`(_ code: String) {
        #expect(CountryNames(code: code) == nil)
    }
}
