import Testing

@testable import AppFiles

@Suite("What Cordova runs and copies")
struct CordovaChangeTests {
    private func open(
        _ widget: String, _ files: [String: String] = [:], in file: String = "config.xml"
    ) throws -> [String] { try openSystems(ofCordova: widget, files, in: file) }

    private static let both = ["ios", "android"]
    private static let script = "src='x.gradle' type='gradleReference'"

    @Test(
        "a program leaves the verdict open on the systems of its element",
        arguments: [
            ("<hook type='after_prepare' src='a.js'/>", both),
            ("<hook type='after_prepare' src='../gone.js'/>", both),
            ("<platform name='ios'><hook src='a.js'/></platform>", ["ios"]),
            ("<platform name='android'><hook src='a.js'/></platform>", ["android"]),
            ("<platform name='browser'><hook src='a.js'/></platform>", []),
            ("<!-- <hook src='a.js'/> --><hook type='after_prepare'/>", []),
            ("<framework custom='true' \(script)/>", ["android"]),
            ("<framework custom='True' src='library'/>", ["android"]),
            ("<framework src='com.a:b:1.0'/><framework \(script)/>", []),
            ("<platform name='ios'><framework custom='true' src='A.framework'/></platform>", []),
            ("<resource-file src='app.gradle'/>", both),
            ("<platform name='ios'><resource-file src='a.plist'/></platform>", ["ios"]),
            ("<platform name='android'><resource-file src='a'/></platform>", ["android"]),
            ("<resource-file src='icon.png'/>", []),
            ("<source-file src='src/a.gradle' target-dir='app'/>", ["android"]),
            ("<source-file src='src/A.java' target-dir='src/a/b'/>", []),
            ("<source-file src='src/a.xml' target-dir='res/xml'/>", []),
            ("<config-file target='config.xml'><feature name='A'/></config-file>", []),
            ("<config-file target='*-Info.plist' parent='CFBundleIdentifier'/>", ["ios"]),
            ("<edit-config file='*-Info.plist' target='CFBundleIdentifier'/>", ["ios"]),
            ("<config-file target='*-Info.plist' parent='CFBundleURLTypes'/>", []),
        ] as [(String, [String])])
    func programs(_ content: String, _ systems: [String]) throws {
        #expect(try open(content) == systems)
        let plugin = ["local/p/plugin.xml": "<plugin>\(content)</plugin>"]
        #expect(try open("<plugin name='p' spec='local/p'/>", plugin) == systems)
    }

    @Test(
        "a copied file leaves the verdict open, unless nothing about links can be in it",
        arguments: [
            ("app/src/main/AndroidManifest.xml", true), ("AndroidManifest.xml", true),
            ("app/build-extras.gradle", true), ("gradle.properties", true),
            ("cdv-gradle-config.json", true), ("gradle/wrapper/gradle-wrapper.jar", true),
            ("res/values/strings.xml", true), ("res/Values-de/strings.xml", true),
            ("res/navigation/a.xml", true), ("res/xml/../values/a.xml", true), ("a.xml", true),
            ("app/src/main/res", true), ("res/drawable", true), ("", true), ("png", true),
            ("../../a.png", true), ("Entitlements-Release.plist", true), ("a.entitlements", true),
            ("Shop.xcodeproj/project.pbxproj", true), ("a.xcconfig", true),
            ("app/src/main/res/drawable/icon.PNG", false), ("app/google-services.json", false),
            ("res/xml/network_security_config.xml", false), ("res/drawable-v24/icon.xml", false),
            ("app/src/main/res/raw/a.mp3", false), ("fonts/a.ttf", false),
            ("Resources/GoogleService-Info.plist", false), ("en.lproj/InfoPlist.strings", false),
        ])
    func copies(_ target: String, _ isOpen: Bool) throws {
        let expected = isOpen ? Self.both : []
        #expect(try open("<resource-file src='a.properties' target='\(target)'/>") == expected)
        #expect(try open("<resource-file src='\(target)'/>") == expected)
    }

