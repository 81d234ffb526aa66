@testable import Console
import Foundation
import Markup
import Testing

/// Refusals and remarks in German: with what they name, and with nothing in English.
@Suite("Findings in the language of the page")
struct FindingWordsTests {
    private static let right = [
        ("collection", "short"), ("slug", "spring"), ("destination", "https://www.example.com/"),
    ]

    private static let forms: [(field: String, value: String, words: String)] = [
        ("slug", "taken", "„taken“ gibt es schon – wähle einen anderen"),
        ("slug", "_x", "„_x“ ist reserviert: Waymarks eigene Pfade beginnen mit _ – wähle"),
        ("slug", "wp-x", "Angriffsprogramme suchen nach solchen Namen"),
        ("slug", "robots.txt", "Programme fragen von sich aus danach"),
        ("slug", "info", "Unter „/s/info“ ist schon etwas anderes: der Link „info“"),
        ("slug", "a b", "Ein Kurzname hat Buchstaben A–Z"),
        (
            "destination", "https://evil.example/",
            "„evil.example“ ist in der Sammlung „short“ nicht erlaubt. Erlaubt ist: www.example.com, store – nimm"
        ),
        ("destination", "", "Schreib die Seite, zu der der Link führt."),
        (
            "destination", "www.example.com:80/a",
            "„www.example.com:80/a“: Eine Adresse beginnt mit https:// oder http:// – schreib „https://www.example.com:80/a“"
        ),
        (
            "destination", "https://a:b@www.example.com/",
            "Eine Adresse darf keinen Benutzernamen und kein Passwort haben – entferne Benutzername"
        ),
        ("destination", "https://", "„https://“: Der Adresse fehlt der Host"),
        ("destination", "https://www.example.com:0/", "Der Port muss zwischen 1 und 65535 liegen"),
        (
            "destination", "https://www.example.com/a b",
            "Das Zeichen an Stelle 26 ist in einer Adresse nur als %XX möglich – schreib https://www.example.com/a%20b"
        ),
        ("destination", "https://www.example.com/100%", "schreib %25 für ein Prozentzeichen"),
        (
            "destination", "https://www.example.com/\(String(repeating: "x", count: 2_048))",
            "Die Adresse hat 2072 Bytes, höchstens 2048 sind möglich"
        ),
        ("destination", "https://go.example.com/s/x", "nicht erlaubt"),
        ("ios", "nowhere", "„nowhere“ ist keine Adresse mit https:// und kein Pfad"),
        (
            "ios", "//x.example/",
            "In „//x.example/“ fehlt https: – schreib „https://x.example/“, oder"
        ),
        ("ios", "/a?b", "In „/a?b“ steht ein ?, ein #"),
        ("ios", "/../a", "In „/../a“ steht ein Abschnitt . oder .."),
        ("image", "picture", "Eine Adresse beginnt mit https:// oder http:// – schreib eine Datei"),
        (
            "until", "2020-01-01",
            "2020-01-01T23:59:59Z ist vorbei, niemand bekäme den Link – schreib"
        ),
        ("until", "tomorrow", "„tomorrow“ ist kein Tag mit Uhrzeit – schreib Tag und Zeit"),
        (
            "until", "1.2.27",
            "„1.2.27“ hat eine Jahreszahl aus zwei Ziffern – schreib das Jahr mit vier Ziffern, zum Beispiel 31.03.2027"
        ),
        (
            "from", "1.2.27 22:00 UTC",
            "– schreib das Jahr mit vier Ziffern, zum Beispiel 31.03.2027 22:00"
        ),
        ("until", "2030-13-01", "gibt es im Kalender zwischen 1970 und 9999 nicht – prüfe Monat"),
        (
            "tags", String(repeating: "x", count: 65),
            "höchstens 64 Bytes, dieses 65 – wähle etwas Kürzeres"
        ),
        (
            "tags", (0...100).map { "t\($0)" }.joined(separator: ","),
            "Der Link hat 101 Schlagwörter, höchstens 100 sind möglich – lass welche weg"
        ),
        (
            "note", String(repeating: "x", count: 4_097),
            "Die Notiz hat 4097 Bytes, höchstens 4096 sind möglich – heb Langes woanders auf"
        ),
        (
            "description", String(repeating: "x", count: 17_000),
            "haben zusammen 17029 Bytes, höchstens 16384 sind möglich"
        ),
        (
            "title", "a\u{0007}",
            "Hier steht ein Zeichen, das man nicht sieht: „a\\u{7}“ – entferne es"
        ),
        ("app-data", "x", "Jede Zeile ist name=wert"),
        ("after", "landing", "Der Link hat etwas für danach, aber kein Ende – schreib ein Ende"),
        ("collection", "shart", "Die Sammlung „shart“ gibt es nicht – meinst du „short“?"),
    ]

