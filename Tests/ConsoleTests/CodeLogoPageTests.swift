@testable import Console
import LinkAPI
import TestSupport
import Testing

@Suite("Codes with a picture in the console")
struct CodeLogoPageTests {
    private func make(
        _ content: [UInt8]? = testPNG()
    ) throws -> (console: TestConsole, path: String) {
        let console = try TestConsole(logo: CodeLogo("/icon.png") { content })
        let id = try console.make(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#)
        return (console, "links/\(id)")
    }

    @Test func `a code is shown and offered with the picture, without scripts`() throws {
        let (console, path) = try make()
        let page = PageStructure(console.get(path, as: .viewer).content)
        #expect(page.faults == [] && page.text.contains("With the site’s picture in the middle"))
        #expect(page.hrefs.contains("/console/\(path)?logo=1"))
        #expect(page.hrefs.contains("/console/\(path)/code.svg"))
        let shown = console.get("\(path)?logo=1", as: .viewer, .de)
        let structure = PageStructure(shown.content)
        #expect(structure.faults == [] && structure.text.contains("Ohne das Bild zeigen"))
        #expect(structure.hrefs.contains("/console/\(path)/code.svg?logo=1"))
        #expect(shown.text.contains(#"name="logo" value="1" checked"#))
        #expect(console.get("\(path)/code.svg?logo=1").text.contains("<image"))
        #expect(!console.get("\(path)/code.svg").text.contains("<image"))
        for format in ["svg", "pdf"] {
            let file = console.get("\(path)/code?format=\(format)&mm=50&own=&logo=1")
            #expect(file.status == 200)
            #expect(
                file.field("Content-Disposition")
                    == "attachment; filename=\"code-one-50mm.\(format)\"")
        }
    }

    @Test func `what is wrong with the picture is said, and the form stays`() throws {
        let (console, path) = try make(testPNG(colourType: 6))
        for (language, words) in [(ConsoleLanguage.en, "A PNG cannot have"), (.de, "Ein PNG kann")]
        {
            let answer = console.get(
                "\(path)/code?format=png&mm=100&own=&logo=1", as: .viewer, language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 400 && page.faults == [] && page.text.contains(words))
            #expect(page.choices["mm"] == "100")
            #expect(answer.text.contains(#"name="logo" value="1" checked aria-invalid="true""#))
        }
        let pdf = console.get("\(path)/code?format=pdf&mm=own&own=77&logo=1")
        #expect(pdf.status == 400 && pdf.text.contains("The code cannot have this picture."))
        #expect(pdf.text.contains("has transparency"))
        #expect(PageStructure(pdf.content).values["own"] == "77")
        // A side that is wrong is said as without a picture.
        let small = console.get("\(path)/code?format=svg&mm=own&own=10&logo=1")
        #expect(small.text.contains("That is too small for this code"))
        let none = console.get("\(path)/code?format=svg&mm=own&own=x&logo=1")
        #expect(none.text.contains("Write a whole number"))
    }

    private static let unusable: [([UInt8]?, String, String)] = [
        (
            [0, 0, 1, 0, 1], "is an icon file (.ico). A code can have a PNG or an SVG",
            "„/icon.png“, ist eine Icon-Datei (.ico). In einen Code passt"
        ),
        ([0xFF, 0xD8, 0xFF, 0xE0], "is a JPEG picture", "ist ein JPEG-Bild"),
        ([], "is empty", "ist leer"),
        (Array("text".utf8), "is neither a PNG nor an SVG document", "weder ein PNG noch ein SVG"),
        (
            nil, "cannot be read, or has more than 1048576 bytes",
            "ist nicht lesbar, oder es hat mehr als 1048576 Bytes"
        ),
    ]

    @Test(
        "where the picture cannot be drawn, the plain code and the reason are there",
        arguments: unusable)
    func notDrawn(_ content: [UInt8]?, _ english: String, _ german: String) throws {
        let (console, path) = try make(content)
        for (language, words) in [(ConsoleLanguage.en, english), (.de, german)] {
            let answer = console.get("\(path)?logo=1", as: .viewer, language)
            let page = PageStructure(answer.content)
            #expect(answer.status == 200 && page.faults == [])
            #expect(page.text.contains(words), "\(page.text)")
            #expect(!answer.text.contains("class=\"advice\" lang=\"en\""))
            // No picture of the page is a refusal.
            let pictures = page.hrefs.filter { $0.contains("code.svg") }
            #expect(pictures == ["/console/\(path)/code.svg"])
            #expect(console.get("\(path)/code.svg").status == 200)
            // A download says the same, and not that the store is away.
            let file = console.get(
                "\(path)/code?format=svg&mm=50&own=&logo=1", as: .viewer, language)
            #expect(file.status == 400 && PageStructure(file.content).text.contains(words))
        }
        // The nearest: without the picture nothing is said.
        #expect(!console.get(path).text.contains("cannot have this picture"))
    }

    @Test(
        "a picture that no PDF can have is said in the language of the page",
        arguments: [6, 2] as [UInt8])
    func noPDF(_ colourType: UInt8) throws {
        let (console, path) = try make(testPNG(colourType: colourType))
        let query = "\(path)/code?format=pdf&mm=50&own=&logo=1"
        let answer = console.get(query, as: .viewer, .de)
        guard colourType == 6 else { return #expect(answer.status == 200) }
        #expect(answer.text.contains("weil es durchsichtige Stellen hat. Lade den Code als SVG"))
        #expect(console.get(query).text.contains("because it has transparency"))
    }

    @Test func `where no site has a picture, none is offered`() throws {
        let console = try TestConsole()
        let id = try console.make(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#)
        let page = console.get("links/\(id)?logo=1").text
        #expect(!page.contains("picture in the middle") && !page.contains("code.svg?logo"))
    }
}
