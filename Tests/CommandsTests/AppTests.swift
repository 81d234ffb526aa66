import Foundation
import TestSupport
import Testing

@Suite("waymark app")
struct AppTests {
    private static let files = repository("Tests/Fixtures/app/files")

    /// The configuration of the fixtures, with the fingerprints of their keys, in a directory of its own.
    private static func directory() throws -> URL {
        let place = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID())")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let keys = try String(contentsOfFile: "\(files)/keys.txt", encoding: .utf8)
            .split(separator: "\n")
        let text = try String(
            contentsOfFile: repository("Tests/Fixtures/app/site.yaml"), encoding: .utf8
        )
        .replacing("{old-key}", with: keys[0]).replacing("{new-key}", with: keys[1])
        try Data(text.utf8).write(to: place.appending(path: "waymark.yaml"))
        let ready = place.appending(path: "files")
        try FileManager.default.createDirectory(at: ready, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: URL(filePath: "\(files)/assetlinks.json"),
            to: ready.appending(path: "assetlinks.json"))
        return place
    }

    private func entitlements(_ domain: String) -> Data {
        Data(
            """
            <plist version="1.0"><dict>
            <key>com.apple.developer.associated-domains</key>
            <array><string>\(domain)</string></array>
            </dict></plist>
            """.utf8)
    }

    @Test func `apps that agree are told so, and the status is 0`() throws {
        let place = try Self.directory()
        let outcome = try runApp(
            ["\(Self.files)/shop.ipa", "\(Self.files)/shop.apk", "--env", "prod"], in: place)
        #expect(outcome.status == 0)
        #expect(
            outcome.output.hasSuffix(
                """
                \(Self.files)/shop.ipa: Payload/Shop.app: ABCDE12345.com.example.shop (iOS): agrees
                \(Self.files)/shop.ipa: Payload/Shop.app/AppClips/Clip.app: ABCDE12345.com.example.shop.Clip (iOS): agrees
                \(Self.files)/shop.apk: com.example.shop (Android): agrees

                """))
    }

    @Test func `an app that differs has the fix, and no lines of a binary file`() throws {
        let place = try Self.directory()
        let outcome = try runApp(["\(Self.files)/rotated.apk", "--env", "prod"], in: place)
        #expect(outcome.status == 1)
        let key = try String(contentsOfFile: "\(Self.files)/keys.txt", encoding: .utf8)
            .split(separator: "\n")[1]
        #expect(outcome.output.contains("[fingerprint-not-published]\n    add to sha256: \(key)\n"))
        #expect(
            outcome.output.hasSuffix(
                "(Android): differs: \"shop.example.com\" does not publish the certificate of "
                    + "\"com.example.shop\"\n"))
        #expect(!outcome.output.contains(" | "))
    }

    @Test func `the files of a site take the place of a configuration`() throws {
        let place = try Self.directory()
        for (name, file) in [("aasa", "a.json"), ("assetlinks", "b.json")] {
            let rendered = try Program.run(["render", name, "--env", "prod"], in: place).output
            try Data(rendered.utf8).write(to: place.appending(path: file))
        }
        let apps = ["\(Self.files)/shop.ipa", "\(Self.files)/shop.apk"]
        #expect(
            try runApp(apps + ["--aasa", "a.json", "--assetlinks", "b.json"], in: place).status == 0
        )
        let half = try runApp(apps + ["--aasa", "a.json", "--fail-on", "warning"], in: place)
        #expect(half.status == 1)
        #expect(
            half.output.hasSuffix(
                "(Android): cannot be known: the site's half for Android is not given (give it with "
                    + "--assetlinks FILE)\n"))
    }

    @Test func `a checkout is searched, and a finding has the line of its file`() throws {
        let place = try Self.directory()
        for path in [
            "ios/Runner", "android/app/src/main", "android/app/src/debug", "node_modules/x",
        ] {
            try FileManager.default.createDirectory(
                at: place.appending(path: "code/\(path)"), withIntermediateDirectories: true)
        }
        try entitlements("applink:shop.example.com").write(
            to: place.appending(path: "code/ios/Runner/Runner.entitlements"))
        try entitlements("applink:a").write(
            to: place.appending(path: "code/node_modules/x/x.entitlements"))
        try Data("<plist><dict/></plist>".utf8).write(
            to: place.appending(path: "code/ios/Runner/Share.entitlements"))
        for kind in ["main", "debug"] {
            try Data("<manifest/>".utf8).write(
                to: place.appending(path: "code/android/app/src/\(kind)/AndroidManifest.xml"))
        }
        let outcome = try runApp(["code", "--env", "prod", "--app", "shop"], in: place)
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains(
                "code/ios/Runner/Runner.entitlements:3:8: error: \"applink\" of "))
        #expect(outcome.output.contains("\n  3 | <array><string>applink:shop.example.com"))
        #expect(outcome.output.split(separator: "\n").count { $0.contains(" (iOS): ") } == 1)
        #expect(!outcome.output.contains("node_modules"))
        #expect(!outcome.output.contains("Android"))
    }

    @Test func `a host in the module's resources is compared`() throws {
        let place = try Self.directory()
        let main = place.appending(path: "android/app/src/main")
        try FileManager.default.createDirectory(
            at: main.appending(path: "res/values"), withIntermediateDirectories: true)
        try Data(
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main"><intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            <data android:scheme="https" android:host="@string/host"/>
            </intent-filter></activity></application></manifest>
            """.utf8
        ).write(to: main.appending(path: "AndroidManifest.xml"))
        let arguments = ["android", "--env", "prod", "--app", "shop"]
        for (host, verdict) in [("shop.example.com", "agrees"), ("shop_x", "differs")] {
            try Data("<resources><string name='host'>\(host)</string></resources>".utf8).write(
                to: main.appending(path: "res/values/links.xml"))
            #expect(try runApp(arguments, in: place).output.contains("(Android): \(verdict)"))
        }
    }

    @Test func `a directory with more files than are read is refused, not read in part`() throws {
        let place = try Self.directory()
        let checkout = place.appending(path: "checkout")
        try FileManager.default.createDirectory(
            at: checkout, withIntermediateDirectories: false)
        for number in 0...1_000 {
            try entitlements("applinks:shop.example.com").write(
                to: checkout.appending(path: "\(number).entitlements"))
        }
        let arguments = ["checkout", "--env", "prod", "--app", "shop"]
        #expect(
            try runApp(arguments, in: place).output.contains(
                "is a directory with 1001 files of apps, may have 1000"))
        try FileManager.default.removeItem(at: checkout.appending(path: "0.entitlements"))
        #expect(try runApp(arguments, in: place).status == 0)
    }

    @Test func `the bundles of a directory are read like those of an archive`() throws {
        let place = try Self.directory()
        let app = place.appending(path: "Shop.app")
        try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(Self.files)/thin", toPath: app.appending(path: "Shop").path)
        try Data(
            """
            <plist><dict><key>CFBundleExecutable</key><string>Shop</string>
            <key>CFBundleIdentifier</key><string>com.example.shop</string></dict></plist>
            """.utf8
        ).write(to: app.appending(path: "Info.plist"))
        let outcome = try runApp(["Shop.app/", "--env", "prod"], in: place)
        #expect(outcome.output == "Shop.app: Shop.app: ABCDE12345.com.example.shop (iOS): agrees\n")
        // An app for Macs has all of it in one directory more.
        try FileManager.default.createDirectory(
            at: place.appending(path: "Mac.app"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: app, to: place.appending(path: "Mac.app/Contents"))
        let mac = try runApp(["Mac.app", "--env", "prod"], in: place)
        #expect(mac.output.hasPrefix("Mac.app:1:1: warning: the file is an app for Macs"), "\(mac)")
        #expect(mac.output.contains("Mac.app: cannot be known: ") && mac.status == 0, "\(mac)")
    }

    @Test func `what a file of source does not say is open until the caller says it`() throws {
        let place = try Self.directory()
        try entitlements("applinks:shop.example.com").write(
            to: place.appending(path: "a.entitlements"))
        func verdict(_ options: String...) throws -> String {
            let outcome = try runApp(
                ["a.entitlements", "--env", "prod", "--format", "json"] + options, in: place)
            let list = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            let first = (list as? [[String: Any]])?.first
            return "\(first?["app"] ?? "") \(first?["platform"] ?? "") \(first?["verdict"] ?? "")"
        }
        #expect(try verdict() == "<null> ios unknown")
        #expect(try verdict("--app", "shop") == "ABCDE12345.com.example.shop ios agrees")
        #expect(
            try verdict("--app", "ABCDE12345.com.example.other")
                == "ABCDE12345.com.example.other ios differs")
        #expect(try verdict("--ignore", "app-unknown") == "<null> ios unknown")
    }

    @Test func `findings come as SARIF and as GitHub's commands`() throws {
        let place = try Self.directory()
        try entitlements("applink:shop.example.com").write(
            to: place.appending(path: "a.entitlements"))
        let arguments = ["a.entitlements", "--env", "prod", "--app", "shop", "--format"]
        let github = try runApp(arguments + ["github"], in: place).output
        #expect(
            github.hasPrefix("::error file=a.entitlements,line=3,col=8,title=domains-service::"))
        let log = try JSONSerialization.jsonObject(
            with: Data(try runApp(arguments + ["sarif"], in: place).output.utf8))
        let runs = (log as? [String: Any])?["runs"] as? [[String: Any]]
        let results = runs?.first?["results"] as? [[String: Any]]
        #expect(results?.first?["ruleId"] as? String == "domains-service")
        let driver = (runs?.first?["tool"] as? [String: Any])?["driver"] as? [String: Any]
        #expect(driver?["name"] as? String == "waymark app")
        // GitHub finds no file of a change by `./a.entitlements`.
        for path in [
            ".", "./a.entitlements", ".//a.entitlements", "\(place.path)/./a.entitlements",
        ] {
            let arguments = [path, "--env", "prod", "--app", "shop", "--format"]
            let file = path.utf8.first == UInt8(ascii: "/") ? path : "a.entitlements"
            let github = try runApp(arguments + ["github"], in: place).output
            #expect(github.hasPrefix("::error file=\(file),line=3"), "\(github)")
            let uri = file == path ? "file://\(path)" : file
            let sarif = try runApp(arguments + ["sarif"], in: place).output
            #expect(sarif.contains("\"uri\": \"\(uri)\""), "\(sarif)")
        }
    }

    @Test func `a file that cannot be read has a status, and one that is damaged a finding`() throws
    {
        let place = try Self.directory()
        let missing = try runApp(
            ["nowhere.ipa", "\(Self.files)/shop.apk", "--env", "prod"], in: place)
        #expect(missing.status == 66)
        #expect(missing.messages == "nowhere.ipa: error: cannot be read: the file does not exist\n")
        #expect(missing.output.hasSuffix("(Android): agrees\n"))
        let other = try runApp(["waymark.yaml", "--env", "prod"], in: place)
        #expect(other.status == 1)
        #expect(
            other.output.contains(
                "error: the file is no known file of an app [app-file-form]"))
        #expect(try runApp(["/dev/zero", "--env", "prod"], in: place).status == 66)
        try FileManager.default.createDirectory(
            at: place.appending(path: "empty"), withIntermediateDirectories: true)
        #expect(try runApp(["empty", "--env", "prod"], in: place).status == 66)
        #expect(try runApp(["waymark.yaml", "--env", "none"], in: place).status == 78)
    }

    static let usages: [(arguments: [String], message: String)] = [
        ([], "give the files of an app"),
        (["a", "--env", "prod", "--aasa", "b"], "give the site's half once"),
        (["a", "--live", "--env", "prod"], "give the site's half once"),
        (
            ["a"] + Array(repeating: ["--password-file", "b"], count: 9).flatMap(\.self),
            "may be given 8 times"
        ),
        (["a", "--config", "b", "--aasa", "c"], "--config needs --env"),
        (["-", "--env", "prod"], "- cannot be one"),
        (["a", "--env", "prod", "--ignore", "no-such-rule"], "there is no rule"),
        (["a", "--env", "prod", "--app", "shopp"], "it is no app of the configuration"),
    ]

    @Test("another command line is refused", arguments: usages)
    func refuses(_ row: (arguments: [String], message: String)) throws {
        let outcome = try runApp(row.arguments, in: Self.directory())
        #expect(outcome.status == 64)
        #expect(outcome.messages.contains(row.message))
    }

    @Test func `a rule is explained, and a suppression without effect is told`() throws {
        let place = try Self.directory()
        #expect(
            try runApp(["--explain", "A03"], in: place).output.hasPrefix(
                "domains-service (A03, error): "))
        let outcome = try runApp(
            ["\(Self.files)/shop.apk", "--env", "prod", "--ignore", "A03"], in: place)
        #expect(outcome.status == 0)
        #expect(outcome.messages.contains("--ignore A03 suppresses nothing"))
    }

    @Test func `the hosts that an app declares are asked`() throws {
        let place = try Self.directory()
        let made = try Program.run(
            ["init", "--certificates-only", "--host", "shop.example.com"], in: place)
        #expect(made.status == 0)
        let file = place.appending(path: "waymark.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data(
            text.replacing("c.pem", with: "certs/dev.pem").replacing("k.pem", with: "certs/dev.key")
                .utf8
        ).write(to: file)
        let origin = try RunningOrigin(file, environment: "prod")
        func live(_ name: String, port: Int) throws -> Program.Outcome {
            try runApp(
                [
                    "\(Self.files)/\(name)", "--live", "--authorities", "certs/dev-ca.pem",
                    "--connect", "shop.example.com:127.0.0.1:\(port)",
                ], in: place)
        }
        let same = try live("shop.apk", port: origin.https)
        #expect(same.status == 0 && same.output.contains("agrees"), "\(same)")
        #expect(try live("shop.ipa", port: origin.https).output.contains("(iOS): agrees"))
        let other = try live("rotated.apk", port: origin.https)
        #expect(other.status == 1 && other.output.contains("[fingerprint-not-published]"))
        // Nothing listens there.
        #expect(try live("shop.apk", port: 1).status == 69)
        let mixed = try runApp(["\(Self.files)/shop.apk", "--live", "--env", "prod"], in: place)
        #expect(mixed.status == 64)
    }

    @Test func `a configuration begins with what an app says`() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID())")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let (ipa, apk) = ("\(Self.files)/shop.ipa", "\(Self.files)/shop.apk")
        let made = try Program.run(["init", "--from", ipa, apk], in: place)
        // A pattern of Android has no equal.
        #expect(made.status == 1)
        #expect(made.messages.contains("waymark: not known: the pattern for pathPattern"))
        let text = try String(contentsOf: place.appending(path: "waymark.yaml"), encoding: .utf8)
        let key = try String(contentsOfFile: "\(Self.files)/keys.txt", encoding: .utf8)
            .split(separator: "\n")[0]
        for part in [
            "ABCDE12345.com.example.shop", "ABCDE12345.com.example.shop.Clip", "com.example.shop",
            "shop.example.com", "/item/*", String(key),
        ] {
            #expect(text.contains(part), "\(text)")
        }
        let agreed = try runApp([ipa, apk, "--env", "dev"], in: place)
        #expect(agreed.status == 0, "\(agreed.output)\(text)")
    }

    @Test func `a password in a file opens a key store`() throws {
        let place = try Self.directory()
        for (name, text) in [("right", "password\n"), ("wrong", "other"), ("empty", "")] {
            try Data(text.utf8).write(to: place.appending(path: name))
        }
        func outcome(_ files: String...) throws -> Program.Outcome {
            let options = files.flatMap { ["--password-file", $0] }
            return try runApp(["\(Self.files)/shop.pkcs12", "--env", "prod"] + options, in: place)
        }
        let agreed = try outcome("wrong", "right")
        #expect(agreed.status == 0)
        #expect(agreed.output.hasSuffix("\"k\": com.example.shop (Android): agrees\n"))
        let closed = try outcome()
        #expect(closed.output.contains("give the password with --password-file FILE"))
        let wrong = try outcome("wrong")
        #expect(wrong.status == 1)
        #expect(wrong.output.contains("error: the file is a key store with another password"))
        for name in ["empty", "nowhere"] {
            let missing = try outcome(name)
            #expect(missing.status == 66)
            #expect(missing.messages.contains("waymark: error: the file \"\(name)\""))
            #expect(!missing.messages.contains("other"))
        }
    }

    @Test func `without a site's half, the files that it has to serve are printed`() throws {
        let place = try Self.directory()
        let outcome = try runApp(
            ["\(Self.files)/clip.ipa", "\(Self.files)/shop.apk"], in: place)
        #expect(outcome.status == 0, "\(outcome)")
        for part in [
            "ABCDE12345.com.example.shop (iOS) declares\n    applinks:shop.example.com\n",
            "com.example.shop (Android) declares\n    shop.example.com: pathPrefix /item/",
            "https://shop.example.com/.well-known/apple-app-site-association has to be\n{",
            "https://shop.example.com/.well-known/assetlinks.json has to be\n[",
            "\"sha256_cert_fingerprints\"", "pathPattern", "add --live",
        ] {
            #expect(outcome.output.contains(part), "\(part): \(outcome.output)")
        }
        #expect(!outcome.output.contains("site-half-missing"))
        // The app, which declares the domain of its App Clip, too, is listed for its own links alone.
        let app = "\"ABCDE12345.com.example.shop\""
        #expect(outcome.output.components(separatedBy: app).count == 2, "\(outcome.output)")
        let ofClips = outcome.output.components(separatedBy: "\"appclips\"").last ?? ""
        #expect(ofClips.contains("\"ABCDE12345.com.example.shop.Clip\"") && !ofClips.contains(app))
        try entitlements("applink:shop.example.com").write(
            to: place.appending(path: "a.entitlements"))
        let faulty = try runApp(["a.entitlements"], in: place)
        #expect(faulty.status == 1)
        #expect(faulty.output.contains("[domains-service]"))
        let list = try runApp(["\(Self.files)/shop.apk", "--format", "json"], in: place)
        #expect(list.output.contains("\"verdict\": \"unknown\""), "\(list.output)")
        #expect(list.output.contains("\"shop.example.com: pathPrefix /item/"), "\(list.output)")
        #expect(!list.output.contains("site-half-missing"))
        for format in ["github", "sarif"] {
            let outcome = try runApp(
                ["\(Self.files)/shop.apk", "--format", format, "--fail-on", "warning"], in: place)
            #expect(!outcome.output.contains("site-half-missing"))
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test func `a bundle needs the key of the store, and a certificate is enough`() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID())")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let made = try Program.run(
            ["init", "--from", "\(Self.files)/resources.aab", "\(Self.files)/shop.pem"], in: place)
        #expect(made.messages.contains("the key with which Google Play signs com.example.shop"))
        let text = try String(contentsOf: place.appending(path: "waymark.yaml"), encoding: .utf8)
        #expect(text.contains("com.example.shop") && text.contains("www.example.com"))
    }
}
