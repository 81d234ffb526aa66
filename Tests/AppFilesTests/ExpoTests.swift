import TestSupport
import Testing

@testable import AppFiles

@Suite("Expo's app.json")
struct ExpoTests {
    private static let text = """
        {"expo": { // as Expo reads it
          "ios": {"bundleIdentifier": "com.example.shop",
            "associatedDomains": ["applinks:shop.example.com"], "appleTeamId": "ABCDE12345"},
          "android": {"package": "com.example.shop", "intentFilters": [
            {"action": "VIEW", "autoVerify": true,
             "data": {"scheme": "https", "host": "shop.example.com", "pathPrefix": "/item"},
             "category": ["BROWSABLE", "DEFAULT"]},
            {"action": "VIEW", "data": [{"scheme": "https"}, {"host": "a.example"}], "category": "BROWSABLE"},
          ]}}}
        """

    @Test func `it declares both systems' apps, with lines`() throws {
        let found = try AppFile.read(ByteSource(Array(Self.text.utf8)))
        guard found.count == 2, case .apple(let ios) = found[0],
            case .android(let android) = found[1]
        else {
            Issue.record("\(found)")
            return
        }
        #expect(ios.listed == ["applinks:shop.example.com"])
        #expect(ios.use?.bundleIdentifier == "com.example.shop")
        #expect(ios.use?.team == "ABCDE12345")
        #expect(android.applicationID == "com.example.shop")
        let first = android.filters[0]
        #expect(first.isVerified && first.isView && first.isBrowsable && first.isDefault)
        #expect(first.hosts.map(\.text) == ["shop.example.com"])
        #expect(first.hosts[0].place == TextPlace(line: 6, column: 42))
        #expect(first.paths.map(\.attribute) == ["pathPrefix"])
        let second = android.filters[1]
        #expect(!second.isVerified && second.isBrowsable && !second.isDefault)
        #expect(second.schemes.map(\.text) == ["https"])
        #expect(second.hosts.map(\.text) == ["a.example"])
    }

    private func count(_ names: [String], _ text: String = text) throws -> Int {
        var checkout = Checkout(
            BundleFiles(names: ["app.json"] + names) { name throws(FormatFault) in
                ByteSource(Array((name == "app.json" ? text : "").utf8))
            })
        return try checkout.read("app.json").count
    }

    @Test func `a program or a native project beside it decides`() throws {
        #expect(try count([]) == 2)
        #expect(try count(["app.config.ts"]) == 0)
        #expect(try count(["other/app.config.ts"]) == 2)
        #expect(try count(["app.config.mts"]) == 0)
        #expect(try count(["app.config.cts"]) == 0)
        #expect(try count(["app.config.json"]) == 0)
        #expect(try count(["ios/a.xcodeproj/project.pbxproj"]) == 1)
        #expect(try count(["android/app/src/main/AndroidManifest.xml"]) == 1)
        // Without a project, these make no app.
        #expect(try count(["ios/Shop/Info.plist", "android/app.json"]) == 2)
        #expect(try count([], "{\"name\": \"a\"}") == 0)
        // What `expo config` prints.
        #expect(try count([], "{\"name\": \"a\", \"slug\": \"a\", \"ios\": {}}") == 1)
    }

    @Test(
        "a plugin that is not known leaves both systems open: the project's own, and others",
        arguments: [
            ("./plugins/withBrand", ["plugins/withBrand.js"]), ("expo-router", []),
            ("./plugins/withBrand.js", ["plugins/withBrand.js"]),
            ("./plugins", ["plugins/index.ts"]), ("@shop/plugin", ["plugin/package.json"]),
            ("@shop/plugin/links", ["plugin/package.json"]), ("@shop/other", ["app.json"]),
            ("@shop/plugin-b", ["app.json"]), ("../plugin", ["../plugin"]),
            ("@sentry/react-native/expo", []), ("@sentry/react", ["app.json"]),
            ("expo-routers", ["app.json"]), ("expo-camera", ["app.json"]), ("expo-video", []),
            ("./plugin/build", ["./plugin/build"]), ("@shop/linked", ["@shop/linked"]),
        ] as [(String, [String])])
    func plugins(_ name: String, _ unread: [String]) throws {
        for plugin in ["\"\(name)\"", "[\"\(name)\", {}]"] {
            var checkout = Checkout([
                "app.json": Self.text.replacing(
                    "\"ios\":", with: "\"plugins\": [\(plugin)], \"ios\":"),
                "package.json":
                    #"{"dependencies": {"@shop/linked": "file:../b", "@shop/other": "1", "expo-camera": "acme/c", "expo-video": "catalog:"}}"#,
                "plugin/package.json": #"{"name": "@shop/plugin"}"#, "plugin/src/a.ts": "",
                "plugins/withBrand.js": "", "plugins/index.ts": "",
            ])
            #expect(try openings(of: &checkout) == [unread, unread])
        }
    }

    /// The names of what each system's app of a checkout is left open by.
    private func openings(of checkout: inout Checkout) throws -> [[String]] {
        try checkout.read("app.json").map { declaration in
            switch declaration {
            case .apple(let app): app.unread.map(\.name)
            case .android(let app): app.unread.map(\.name)
            case .key, .program: ["?"]
            }
        }
    }

    @Test(
        "another identifier in the Info.plist leaves iOS open",
        arguments: [
            ("com.example.other", true), ("com.example.shop", false),
            ("$(PRODUCT_BUNDLE_IDENTIFIER)", false), ("$(OTHER)", true),
        ])
    func identifiers(_ written: String, _ isOpen: Bool) throws {
        let list = #""ios": {"infoPlist": {"CFBundleIdentifier": "\#(written)"}, "#
        var checkout = Checkout(["app.json": Self.text.replacing("\"ios\": {", with: list)])
        #expect(try openings(of: &checkout) == [isOpen ? ["ios.infoPlist"] : [], []])
    }

