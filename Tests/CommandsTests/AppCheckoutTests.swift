import Files
import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("waymark app with a checkout")
struct AppCheckoutTests {
    /// A fingerprint that is no placeholder.
    private static let key =
        "B7:2C:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"

    private func directory() throws -> URL {
        try appSite("other", "ios: {id: ABCDE12345.com.example.other}", host: "www.example.com")
    }

    @Test func `old hooks of Cordova are found, and no other hidden files`() throws {
        let place = try directory()
        for path in [".cordova/hooks/a", ".git/hooks"] {
            let made = place.appending(path: "code/\(path)")
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
            try Data().write(to: made.appending(path: "b.js"))
        }
        let tree = findProject(under: place.appending(path: "code").path, depthMax: 32)
        #expect(tree.files.map(\.relativePath) == [".cordova/hooks/a/b.js"])
    }

    @Test
    func `a checkout that declares nothing says so, and what flavours have together is said once`()
        throws
    {
        let place = try directory()
        let source = place.appending(path: "source")
        let main = source.appending(path: "app/src/main")
        try FileManager.default.createDirectory(at: main, withIntermediateDirectories: true)
        try Data("<plist><dict><key>a</key><true/></dict></plist>".utf8).write(
            to: source.appending(path: "a.entitlements"))
        let alone = try runApp(["source"], in: place)
        #expect(alone.output.hasPrefix("the only file of an app declares no links\n"), "\(alone)")
        let beside = try runApp(["source", "--env", "prod", "--fail-on", "warning"], in: place)
        #expect(
            beside.output.hasPrefix(
                "source:1:1: warning: no file declares links, so nothing is compared, and the site lists "
                    + "\"ABCDE12345.com.example.other\" [app-unknown]\n"), "\(beside)")
        #expect(beside.output.contains("\nsource: cannot be known: no file declares links"))
        #expect(beside.status == 1 && beside.messages == "")
        // No host is asked, and nobody knows whether one lists the app.
        let live = try runApp(["source", "--live", "--format", "json"], in: place)
        #expect(live.output.contains("\"verdict\": \"unknown\"") && live.status == 0, "\(live)")
        try Data(
            """
            android { defaultConfig { applicationId "com.example.shop" }
            productFlavors { free { } full { applicationIdSuffix ".full" } } }
            """.utf8
        ).write(to: source.appending(path: "app/build.gradle"))
        try Data(
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main"><intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            <data android:scheme="https"/><data android:host="${host}"/>
            <data android:host="shop.example.com" android:pathPattern="/a/.*"/>
            <data android:host="shop.example.com" android:pathPattern="/a/.*"/>
            </intent-filter></activity></application></manifest>
            """.utf8
        ).write(to: main.appending(path: "AndroidManifest.xml"))
        let declared = try runApp(["source"], in: place)
        for part in [
            "\"${host}\" is filled in by Gradle", "    the key of com.example.shop: ",
            "flavor full: com.example.shop.full (Android) declares\n    ${host}: pathPattern /a/.*\n"
                + "    shop.example.com: pathPattern /a/.*\n\n",
        ] {
            #expect(
                declared.output.components(separatedBy: part).count == 2,
                "\(part): \(declared.output)")
        }
    }

    @Test func `a flavor that the site does not list is named`() throws {
        let place = try directory()
        let main = place.appending(path: "source/app/src/main")
        try FileManager.default.createDirectory(at: main, withIntermediateDirectories: true)
        try Data(
            """
            android { defaultConfig { applicationId "com.example.shop" }
            productFlavors { prod { } dev { applicationIdSuffix ".dev" } } }
            """.utf8
        ).write(to: place.appending(path: "source/app/build.gradle"))
        try Data(
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main" android:exported="true"><intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            <data android:scheme="https" android:host="shop.example.com"/>
            </intent-filter></activity></application></manifest>
            """.utf8
        ).write(to: main.appending(path: "AndroidManifest.xml"))
        func run(
            _ packages: String..., named app: [String] = [],
            config: [String] = ["--assetlinks", "links.json"]
        ) throws -> Program.Outcome {
            let statements = packages.map { package in
                """
                {"relation": ["delegate_permission/common.handle_all_urls"], "target": {
                "namespace": "android_app", "package_name": "\(package)", "sha256_cert_fingerprints":
                ["\(Self.key)"]}}
                """
            }
            try Data("[\(statements.joined(separator: ","))]".utf8).write(
                to: place.appending(path: "links.json"))
            return try runApp(["source"] + config + app, in: place)
        }
        let file = "source/app/src/main/AndroidManifest.xml"
        // The build that people have is no line on standard error alone.
        let missed = try run("com.example.shop.dev")
        #expect(
            missed.output.contains(
                "\(file): flavor prod: com.example.shop (Android): cannot be known: the site does not list "
                    + "\"com.example.shop\" (flavor prod), but \"com.example.shop.dev\""),
            "\(missed)")
        #expect(!missed.messages.contains("not compared") && missed.status == 0)
        #expect(
            try run("com.example.shop.dev", named: ["--fail-on", "warning"]).status == 1)
        let other = try run("com.example.shop")
        #expect(
            other.messages.contains(
                "not compared: \(file): flavor dev: com.example.shop.dev (Android), which the site does not list"
            ))
        #expect(other.output.hasSuffix("(Android): agrees\n") && !other.output.contains("known"))
        for outcome in [
            try run("com.example.shop.dev", "com.example.shop"),
            try run("com.example.shop.dev", named: ["--app", "com.example.shop.dev"]),
        ] {
            #expect(!outcome.messages.contains("not compared"))
            #expect(!outcome.output.contains("cannot be known"), "\(outcome)")
        }
        // Another environment publishes it.
        let key = Self.key
        try Data(
            """
            version: 1
            apps:
              shop: {android: {package: com.example.shop, sha256: ["\(key)"]}}
              dev: {android: {package: com.example.shop.dev, sha256: ["\(key)"]}}
            links: {item: {match: /*}}
            environments:
              prod: {hosts: [www.example.com], tls: {certificate: c.pem, key: k.pem}, publish: {shop: [item]}}
              dev: {hosts: [shop.example.com], tls: {certificate: c.pem, key: k.pem}, publish: {dev: [item]}}
            """.utf8
        ).write(to: place.appending(path: "both.yaml"))
        let known = try run("a.b", config: ["--config", "both.yaml", "--env", "dev"])
        #expect(known.messages.contains("not compared: \(file): flavor prod"), "\(known)")
        #expect(!known.output.contains("cannot be known"), "\(known)")
    }

    @Test(
        "a module whose project is above it stays open",
        arguments: [("source", ": agrees\n"), ("source/app", "give the directory of the project")])
    func module(_ given: String, _ words: String) throws {
        let place = try directory()
        let main = place.appending(path: "source/app/src/main")
        try FileManager.default.createDirectory(at: main, withIntermediateDirectories: true)
        for (name, text) in [
            ("settings.gradle", "include ':app'"),
            ("app/build.gradle", "android { defaultConfig { applicationId 'com.example.shop' } }"),
            (
                "app/src/main/AndroidManifest.xml",
                """
                <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
                <activity android:name=".Main" android:exported="true"><intent-filter android:autoVerify="true">
                <action android:name="android.intent.action.VIEW"/>
                <category android:name="android.intent.category.DEFAULT"/>
                <category android:name="android.intent.category.BROWSABLE"/>
                <data android:scheme="https" android:host="shop.example.com"/></intent-filter></activity>
                </application></manifest>
                """
            ),
        ] {
            try Data(text.utf8).write(to: place.appending(path: "source/\(name)"))
        }
        let file = """
            [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace":
            "android_app", "package_name": "com.example.shop", "sha256_cert_fingerprints": ["\(Self.key)"]}}]
            """
        try Data(file.utf8).write(to: place.appending(path: "links.json"))
        let outcome = try runApp([given, "--assetlinks", "links.json"], in: place)
        #expect(outcome.output.contains(words) && outcome.status == 0, "\(outcome)")
    }

    @Test func `what lint says of the site's files is printed`() throws {
        let place = try directory()
        try Data(
            """
            {"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.shop"], "paths": []}]}}
            """.utf8
        ).write(to: place.appending(path: "aasa.json"))
        try Data(
            """
            <plist><dict><key>application-identifier</key><string>ABCDE12345.com.example.shop</string>
            <key>com.apple.developer.associated-domains</key>
            <array><string>applinks:shop.example.com</string></array></dict></plist>
            """.utf8
        ).write(to: place.appending(path: "a.entitlements"))
        let outcome = try runApp(["a.entitlements", "--aasa", "aasa.json"], in: place)
        #expect(outcome.messages.contains("[only-excludes]"), "\(outcome)")
        #expect(outcome.output.contains("[site-opens-nothing]") && outcome.status == 1)
    }

    @Test func `a manifest of no release is named`() throws {
        let place = try directory()
        let source = place.appending(path: "source/app/src")
        for name in ["main", "beta"] {
            let directory = source.appending(path: name)
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            let filter = """
                <activity android:name=".Main" android:exported="true"><intent-filter android:autoVerify="true">
                <action android:name="android.intent.action.VIEW"/>
                <category android:name="android.intent.category.DEFAULT"/>
                <category android:name="android.intent.category.BROWSABLE"/>
                <data android:scheme="https" android:host="shop.example.com"/></intent-filter></activity>
                """
            try Data(
                """
                <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
                \(name == "beta" ? filter : "")</application></manifest>
                """.utf8
            ).write(to: directory.appending(path: "AndroidManifest.xml"))
        }
        try Data(
            """
            android { defaultConfig { applicationId "com.example.shop" }
            buildTypes { beta { initWith release } } }
            """.utf8
        ).write(to: place.appending(path: "source/app/build.gradle"))
        let outcome = try runApp(["source", "--env", "prod"], in: place)
        #expect(
            outcome.messages.contains(
                "not compared: source/app/src/beta/AndroidManifest.xml: its source set is of no release"
            ),
            "\(outcome)")
    }

    @Test(
        "a link out of the directory that can be a source set leaves the verdict open",
        arguments: [("app/src/release", true), ("app/src/debug", false), ("notes", false)])
    func links(_ name: String, _ isOpen: Bool) throws {
        let place = try directory()
        let main = place.appending(path: "source/app/src/main")
        try FileManager.default.createDirectory(at: main, withIntermediateDirectories: true)
        try Data("android { defaultConfig { applicationId \"com.example.shop\" } }".utf8)
            .write(to: place.appending(path: "source/app/build.gradle"))
        try Data(
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main" android:exported="true"><intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            <data android:scheme="https" android:host="www.example.com"/></intent-filter></activity>
            </application></manifest>
            """.utf8
        ).write(to: main.appending(path: "AndroidManifest.xml"))
        try FileManager.default.createSymbolicLink(
            at: place.appending(path: "source/\(name)"), withDestinationURL: URL(filePath: "/etc"))
        let outcome = try runApp(["source", "--env", "prod"], in: place)
        #expect(
            outcome.messages.contains(
                "not read: source/\(name): it is a symbolic link out of the directory") == isOpen,
            "\(outcome)")
        #expect(outcome.output.contains("\"\(name)\" was not read") == isOpen, "\(outcome)")
    }

    /// The configuration of Expo with one app.
    private func expo(_ domains: String) -> Data {
        Data(
            """
            {"expo": {"name": "Shop", "slug": "shop", "ios": {"bundleIdentifier": "com.example.shop",
            "appleTeamId": "ABCDE12345", "associatedDomains": [\(domains)]}}}
            """.utf8)
    }

    @Test func `hosts that have to serve different files are not named together`() throws {
        let place = try directory()
        let source = place.appending(path: "source")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        let file = source.appending(path: "app.json")
        try expo(
            "\"applinks:a.example.com\", \"applinks:b.example.com\", \"webcredentials:b.example.com\", "
                + "\"applinks:c.example.com\""
        ).write(to: file)
        let output = try runApp(["source"], in: place).output
        let parts = output.components(separatedBy: " has to be\n")
        #expect(parts.count == 3, "\(output)")
        let address = "https://a.example.com/.well-known/apple-app-site-association"
        #expect(parts[0].hasSuffix("\(address) (and on \"c.example.com\")"), "\(output)")
        #expect(!parts[1].contains("webcredentials") && parts[1].contains("applinks"), "\(output)")
        #expect(parts[2].contains("webcredentials") && parts[2].contains("applinks"), "\(output)")
        try expo("\"applinks:a.example.com\", \"applinks:b.example.com\"").write(to: file)
        let same = try runApp(["source"], in: place).output
        #expect(same.contains("\(address) (and on \"b.example.com\") has to be"), "\(same)")
    }

    @Test func `an Xcode project is read with the files beside it`() throws {
        let place = try directory()
        let project = place.appending(path: "ios/Shop.xcodeproj")
        try FileManager.default.createDirectory(at: project, withIntermediateDirectories: true)
        let bytes = FileManager.default.contents(
            atPath: repository("Tests/Fixtures/app/files/project.pbxproj"))
        try #require(bytes).write(to: project.appending(path: "project.pbxproj"))
        let whole = try runApp(["ios", "--env", "prod"], in: place)
        #expect(whole.status != 66, "\(whole)")
        for path in ["", "/", "/project.pbxproj"] {
            let outcome = try runApp(["ios/Shop.xcodeproj\(path)", "--env", "prod"], in: place)
            #expect(outcome.output == whole.output && outcome.status == whole.status)
        }
        try FileManager.default.removeItem(at: project.appending(path: "project.pbxproj"))
        let missing = try runApp(
            ["ios/Shop.xcodeproj/project.pbxproj", "--env", "prod"], in: place)
        #expect(missing.status == 66, "\(missing)")
        let lone = place.appending(path: "project.pbxproj")
        try #require(bytes).write(to: lone)
        let outcome = try runApp(["project.pbxproj", "--env", "prod"], in: place)
        #expect(outcome.output.contains("which is read with the files beside it"), "\(outcome)")
    }

    @Test func `what of a directory is not read is said`() throws {
        let place = try directory()
        for depth in [31, 32] {
            let path = "depth\(depth)/" + (1..<depth).map { "\($0)" }.joined(separator: "/")
            try FileManager.default.createDirectory(
                at: place.appending(path: path), withIntermediateDirectories: true)
            try Data("{}".utf8).write(to: place.appending(path: "\(path)/app.json"))
        }
        let near = try runApp(["depth31", "--env", "prod"], in: place)
        #expect(!near.messages.contains("not read"), "\(near)")
        #expect(!near.messages.contains("no file of an app"), "\(near)")
        try FileManager.default.createDirectory(
            at: place.appending(path: "depth33/" + (1...32).map { "\($0)" }.joined(separator: "/")),
            withIntermediateDirectories: true)
        let deep = try runApp(["depth33", "--env", "prod"], in: place)
        #expect(deep.messages.contains("at most 32 directories within each other"), "\(deep)")
        // Beside it, a verdict stays open.
        let text = """
            <plist><dict><key>com.apple.developer.associated-domains</key>
            <array><string>applinks:www.example.com</string></array></dict></plist>
            """
        for (name, verdict) in [
            ("depth31", "agrees"), ("depth33", "cannot be known: \"1/2/3/"),
        ] {
            try Data(text.utf8).write(to: place.appending(path: "\(name)/a.entitlements"))
            let outcome = try runApp([name, "--env", "prod", "--app", "other"], in: place)
            #expect(outcome.output.contains("(iOS): \(verdict)"), "\(outcome)")
        }
        let strange = try runApp(["a\u{FFFD}.ipa", "--env", "prod"], in: place)
        #expect(strange.status == 66)
        #expect(strange.messages.contains("its name is not UTF-8"), "\(strange)")
    }

    @Test(
        "an APK with the key of the bundle beside it is one for tests",
        arguments: [("shop.apk", 0), ("rotated.apk", 1)])
    func besideBundle(_ name: String, _ status: Int32) throws {
        let files = repository("Tests/Fixtures/app/files")
        let options = ["--assetlinks", "\(files)/assetlinks.json"]
        let alone = try Program.run(["app", "\(files)/\(name)"] + options)
        #expect(alone.status == 1, "\(alone)")
        #expect(alone.output.contains("[fingerprint-not-published]"), "\(alone)")
        let both = try Program.run(["app", "\(files)/\(name)", "\(files)/shop.aab"] + options)
        #expect(both.status == status, "\(both)")
        #expect(both.output.contains("[fingerprint-not-published]") == (status == 1), "\(both)")
    }
}
