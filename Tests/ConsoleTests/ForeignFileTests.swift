@testable import Console
import JSONSyntax
import Foundation
import Testing
import URISyntax

/// The usual mistakes with a table: a workbook, and a text in another encoding.
@Suite("Files that are no tables")
struct ForeignFileTests {
    private static let workbook: [UInt8] =
        [0x50, 0x4B, 0x03, 0x04] + Array("[Content_Types].xml xl/workbook.xml".utf8)
        + [UInt8](repeating: 0, count: 300)
    private static let latin =
        Array("destination;page.title\nhttps://www.example.com/;Gr".utf8) + [0xF6, 0xDF, 0x65]
    private static let zero =
        Array("destination;page.title\nhttps://www.example.com/;a".utf8) + [0, 0x62]

    private static let files: [(content: [UInt8], english: String, german: String)] = [
        (
            workbook, "an Excel file (.xlsx), not a table in CSV – in Excel, save it as “CSV UTF-8",
            "keine Tabelle in CSV, sondern eine Excel-Datei (.xlsx) – speichere sie in Excel als „CSV UTF-8 (durch"
        ),
        (
            latin,
            "The table is not in UTF-8, which has no byte F6 like this (in Windows-1252 it is “ö”)",
            "Die Tabelle ist nicht in UTF-8: Das Byte F6 gibt es dort so nicht (in Windows-1252 ist es „ö“) – speichere"
        ),
        (
            zero, "A byte is 0, which no text has – save the table",
            "Ein Byte ist 0, und das hat kein Text – speichere"
        ),
        (
            Array("%PDF-1.7 x".utf8), "is a PDF file, not a table",
            "keine Tabelle in CSV, sondern ein PDF"
        ),
    ]

    @Test(
        "a file that is no table is said in the words of the page, whatever its choice",
        arguments: files)
    func refused(_ file: (content: [UInt8], english: String, german: String)) throws {
        let console = try TestConsole()
        // Of a table whose columns Bitly has not, it is said that it is none of Bitly's.
        let isTable = file.content.starts(with: "destination".utf8)
        for format in isTable ? ["csv", "columns"] : ["csv", "bitly", "columns"] {
            for (language, words) in [(ConsoleLanguage.en, file.english), (.de, file.german)] {
                let form = [
                    ("format", format), ("collection", "short"), ("file", base64URL(file.content)),
                    ("file.name", "f"), ("do", "check"),
                ]
                var answer = console.post("import", form, as: .editor, language)
                // The heading of a table can be read before what is wrong.
                if format == "columns", answer.status == 200 {
                    let columns = PageStructure(answer.content).form
                    answer = console.post(
                        "import", columns + [("do", "check")], as: .editor, language)
                }
                let page = PageStructure(answer.content)
                #expect(page.faults == [], "\(page.faults)")
                #expect(page.text.contains(words), "\(format): \(page.text)")
                #expect(
                    !page.text.contains("no headings") && !page.text.contains("keine Überschriften")
                )
                #expect(!answer.text.contains(" lang=\"en\">–"), "\(format)")
            }
        }
    }

    @Test(
        "without a collection, each page that could make a link says so",
        arguments: ConsoleLanguage.allCases)
    func withoutCollection(_ language: ConsoleLanguage) throws {
        let console = try TestConsole()
        console.removeCollections()
        let words =
            language == .en ? "Links are made in collections" : "Links entstehen in Sammlungen"
        for path in ["", "links", "new", "import"] {
            let page = PageStructure(console.get(path, as: .editor, language).content)
            #expect(page.faults == [] && page.text.contains(words), "\(path): \(page.text)")
        }
        // The nearest: with one, the first steps are there.
        let other = try TestConsole().get("links", as: .editor, language).text
        #expect(!other.contains(words))
    }

    @Test("numbers of an import have their thousands apart", arguments: ConsoleLanguage.allCases)
    func numbers(_ language: ConsoleLanguage) throws {
        let rows = (1...1_200).map { "n\($0),https://www.example.com/\($0)\n" }.joined()
        let console = try TestConsole()
        let seen = PageStructure(
            console.post(
                "import",
                [("collection", "short"), ("text", "slug,destination\n\(rows)"), ("do", "check")],
                as: .editor, language
            ).content)
        let number = language == .en ? "1,200" : "1.200"
        #expect(seen.text.components(separatedBy: number).count >= 3, "\(seen.text)")
    }
}
