import Testing

@testable import AppFiles

@Suite("Cordova's plugins in a checkout")
struct CordovaPluginTests {
    /// - Parameters:
    ///   - package: what its `package.json` has.
    ///   - plugin: the element of its configuration.
    private func open(
        _ package: String, plugin: String = "", _ files: [String: String]
    ) throws -> [String] {
        let own = ["app/package.json": "{\(package)}"]
        return try openSystems(
            ofCordova: plugin, files.merging(own) { $1 }, in: "app/config.xml")
    }

    private static let both = ["ios", "android"]
    private static let hook = "<plugin><hook src='a.js'/></plugin>"

    @Test(
        "a plugin that stands in the directory of plugins is read",
        arguments: [
            ("app/plugins/cordova-plugin-x/plugin.xml", true),
            ("app/plugins/@acme/x/plugin.xml", true), ("plugins/x/plugin.xml", false),
            ("app/plugins/x/example/plugin.xml", false), ("app/src/x/plugin.xml", false),
        ])
    func installed(_ name: String, _ isOpen: Bool) throws {
        #expect(try open("", [name: Self.hook]) == (isOpen ? Self.both : []))
        #expect(try open("", [name: "<plugin><dependency url='../y'/></plugin>"]).isEmpty)
    }

    @Test(
        "a package of the checkout is read, whatever its version",
        arguments: [
            "link:../x", "portal:../x", "workspace:../x", "file:./../x", "../x", "workspace:*",
            "workspace:^", "file:../gone", "^1.0",
        ])
    func packages(_ spec: String) throws {
        for kind in ["dependencies", "devDependencies", "optionalDependencies"] {
            let package = #""\#(kind)": {"p": "\#(spec)"}"#
            let files = ["x/plugin.xml": Self.hook, "x/package.json": #"{"name": "p"}"#]
            #expect(try open(package, files) == Self.both)
            let other = ["x/package.json": #"{"name": "p"}"#]
            #expect(try open(package + #", "cordova": {"plugins": {"p": {}}}"#, other).isEmpty)
        }
        #expect(
            try open(
                "", plugin: "<plugin name='p' spec='\(spec)'/>",
                ["x/plugin.xml": Self.hook, "x/package.json": #"{"name": "p"}"#]) == Self.both)
    }

    @Test(
        "a plugin at a path where the checkout has nothing leaves both systems open",
        arguments: [
            ("cordova-plugin-x", "file:../x", true), ("cordova-plugin-x", "link:x", true),
            ("cordova-plugin-x", "file:x.tgz", true), ("cordova-plugin-x", "x.tar.gz", true),
            ("cordova-plugin-x", "../../x", true), ("cordova-plugin-x", "file:/x", true),
            ("cordova-plugin-x", "workspace:*", true), ("@acme/Cordova-x", "~/x", true),
            ("phonegap-plugin-push", "./x", true), ("acme-plugin", "..", true),
            ("cordova-plugin-x", "^1.0", false), ("cordova-plugin-x", "acme/x", false),
            ("cordova-plugin-x", "https://a.b/x.tgz", false), ("cordova-plugin-x", "*", false),
            ("cordova-plugin-x", "file:www", false), ("utilities", "file:../x", false),
            ("eslint-plugin-x", "file:../x", false),
        ])
    func lost(_ name: String, _ spec: String, _ isOpen: Bool) throws {
        let files = ["app/www/package.json": "{}"]
        let package = #""dependencies": {"\#(name)": "\#(spec)"}"#
        #expect(try open(package, files) == (isOpen ? Self.both : []))
    }

    @Test(
        "a platform that is the project's own leaves its system open",
        arguments: [
            ("file:../x", true), ("link:x", true), ("./x", true), ("workspace:*", true),
            ("engines/own", true), ("^13.0", false), ("acme/cordova-android", false),
        ])
    func platforms(_ spec: String, _ isOpen: Bool) throws {
        let files = ["app/engines/own/package.json": "{}"]
        for (name, package) in [("android", "cordova-android"), ("ios", "cordova-ios")] {
            let expected = isOpen ? [name] : []
            let dependencies = #""devDependencies": {"\#(package)": "\#(spec)"}"#
            #expect(try open(dependencies, files) == expected)
            let engine = "<engine name='\(name)' spec='\(spec)'/><engine name='ios'/>"
            #expect(
                try open("", plugin: "\(engine)<engine name='android'/>", files) == expected)
        }
    }

    @Test func `what Cordova restores is a plugin, whatever its name`() throws {
        let package = #""dependencies": {"x": "file:../x"}"#
        #expect(try open(package, [:]).isEmpty)
        #expect(try open(package + #", "cordova": {"plugins": {"x": {}}}"#, [:]) == Self.both)
        #expect(try open("", plugin: "<plugin name='x' spec='./x'/>", [:]) == Self.both)
    }

    @Test(
        "a plugin of others leaves both systems open, unless it is known",
        arguments: [
            ("acme-links", "1.0", true), ("cordova-plugin-camera", "^4.0", false),
            ("cordova-plugin-camera", "https://a.b/c.git", true),
            ("cordova-plugin-camera", "acme/camera", true),
            ("cordova-plugin-camera", "npm:other@1", true),
            ("cordova-plugin-camera", "npm:cordova-plugin-camera@4", false),
            ("cordova-plugin-camera", "npm:^4.0", false),
            ("cordova-plugin-camera", "other@1", true),
            ("cordova-plugin-customurlscheme", "5.0", false),
        ])
    func unknown(_ name: String, _ version: String, _ isOpen: Bool) throws {
        let expected = isOpen ? Self.both : []
        let element = "<plugin name='\(name)' spec='\(version)'/>"
        #expect(try open("", plugin: element, [:]) == expected)
        let spec = "<plugin spec='\(name)@\(version)'/>"
        #expect(try open("", plugin: spec, [:]) == expected)
        let package = #""dependencies": {"\#(name)": "\#(version)"}"#
        #expect(try open(package, [:]).isEmpty)
        #expect(try open(package + #", "cordova": {"plugins": {"\#(name)": {}}}"#, [:]) == expected)
        let installed = ["app/plugins/\(name)/plugin.xml": "<plugin/>"]
        #expect(try open("", plugin: element, installed).isEmpty)
    }

    @Test(
        "a known plugin that is replaced or patched here is another one",
        arguments: [
            (#""overrides": {"cordova-plugin-camera": "npm:other@1"}"#, true),
            (#""overrides": {"cordova-plugin-camera": "4.0.1"}"#, false),
            (#""overrides": {"cordova-plugin-file": "npm:other@1"}"#, false),
            (#""devDependencies": {"cordova-plugin-camera": "github:acme/camera"}"#, true),
        ])
    func replaced(_ package: String, _ isOpen: Bool) throws {
        let plugin = "<plugin name='cordova-plugin-camera' spec='^4.0'/>"
        #expect(try open(package, plugin: plugin, [:]) == (isOpen ? Self.both : []))
    }

    @Test func `the plugin of schemes adds links if it is given a scheme of the web`() throws {
        for (value, systems) in [("shop", []), ("https", Self.both)] as [(String, [String])] {
            let variable = "<variable name='ANDROID_SCHEME' value='\(value)'/>"
            let plugin = "<plugin name='cordova-plugin-customurlscheme'>\(variable)</plugin>"
            #expect(try open("", plugin: plugin, [:]) == systems)
        }
    }

    @Test func `the plugin whose hosts are read leaves iOS as it is`() throws {
        let plugin = "<plugin name='cordova-universal-links-plugin' spec='1.2'/>"
        #expect(try open("", plugin: plugin, [:]) == ["android"])
    }

    @Test(
        "a plugin that a plugin of the checkout depends on is read",
        arguments: [
            ("url='../y'", true), ("url='y'", true), ("url='.' subdir='../y'", true),
            ("url='.' subdir='local/y'", true), ("url='file:../y'", true), ("url='../gone'", true),
            ("url='../z'", false), ("url='https://a.b/y.git'", false), ("version='1.0'", false),
        ])
    func dependencies(_ attributes: String, _ isOpen: Bool) throws {
        let files = [
            "local/x/plugin.xml": """
            <plugin><platform name='ios'><dependency id='q' \(attributes)/></platform></plugin>
            """, "local/y/plugin.xml": Self.hook,
            "local/z/plugin.xml": "<plugin><dependency url='../x'/></plugin>",
        ]
        let package = #""dependencies": {"p": "file:../local/x"}"#
        #expect(try open(package, files) == (isOpen ? Self.both : []))
    }

    @Test func `the first dependencies of plugins are read`() throws {
        var files = [String: String]()
        for number in 0..<300 {
            let next = "<dependency url='../x\(number + 1)'/>"
            files["x\(number)/plugin.xml"] = "<plugin>\(next)</plugin>"
        }
        files["x300/plugin.xml"] = "<plugin/>"
        #expect(try open(#""dependencies": {"p": "file:../x0"}"#, files) == Self.both)
        #expect(try open(#""dependencies": {"p": "file:../x100"}"#, files).isEmpty)
    }

    @Test func `a limit of dependencies is named`() throws {
        let all = (0..<20).map { "<dependency id='p\($0)' url='../p\($0)'/>" }.joined()
        var files = ["config.xml": "<widget id='a.b'><plugin name='p' spec='./p0'/></widget>"]
        for number in 0..<20 { files["p\(number)/plugin.xml"] = "<plugin>\(all)</plugin>" }
        var checkout = Checkout(files)
        for declaration in try checkout.read("config.xml") {
            guard case .apple(let app) = declaration else { continue }
            #expect(app.unread.map(\.name) == ["plugin.xml"])
            #expect(app.unread.first?.fact.contains("more than 256 dependencies") == true)
        }
    }

    @Test(
        "a variable is a scheme of the web by the values that it has",
        arguments: [
            ("$S", #"{"S": "shop"}"#, false), ("${S}", #"{"S": "shop"}"#, false),
            ("$S", #"{"S": "https"}"#, true), ("$S", "{}", true), ("$T", #"{"S": "shop"}"#, true),
            ("$D", "{}", false), ("$D", #"{"D": "http"}"#, true), ("fb$S", "{}", false),
            ("http$S", #"{"S": "s"}"#, true), ("$PACKAGE_NAME", "{}", false),
            ("${applicationId}", "{}", false), ("https", "{}", true), ("$W", "{}", true),
        ])
    func variables(_ scheme: String, _ values: String, _ isOpen: Bool) throws {
        let files = [
            "app/plugins/p/plugin.xml": """
            <plugin xmlns:android="http://schemas.android.com/apk/res/android">
            <preference name="D" default=" "/><preference name="W" default="https"/><platform name="android">
            <config-file target="AndroidManifest.xml" parent="/*/application/activity"><intent-filter>
            <data android:scheme="\(scheme)"/></intent-filter></config-file></platform></plugin>
            """
        ]
        let expected = isOpen ? ["android"] : []
        #expect(try open(#""cordova": {"plugins": {"p": \#(values)}}"#, files) == expected)
        let fetched = ["app/plugins/fetch.json": #"{"p": {"variables": \#(values)}}"#]
        #expect(try open("", files.merging(fetched) { $1 }) == expected)
    }

    @Test func `the configuration gives values to variables, too`() throws {
        let files = [
            "app/plugins/p/plugin.xml": """
            <plugin xmlns:a="http://schemas.android.com/apk/res/android"><data a:scheme="$S"/></plugin>
            """
        ]
        for (value, systems) in [("shop", []), ("https", ["android"])] as [(String, [String])] {
            let plugin = "<plugin name='p'><variable name='S' value='\(value)'/></plugin>"
            #expect(try open("", plugin: plugin, files) == systems)
        }
    }
}
