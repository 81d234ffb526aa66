import Foundation
import QRCodes
import Synchronization
import TestSupport
import Testing

@testable import LinkAPI

/// Codes with the icon of their site in the middle.
@Suite struct CodeLogoTests {
    private func make(_ content: [UInt8]?) throws -> (TestAPI, String) {
        let api = try TestAPI(logo: CodeLogo("/icon.png") { content })
        let id = try api.create(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#
        )["id"]
        return (api, "links/\(id)/qr?")
    }

    /// The largest codes have some 8,000 operators, twice in memory.
    @Test func aSheetTakesAsMuchMemoryAsItsAddressesAreLong() {
        func bytes(_ length: Int) -> Int {
            let url = String(repeating: "a", count: length)
            let entries = [CodeSheet.Entry](repeating: .init(url: url, title: nil), count: 100)
            return CodeSheet(entries: entries, millimetres: nil).memoryBytes
        }
        #expect(bytes(40) < 4 << 20)
        #expect(bytes(2_300) > 25 << 20)
    }

    @Test func aCodeTakesAsMuchMemoryAsItsIconIsLarge() {
        let logo = CodeLogo("/icon.png", bytes: 1 << 20) { nil }
        let url = "https://go.example.com/s/one"
        let forms: [(CodeDrawing.Form, Int)] = [
            (.svg(nil), 0), (.pdf(50), 0), (.pixels(2_048), 1 << 20),
        ]
        for (form, bytes) in forms {
            #expect(CodeDrawing(url: url, form: form).memoryBytes == bytes)
            let withLogo = CodeDrawing(url: url, form: form, logo: logo)
            #expect(withLogo.memoryBytes == bytes + 6 << 20)
        }
    }

    @Test func aCodeHasTheIconAndStaysReadable() throws {
        let (api, path) = try make(testPNG())
        let plain = api.ask("GET", path).text
        let answer = api.ask("GET", path + "logo=true")
        #expect(answer.status == 200 && answer.type == "image/svg+xml")
        let data = Data(testPNG()).base64EncodedString()
        #expect(answer.text.contains("xlink:href=\"data:image/png;base64,\(data)\""))
        #expect(!plain.contains("<image"))
        // Of level H, with a square that costs no block more than half of what it can correct.
        let code = try #require(QRCode(Array("https://go.example.com/s/one".utf8), .high))
        let square = try #require(code.logo(percentMax: 25))
        #expect(answer.text.contains("viewBox=\"0 0 \(code.size + 8) \(code.size + 8)\""))
        #expect(answer.text.contains("width=\"\(square.side - 1).0\""))
        let pdf = api.ask("GET", path + "logo=true&format=pdf&mm=50")
        #expect(pdf.type == "application/pdf" && pdf.text.contains("/Logo 5 0 R"))
        #expect(api.ask("GET", path + "logo=false&format=png").type == "image/png")
        let collections = api.ask("GET", "collections").object["collections"] as? [[String: Any]]
        #expect(collections?.allSatisfy { $0["hasLogo"] as? Bool == true } == true)
        #expect(!(try TestAPI().ask("GET", "collections").text.contains("hasLogo")))
    }

    @Test(
        arguments: [
            ("logo=true&format=png", 400, "ask for an SVG or a PDF"),
            ("logo=true&mm=10", 400, "must be at least"),
            ("logo=yes", 400, "must be true or false"),
        ])
    func whatCannotBeDrawnIsSaid(_ query: String, _ status: Int, _ reason: String) throws {
        let (api, path) = try make(testPNG())
        let answer = api.ask("GET", path + query)
        #expect(answer.status == status && answer["detail"].contains(reason), "\(answer.text)")
    }

    @Test(
        arguments: [
            (nil, "svg", 400, "cannot be read"),
            (Array("GIF89a".utf8), "svg", 400, "a GIF picture"),
            ([], "svg", 400, "empty"), (testPNG(colourType: 6), "pdf", 400, "has transparency"),
            (testPNG(colourType: 6), "svg", 200, ""),
            (
                Array("<svg xmlns='http://www.w3.org/2000/svg'></svg>".utf8), "pdf", 400,
                "is an SVG file"
            ),
        ] as [([UInt8]?, String, Int, String)])
    func anIconThatCannotBeInACodeIsSaid(
        _ content: [UInt8]?, _ format: String, _ status: Int, _ reason: String
    ) throws {
        let (api, path) = try make(content)
        let answer = api.ask("GET", path + "logo=true&format=\(format)")
        #expect(answer.status == status, "\(answer.text)")
        #expect(status == 200 || answer["detail"].contains(reason), "\(answer.text)")
    }

    @Test func aSiteWithoutAnIconSaysSo() throws {
        let api = try TestAPI()
        let id = try api.create(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#
        )["id"]
        let answer = api.ask("GET", "links/\(id)/qr?logo=true")
        #expect(answer.status == 400 && answer["detail"].contains("`site.icon`"))
    }

    /// The file is read when a code is drawn, and not before.
    @Test func theIconIsReadForEachCode() throws {
        let count = Mutex(0)
        let logo = CodeLogo("/icon.png") {
            count.withLock { $0 += 1 }
            return testPNG()
        }
        let api = try TestAPI(logo: logo)
        let id = try api.create(
            #"{"collection": "short", "slug": "one", "destination": "https://www.example.com/1"}"#
        )["id"]
        #expect(api.ask("GET", "links/\(id)/qr").status == 200 && count.withLock { $0 } == 0)
        #expect(api.ask("GET", "links/\(id)/qr?logo=true").status == 200)
        #expect(count.withLock { $0 } == 1)
    }
}