    @Test("a refused form has German sentences", arguments: forms)
    func refused(_ row: (field: String, value: String, words: String)) throws {
        let console = try TestConsole()
        _ = try console.make(
            #"{"collection": "short", "slug": "taken", "destination": "https://www.example.com/"}"#)
        let form = Self.right.filter { $0.0 != row.field } + [(row.field, row.value)]
        let answer = console.post("new", form, .de)
        #expect((400..<500).contains(answer.status))
        let text = PageStructure(answer.content).text
        #expect(text.contains(row.words), "\(findings(answer))")
        #expect(
            !answer.text.contains("lang=\"en\">–") && !hasEnglish(answer), "\(findings(answer))")
        let live = console.post("check", form, .de).text
        #expect(!live.contains(#"lang=\"en\""#), "\(live)")
    }

    /// Whether a finding is in English; the button for another language is, too.
    private func hasEnglish(_ answer: ConsoleResponse) -> Bool {
        answer.text.contains("class=\"advice\" lang=\"en\"")
    }

    private func findings(_ answer: ConsoleResponse) -> String {
        let text = answer.text
        guard let start = text.range(of: "id=\"errors\"") else { return "no summary" }
        return String(text[start.lowerBound...].prefix(900))
    }

    /// The reason is behind the value that it is about, and a value can be a whole page of text.
    @Test(
        "a value of many bytes is cut, and the reason is there", arguments: ConsoleLanguage.allCases
    )
    func longValues(_ language: ConsoleLanguage) throws {
        let url = "https://www.example.com/" + String(repeating: "A", count: 300) + " x"
        let form = Self.right.filter { $0.0 != "destination" } + [("destination", url)]
        let answer = try TestConsole().post("new", form, language)
        let page = PageStructure(answer.content)
        #expect(page.faults == [] && page.values["destination"] == url)
        #expect(page.text.contains("%XX"), "\(page.text)")
        #expect(page.text.contains("A…"), "\(page.text)")
        // What is to be written instead is whole.
        #expect(page.text.contains(String(repeating: "A", count: 300) + "%20x"))
        // A word that is longer than a screen is wide is broken, wherever it is.
        #expect(page.style.contains("main{overflow-wrap:anywhere;"))
    }

