import TestSupport
import Testing

@testable import AppFiles

@Suite("Bounds of the work that a small file can ask for")
struct WorkBoundTests {
    // MARK: Binary manifests

    private func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func chunk(_ type: Int, header: [UInt8], _ body: [UInt8]) -> [UInt8] {
        little(type, 2) + little(8 + header.count, 2) + little(8 + header.count + body.count, 4)
            + header + body
    }

    /// A binary manifest in which one long text is the value of many attributes.
    private func manifest(_ count: Int) -> [UInt8] {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 0x7FFF)
        func short(_ text: String) -> [UInt8] {
            let size = UInt8(text.utf8.count)
            return [size, size] + Array(text.utf8) + [0]
        }
        let mark: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        let texts: [[UInt8]] = [short("manifest"), short("a"), short("b"), mark + long + [0]]
        var offsets = [UInt8]()
        var strings = [UInt8]()
        for text in texts {
            offsets += little(strings.count, 4)
            strings += text
        }
        var head = little(texts.count, 4)
        head += little(0, 4)
        head += little(0x100, 4)
        head += little(28 + offsets.count, 4)
        head += little(0, 4)
        let pool = chunk(0x0001, header: head, offsets + strings)
        let none = little(0xFFFF_FFFF, 4)
        let start = little(1, 4) + none
        func element(_ name: Int, _ attributes: [UInt8], _ count: Int) -> [UInt8] {
            var body = none
            body += little(name, 4)
            body += little(20, 2)
            body += little(20, 2)
            body += little(count, 2)
            body += little(0, 6)
            return chunk(0x0102, header: start, body + attributes)
        }
        let end = chunk(0x0103, header: start, little(0, 8))
        var attribute = none
        attribute += little(2, 4)
        attribute += little(3, 4)
        attribute += little(8, 2)
        attribute += [0, 3] as [UInt8]
        attribute += little(3, 4)
        let child = element(1, attribute, 1) + end
        var body = pool + element(0, [], 0)
        for _ in 0..<count { body += child }
        body += end
        var file = little(0x0003, 2)
        file += little(8, 2)
        file += little(8 + body.count, 4)
        return file + body
    }

    @Test func `a long text counts for each attribute that has it`() throws {
        let root = try BinaryXML.read(manifest(400))
        #expect(root.children.count == 400)
        #expect(root.children.last?.attributes.first?.value.utf8.count == 0x7FFF)
        #expect(throws: FormatFault.self) { try BinaryXML.read(manifest(600)) }
    }

    // MARK: Source

    private func hosts(_ host: String, script: String, values: String) throws -> [Bool] {
        let manifest = """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main"><intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <data android:scheme="https" android:host="\(host)"/>
            </intent-filter></activity></application></manifest>
            """
        let files = [
            "app/build.gradle": script, "app/src/main/res/values/strings.xml": values,
            "app/src/main/AndroidManifest.xml": manifest,
        ]
        var checkout = Checkout(files)
        return try checkout.read("app/src/main/AndroidManifest.xml").flatMap { declaration in
            guard case .android(let app) = declaration else { return [Bool]() }
            return app.filters.flatMap(\.hosts).map(\.isUnresolved)
        }
    }

    @Test(
        "a value that is longer than any host stays open",
        arguments: [(4_096, false), (4_097, true)])
    func values(_ row: (bytes: Int, isOpen: Bool)) throws {
        let text = String(repeating: "a", count: row.bytes)
        let script = "android { defaultConfig { manifestPlaceholders = [host: \"\(text)\"] } }"
        let values = "<resources><string name=\"host\">\(text)</string></resources>"
        for host in ["${host}", "@string/host"] {
            #expect(try hosts(host, script: script, values: values) == [row.isOpen], "\(host)")
        }
    }

    @Test(
        "what stands around a placeholder counts", arguments: [(4_095, false), (4_096, true)])
    func around(_ row: (bytes: Int, isOpen: Bool)) throws {
        let text = String(repeating: "a", count: row.bytes)
        let script = "android { defaultConfig { manifestPlaceholders = [host: 'b'] } }"
        let found = try hosts("${host}\(text)", script: script, values: "<resources/>")
        #expect(found == [row.isOpen])
    }

    @Test("what flavors make of one manifest has a bound", arguments: [(960, false), (990, true)])
    func forms(_ row: (references: Int, isRefused: Bool)) throws {
        let flavors = (0..<256).map { "f\($0) { applicationIdSuffix '.f\($0)' }" }
        let script = """
            android { defaultConfig { applicationId 'a.b' }
            productFlavors { \(flavors.joined(separator: "\n")) } }
            """
        let paths = (0..<row.references).map { "<data android:path=\"${a\($0)}\"/>" }.joined()
        let files = [
            "app/build.gradle": script,
            "app/src/main/AndroidManifest.xml": """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main"><intent-filter>\(paths)</intent-filter></activity>
            </application></manifest>
            """,
        ]
        var checkout = Checkout(files)
        do throws(FormatFault) {
            let found = try checkout.read("app/src/main/AndroidManifest.xml")
            #expect(!row.isRefused && found.count == 256)
        } catch {
            #expect(row.isRefused && error.fact.contains("may have 250000 for all"), "\(error)")
        }
    }

    @Test("what modules apply has a bound", arguments: [(1 << 20, 2), (9 << 20, 1)])
    func applied(_ row: (bytes: Int, known: Int)) throws {
        let manifest = "<manifest><application/></manifest>"
        let script = "apply from: '../x.gradle'\nandroid { defaultConfig { applicationId 'a.b' } }"
        var checkout = Checkout([
            "a/build.gradle": script, "a/src/main/AndroidManifest.xml": manifest,
            "b/build.gradle": script, "b/src/main/AndroidManifest.xml": manifest,
            "x.gradle": "//" + String(repeating: "a", count: row.bytes),
        ])
        let unread = try ["a", "b"].flatMap { module -> [[UnreadSource]] in
            try checkout.read("\(module)/src/main/AndroidManifest.xml").map { declaration in
                if case .android(let app) = declaration { app.unread } else { [] }
            }
        }
        #expect(unread.count == 2 && unread.count(where: \.isEmpty) == row.known)
    }

    @Test("names with many full stops are as deep as blocks", arguments: [(60, false), (70, true)])
    func names(_ row: (parts: Int, isOpen: Bool)) {
        let name = Array(repeating: "a", count: row.parts).joined(separator: ".")
        let script = GradleScript(
            Array("\(name) { }\nandroid { defaultConfig { applicationId 'x.y' } }".utf8))
        #expect(script.variants.map(\.applicationID) == [row.isOpen ? nil : "x.y"])
    }

    @Test("variables within each other have a bound", arguments: [(60, true), (70, false)])
    func variables(_ row: (depth: Int, isKnown: Bool)) {
        let settings = (0..<row.depth).map { number in
            (name: Array("A\(number)".utf8), value: Optional("$(A\(number + 1))"))
        }
        let last = (name: Array("A\(row.depth)".utf8), value: Optional("x"))
        let layer = BuildSettings([BuildSettings.layer(settings + [last])])
        #expect(layer.value("A0") == (row.isKnown ? .known("x") : .open))
    }

    @Test("a long setting stays open", arguments: [(4_096, true), (4_097, false)])
    func settings(_ row: (bytes: Int, isKnown: Bool)) {
        let text = String(repeating: "a", count: row.bytes)
        let layer = BuildSettings([BuildSettings.layer([(name: Array("A".utf8), value: text)])])
        #expect(layer.value("A") == (row.isKnown ? .known(text) : .open))
    }

    // MARK: Manifests

    private func declaration(_ text: String) throws -> AndroidDeclaration {
        let start = "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\">"
        return try AndroidDeclaration(
            XMLReader.read(Array("\(start)\(text)</manifest>".utf8)), kind: .binary)
    }

    @Test func `Android reads the first application alone`() throws {
        let application = """
            <application android:debuggable="DEBUG"><activity><intent-filter>
            <data android:scheme="https" android:host="HOST"/></intent-filter></activity></application>
            """
        func text(_ host: String, _ flag: String) -> String {
            application.replacing("HOST", with: host).replacing("DEBUG", with: flag)
        }
        let app = try declaration(text("a.example", "false") + text("b.example", "true"))
        #expect(app.filters.flatMap(\.hosts).map(\.text) == ["a.example"])
        #expect(!app.isDebuggable)
    }

    @Test(
        "an activity with a filter says whether it is exported, from Android 12 on",
        arguments: [
            (30, "", false), (31, "", true), (35, "", true),
            (31, "android:exported=\"true\"", false), (31, "android:exported=\"false\"", false),
        ])
    func exported(_ row: (target: Int, attribute: String, isLacking: Bool)) throws {
        let app = try declaration(
            """
            <uses-sdk android:targetSdkVersion="\(row.target)"/><application>
            <activity \(row.attribute)><intent-filter/></activity><activity/></application>
            """)
        #expect((app.lacksExported != nil) == row.isLacking)
    }

    @Test func `the resources of one of many flavours cost once`() {
        func time(_ flavors: Int) -> Duration {
            let values = (0..<4_000).map { "resValue 'string', 'a\($0)', 'b'\n" }.joined()
            let names = (0..<flavors).map { "f\($0) { }\n" }.joined()
            let script = GradleScript(
                Array("android { productFlavors { \(names) last { \(values) } } }".utf8))
            var module = SourceModule()
            module.variants = script.variants
            return processorTime { script.addValues(to: &module) }
        }
        #expect((1...3).contains { _ in time(250) < time(2) * 4 + .milliseconds(50) })
    }
}