    @Test func `a library that closes the application leaves Android open`() throws {
        let directory = "modules/links/android"
        let name = "\(directory)/src/main/AndroidManifest.xml"
        for (attribute, isOpen) in [("enabled='false'", true), ("label='a'", false)] {
            var checkout = Checkout([
                "app.json": Self.text,
                "\(directory)/build.gradle": "apply plugin: 'com.android.library'",
                name:
                    "<manifest xmlns:android='http://schemas.android.com/apk/res/android'><application android:\(attribute)/></manifest>",
            ])
            #expect(try openings(of: &checkout) == [[], isOpen ? [name] : []])
        }
    }

    @Test func `a module with plugins of Gradle leaves Android open`() throws {
        let name = "modules/links/expo-module.config.json"
        for (members, isOpen) in [(#"{"id": "a"}"#, true), ("", false)] {
            let module = #"{"android": {"gradlePlugins": [\#(members)]}}"#
            var checkout = Checkout(["app.json": Self.text, name: module])
            #expect(try openings(of: &checkout) == [[], isOpen ? [name] : []])
            let project = try androidApps([name: module])
            #expect(project.first?.unread.contains { $0.name == name } == isOpen)
        }
    }

    @Test(
        "a program that EAS runs leaves both systems open",
        arguments: [
            ("scripts", #""eas-build-pre-install": "node a.js""#, true),
            ("scripts", #""eas-build-post-install": "./a.sh""#, true),
            ("scripts", #""eas-build-pre-install": "corepack enable; ls""#, true),
            ("scripts", #""eas-build-pre-install": "echo a > app.json""#, true),
            ("scripts", #""eas-build-pre-install": "corepack enable && npm i -g pnpm""#, false),
            ("scripts", #""eas-build-on-success": "./a.sh""#, false),
            ("build", #""p": {"prebuildCommand": "prebuild -t a"}"#, true),
            ("build", #""p": {"ios": {"config": "a.yml"}}"#, true),
            ("build", #""p": {"ios": {"simulator": true}}"#, false),
            ("build", #""p": {"config": "a.yml", "developmentClient": true}"#, false),
        ])
    func programs(_ key: String, _ members: String, _ isOpen: Bool) throws {
        let file = key == "build" ? "eas.json" : "package.json"
        var checkout = Checkout([
            "app.json": Self.text, file: #"{"\#(key)": {\#(members)}}"#,
        ])
        let expected = isOpen ? [file] : []
        #expect(try openings(of: &checkout) == [expected, expected])
    }

    @Test func `a file that is too large is no file without links`() {
        let bytes = Array("{\"expo\": {\"a\": \"".utf8) + Array(repeating: 0x61, count: 9 << 20)
        #expect(throws: FormatFault.self) { try AppFile.read(ByteSource(bytes)) }
    }

    @Test func `a file that is no text of JSON is no file without links`() throws {
        #expect(throws: FormatFault.self) { try count([], "") }
        #expect(throws: FormatFault.self) { try count([], "{\\rtf1 }") }
    }

    @Test func `a program beside a file that cannot be read is not without links`() {
        func count(_ isThere: Bool) throws -> Int {
            var checkout = Checkout(
                BundleFiles(names: ["app.config.js"] + (isThere ? ["app.json"] : [])) {
                    name throws(FormatFault) in
                    guard name != "app.json" else { throw FormatFault("cannot be read") }
                    return ByteSource(Array("module.exports = (a) => a".utf8))
                })
            return try checkout.read("app.config.js").count
        }
        #expect(throws: FormatFault.self) { try count(true) }
        #expect((try? count(false)) == 0)
    }

    @Test func `a list in data hides neither the other system nor the application ID`() throws {
        let text = Self.text.replacing("\"/item\"", with: "[\"/item\", \"/b\"]")
        let found = try AppFile.read(ByteSource(Array(text.utf8)))
        guard found.count == 2, case .apple(let ios) = found[0],
            case .android(let android) = found[1]
        else {
            Issue.record("\(found)")
            return
        }
        #expect(ios.listed == ["applinks:shop.example.com"])
        #expect(android.applicationID == "com.example.shop" && android.filters.isEmpty)
        #expect(android.fault?.place?.line == 6 && found[1].isOfLinks)
        #expect(try AppFile.read(ByteSource(Array(Self.text.utf8))).allSatisfy { $0.fault == nil })
    }

    @Test(
        "Expo takes autoVerify as JavaScript does",
        arguments: [
            ("true", true), ("\"false\"", true), ("1", true), ("false", false), ("null", false),
            ("0", false), ("\"\"", false),
        ])
    func verify(_ row: (value: String, isVerified: Bool)) throws {
        let text = Self.text.replacing("\"autoVerify\": true", with: "\"autoVerify\": \(row.value)")
        guard case .android(let app)? = try AppFile.read(ByteSource(Array(text.utf8))).last else {
            Issue.record("no app")
            return
        }
        #expect(app.filters[0].isVerified == row.isVerified)
    }

    @Test func `a damaged file is read or refused`() {
        let bytes = Array(Self.text.utf8)
        for index in bytes.indices {
            _ = refusal(Array(bytes[..<index]))
            var mutant = bytes
            mutant[index] = Array("{}[]\",:0".utf8)[index % 8]
            _ = refusal(mutant)
        }
        #expect(refusal("{\"expo\": {\"ios\": ")?.place != nil)
        #expect(refusal("{\"expo\": {\"ios\": {\"associatedDomains\": 1}}}") == nil)
        #expect(refusal("{\"expo\": 1}") != nil)
    }
}
