import Foundation
import Testing

/// A configuration that names the manifest of an Android app: what depended on the manifest is known.
@Suite("The manifest of an Android app in a configuration")
struct ManifestTests {
    private static func configuration(dynamic: Bool = false) -> String {
        """
        version: 1
        apps:
          shop:
            android:
              package: com.example.shop
              sha256: B7:2C:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5
              manifest: AndroidManifest.xml
              dynamic: \(dynamic)
        links:
          item: {match: /item/*}
        environments:
          prod:
            hosts: [shop.example.com]
            tls: {certificate: c.pem, key: k.pem}
            publish: {shop: [item]}
        expect:
          - {url: "https://shop.example.com/item/1", env: prod, as: android-chrome, opens: [shop]}
          - {url: "https://shop.example.com/help", env: prod, as: android-chrome, opens: []}

        """
    }

    private static func manifest(_ data: String, least: Int = 24, more: String = "") -> String {
        """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android">
          <uses-sdk android:minSdkVersion="\(least)"/>
          <application>
            <activity android:name=".Main" android:exported="true">
              <intent-filter android:autoVerify="true">
                <action android:name="android.intent.action.VIEW"/>
                <category android:name="android.intent.category.DEFAULT"/>
                <category android:name="android.intent.category.BROWSABLE"/>
                <data android:scheme="https" android:host="shop.example.com"/>
                <data \(data)/>\(more)
              </intent-filter>
            </activity>
          </application>
        </manifest>
        """
    }

    private func run(
        _ manifest: String?, dynamic: Bool = false, _ arguments: String...
    ) throws -> Program.Outcome {
        try run(manifest, dynamic: dynamic, arguments: arguments)
    }

    private func run(
        _ manifest: String?, dynamic: Bool = false, arguments: [String]
    ) throws -> Program.Outcome {
        try withConfiguration(Self.configuration(dynamic: dynamic)) { path in
            if let manifest {
                let file = URL(filePath: path).deletingLastPathComponent()
                    .appending(path: "AndroidManifest.xml")
                try Data(manifest.utf8).write(to: file)
            }
            return try Program.run(arguments.map { $0 == "CONFIG" ? path : $0 })
        }
    }

    private static let items = manifest(#"android:pathPrefix="/item/""#)

    @Test("match says open or none", arguments: ["text", "json", "lines"])
    func match(_ format: String) throws {
        let opened = try run(
            Self.items, "match", "https://shop.example.com/item/1", "--config", "CONFIG", "--env",
            "prod", "--format", format)
        #expect(opened.status == 0, "\(opened)")
        #expect(opened.output.contains(format == "text" ? "opens com.example.shop" : "open"))
        #expect(!opened.output.contains("depends on the manifest"))
        let other = try run(
            Self.items, "match", "https://shop.example.com/help", "--config", "CONFIG", "--env",
            "prod", "--format", format)
        #expect(other.status == 1)
        #expect(other.output.contains(format == "text" ? "no filter of the manifest" : "none"))
        let unknown = try run(
            nil, "match", "https://shop.example.com/item/1", "--config", "CONFIG", "--env",
            "prod", "--format", format)
        #expect(unknown.status == 1)
        #expect(unknown.output.contains("manifest"))
        #expect(unknown.messages.contains("AndroidManifest.xml"), "\(unknown.messages)")
    }

    @Test func `a value that a build fills in leaves it open`() throws {
        let outcome = try run(
            Self.manifest(#"android:pathPrefix="${path}""#), "match",
            "https://shop.example.com/item/1", "--config", "CONFIG", "--env", "prod")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("depends on the manifest of com.example.shop"))
        #expect(outcome.output.contains("${path}"), "\(outcome.output)")
    }

    /// A filter that takes items, but on Android 15 and later none with a preview.
    private static func groups(least: Int) -> String {
        manifest(
            #"android:scheme="http""#, least: least,
            more: """
                <uri-relative-filter-group android:allow="false">
                  <data android:queryPrefix="preview="/>
                </uri-relative-filter-group>
                <uri-relative-filter-group>
                  <data android:pathPrefix="/item/"/>
                </uri-relative-filter-group>
                """)
    }

    @Test(
        "groups of conditions decide where all versions read them",
        arguments: [
            ("item/1", 35, 0, "opens com.example.shop"),
            ("item/1?preview=1", 35, 1, "no filter of the manifest"),
            ("help", 35, 1, "no filter of the manifest"),
            // Older versions see a filter without paths.
            ("item/1", 34, 0, "opens com.example.shop"),
            ("item/1?preview=1", 34, 1, "depends on the manifest of com.example.shop"),
            ("help", 34, 1, "depends on the manifest of com.example.shop"),
        ])
    func groups(_ path: String, _ least: Int, _ status: Int32, _ said: String) throws {
        for command in [["match"], ["explain", "--as", "android-chrome"]] {
            let outcome = try run(
                Self.groups(least: least),
                arguments: command + [
                    "https://shop.example.com/\(path)", "--config", "CONFIG", "--env", "prod",
                ])
            if command == ["match"] {
                #expect(outcome.status == status, "\(outcome)")
                #expect(outcome.output.contains(said), "\(outcome)")
            } else {
                let isOpen = said.hasPrefix("depends")
                #expect(
                    outcome.output.contains("Android 15 and later read") == isOpen, "\(outcome)")
            }
        }
    }

