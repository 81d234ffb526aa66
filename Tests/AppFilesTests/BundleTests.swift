import Foundation
import TestSupport
import Testing

@testable import AppFiles

@Suite("Android App Bundles, and what signs them")
struct BundleTests {
    private func keys() throws -> [String] {
        String(decoding: try Made.bytes("keys.txt"), as: UTF8.self).split(separator: "\n").map(
            String.init)
    }

    /// The words of a declaration about links, without lines.
    private func words(_ app: AndroidDeclaration) -> [String] {
        app.filters.flatMap { filter -> [String] in
            var words = [filter.component, filter.autoVerify?.text ?? ""]
            words += filter.actions.map(\.text)
            words += filter.categories.map(\.text)
            words += (filter.schemes + filter.hosts).map { $0.isUnresolved ? "open" : $0.text }
            words += filter.paths.map { "\($0.attribute) \($0.value.text)" }
            return words
        }
    }

    @Test(
        "a bundle declares what the APK of the same manifest declares",
        arguments: [("shop.aab", "shop.apk"), ("resources.aab", "resources.apk")])
    func same(_ bundle: String, _ apk: String) throws {
        let (bundle, apk) = (
            try #require(try Made.android(bundle)), try #require(try Made.android(apk))
        )
        #expect(words(bundle) == words(apk))
        #expect(bundle.applicationID == apk.applicationID)
        #expect(bundle.isDebuggable == apk.isDebuggable)
        #expect(bundle.filters.map(\.place.line) == apk.filters.map(\.place.line))
        #expect(bundle.isForUpload && !apk.isForUpload)
    }

    @Test func `the first scheme has the fingerprint that keytool prints`() throws {
        let old = [APKCertificate(scheme: 1, fingerprint: try keys()[0])]
        #expect(try Made.android("shop.aab")?.certificates == old)
        #expect(try Made.android("v1.apk")?.certificates == old)
        #expect(try Made.android("resources.aab")?.certificates == [])
    }

    @Test func `a key store ends where it says, and has keys`() throws {
        let bytes = try Made.bytes("shop.jks")
        #expect(refusal(bytes) == nil)
        #expect(refusal(bytes + [0])?.fact == "is a damaged key store")
        #expect(refusal(Array(bytes.dropLast()))?.fact == "is a damaged key store")
        let empty = bytes[..<8] + [0, 0, 0, 0] + bytes.suffix(20)
        #expect(refusal(Array(empty))?.fact.contains("without keys") == true)
        var many = bytes
        many[11] = 65
        #expect(refusal(many)?.fact == "is a key store with 65 entries, may have 64")
    }

    /// An element of DER with at most 127 bytes.
    private func der(_ tag: UInt8, _ content: [UInt8]...) -> [UInt8] {
        [tag, UInt8(content.joined().count)] + content.joined()
    }

    /// A content of a PKCS #12 file: what it is, and a string with it.
    private func content(_ kind: [UInt8], _ string: [UInt8]) -> [UInt8] {
        der(0x06, kind) + der(0xA0, der(0x04, string))
    }

