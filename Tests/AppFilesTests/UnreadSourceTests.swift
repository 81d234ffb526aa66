import Testing

@testable import AppFiles

@Suite("Parts of a checkout that are not read")
struct UnreadSourceTests {
    private static let manifest = """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
        <activity android:name=".Main"><intent-filter android:autoVerify="true">
        <action android:name="android.intent.action.VIEW"/>
        <data android:scheme="https" android:host="shop.example.com"/>
        </intent-filter></activity></application></manifest>
        """

    /// - Parameter closed: the file that cannot be read.
    private func checkout(
        _ files: [String: String], closed: String = "", unread: [UnreadSource] = []
    ) -> Checkout {
        Checkout(
            BundleFiles(names: files.keys.sorted()) { name throws(FormatFault) in
                guard name != closed else { throw FormatFault("cannot be read") }
                return ByteSource(Array((files[name] ?? "").utf8))
            }, unread: unread)
    }

    private func android(
        _ files: [String: String], closed: String = "", unread: [UnreadSource] = [],
        of name: String = "app/src/main/AndroidManifest.xml"
    ) throws -> [AndroidDeclaration] {
        var checkout = checkout(files, closed: closed, unread: unread)
        return try checkout.read(name).compactMap { declaration in
            if case .android(let app) = declaration { app } else { nil }
        }
    }

    private static let module = [
        "app/build.gradle": "android { defaultConfig { applicationId 'a.b' } }",
        "app/src/main/res/values/a.xml": "<resources/>",
        "app/src/release/AndroidManifest.xml": manifest,
        "app/src/main/AndroidManifest.xml": manifest,
    ]

    @Test(
        "a file of a module that cannot be read is named",
        arguments: [
            "app/build.gradle", "app/src/main/res/values/a.xml",
            "app/src/release/AndroidManifest.xml",
        ])
    func modules(_ closed: String) throws {
        let module = Self.module.mapValues {
            $0.replacing("shop.example.com", with: "@string/host")
        }
        #expect(try android(module).flatMap(\.unread) == [])
        let found = try android(module, closed: closed).flatMap(\.unread)
        #expect(found == [UnreadSource(closed, "the file cannot be read")])
    }

    @Test func `values that a manifest does not refer to change nothing of it`() throws {
        let values = "app/src/main/res/values/a.xml"
        #expect(try android(Self.module, closed: values).flatMap(\.unread) == [])
    }

    @Test func `of many files that are not read, some are kept`() throws {
        let sources = (0..<100).map { UnreadSource("\($0)", "too deep") }
        let found = try android(Self.module, unread: sources)
        #expect(found.map(\.unread) == [Array(sources.prefix(5))])
    }

    @Test func `what of the directory is not read is of each app of source`() throws {
        let source = UnreadSource("deep", "too deep")
        #expect(try android(Self.module, unread: [source]).map(\.unread) == [[source]])
        #expect(try android(Self.module, unread: [source]).map(\.isWhole) == [false])
        #expect(try android(Self.module).map(\.isWhole) == [true])
    }

    @Test("flavors have a limit", arguments: [(256, 256, 0), (257, 1, 1)])
    func flavors(_ row: (count: Int, apps: Int, unread: Int)) throws {
        var files = Self.module
        let names = (0..<row.count).map { "f\($0) { }" }.joined(separator: "\n")
        files["app/build.gradle"] =
            "android { defaultConfig { applicationId 'a.b' }\nproductFlavors {\n\(names)\n} }"
        files["app/src/release/AndroidManifest.xml"] = nil
        let found = try android(files)
        #expect(found.count == row.apps && found.flatMap(\.unread).count == row.unread)
        #expect(found.allSatisfy { $0.applicationID == (row.unread == 0 ? "a.b" : nil) })
    }

    /// A module with manifests for all releases of all its flavours.
    private func files(manifests: Int, flavors: Int) -> [String: String] {
        let names = (0..<flavors).map { "f\($0) { }" }.joined(separator: "\n")
        // Where there are flavours without a block, any source set can be of a release.
        var files = [
            "app/build.gradle":
                "android { defaultConfig { applicationId 'a.b' }\nproductFlavors {\n\(names)\ncreate('other')\n} }",
            "app/src/main/AndroidManifest.xml": Self.manifest,
        ]
        for number in 1..<manifests {
            files["app/src/s\(number)/AndroidManifest.xml"] = Self.manifest
        }
        return files
    }

    @Test(
        "manifests of many flavors are merged up to a limit",
        arguments: [(16, 256, false), (17, 256, true), (64, 16, false), (65, 1, true)])
    func merges(_ row: (manifests: Int, flavors: Int, isOpen: Bool)) throws {
        let found = try android(files(manifests: row.manifests, flavors: row.flavors))
        #expect(found.count == row.flavors)
        #expect(found.allSatisfy { $0.mergesOpen == row.isOpen })
        #expect(found.allSatisfy { $0.unread.isEmpty != row.isOpen })
        #expect(found.allSatisfy { $0.merged.count == (row.isOpen ? 0 : row.manifests - 1) })
    }

    private static let entitlements = """
        <plist><dict><key>com.apple.developer.associated-domains</key>
        <array><string>applinks:a.example</string></array></dict></plist>
        """

    private func project(_ settings: String) -> String {
        """
        // !$*UTF8*$!
        { objects = { P = { targets = (T); }; F = { path = a.xcconfig; sourceTree = SOURCE_ROOT; };
        T = { name = Shop; productType = "com.apple.product-type.application";
        buildConfigurationList = L; }; L = { buildConfigurations = (R); };
        R = { name = Release; baseConfigurationReference = F; buildSettings = { \(settings) }; };
        }; rootObject = P; }
        """
    }

    private func apple(_ files: [String: String], closed: String = "") throws -> [AppleDeclaration]
    {
        var checkout = checkout(files, closed: closed)
        return try checkout.read("a.entitlements").compactMap { declaration in
            if case .apple(let app) = declaration { app } else { nil }
        }
    }

    @Test func `settings and projects that cannot be read are named`() throws {
        let name = "Shop.xcodeproj/project.pbxproj"
        let files = [
            name: project("CODE_SIGN_ENTITLEMENTS = a.entitlements;"),
            "a.xcconfig": "PRODUCT_BUNDLE_IDENTIFIER = a.b", "a.entitlements": Self.entitlements,
        ]
        let known = try apple(files)
        #expect(known.map(\.unread) == [[]])
        #expect(known.map(\.use?.bundleIdentifier) == ["a.b"])
        for closed in ["a.xcconfig", name] {
            let found = try apple(files, closed: closed).flatMap(\.unread)
            #expect(found == [UnreadSource(closed, "the file cannot be read")])
        }
        // A file that is not there is made by a build, perhaps.
        var others = files
        others["a.xcconfig"] = nil
        #expect(try apple(others).flatMap(\.unread) == [])
    }

    @Test("Xcode projects have a limit", arguments: [(64, 0), (65, 1)])
    func projects(_ row: (count: Int, unread: Int)) throws {
        var files = ["a.entitlements": Self.entitlements]
        for number in 0..<row.count {
            files["P\(number).xcodeproj/project.pbxproj"] = project("")
        }
        #expect(try apple(files).flatMap(\.unread).count == row.unread)
    }
}
