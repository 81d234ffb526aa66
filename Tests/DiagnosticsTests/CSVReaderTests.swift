import Diagnostics
import Testing

@Suite struct CSVReaderTests {
    @Test(arguments: [
        ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        ("a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
        ("a\tb\n1\t2", [["a", "b"], ["1", "2"]]),
        ("\u{FEFF}a,b\n\"x\"\"y\",\"1\r\n2\"\n", [["a", "b"], ["x\"y", "1\r\n2"]]),
        ("a,b\n\n\"\",\n", [["a", "b"], [""], ["", ""]]),
        ("a,b\nx\"y,2\n", [["a", "b"], ["x\"y", "2"]]),
        ("a,b\n\"open,2\n", [["a", "b"], ["open,2\n"]]),
        ("a,b\n\"x\u{301}\"\u{301},2\n", [["a", "b"], ["x\u{301}\u{301}", "2"]]),
        ("", []), ("\u{FEFF}", []), ("\n", [[""]]),
    ])
    func recordsAreTheSameHoweverTheirBytesCome(text: String, expected: [[String]]) throws {
        for size in 1...max(1, text.utf8.count) {
            var (reader, found, rest) = (CSVReader(), [[String]](), Array(text.utf8)[...])
            while !rest.isEmpty {
                reader.add(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let record = try reader.next(isEnd: false) { found.append(record.cells) }
            }
            while let record = try reader.next(isEnd: true) { found.append(record.cells) }
            #expect(found == expected, "in pieces of \(size)")
        }
    }

    @Test func aRecordThatIsTooLongIsSkipped() throws {
        var reader = CSVReader(recordBytesMax: 8)
        reader.add(Array("a,b\n123456789".utf8))
        #expect(try reader.next(isEnd: false)?.cells == ["a", "b"])
        let refusal = #expect(throws: CSVReader.TooLong.self) { try reader.next(isEnd: false) }
        #expect(refusal?.line == 2)
        reader.add(Array("0,12\n1234,678\n".utf8))
        let next = try reader.next(isEnd: false)
        #expect(next?.line == 3)
        #expect(next?.cells == ["1234", "678"])
        #expect(try reader.next(isEnd: true) == nil)
    }

    @Test func aWrittenLineIsReadAsItWas() throws {
        let cells = [
            "plain", "a,b", "a;b", "say \"x\"", "two\r\nlines", "", " spaces ", "\"\u{301}",
        ]
        var reader = CSVReader()
        reader.add(Array(("1,2,3,4,5,6,7,8\n" + csvLine(cells)).utf8))
        _ = try reader.next(isEnd: true)
        #expect(try reader.next(isEnd: true)?.cells == cells)
    }
}
