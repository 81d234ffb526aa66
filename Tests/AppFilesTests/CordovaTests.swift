import TestSupport
import Testing

@testable import AppFiles

@Suite("Cordova's config.xml")
struct CordovaTests {
    private func read(_ content: String) throws -> [AppDeclaration] {
        let text = """
            <widget id="com.example.shop" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
            \(content)</widget>
            """
        return try AppFile.read(ByteSource(Array(text.utf8)))
    }

    /// The filters of the plugin for links, for a host with some paths.
    private func filters(host: String, paths: Int) throws -> [IntentFilter] {
        let paths = (0..<paths).map { "<path url=\"/p\($0)/*\"/>" }.joined()
        let declarations = try read(
            "<universal-links><host name=\"\(host)\" scheme=\"https\">\(paths)</host></universal-links>"
        )
        return declarations.flatMap { declaration in
            if case .android(let app) = declaration { app.filters } else { [IntentFilter]() }
        }
    }

    @Test func `a host is one filter, however many paths it has`() throws {
        #expect(try filters(host: "shop.example.com", paths: 3).count == 1)
        #expect(try filters(host: "shop.example.com", paths: 0).count == 1)
    }

    @Test func `a host costs once, however many paths it has`() throws {
        let host = String(repeating: "a", count: 80_000)
        func time(_ paths: Int) -> Duration {
            processorTime { _ = try? filters(host: host, paths: paths) }
        }
        #expect((1...3).contains { _ in time(600) < time(6) * 10 + .milliseconds(100) })
    }

    @Test func `an application ID has underscores in the place of hyphens`() throws {
        let widget = "<widget id='com.example.my-shop' ios-CFBundleIdentifier='a.b-c'/>"
        let found = try AppFile.read(ByteSource(Array(widget.utf8)))
        let ids = found.map { declaration -> String? in
            switch declaration {
            case .apple(let app): app.use?.bundleIdentifier
            case .android(let app): app.applicationID
            case .key, .program: nil
            }
        }
        #expect(ids == ["a.b-c", "com.example.my_shop"])
    }

    private func domains(target: String) throws -> [String] {
        let declarations = try read(
            """
            <name>Shop</name><platform name="ios">
            <config-file target="\(target)" parent="com.apple.developer.associated-domains">
            <array><string>applinks:shop.example.com</string></array></config-file></platform>
            """)
        return declarations.flatMap { declaration in
            guard case .apple(let app) = declaration, case .list(let domains) = app.domains else {
                return [String]()
            }
            return domains.map(\.text)
        }
    }

    @Test(
        "domains for the entitlements of releases count",
        arguments: [
            ("*-Release.plist", true), ("*/Entitlements-Release.plist", true),
            ("Shop/Entitlements-Release.plist", true), ("App/Entitlements-Release.plist", true),
            ("**/*Release*", true), ("*Rel*e*.plist", true),
            ("*-Debug.plist", false), ("*-Info.plist", false), ("*.plist", false),
            ("Entitlements-Release.plist", false), ("Other/Entitlements-Release.plist", false),
            ("*.entitlements", false), ("config.xml", false), ("", false), ("*", false),
            ("*Release.plist.plist", false), ("Entitlements-Release*-Release.plist", false),
        ])
    func countsTarget(_ target: String, _ counts: Bool) throws {
        #expect(try domains(target: target) == (counts ? ["applinks:shop.example.com"] : []))
    }

    private static let filter =
        "<intent-filter><data a:scheme='https' a:host='a.b'/></intent-filter>"
    private static let main = "/manifest/application/activity[@android:name='MainActivity']"

