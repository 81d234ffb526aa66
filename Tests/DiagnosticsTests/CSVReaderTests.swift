import Diagnostics
import Testing

@Suite struct CSVReaderTests {
    private struct Outcome: Equatable {
        var records = [[String]]()
        var lines = [Int]()
        var faults = [TableFault]()
    }

    private static func read(_ bytes: [UInt8], inPiecesOf size: Int, max: Int = .max) -> Outcome {
        var (reader, outcome, rest) = (CSVReader(recordBytesMax: max), Outcome(), bytes[...])
        func take(_ isEnd: Bool) {
            while true {
                do throws(TableFault) {
                    guard let record = try reader.next(isEnd: isEnd) else { return }
                    outcome.records.append(record.cells)
                    outcome.lines.append(record.line)
                } catch {
                    outcome.faults.append(error)
                }
            }
        }
        while !rest.isEmpty {
            reader.add(rest.prefix(size))
            rest = rest.dropFirst(size)
            take(false)
        }
        take(true)
        return outcome
    }

    private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBigEndian ? bytes : bytes.reversed()
        }
    }

    @Test(arguments: [
        ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        ("a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
        ("a\tb\n1\t2", [["a", "b"], ["1", "2"]]),
        ("a,b\r1,2\r3,4", [["a", "b"], ["1", "2"], ["3", "4"]]),
        ("a,b\r1,\"x\ry\"\r", [["a", "b"], ["1", "x\ry"]]),
        ("a,b\n\"x\"\"y\",\"1\r\n2\"\n", [["a", "b"], ["x\"y", "1\r\n2"]]),
        ("a,b\n\n\"\",\n", [["a", "b"], [""], ["", ""]]),
        ("a,b\nx\"y,2\n", [["a", "b"], ["x\"y", "2"]]),
        ("a,b\n\"x\" ,2\n", [["a", "b"], ["x", "2"]]),
        ("\"a,;;b\",c\n1,2\n", [["a,;;b", "c"], ["1", "2"]]),
        ("sep=;\r\na;b,c,d\r\n1;2\r\n", [["a", "b,c,d"], ["1", "2"]]),
        ("\"SEP=\t\"\na,,\tb\n", [["a,,", "b"]]),
        ("sepa,b\n", [["sepa", "b"]]), ("sep=;", []),
        ("ü,😀\nx\u{301},\u{10FFFF}\n", [["ü", "😀"], ["x\u{301}", "\u{10FFFF}"]]),
        ("", []), ("\n", [[""]]), ("\r", [[""]]), ("a", [["a"]]),
    ])
    func recordsAreTheSameHoweverTheirBytesCome(text: String, expected: [[String]]) {
        let marked = "\u{FEFF}\(text)"
        for bytes in [
            Array(text.utf8), Array(marked.utf8), Self.utf16(marked, isBigEndian: true),
            Self.utf16(marked, isBigEndian: false),
        ] {
            for size in 1...max(1, bytes.count) {
                let outcome = Self.read(bytes, inPiecesOf: size)
                #expect(outcome.records == expected, "in pieces of \(size)")
                #expect(outcome.faults.isEmpty, "in pieces of \(size): \(outcome.faults)")
            }
        }
    }

    private struct Fault {
        let bytes: [UInt8]
        /// How many records come before it.
        let records: Int
        let words: String

        init(_ bytes: [UInt8], _ records: Int, _ words: String) {
            (self.bytes, self.records, self.words) = (bytes, records, words)
        }

        init(_ text: String, _ records: Int, _ words: String) {
            self.init(Array(text.utf8), records, words)
        }
    }

    private static let faults = [
        Fault("a,b\n1,\"open\n2,x\n3,y\n", 1, "2:3 a quote opens here, and the file ends"),
        Fault("a,b\n1,2\n3,\"x\n4,\"y\"\n", 2, "3:3 a quote opens here, and line 4 has text"),
        Fault("a\nx\n\"say \"hi\"\"\n", 2, "3:1 a quote opens here, and line 3 has text"),
        Fault("a,b\n\"x\" \"\n1,5\"\n", 1, "2:1 a quote opens here, and line 2 has text behind"),
        Fault("a,b\n\"x\"\t\"y\",2\n", 1, "2:1 a quote opens here, and line 2 has text behind"),
        Fault([0x61, 0x0A, 0x47, 0x72, 0xFC, 0x6E], 1, "2:3 the byte FC is not UTF-8 (in Wind"),
        Fault([0xC3, 0xA9, 0x2C, 0xE9, 0x0A], 0, "1:3 the byte E9 is not UTF-8"),
        Fault([0x61, 0x0A, 0x78, 0xE2, 0x82], 1, "2:2 the byte E2 is not UTF-8"),
        Fault([0x61, 0x0A, 0xED, 0xA0, 0x80], 1, "2:1 the byte ED is not UTF-8"),
        Fault([0x61, 0x0A, 0xC0, 0xAF], 1, "2:1 the byte C0 is not UTF-8"),
        Fault([0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0, 0xD8, 0x61, 0], 1, "2:1 half a character of"),
        Fault([0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x61], 1, "2:1 half a character of UTF-16"),
        Fault("a\0,\0b\0", 0, "1:- the content is UTF-16 without a byte-order mark"),
        Fault("a,b\n1,\0\n", 1, "2:3 a byte is 0"),
        Fault("a,b\r1,2\r\n3,4\r\n", 1, "2:5 a line feed ends this line, and a carriage"),
        Fault("a,b\n1,2\r3,4\r", 1, "2:5 a carriage return is alone, and a line feed"),
        Fault("a\r\r\nb\r\r\n", 1, "2:2 a line feed ends this line, and a carriage"),
        Fault("sep=x\na;b\n", 0, "1:- the first line names a separator that"),
        Fault("PK\u{3}\u{4}\u{14}\0[Content_Types].xml", 0, "1:- the content is an Excel file ("),
        Fault("PK\u{3}\u{4}xl/worksheets", 0, "1:- the content is an Excel file (.xlsx)"),
        Fault(
            "PK\u{3}\u{4}mimetypeapplication/vnd.oasis.opendocument.spreadsheet", 0,
            "1:- the content is a file of LibreOffice (.ods)"),
        Fault("PK\u{3}\u{4}Index/Document.iwa", 0, "1:- the content is a Numbers file"),
        Fault([0xD0, 0xCF, 0x11, 0xE0, 0xA1], 0, "1:- the content is an Excel file (.xls)"),
        Fault("\n <!DOCTYPE html><table>", 0, "1:- the content is HTML or XML"),
        Fault("<?xml version", 0, "1:- the content is HTML or XML"),
    ]

    @Test(arguments: faults.indices)
    func whatCannotBeReadEndsTheTableAtItsPlace(number: Int) throws {
        let expected = Self.faults[number]
        let whole = Self.read(expected.bytes, inPiecesOf: expected.bytes.count)
        #expect(whole.records.count == expected.records && whole.faults.count == 1, "\(whole)")
        let fault = try #require(whole.faults.first)
        let place = "\(fault.line):\(fault.column.map { "\($0)" } ?? "-") \(fault.fact)"
        #expect(place.hasPrefix(expected.words), "\(place)")
        #expect(fault.endsTable && fault.advice != nil)
        for size in 1...expected.bytes.count {
            #expect(Self.read(expected.bytes, inPiecesOf: size) == whole, "in pieces of \(size)")
        }
    }

    /// What a file is, is known from its first bytes, however many come at once.
    @Test(arguments: ["\0\0\n\0<creation", "   <html>\n", "a,b\n<html>\n"])
    func theKindOfAFileDoesNotDependOnItsPieces(_ text: String) {
        let bytes = Array(text.utf8)
        let whole = Self.read(bytes, inPiecesOf: bytes.count)
        for size in 1..<bytes.count { #expect(Self.read(bytes, inPiecesOf: size) == whole) }
    }

    @Test func aRecordThatIsTooLongIsSkipped() {
        let bytes = Array("a,b\n1234567890,\"1\n2\"\n1234,678\n".utf8)
        for size in 1...bytes.count {
            let outcome = Self.read(bytes, inPiecesOf: size, max: 7)
            #expect(outcome.records == [["a", "b"]], "in pieces of \(size): \(outcome)")
            #expect(outcome.faults.map(\.line) == [2, 4])
            #expect(outcome.faults.allSatisfy { $0.kind == .recordTooLong && !$0.endsTable })
            let fitting = Self.read(bytes, inPiecesOf: size, max: 8)
            #expect(fitting.records == [["a", "b"], ["1234", "678"]], "in pieces of \(size)")
            #expect(fitting.lines == [1, 4])
        }
        let open = Self.read(Array("a\n\"123456789\n1\n".utf8), inPiecesOf: 3, max: 8)
        #expect(open.records == [["a"]] && open.faults.first?.kind == .quote, "\(open)")
    }

    @Test func cellsOverTheLimitAreCounted() throws {
        var reader = CSVReader(cellsMax: 2)
        reader.add(Array("a,b,,,\n1,2,,3,\n".utf8))
        let (first, second) = (try reader.next(isEnd: true), try reader.next(isEnd: true))
        #expect(first?.cells == ["a", "b"] && first?.excess == 0)
        #expect(second?.cells == ["1", "2"] && second?.excess == 3)
    }

    /// Nothing is looked at again with each piece.
    @Test func aMillionBytesComeOneByOne() throws {
        var (reader, records) = (CSVReader(), 0)
        let record = Array((String(repeating: "\"x\"\"\n\",", count: 4_000) + "é\n").utf8)
        for _ in 0..<30 {
            for byte in record {
                reader.add(CollectionOfOne(byte))
                while try reader.next(isEnd: false) != nil { records += 1 }
            }
        }
        #expect(try reader.next(isEnd: true) == nil && records == 30)
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

@Suite struct TableCellTests {
    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+49", "'+49"), ("-a", "'-a"), ("@x", "'@x"), ("\tx", "'\tx"),
        ("\rx", "'\rx"), ("'=1", "''=1"), ("''=1", "'''=1"), ("'tis", "'tis"), ("'", "'"),
        ("007", "'007"), ("1e5", "'1e5"), ("2.10", "'2.10"), ("1-2", "'1-2"), ("3/4", "'3/4"),
        ("12 €", "'12 €"), ("Mar1", "'Mar1"), ("5. Mai", "'5. Mai"), ("true", "'true"),
        ("WAHR", "'WAHR"), ("2027-01-01T00:00:00Z", "'2027-01-01T00:00:00Z"), ("'7", "''7"),
        ("10:30 AM", "'10:30 AM"), ("7xk2m1a", "7xk2m1a"), ("spring", "spring"), ("", ""),
        ("https://www.example.com/1", "https://www.example.com/1"), ("{\"a\": 1}", "{\"a\": 1}"),
        ("true story", "true story"), ("trueish", "trueish"), ("Ende 3", "Ende 3"),
        ("5\u{A0}%", "'5\u{A0}%"), ("1\u{A0}000", "'1\u{A0}000"),
        ("12\u{A0}345,50", "'12\u{A0}345,50"), ("1\u{202F}000\u{A0}€", "'1\u{202F}000\u{A0}€"),
        ("(1\u{A0}000)", "'(1\u{A0}000)"), ("1\u{2009}000", "'1\u{2009}000"),
        ("\u{A0}7", "'\u{A0}7"), ("5\u{A0}Prozent", "5\u{A0}Prozent"),
        ("Ende\u{A0}3", "Ende\u{A0}3"), ("\u{A0}", "\u{A0}"),
    ])
    func whatASpreadsheetWouldChangeHasAnApostrophe(cell: String, written: String) {
        #expect(TableCell.protected(cell) == written)
        #expect(TableCell.unprotected(written) == cell)
    }

    @Test func protectingLosesNothing() {
        let alphabet = Array("'=+-@\t\r\n 1aeÄ.,:\"x\u{A0}".unicodeScalars)
        var wrong = [String]()
        for number in 0..<20_000 {
            var (rest, cell) = (number, String.UnicodeScalarView())
            while rest > 0 {
                cell.append(alphabet[rest % alphabet.count])
                rest /= alphabet.count
            }
            let text = String(cell)
            let back = TableCell.unprotected(TableCell.protected(text))
            if !back.utf8.elementsEqual(text.utf8) { wrong.append(text) }
        }
        #expect(wrong.isEmpty)
    }
}
