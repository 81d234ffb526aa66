@testable import Console
import Testing

/// What columns are suggested to be, by the headings that teams write.
@Suite struct ColumnNameTests {
    @Test(arguments: [
        ("Überschrift", "page.title"), ("Läuft bis", "until"), ("Gültig bis", "until"),
        ("Kanal", "utm_medium"), ("Werbemittel", "utm_content"), ("Kampagnenname", "utm_campaign"),
        ("Farbe", ""),
    ])
    func suggestions(_ heading: String, _ use: String) throws {
        let form = [
            ("format", "columns"), ("collection", "short"), ("do", "check"),
            ("text", "Zieladresse;\(heading)\nhttps://www.example.com/;x\n"),
        ]
        let page = PageStructure(try TestConsole().post("import", form, .de).content)
        #expect(page.faults == [] && page.choices["ours.0"] == "destination")
        #expect(page.choices["ours.1"] ?? "" == use)
    }
}