    @Test(
        "an element that may not add filters to an activity, or changes one, leaves them open",
        arguments: [
            ("config-file target='AndroidManifest.xml' parent=\"\(main)\"", filter, false),
            (
                "config-file target='app/src/main/AndroidManifest.xml' parent='./application/activity'",
                filter, false
            ),
            (
                "config-file target='AndroidManifest.xml' parent=\"//activity[@android:label='@string/a']\"",
                filter, false
            ),
            (
                "config-file target='AndroidManifest.xml' parent='/manifest/application'",
                "<activity>\(filter)</activity>", false
            ),
            (
                "config-file target='AndroidManifest.xml' parent='/manifest'",
                "<activity>\(filter)</activity>", true
            ),
            (
                "config-file target='AndroidManifest.xml' parent='/manifest/application/service'",
                filter, true
            ),
            ("config-file target='AndroidManifest.xml'", filter, true),
            (
                "config-file target='AndroidManifest.xml' parent=\"//activity[@android:name='Other']\"",
                filter, true
            ),
            (
                "config-file target='AndroidManifest.xml' parent=\"//activity[not(@android:name)]\"",
                filter, true
            ),
            (
                "edit-config file='AndroidManifest.xml' mode='merge' target=\"\(main)\"",
                "<activity a:exported='false'/>", true
            ),
            (
                "edit-config file='AndroidManifest.xml' mode='merge' target=\"\(main)\"",
                "<activity a:label='a'/>", false
            ),
            (
                "edit-config file='AndroidManifest.xml' mode='overwrite' target=\"\(main)\"",
                "<activity a:label='a'/>", true
            ),
            (
                "edit-config file='AndroidManifest.xml' mode='overwrite' target=\"\(main)/intent-filter\"",
                "<intent-filter/>", true
            ),
            (
                "edit-config file='AndroidManifest.xml' mode='merge' target='/manifest/application'",
                "<application a:label='a'/>", false
            ),
            (
                "edit-config file='AndroidManifest.xml' mode='merge' target='/manifest/application'",
                "<application a:enabled='false'/>", true
            ),
        ] as [(String, String, Bool)])
    func opensManifest(_ element: String, _ content: String, _ isOpen: Bool) throws {
        let name = element.prefix { $0 != " " }
        let root = try XMLReader.read(
            Array(
                """
                <widget id="a.b" xmlns:a="http://schemas.android.com/apk/res/android"><platform name="android">
                <\(element)>\(content)</\(name)></platform></widget>
                """.utf8))
        #expect(CordovaManifest.open(in: root).isEmpty != isOpen)
    }

    /// What `plugin.xml` has, and the systems for which it leaves links open.
    static let plugins: [(content: String, isOfIOS: Bool, isOfAndroid: Bool)] = [
        (
            """
            <platform name="android"><edit-config file="AndroidManifest.xml" mode="merge"
            target="/manifest/application/activity"><activity a:exported="false"/></edit-config></platform>
            """, false, true
        ),
        (
            """
            <platform name="android"><config-file target="AndroidManifest.xml" parent="/manifest">
            <uses-permission a:name="a.b"/></config-file></platform>
            """, false, false
        ),
        (
            """
            <platform name="android"><config-file target="AndroidManifest.xml" parent="/manifest"><queries>
            <intent><data a:scheme="https"/></intent></queries></config-file></platform>
            """, false, false
        ),
        (
            """
            <platform name="android"><config-file target="AndroidManifest.xml" parent="/manifest/application">
            <activity a:name="A"><intent-filter><data a:scheme="https" a:host="a.b"/></intent-filter></activity>
            </config-file></platform>
            """, false, true
        ),
        (
            """
            <platform name="ios"><config-file target="*-Release.plist"
            parent="com.apple.developer.associated-domains"><array/></config-file></platform>
            """, true, false
        ),
        ("<", true, true),
    ]

    @Test("a plugin of the checkout may change what decides about links", arguments: plugins)
    func local(_ row: (content: String, isOfIOS: Bool, isOfAndroid: Bool)) throws {
        let name = "xmlns:a='http://schemas.android.com/apk/res/android'"
        for (widget, package, isNamed) in [
            ("<plugin name='p' spec='./local/p'/>", "{}", true),
            ("", #"{"devDependencies": {"p": "file:local/p"}}"#, true),
            ("", #"{"dependencies": {"p": "./local/p"}}"#, true),
            ("<plugin name='cordova-plugin-file' spec='1.0'/>", "{}", false),
        ] {
            var checkout = Checkout([
                "config.xml": """
                <widget id="a.b" \(name)>\(widget)
                <config-file target="AndroidManifest.xml" parent="/manifest/application/activity">
                <intent-filter><data a:scheme="https" a:host="a.b"/></intent-filter></config-file></widget>
                """, "package.json": package,
                "local/p/plugin.xml": "<plugin \(name)>\(row.content)</plugin>",
            ])
            for declaration in try checkout.read("config.xml") {
                switch declaration {
                case .apple(let app): #expect(app.unread.isEmpty != (isNamed && row.isOfIOS))
                case .android(let app): #expect(app.unread.isEmpty != (isNamed && row.isOfAndroid))
                default: Issue.record("\(declaration)")
                }
            }
        }
    }
}
