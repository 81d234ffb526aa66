import Foundation
import Testing

@testable import AppFiles

@Suite("Property lists")
struct PropertyListTests {
    private func xml(_ value: String) -> [UInt8] {
        Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(value)</plist>".utf8)
    }

    static let refusals: [(value: String, fact: String)] = [
        ("<dict><string>a</string></dict>", "has a value without a key"),
        ("<dict><key>a</key></dict>", "has a key without a value"),
        (
            "<dict><key>a</key><true/><key>a</key><false/></dict>", "repeats the key \"a\""
        ),
        ("<set/>", "has an unknown kind of value, \"set\""),
        ("<true/><true/>", "is no property list: its root must be one <plist> with one value"),
    ]

    @Test("a list of the wrong shape is refused", arguments: refusals)
    func refuses(_ row: (value: String, fact: String)) {
        let fault = #expect(throws: FormatFault.self) { try PropertyList.read(xml(row.value)) }
        #expect(fault?.fact == row.fact)
        #expect(fault?.place?.line == 2)
    }

    @Test func `a key is repeated with the same value`() throws {
        let list = try PropertyList.read(xml("<dict><key>a</key><true/><key>a</key><true/></dict>"))
        #expect(list["a"]?.flag == true)
    }

    @Test func `the document type that Apple's programs write is accepted`() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict><key>a</key><array><string>b</string><false/></array></dict></plist>
            """
        let list = try PropertyList.read(Array(text.utf8))
        #expect(list["a"]?.items?[0].text == "b")
        #expect(list["a"]?.items?[1].flag == false)
        #expect(list["a"]?.items?[0].place == TextPlace(line: 3, column: 47))
    }

    @Test func `Foundation's two forms of a list are read alike`() throws {
        let value: [String: Any] = [
            "text": "a", "wide": "ü€😀", "yes": true, "no": false, "number": 70_000, "date": Date(),
            "long": String(repeating: "x", count: 300), "data": Data([1, 2]), "fraction": 0.5,
            "list": (0..<20).map { "\($0)" }, "inner": ["a": ["b": "c"]], "empty": [String](),
        ]
        let forms = try [PropertyListSerialization.PropertyListFormat.xml, .binary].map { form in
            try PropertyList.read(
                Array(
                    PropertyListSerialization.data(
                        fromPropertyList: value, format: form, options: 0)))
        }
        for list in forms {
            #expect(list["wide"]?.text == "ü€😀")
            #expect(list["long"]?.text?.utf8.count == 300)
            #expect(list["list"]?.items?.compactMap(\.text) == (0..<20).map { "\($0)" })
            #expect(list["inner"]?["a"]?["b"]?.text == "c")
            #expect(list["yes"]?.flag == true)
            #expect(list["no"]?.flag == false)
            #expect(list["empty"]?.items?.isEmpty == true)
            if case .number(let number)? = list["number"]?.content {
                #expect(number == 70_000)
            } else {
                Issue.record("no number")
            }
        }
    }

    /// A binary list of these objects, the first of which is its root.
    private func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets = [UInt8]()
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let table = bytes.count
        func long(_ number: Int) -> [UInt8] {
            (0..<8).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }
        }
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 1] + long(objects.count) + long(0)
            + long(table)
    }

    @Test func `a binary list that contains itself is refused`() {
        let fault = #expect(throws: FormatFault.self) {
            try PropertyList.read(binary([[0xA1, 0]]))
        }
        #expect(fault?.fact.contains("nested more than 64 deep") == true)
    }

    @Test func `a binary list that stands for too many values is refused`() {
        // Each of 20 lists has the next one four times: 4²⁰ values in 100 bytes.
        let lists = (1...20).map { [0xA4] + [UInt8](repeating: UInt8($0), count: 4) }
        let fault = #expect(throws: FormatFault.self) {
            try PropertyList.read(binary(lists + [[0x09]]))
        }
        #expect(fault?.fact.contains("more than 200000 values") == true)
        #expect(throws: Never.self) {
            try PropertyList.read(
                binary(Array(lists.suffix(1)).map { _ in [0xA4, 1, 1, 1, 1] } + [[0x09]]))
        }
    }

    @Test func `a binary list that stands for too many bytes is refused`() {
        let text: [UInt8] = [0x5F, 0x11, 0x40, 0x00] + [UInt8](repeating: 0x61, count: 16_384)
        let lists = (1...3).map { level -> [UInt8] in
            [0xAE] + [UInt8](repeating: UInt8(level), count: 14)
        }
        let fault = #expect(throws: FormatFault.self) {
            try PropertyList.read(binary(lists + [text]))
        }
        #expect(fault?.fact.contains("stands for more than 16777216 bytes") == true)
    }
}