    @Test func `two times in the wrong order are said in German`() throws {
        let form = Self.right + [("from", "2031-01-01"), ("until", "2030-01-01")]
        let text = PageStructure(try TestConsole().post("new", form, .de).content).text
        #expect(
            text.contains("Der Link beginnt nie: Das Ende „2030-01-01T23:59:59Z“ liegt nicht nach"))
    }

    @Test func `remarks are in German`() throws {
        let console = try TestConsole()
        let form = [
            ("collection", "exact"), ("slug", String(repeating: "x", count: 60)),
            ("destination", "https://www.example.com/"), ("image", "/none.png"),
            ("do", "check"),
        ]
        let answer = console.post("new", form, .de)
        let text = PageStructure(answer.content).text
        for words in [
            "Keine App öffnet den Link: Seine Sammlung „exact“", "ab 60 wird ihr QR-Code feiner",
            "Die Website hat die Datei „/none.png“ nicht – lass sie dort ablegen",
        ] {
            #expect(text.contains(words), "\(text)")
        }
        #expect(!hasEnglish(answer))
    }

    private static let urls = [
        ("other.example/x", "„other.example“ ist kein Host dieses Servers"),
        ("ftp://x", "„ftp://x“: Ein Link beginnt mit https:// oder http://"),
        ("https://", "Dem Link fehlt der Host"),
        ("https://a:x/", "Der Port muss eine Zahl bis 65535"),
        ("https://a<b/", "Im Host kann nicht „<“ stehen"),
    ]

    @Test("an address that is tried is refused in German", arguments: urls)
    func tried(_ url: String, _ words: String) throws {
        let escaped = url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try TestConsole().get("preview?url=\(escaped)", .de)
        #expect(PageStructure(answer.content).text.contains(words), "\(answer.text)")
        #expect(!hasEnglish(answer))
    }

    private static let tables = [
        ("a,b\n1,2\n", "Spalte 1 heißt „a“, und so heißt hier keine"),
        ("slug,slug\n1,2\n", "Die Spalten 1 und 2 heißen beide „slug“ – entferne eine davon"),
        ("slug,destination\n", "Die Tabelle hat eine Überschrift und keine Zeile darunter"),
        ("{}", "Das ist JSON und keine Tabelle – wähle „JSON-Zeilen von Waymark“"),
        (
            "slug,destination\na,https://www.example.com/,x\n",
            "Die Zeile hat 3 Zellen, die erste Zeile 2"
        ),
        ("slug,\na,x\n", "Zelle 2 hat keine Überschrift"),
        (
            "slug,destination,archived\na,https://www.example.com/,perhaps\n",
            "Hier steht „perhaps“; möglich sind WAHR und FALSCH – schreib WAHR oder FALSCH"
        ),
        (
            "slug,destination,tags\na,https://www.example.com/,\"\"\"x\"\n",
            "Ein Anführungszeichen ist nicht geschlossen"
        ),
        (
            "slug,destination,note\na,https://www.example.com/,#NAME?\n",
            "„#NAME?“ schreibt eine Tabellenkalkulation"
        ),
        (
            "slug,destination\na,https://www.example.com/\na,https://www.example.com/b\n",
            "Zeile 2 hat den Kurznamen „a“ auch"
        ),
        ("slug,destination\n\"a", "Hier beginnt ein Anführungszeichen, das bis zum Ende"),
    ]

    @Test("a table is refused in German", arguments: tables)
    func refusedTable(_ table: String, _ words: String) throws {
        let answer = try TestConsole().post(
            "import",
            [("collection", "short"), ("format", "csv"), ("text", table), ("do", "check")], .de)
        #expect(PageStructure(answer.content).text.contains(words), "\(answer.text.suffix(3_000))")
        #expect(!hasEnglish(answer) && !answer.text.contains("lang=\"en\">–"))
    }

    @Test func `remarks on the columns of another service are in German`() throws {
        let table = "id,long_url,clicks,created_by,odd\nbit.ly/a,https://www.example.com/,1,me,2\n"
        let answer = try TestConsole().post(
            "import",
            [("collection", "short"), ("format", "bitly"), ("text", table), ("do", "check")], .de)
        let text = PageStructure(answer.content).text
        #expect(text.contains("Besuche, die ein anderer Dienst gezählt hat"), "\(text)")
        #expect(text.contains("Spalte 5, „odd“, wird nicht übernommen: sie ist nicht bekannt"))
        #expect(!hasEnglish(answer))
    }

    @Test func `what is to be written is whole, and a value that is named is cut`() {
        let value =
            "https://www.example.com/" + String(repeating: "kategorie/", count: 22) + "%C3%BC"
        for language in [ConsoleLanguage.en, .de] {
            let advice = APISentence.words(language, advice: "write \"\(value)\"")
            #expect(advice == nil || advice?.contains(value) == true, "\(advice ?? "")")
            let plain = APISentence.words(language, advice: "write \(value)")
            #expect(plain == nil || plain?.contains(value) == true, "\(plain ?? "")")
            #expect(advice != nil || plain != nil)
            let fact = APISentence.words(language, fact: "\"\(value)\" is taken") ?? ""
            #expect(fact.contains("kategorie/") && !fact.contains("%C3") && fact.contains("…"))
        }
        #expect(
            APISentence.words(
                .de, fact: "\"x CST\" names a zone, and is taken for the offset -06:00")
                == "„x CST“ nennt eine Zeitzone und gilt als -06:00")
    }

    @Test func `what has no German sentence is marked as English`() throws {
        #expect(APISentence.words(.de, fact: "\"a b\" is taken") == "„a b“ gibt es schon")
        // A value is no place for other words.
        #expect(APISentence.words(.de, fact: "a b is taken") == nil)
        #expect(APISentence.words(.de, fact: "\"a\" is reserved: for a reason") == nil)
        #expect(
            APISentence.words(.de, fact: "\"x\\\" is taken\" is taken")
                == "„x\\\" is taken“ gibt es schon")
        #expect(APISentence.words(.de, fact: "\"open is taken") == nil)
        #expect(APISentence.words(.de, advice: "write \"x\"") == "schreib „x“")
        #expect(APISentence.words(.de, advice: "write it elsewhere") == nil)
        var page = PageWriter(
            ConsoleSetting(environment: "e", language: .de, isSecure: true))
        page.finding(FormFindings.Finding(field: nil, detail: "a <new> thing", advice: "do that"))
        #expect(
            String(decoding: page.markup.bytes, as: UTF8.self)
                == #"<span class="advice" lang="en">a &lt;new&gt; thing</span> <span class="advice" lang="en">– do that</span>"#
        )
    }
}
