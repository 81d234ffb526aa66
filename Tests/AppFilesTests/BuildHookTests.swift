import Testing

@testable import AppFiles

@Suite("Programs that tools run when they build an app")
struct BuildHookTests {
    private static let manifest = "android/app/src/main/AndroidManifest.xml"
    private static let entitlements = "ios/App/App.entitlements"

    /// The files with the programs that leave an app of a checkout open.
    private func openings(of name: String, _ files: [String: String]) throws -> [String] {
        let own = [
            name: name.hasSuffix(".xml")
                ? "<manifest/>"
                : "<plist><dict><key>com.apple.developer.associated-domains</key><array/></dict></plist>"
        ]
        var checkout = Checkout(files.merging(own) { $1 })
        return try checkout.read(name).flatMap { declaration -> [UnreadSource] in
            switch declaration {
            case .apple(let app): app.unread
            case .android(let app): app.unread
            case .key, .program: []
            }
        }.filter { $0.fact.contains("may change what ships") || $0.fact.contains("EAS") }
            .map(\.name)
    }

    @Test(
        "one leaves a project for Gradle or Xcode open",
        arguments: [
            ("package.json", "scripts", #""capacitor:sync:after": "node a.js""#, true),
            ("package.json", "scripts", #""capacitor:copy:before": "node a.js""#, true),
            ("package.json", "scripts", #""capacitor:update:after": "./a.sh""#, true),
            ("package.json", "scripts", #""capacitor:sync": "a", "cap:sync:after": "a""#, false),
            ("package.json", "scripts", #""ionic:build:before": "node a.js""#, true),
            ("package.json", "scripts", #""ionic:serve": "a", "ionic:cordova:a": "b""#, false),
            ("package.json", "scripts", #""appflow:build": "npx trapeze run a.yml""#, true),
            ("package.json", "scripts", #""eas-build-post-install": "node a.js""#, true),
            ("package.json", "scripts", #""eas-build-pre-install": "corepack enable""#, false),
            ("package.json", "scripts", #""build": "ng build", "postinstall": "a""#, false),
            ("package.json", "scripts", #""postinstall": "cp a.entitlements ios/App""#, true),
            ("package.json", "scripts", #""prepare": "cp a/AndroidManifest.xml b""#, true),
            ("package.json", "scripts", #""build": "cp a/AndroidManifest.xml b""#, false),
            (
                "package.json", "scripts", #""install": "rm node_modules/a/AndroidManifest.xml""#,
                false
            ),
            ("ionic.config.json", "hooks", #""capacitor:sync:after": "./a.js""#, true),
            ("ionic.config.json", "hooks", #""build:before": ["./a.js"]"#, true),
            ("ionic.config.json", "hooks", #""serve:before": "a", "cordova:a": "b""#, false),
            ("eas.json", "build", #""p": {"android": {"config": "a.yml"}}"#, true),
            // No project is made where there is one.
            ("eas.json", "build", #""p": {"prebuildCommand": "prebuild -t a"}"#, false),
        ])
    func native(_ file: String, _ key: String, _ members: String, _ isOpen: Bool) throws {
        let files = [file: #"{"\#(key)": {\#(members)}}"#]
        for name in [Self.manifest, Self.entitlements] {
            #expect(try openings(of: name, files) == (isOpen ? [file] : []))
        }
    }

    @Test(
        "the files of the directories above a project count, as far as their tool takes them",
        arguments: [
            ("package.json", "capacitor:sync:after", "a/package.json", true),
            ("a/package.json", "capacitor:sync:after", "package.json", true),
            ("b/package.json", "capacitor:sync:after", "package.json", false),
            ("package.json", "eas-build-post-install", "a/package.json", false),
            ("package.json", "eas-build-post-install", "b/package.json", true),
            ("a/package.json", "eas-build-post-install", "package.json", true),
        ])
    func above(_ file: String, _ script: String, _ other: String, _ isOpen: Bool) throws {
        let files = [file: #"{"scripts": {"\#(script)": "node a.js"}}"#, other: "{}"]
        #expect(try openings(of: "a/\(Self.manifest)", files) == (isOpen ? [file] : []))
    }

    @Test func `what Cordova has made is as its hooks have left it`() throws {
        let name = "platforms/\(Self.manifest)"
        var files = ["package.json": #"{"scripts": {"ionic:build:before": "a"}}"#]
        #expect(try openings(of: name, files) == ["package.json"])
        files["config.xml"] = "<widget/>"
        #expect(try openings(of: name, files).isEmpty)
        files["capacitor.config.ts"] = ""
        #expect(try openings(of: name, files) == ["package.json"])
    }

    @Test(
        "a plugin of Capacitor that the checkout has can have hooks",
        arguments: [
            (#""links": "file:plugins/links""#, true), (#""@acme/links": "^1.0.0""#, true),
            (#""@acme/links": "workspace:*""#, true), (#""links": "file:plugins/gone""#, false),
            (#""links": "^1.0.0""#, false),
        ])
    func plugins(_ dependency: String, _ isOpen: Bool) throws {
        let plugin = "plugins/links/package.json"
        for key in ["dependencies", "devDependencies"] {
            let files = [
                "package.json": #"{"\#(key)": {\#(dependency)}}"#,
                plugin: #"{"name": "@acme/links", "scripts": {"capacitor:copy:after": "a"}}"#,
            ]
            #expect(try openings(of: Self.manifest, files) == (isOpen ? [plugin] : []))
        }
    }

    @Test(
        "Ionic's configuration is of the app of a project, and of that of an integration",
        arguments: [
            (#""projects": {"s": {"root": "a/b", "hooks": {"build:before": "x"}}}"#, true),
            (#""projects": {"s": {"root": "./a/b/", "hooks": {"build:after": ["x"]}}}"#, true),
            (#""projects": {"s": {"hooks": {"build:before": "x"}}}"#, true),
            (#""projects": {"s": {"root": "a/c", "hooks": {"build:before": "x"}}}"#, false),
            (#""projects": {"s": {"root": "a/b"}, "t": {"root": "a/c"}}"#, false),
            (
                #""integrations": {"cordova": {"root": "a/b"}}, "hooks": {"build:before": "x"}"#,
                true
            ),
            (
                #""projects": {"s": {"root": "w", "integrations": {"cordova": {"root": "a/b"}}, "hooks": {"build:before": "x"}}}"#,
                true
            ),
        ])
    func projects(_ members: String, _ isOpen: Bool) throws {
        let files = ["ionic.config.json": "{\(members)}"]
        let found = try openSystems(ofCordova: "", files, in: "a/b/config.xml")
        #expect(found == (isOpen ? ["ios", "android"] : []))
    }

    @Test func `of very many projects, hooks count for each app below the file`() throws {
        let projects = (0..<2_000).map {
            #""\#($0)": {"root": "a/c\#($0)", "hooks": {"build:before": "x"}}"#
        }
        for count in [100, 2_000] {
            let text = "{\"projects\": {\(projects.prefix(count).joined(separator: ", "))}}"
            let files = ["ionic.config.json": text]
            let found = try openSystems(ofCordova: "", files, in: "a/b/config.xml")
            #expect(found.isEmpty == (count == 100))
        }
    }
}
