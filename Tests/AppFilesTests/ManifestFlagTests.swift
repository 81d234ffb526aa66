import Testing

@testable import AppFiles

@Suite("Booleans of a manifest")
struct ManifestFlagTests {
    private func app(
        verify: String = "true", exported: String = "true", removed: String = "android:label",
        kind: AndroidDeclaration.Kind = .source
    ) throws -> AndroidDeclaration {
        let text = """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools">
            <application><activity android:name=".Main" android:exported="\(exported)">
            <intent-filter android:autoVerify="\(verify)" tools:remove="\(removed)"><data android:scheme="https"/>
            </intent-filter></activity></application></manifest>
            """
        return try AndroidDeclaration(XMLReader.read(Array(text.utf8)), kind: kind)
    }

    @Test(
        "aapt2 takes three spellings of each, and blanks around them",
        arguments: [
            ("true", true), ("TRUE", true), ("True", true), (" True&#10; ", true),
            ("false", false), ("FALSE", false), ("False", false), ("&#9;false ", false),
        ])
    func spellings(_ row: (text: String, flag: Bool)) throws {
        #expect(try app(verify: row.text).filters[0].isVerified == row.flag)
        #expect(try app(exported: row.text).filters[0].isExported == row.flag)
    }

    @Test(
        "an attribute that its own element removes does not count in source",
        arguments: [
            ("android:autoVerify", true), ("android:label, android:autoVerify", true),
            ("android:autoVerifyX", false),
        ])
    func removed(_ row: (names: String, isRemoved: Bool)) throws {
        #expect(try app(removed: row.names).filters[0].isVerified != row.isRemoved)
        #expect(try app(removed: row.names, kind: .binary).filters[0].isVerified)
    }

    @Test(
        "another value is a fault that names it", arguments: ["yes", "tRUE", "1", "", "true true"])
    func refuses(_ text: String) {
        let fault = #expect(throws: FormatFault.self) { try app(verify: text) }
        #expect(fault?.fact.contains("android:autoVerify=\"\(text)\" on <intent-filter>") == true)
        #expect(fault?.place == TextPlace(line: 3, column: 16))
        #expect(throws: FormatFault.self) { try app(exported: text) }
    }

    @Test(
        "what something else fills in stays", arguments: ["@bool/verify", "?verify", "${verify}"])
    func references(_ text: String) throws {
        let filter = try app(verify: text, exported: " \(text) ").filters[0]
        #expect(filter.autoVerify?.isUnresolved == true && !filter.isVerified)
        #expect(filter.undecided.map(\.text) == [text] && filter.isExported)
    }

    @Test(
        "Android takes numbers and few texts of a binary manifest for true",
        arguments: [
            ("true", true), ("TRUE", true), ("1", true), ("-1", true), ("0", false),
            ("True", false),
            ("false", false), ("yes", false),
        ])
    func binary(_ row: (text: String, flag: Bool)) throws {
        #expect(try app(verify: row.text, kind: .binary).filters[0].isVerified == row.flag)
    }

    @Test(
        "an app for other devices than phones requires a feature of theirs",
        arguments: [
            ("android.hardware.type.watch", "", "watch"),
            ("android.software.leanback", "android:required=\"True\"", "television"),
            ("android.software.leanback", "android:required=\"False\"", nil),
            ("android.hardware.camera", "", nil),
        ] as [(String, String, String?)])
    func devices(_ row: (name: String, attribute: String, device: String?)) throws {
        let text = """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android">
            <uses-feature android:name="\(row.name)" \(row.attribute)/><application/></manifest>
            """
        let app = try AndroidDeclaration(XMLReader.read(Array(text.utf8)), kind: .source)
        #expect(app.device == row.device)
    }

    @Test func `the attributes of a binary manifest are known by their numbers`() {
        #expect(platformAttributes[0x0101_028E] == "required")
    }

    @Test func `an alias has a permission of its own alone`() throws {
        func permission(_ own: String) throws -> String? {
            let text = """
                <manifest xmlns:android="http://schemas.android.com/apk/res/android">
                <application android:permission="of.app">
                <activity android:name=".Main" android:permission="of.target"/>
                <activity-alias android:name=".Links" android:targetActivity=".Main" \(own)>
                <intent-filter><data android:scheme="https"/></intent-filter></activity-alias>
                </application></manifest>
                """
            let app = try AndroidDeclaration(XMLReader.read(Array(text.utf8)), kind: .source)
            return app.filters[0].permission?.text
        }
        #expect(try permission("") == nil)
        #expect(try permission("android:permission=\"of.alias\"") == "of.alias")
    }
}
