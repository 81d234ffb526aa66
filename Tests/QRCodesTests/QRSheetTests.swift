@testable import QRCodes
import Testing

/// Codes of several links on pages of A4.
@Suite struct QRSheetTests {
    private func item(_ url: String, _ lines: [String]) throws -> QRSheet.Item {
        let code = try #require(QRCode(Array(url.utf8), .medium))
        return QRSheet.Item(QRPicture(code, margin: QRCode.marginModules, label: url), lines: lines)
    }

    private struct Place {
        let x: Double
        let y: Double
        let side: Double
    }

    private struct Line {
        let size: Double
        let x: Double
        let y: Double
        let text: String
    }

    /// The squares of the codes of a page, in millimetres, and the texts with their sizes.
    private func read(
        _ page: [UInt8], _ item: QRSheet.Item
    ) throws -> (places: [Place], texts: [Line]) {
        let content = String(decoding: page, as: UTF8.self)
        // Each code is drawn as it is alone.
        let codes = content.split(separator: item.picture.pdfModules + "Q\n").dropLast()
        let places = try codes.map { before in
            let place = try #require(
                before.matches(of: #/q ([0-9.]+) 0 0 ([0-9.]+) ([0-9]+) ([0-9]+) cm\n/#).last)
            #expect(place.1 == place.2)
            let scale = try #require(Double(place.1))
            return Place(
                x: try #require(Double(place.3)), y: try #require(Double(place.4)),
                side: scale * Double(item.picture.side))
        }
        let lines = content.matches(
            of: #/BT /F1 ([0-9.]+) Tf ([0-9.]+) ([0-9]+) Td \((.*)\) Tj ET/#)
        let texts = try lines.map { line in
            Line(
                size: try #require(Double(line.1)), x: try #require(Double(line.2)),
                y: try #require(Double(line.3)), text: String(line.4))
        }
        return (places, texts)
    }

    @Test(
        "codes have their side, and neither they nor their texts overlap",
        arguments: [(13, 100, 4), (25, 100, 5), (50, 20, 2), (100, 3, 2), (190, 2, 2)])
    func places(_ side: Int, _ count: Int, _ pages: Int) throws {
        let text = "go.example.com/s/" + String(repeating: "x", count: 60)
        let one = try item("https://go.example.com/s/summer", ["go.example.com/s/summer", text])
        let sheet = QRSheet([QRSheet.Item](repeating: one, count: count), millimetres: side)
        let drawings = sheet.drawings
        #expect(drawings.count == pages)
        var found = 0
        for page in drawings {
            let (places, texts) = try read(page, one)
            found += places.count
            #expect(texts.count == 2 * places.count)
            for (index, place) in places.enumerated() {
                #expect(abs(place.side - Double(side)) < 0.001)
                #expect(place.x >= 10 && place.x + place.side <= 200.001)
                #expect(place.y >= 17 && place.y + place.side <= 287.001)
                for text in texts[(2 * index)..<(2 * index + 2)] {
                    // A letter of Courier is 0.6 of its size wide.
                    let end = text.x + 0.6 * text.size * Double(text.text.unicodeScalars.count)
                    #expect(text.x >= place.x && text.y < place.y && text.y >= place.y - 8)
                    #expect(end <= place.x + max(place.side, 45) + 0.1)
                    #expect(text.size >= 1.41 && text.size <= 2.82)
                }
                for other in places[(index + 1)...] {
                    let isApart =
                        abs(other.x - place.x) >= max(place.side, 45) + 5.9
                        || abs(other.y - place.y) >= place.side + 8 + 5.9
                    #expect(isApart)
                }
            }
        }
        #expect(found == count)
        let file = try #require(sheet.pdf())
        #expect(file.starts(with: "%PDF-1.4".utf8))
        #expect(String(decoding: file, as: UTF8.self).contains("/Count \(pages) >>"))
    }

    @Test(
        "a text is in the letters of the font, or is left out",
        arguments: [
            ("Sommer (neu)\\", "Sommer \\(neu\\)\\\\"), ("a\u{2013}b", "a\u{FFFD}b"),
            ("Gr\u{F6}\u{DF}e", "Gr\u{FFFD}\u{FFFD}e"), ("夏", nil), ("a\nb", nil), ("", nil),
        ] as [(String, String?)])
    func texts(_ text: String, _ shown: String?) throws {
        let one = try item("https://go.example.com/s/summer", ["x", text])
        let drawings = QRSheet([one], millimetres: 50).drawings
        let texts = try read(drawings[0], one).texts
        #expect(texts.map(\.text) == ["x"] + [shown].compactMap(\.self))
    }

    @Test func `a text that is too long ends with three dots`() throws {
        let one = try item(
            "https://go.example.com/s/summer", [String(repeating: "a", count: 300)])
        let drawings = QRSheet([one], millimetres: 50).drawings
        let content = drawings[0]
        #expect(content.contains(0x85))
        let text = try read(content, one).texts[0].text
        #expect(text.count < 70 && text.hasPrefix("aaaaaaaaaa"))
    }
}