    @Test("link tests know what groups take", arguments: [(35, "2 passed"), (34, "1 undecided")])
    func groupsTested(_ least: Int, _ said: String) throws {
        let outcome = try run(Self.groups(least: least), "test", "--config", "CONFIG")
        #expect(outcome.output.contains(said), "\(outcome)")
        let findings = try run(Self.groups(least: least), "lint", "CONFIG")
        #expect(findings.output.contains("?preview="), "\(findings)")
        #expect(findings.output.contains("[published-not-in-manifest]"), "\(findings)")
    }

    @Test("dynamic rules stay within the manifest", arguments: [("item/1", 0), ("item/2", 1)])
    func dynamic(_ path: String, _ status: Int32) throws {
        let outcome = try run(
            Self.manifest(#"android:path="/item/1""#), dynamic: true, "match",
            "https://shop.example.com/\(path)", "--config", "CONFIG", "--env", "prod")
        #expect(outcome.status == status, "\(outcome)")
    }

    @Test func `explain says what the manifest decides`() throws {
        let outcome = try run(
            Self.items, "explain", "https://shop.example.com/item/1", "--as", "android-chrome",
            "--config", "CONFIG", "--env", "prod")
        #expect(
            outcome.output.contains("a filter of"), "\(outcome)")
    }

    @Test(
        "link tests pass or fail",
        arguments: [
            (#"android:pathPrefix="/item/""#, 0, "2 passed"),
            (#"android:pathPrefix="/help""#, 1, "2 failed"),
            (#"android:pathPrefix="@string/path""#, 0, "2 undecided"),
        ])
    func test(_ data: String, _ status: Int32, _ said: String) throws {
        let outcome = try run(Self.manifest(data), "test", "--config", "CONFIG")
        #expect(outcome.output.contains(said), "\(outcome)")
        #expect(outcome.status == status, "\(outcome)")
    }

    @Test func `lint compares it with what is published`() throws {
        let outcome = try run(Self.manifest(#"android:pathPrefix="/item/x""#), "lint", "CONFIG")
        #expect(outcome.output.contains("[published-not-in-manifest]"), "\(outcome)")
        let damaged = try run("<manifest", "lint", "CONFIG")
        #expect(damaged.output.contains("[app-file-form]"), "\(damaged)")
        let missing = try run(nil, "lint", "CONFIG")
        #expect(missing.output.contains("[file-unreadable]"), "\(missing)")
    }

    @Test(
        "lint says why no link opens the app",
        arguments: [
            ("android:autoVerify", "android:autoverify", "[no-auto-verify]"),
            ("shop.example.com", "www.example.com", "[site-host-not-declared]"),
            ("shop.example.com", "${host}", "[manifest-placeholder]"),
        ])
    func notVerified(_ old: String, _ new: String, _ said: String) throws {
        let right = try run(Self.items, "lint", "CONFIG")
        #expect(!right.output.contains("AndroidManifest.xml"), "\(right)")
        let wrong = Self.items.replacingOccurrences(of: old, with: new)
        let outcome = try run(wrong, "lint", "CONFIG")
        #expect(outcome.output.contains(said), "\(outcome)")
        // A library can have what the manifest lacks.
        #expect(!outcome.output.contains("error: the site lists"), "\(outcome)")
        #expect(outcome.output.contains("AndroidManifest.xml:"), "\(outcome)")
    }
}
