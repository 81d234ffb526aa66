import Testing

@testable import AppFiles

@Suite("Files of Android's apps, made by other programs")
struct AndroidFileTests {
    /// The fingerprints of the old and the new key, as keytool prints them.
    private func keys() throws -> [String] {
        String(decoding: try Made.bytes("keys.txt"), as: UTF8.self).split(separator: "\n").map(
            String.init)
    }

    @Test(
        "a binary manifest is read, alone and in an APK", arguments: ["manifest.axml", "shop.apk"])
    func manifest(_ name: String) throws {
        let app = try #require(try Made.android(name))
        #expect(app.applicationID == "com.example.shop")
        #expect(!app.isDebuggable)
        #expect(app.filters.count == (name == "shop.apk" ? 1 : 2))
        let first = app.filters[0]
        #expect(first.component == ".Main")
        #expect(first.isVerified)
        #expect(first.isView)
        #expect(first.isBrowsable)
        #expect(first.isDefault)
        #expect(first.schemes.map(\.text) == ["https"])
        #expect(first.hosts.map(\.text) == ["shop.example.com"])
        #expect(first.paths.map(\.attribute) == ["pathPrefix", "pathPattern"])
        #expect(first.paths.map(\.value.text) == ["/item/", "/a/.*\\.html"])
        #expect(!first.hosts[0].isUnresolved)
        guard app.filters.count > 1 else { return }
        let second = app.filters[1]
        #expect(second.hosts[0].isUnresolved)
        #expect(second.autoVerify?.isUnresolved == true)
        #expect(!second.isVerified)
        #expect(!second.isBrowsable)
    }

    @Test func `an APK has the fingerprint that keytool prints, of each scheme`() throws {
        let old = try keys()[0]
        #expect(
            try Made.android("shop.apk")?.certificates == [
                APKCertificate(scheme: 3, fingerprint: old),
                APKCertificate(scheme: 2, fingerprint: old),
            ])
        #expect(try Made.android("manifest.axml")?.certificates == nil)
    }

    @Test func `an APK whose key was rotated has the new one first`() throws {
        let keys = try keys()
        #expect(
            try Made.android("rotated.apk")?.certificates == [
                APKCertificate(scheme: 3, fingerprint: keys[1]),
                APKCertificate(scheme: 2, fingerprint: keys[0]),
            ])
    }

    @Test func `the source of a manifest is read with lines`() throws {
        let text = """
            <manifest xmlns:a="http://schemas.android.com/apk/res/android" package="com.example.code">
              <application>
                <activity-alias a:name=".Links">
                  <intent-filter a:autoVerify="true">
                    <data a:scheme="https" a:host="${host}"/>
                    <data a:path="@string/path" path="/none"/>
                  </intent-filter>
                  <intent-filter><action a:name="android.intent.action.MAIN"/></intent-filter>
                </activity-alias>
              </application>
            </manifest>
            """
        guard case .android(let app)? = try AppFile.read(ByteSource(Array(text.utf8))).first else {
            Issue.record("no manifest")
            return
        }
        #expect(app.applicationID == nil)
        #expect(app.filters.count == 1)
        #expect(app.filters[0].place == TextPlace(line: 4, column: 7))
        #expect(app.filters[0].hosts[0].place == TextPlace(line: 5, column: 32))
        #expect(app.filters[0].hosts[0].isUnresolved)
        #expect(app.filters[0].paths.map(\.value.text) == ["@string/path"])
        #expect(app.filters[0].paths[0].value.isUnresolved)
    }

    @Test func `a signing block has each scheme once`() throws {
        let bytes = try Made.bytes("shop.apk")
        let list = try ZipArchive(ByteSource(bytes)).directoryOffset
        let size = try #require(bytes.little(8, at: list - 24))
        let start = list - size - 8
        let pairs = Array(bytes[(start + 8)..<(list - 24)])
        func little(_ size: Int, _ number: Int) -> [UInt8] {
            (0..<size).map { UInt8(number >> (8 * $0) & 0xFF) }
        }
        func file(_ pairs: [UInt8]) -> [UInt8] {
            let length = little(8, pairs.count + 24)
            let block = length + pairs + length + Array(bytes[(list - 16)..<list])
            return bytes[..<start] + block + bytes[list...].dropLast(6)
                + little(4, start + block.count) + [0, 0]
        }
        #expect(refusal(file(pairs)) == nil)
        #expect(refusal(file(pairs + pairs))?.fact == "has a damaged signing block")
    }
}
