import Foundation
import TestSupport
import Testing

@testable import AppFiles

@Suite("Values in resources")
struct ResourceTests {
    @Test(
        "hosts of an APK are those of its resources", arguments: ["resources.apk", "sparse.apk"])
    func hosts(_ name: String) throws {
        let app = try #require(try Made.android(name))
        let filters = app.filters.dropFirst()
        #expect(
            filters.prefix(2).flatMap(\.hosts).map(\.text) == [
                "www.example.com", "www.example.com",
            ]
        )
        let hosts = filters.flatMap(\.hosts)
        // Versions of Android differ, two refer to each other, one is a number, and one is the system's.
        #expect(
            hosts.map(\.isUnresolved) == [false, false, true, true, true, true, false, false])
        // The first has another one in German, and the second refers to it.
        let ofDevices = hosts.map(\.dependsOnDevice)
        #expect(ofDevices == [true, true] + Array(repeating: false, count: 6))
        let verified = filters.suffix(2).compactMap(\.autoVerify)
        #expect(verified.map(\.text).first == "true")
        #expect(verified.map(\.isUnresolved) == [false, true])
    }

    private static let other = "/usr/bin/aapt2"

    @Test(
        "aapt2 reads the same values", .enabled(if: FileManager.default.fileExists(atPath: other)),
        arguments: ["resources.apk", "sparse.apk"])
    func beside(_ name: String) throws {
        let dump = Process()
        dump.executableURL = URL(filePath: Self.other)
        dump.arguments = ["dump", "resources", "\(Made.directory)/\(name)"]
        let pipe = Pipe()
        dump.standardOutput = pipe
        try dump.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        dump.waitUntilExit()
        let archive = try ZipArchive(ByteSource(Made.bytes(name)))
        var table = try ResourceTable(archive.member("resources.arsc").readWhole())
        // "    resource 0x7f010001 bool/verify", then lines such as "      () true".
        let entries = text.components(separatedBy: "    resource 0x").dropFirst()
        #expect(entries.count == 9)
        var named = [String: [String]]()
        for entry in entries {
            let lines = entry.components(separatedBy: "\n")
            named["@" + lines[0].split(separator: " ")[1]] = lines.dropFirst()
                .filter { $0.contains("() ") || $0.contains("(v31) ") }
                .map { $0.split(separator: ") ")[1].trimmingCharacters(in: ["\""]) }
        }
        for entry in entries {
            let number = try #require(Int(entry.prefix(8), radix: 16))
            var values = named["@" + entry.split(whereSeparator: \.isWhitespace)[1]] ?? []
            for _ in 0..<20 { values = values.flatMap { named[$0] ?? [$0] } }
            let isKnown = Set(values).count == 1 && !values[0].hasPrefix("@") && values[0] != "1"
            #expect(table.value(number) == (isKnown ? values[0] : nil), "\(entry)")
        }
    }

    private static func table() throws -> [UInt8] {
        try ZipArchive(ByteSource(Made.bytes("sparse.apk"))).member("resources.arsc").readWhole()
    }

    @Test func `a table that ends early or has another byte is read or refused`() throws {
        let bytes = try Self.table()
        func look(_ bytes: [UInt8]) {
            guard var table = try? ResourceTable(bytes) else { return }
            for type in 0...4 {
                for entry in 0...7 { _ = table.value(0x7F << 24 | type << 16 | entry) }
            }
        }
        for index in bytes.indices {
            look(Array(bytes[..<index]))
            for value: UInt8 in [0x01, 0x80, 0xFF] {
                var mutant = bytes
                mutant[index] ^= value
                look(mutant)
            }
        }
        var generator = SplitMix(seed: 7)
        for _ in 0..<1_000 {
            var mutant = bytes
            let start = Int.random(in: bytes.indices, using: &generator)
            for index in start..<min(bytes.count, start + 4) {
                mutant[index] = [0x00, 0x7F, 0xFF].randomElement(using: &generator) ?? 0
            }
            look(mutant)
        }
    }

    private static let manifest = """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application><activity>
        <intent-filter android:autoVerify="@bool/verify">
        <data android:scheme="https" android:host="@string/host"/>
        </intent-filter></activity></application></manifest>
        """

    private func values(_ hosts: String...) -> String {
        "<resources>" + hosts.map { "<string name=\"host\">\($0)</string>" }.joined()
            + "<bool name='verify'>true</bool></resources>"
    }

    /// The host and whether it is verified; nil where it is not known.
    private func read(_ files: [String: String], _ name: String) throws -> [String?] {
        var checkout = Checkout(files)
        guard case .android(let app)? = try checkout.read(name).first else { return [] }
        return [app.filters[0].hosts[0], app.filters[0].autoVerify].map {
            $0.flatMap { $0.isUnresolved ? nil : $0.text }
        }
    }

    @Test(
        "a reference in a manifest's source is followed into its module",
        arguments: [
            "app/src/main/AndroidManifest.xml", "src/main/AndroidManifest.xml",
            "AndroidManifest.xml", "old/AndroidManifest.xml",
        ])
    func followed(_ manifest: String) throws {
        let set = manifest.dropLast("AndroidManifest.xml".count)
        let files = [
            manifest: Self.manifest, "\(set)res/values/a.xml": values(" www.example.com\n"),
            "\(set)res/xml/a.xml": values("x.example.com"),
            "other/src/main/res/values/a.xml": values("other.example.com"),
            "app/src/debug/res/values/a.xml": values("debug.example.com"),
        ]
        #expect(try read(files, manifest) == ["www.example.com", "true"])
    }

    @Test(
        "a value that builds, versions or escapes decide is not known",
        arguments: [
            ["app/src/main/res/values/a.xml": ["a.example.com", "b.example.com"]],
            [
                "app/src/main/res/values/a.xml": ["a.example.com"],
                "app/src/main/res/values-v31/a.xml": ["b.example.com"],
            ],
            [
                "app/src/main/res/values/a.xml": ["a.example.com"],
                "app/src/beta/res/values/a.xml": ["b.example.com"],
            ],
            ["app/src/main/res/values/a.xml": ["a\\u002eexample.com"]],
            ["app/src/main/res/values/a.xml": ["a.<b>example</b>.com"]],
            ["app/src/main/res/values/a.xml": ["@string/host"]],
            ["app/src/main/res/values/a.xml": ["@android:string/ok"]],
            ["app/src/main/res/values/a.xml": []],
        ])
    func unknown(_ sets: [String: [String]]) throws {
        var files = sets.mapValues { hosts in
            "<resources>" + hosts.map { "<string name=\"host\">\($0)</string>" }.joined()
                + "<item type='bool' name='verify'>true</item></resources>"
        }
        files["app/src/main/AndroidManifest.xml"] = Self.manifest
        #expect(try read(files, "app/src/main/AndroidManifest.xml") == [nil, "true"])
    }

    @Test(
        "a text that devices have different ones of depends on them",
        arguments: [
            ("src/main/res/values-de/a.xml", true), ("src/main/res/values-land/a.xml", true),
            ("src/main/res/values-v31/a.xml", false), ("src/main/res/values-vi/a.xml", true),
            ("src/debug/res/values-de/a.xml", false), ("src/main/res/xml-de/a.xml", false),
            ("b/src/main/res/values-de/a.xml", false),
        ])
    func devices(_ name: String, _ isOpen: Bool) throws {
        let other = "<!-- <string name='host'/> --><bool name='host'>true</bool>"
        for (text, isOpen) in [
            (values("a.example.com"), isOpen), ("<resources>\(other)</resources>", false),
        ] {
            var checkout = Checkout([
                "src/main/AndroidManifest.xml": Self.manifest,
                "src/main/res/values/a.xml": values("a.example.com"), name: text,
            ])
            guard case .android(let app)? = try checkout.read("src/main/AndroidManifest.xml").first
            else {
                Issue.record("no app")
                return
            }
            #expect(app.filters[0].hosts.map(\.text) == ["a.example.com"])
            #expect(app.filters[0].hosts.map(\.dependsOnDevice) == [isOpen])
        }
    }

    @Test(
        "a text that devices have different ones of in releases of one flavor depends on them there",
        arguments: [
            ("main", [true, true]), ("prod", [true, false]), ("prodRelease", [true, false]),
            ("dev", [false, true]), ("release", [true, true]), ("prodDebug", [false, false]),
            ("production", [true, true]),
        ])
    func devicesOfFlavors(_ set: String, _ isOpen: [Bool]) throws {
        let values = "<resources><string name='host'>a.example.com</string></resources>"
        let apps = try androidApps(
            [
                "app/build.gradle": """
                android { defaultConfig { applicationId 'a.b' }
                productFlavors { prod { }
                dev { } }
                buildTypes { production { } } }
                """, "app/src/main/res/values/a.xml": values,
                "app/src/\(set)/res/values-de/a.xml": values,
            ],
            application: """
                <application><activity android:name=".A"><intent-filter android:autoVerify="true">
                <data android:scheme="https" android:host="@string/host"/></intent-filter></activity></application>
                """)
        #expect(apps.map(\.flavor) == ["prod", "dev"])
        #expect(apps.map { $0.filters[0].hosts[0].dependsOnDevice } == isOpen)
    }

    @Test(
        "of a text of data that devices have different ones of, Android takes nothing",
        arguments: [
            "path", "pathPrefix", "pathPattern", "pathSuffix", "pathAdvancedPattern", "mimeType",
            "scheme", "host", "port",
        ])
    func ofData(_ attribute: String) throws {
        let host = attribute == "port" ? "android:host='b.c'" : ""
        for (directory, isOpen) in [("values-de", true), ("values-v31", false)] {
            let text = "<resources><string name='a'>/a</string></resources>"
            let app = try #require(
                try androidApps(
                    [
                        "app/src/main/res/values/a.xml": text,
                        "app/src/main/res/\(directory)/a.xml": text,
                    ],
                    application: """
                        <application><activity android:name=".A"><intent-filter android:autoVerify="true">
                        <data android:scheme="https" android:host="a.b"/>
                        <data \(host) android:\(attribute)="@string/a"/></intent-filter></activity></application>
                        """
                ).first)
            let filter = app.filters[0]
            let values =
                filter.schemes + filter.hosts + filter.authorities.compactMap(\.port)
                + filter.mimeTypes + filter.paths.map(\.value)
            #expect(values.filter { $0.text == "/a" }.map(\.isOpen) == [isOpen])
        }
    }

    @Test func `a damaged file of values leaves all values open, and the manifest is read`() throws
    {
        let files = [
            "AndroidManifest.xml": Self.manifest, "res/values/a.xml": values("a.example.com"),
            "res/values/b.xml": "<resources>",
        ]
        #expect(try read(files, "AndroidManifest.xml") == [nil, nil])
    }
}