    @Test func `a certificate of a key store is within its bag`() {
        let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]
        func keyStore(_ bag: [UInt8]) -> [UInt8] {
            let contents = der(0x30, der(0x30, content(pkcs + [7, 1], der(0x30, bag))))
            return der(0x30, der(0x02, [3]), der(0x30, content(pkcs + [7, 1], contents)))
        }
        var bag = der(
            0x30, der(0x06, pkcs + [0x0C, 0x0A, 1, 3]),
            der(0xA0, der(0x30, content([0x2A], [0x30, 0]))))
        #expect(refusal(keyStore(bag)) == nil)
        // Of such bags, each could have all bytes up to the end of the file.
        bag[1] = 15
        #expect(refusal(keyStore(bag))?.fact == "is a damaged key store")
    }

    @Test func `hosts are names that can be asked`() throws {
        let texts = ["*", "10.0.0.1", "a b", "a:80", "*.Shop.example", "${host}", "Example.com"]
        let filters = texts.map { "<data a:scheme='https' a:host='\($0)'/>" }.joined()
        let manifest = """
            <manifest xmlns:a="http://schemas.android.com/apk/res/android"><application><activity>
            <intent-filter><action a:name="android.intent.action.VIEW"/>\(filters)</intent-filter>
            </activity></application></manifest>
            """
        let found = try AppFile.read(ByteSource(Array(manifest.utf8)))
        #expect(found.flatMap(\.hosts) == ["shop.example", "example.com"])
    }

    /// A field of a message.
    private func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        var (size, length) = (content.count, [UInt8]())
        while size > 0x7F {
            length.append(UInt8(size & 0x7F) | 0x80)
            size >>= 7
        }
        return [number << 3 | 2] + length + [UInt8(size)] + content
    }

    private func element(_ name: String, _ children: [[UInt8]] = []) -> [UInt8] {
        field(1, field(3, Array(name.utf8)) + children.flatMap { field(5, $0) })
    }

    @Test func `elements are nested as deep as the limit`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            (1..<depth).reduce(element("a")) { inner, _ in element("a", [inner]) }
        }
        var node = try BundleXML.read(nested(AppFileLimits.depthMax))
        var depth = 1
        while let child = node.children.first { (node, depth) = (child, depth + 1) }
        #expect(depth == AppFileLimits.depthMax)
        #expect(throws: FormatFault.self) { try BundleXML.read(nested(AppFileLimits.depthMax + 1)) }
    }

    @Test(
        "an escape in a text is what aapt2 makes of it",
        arguments: [
            (".*\\\\.html", ".*\\.html"), (".*\\.html", ".*.html"), ("\\u002fa", "/a"),
            ("\\@a\\?\\n", "@a?\n"), ("a\\", "a"), ("\\u00zz", "00zz"),
        ])
    func escapes(_ text: String, _ expected: String) throws {
        let attribute = field(2, Array("path".utf8)) + field(3, Array(text.utf8))
        let node = try BundleXML.read(field(1, field(3, [0x61]) + field(4, attribute)))
        #expect(node.attributes.map(\.value) == [expected])
    }

    @Test("a resource has the value that all its configurations have")
    func values() throws {
        func value(_ text: String) -> [UInt8] {
            field(6, field(2, field(4, field(2, field(1, Array(text.utf8))))))
        }
        /// The resource 0x7F010000 and its references.
        func table(_ values: [UInt8]...) throws -> BundleResources {
            let entries = values.enumerated().map { number, value in
                field(3, field(1, [0x08, UInt8(number)]) + value)
            }
            return try BundleResources(
                field(
                    2, field(1, [0x08, 0x7F]) + field(3, field(1, [0x08, 1]) + entries.joined())))
        }
        let reference = field(
            6, field(2, field(4, field(1, [0x10, 0x80, 0x80, 0x84, 0xF8, 0x07]))))
        let (same, other) = (value("a") + value("a"), value("a") + value("b"))
        let found = try table(same, other, reference, other + value("a"))
        #expect((0..<5).map { found.value(0x7F01_0000 + $0) } == ["a", nil, "a", nil, nil])
        #expect(try table(reference).value(0x7F01_0000) == nil)
        // A value in German.
        let german = field(
            6,
            field(1, field(3, Array("de".utf8))) + field(2, field(4, field(2, field(1, [0x62])))))
        let differing = try table(same + german, reference, same)
        #expect(differing.value(0x7F01_0000) == "a")
        #expect((0..<3).map { differing.dependsOnDevice(0x7F01_0000 + $0) } == [true, true, false])
    }

    @Test("numbers and lengths that do not fit are refused")
    func damaged() {
        let tooLong = [UInt8](repeating: 0x80, count: 10) + [1]
        let cases: [[UInt8]] = [
            [0x0A, 0x05, 0x61], [0x08], [0x08] + tooLong, [0x0B], [0x09, 1], [0x0A] + tooLong,
        ]
        for bytes in cases {
            #expect(throws: FormatFault.self) { try BundleXML.read(bytes) }
        }
    }

    @Test("what a bundle costs grows with its size")
    func costs() {
        func time(_ count: Int) -> Duration {
            let children = [[UInt8]](
                repeating: element("b") + field(3, [0x08, 0x05]), count: count)
            let document = element("manifest", children)
            let value = field(4, field(2, field(1, Array("text".utf8))))
            let entries = (0..<count).flatMap { number -> [UInt8] in
                field(3, field(1, [0x08, UInt8(number & 0x7F)]) + field(6, field(2, value)))
            }
            let table = field(2, field(1, [0x08, 0x7F]) + field(3, field(1, [0x08, 1]) + entries))
            return processorTime {
                _ = try? BundleXML.read(document)
                _ = try? BundleResources(table)
            }
        }
        // Eight times as much, and room for other programs; a square costs sixty-four times as much.
        #expect((1...3).contains { _ in time(32_000) < time(4_000) * 24 + .milliseconds(50) })
    }
}