    @Test(
        "files in directories of hooks run, too",
        arguments: [
            ("config.xml", "hooks/after_prepare/a.js", true),
            ("a/config.xml", "a/hooks/before_build/a.sh", true),
            ("config.xml", ".cordova/hooks/after_prepare/a.js", true),
            ("a/config.xml", ".cordova/hooks/after_prepare/a.js", false),
            ("www/config.xml", "hooks/after_prepare/a.js", true),
            ("app/www/config.xml", "app/hooks/after_prepare/a.js", true),
            ("a/config.xml", "hooks/after_prepare/a.js", false),
            ("config.xml", "hooks/README.md", false), ("config.xml", "src/hooks/a/b.ts", false),
        ])
    func directories(_ file: String, _ hook: String, _ isOpen: Bool) throws {
        #expect(try open("", [hook: ""], in: file) == (isOpen ? Self.both : []))
    }

    @Test(
        "a flag of releases leaves iOS open if it decides about identifier, team or entitlements",
        arguments: [
            (#""release": {"buildFlag": ["-quiet", "PRODUCT_BUNDLE_IDENTIFIER=a.c"]}"#, true),
            (#""release": {"buildFlag": "CODE_SIGN_ENTITLEMENTS=a.plist"}"#, true),
            (#""release": {"buildFlag": ["DEVELOPMENT_TEAM=ABCDE12345"]}"#, true),
            (#""release": {"buildFlag": ["-xcconfig a.xcconfig"]}"#, true),
            (#""release": {"buildFlag": ["-UseModernBuildSystem=0", "A=b"]}"#, false),
            (#""debug": {"buildFlag": ["PRODUCT_BUNDLE_IDENTIFIER=a.c"]}"#, false),
        ])
    func flags(_ settings: String, _ isOpen: Bool) throws {
        let files = ["build.json": #"{"ios": {\#(settings)}}"#]
        #expect(try open("", files) == (isOpen ? ["ios"] : []))
    }

    @Test(
        "a hook of Ionic leaves both systems open, unless it runs for something else",
        arguments: [
            (#""build:before": "./a.js""#, true), (#""build:after": ["a.js"]"#, true),
            (#""serve:before": "./a.js", "capacitor:sync:after": "./a.js""#, false), ("", false),
        ])
    func hooksOfIonic(_ hooks: String, _ isOpen: Bool) throws {
        let files = ["ionic.config.json": #"{"name": "a", "hooks": {\#(hooks)}}"#]
        #expect(try open("", files) == (isOpen ? Self.both : []))
    }

    @Test(
        "scripts of a package, and of one of several projects, can be hooks of Ionic",
        arguments: [
            ("package.json", #"{"scripts": {"ionic:build:before": "a"}}"#, true),
            ("package.json", #"{"scripts": {"ionic:serve:before": "a", "build": "b"}}"#, false),
            (
                "package.json", #"{"scripts": {"ionic:serve": "a", "capacitor:sync:after": "b"}}"#,
                false
            ),
            ("package.json", #"{"scripts": {"appflow:build": "a"}}"#, true),
            ("ionic.config.json", #"{"projects": {"a": {"hooks": {"build:before": "b"}}}}"#, true),
            ("ionic.config.json", #"{"projects": {"a": {"name": "b"}}}"#, false),
        ])
    func otherHooksOfIonic(_ file: String, _ text: String, _ isOpen: Bool) throws {
        #expect(try open("", [file: text]) == (isOpen ? Self.both : []))
    }

    @Test func `a project can have the name of the directory of pages`() throws {
        let files = ["www/package.json": "{}", "www/hooks/after_prepare/a.js": ""]
        #expect(try open("", files, in: "www/config.xml") == Self.both)
    }

    @Test func `a file alone is open by its hooks, too`() throws {
        let widget = "<widget id='a.b'><hook src='./a.js'/></widget>"
        let found = try AppFile.read(ByteSource(Array(widget.utf8))).flatMap { declaration in
            if case .apple(let app) = declaration { app.unread.map(\.name) } else { [String]() }
        }
        #expect(found == ["a.js"])
    }

    @Test func `the first hooks are named, each once`() throws {
        let hooks = (0..<100).map { "<hook src='a\($0 / 2).js'/>" }.joined()
        let root = try XMLReader.read(Array("<widget>\(hooks)</widget>".utf8))
        var changes = CordovaChanges(of: root, in: "b/")
        changes.add(CordovaChanges(ofHooks: ["hooks/a/b"]))
        let names = (0...AppFileLimits.unreadMax).map { "b/a\($0).js" }
        #expect(changes.ofManifest.map(\.name) == names)
        #expect(changes.ofEntitlements.map(\.name) == names)
    }
}
