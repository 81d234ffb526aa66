import Associations
import Diagnostics
import Testing

@testable import AppFiles
@testable import Linting

@Suite("The work for flavours of Android apps")
struct FlavorWorkTests {
    private static let hosts = ["shop.example.com", "www.example.com"]

    /// The flavours of a module whose manifests have filters with faults of all kinds.
    /// - Parameters:
    ///   - script: what the script says of the flavours beside their names.
    ///   - skips: the condition by which it switches variants off.
    private func flavors(
        _ count: Int, _ script: String = "", skips: String = "false", values: Bool = false
    ) throws -> [AndroidDeclaration] {
        func filter(_ number: Int, _ attributes: String, _ data: String) -> String {
            """
            <activity android:name=".A\(number)"\(attributes)><intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            \(data)</intent-filter></activity>
            """
        }
        let host = values ? "${host}" : "shop.example.com"
        let data =
            "<data android:scheme=\"https\" android:host=\"\(host)\" android:pathPrefix=\"/a\"/>"
        let filters =
            (0..<20).map { filter($0, " android:exported=\"true\"", data) }
            + [
                filter(20, " android:exported=\"false\"", data),
                filter(21, "", "<data android:scheme=\"https\" android:host=\"www.example.com\"/>"),
                filter(22, "", "<data android:scheme=\"ftp\" android:host=\"other.example\"/>"),
            ]
        func manifest(_ body: String) -> String {
            """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android">
            <application>\(body)</application></manifest>
            """
        }
        let names = (0..<count).map { number in
            """
            f\(number) { applicationIdSuffix '.f\(number)'
            manifestPlaceholders = [host: '\(Self.hosts[number % 2])']
            \(script) }
            """
        }
        let files = [
            "app/build.gradle": """
            android { defaultConfig { applicationId 'com.example.shop' }
            productFlavors { \(names.joined(separator: "\n")) }
            variantFilter { ignore = \(skips) } }
            """,
            "app/src/main/AndroidManifest.xml": manifest(filters.joined()),
            "app/src/release/AndroidManifest.xml": manifest(
                "<activity android:name=\".A3\" android:enabled=\"false\"/>"),
        ]
        var checkout = Checkout(
            BundleFiles(names: files.keys.sorted()) { name throws(FormatFault) in
                ByteSource(Array((files[name] ?? "").utf8))
            })
        return try checkout.read("app/src/main/AndroidManifest.xml").compactMap { declaration in
            if case .android(let app) = declaration { app } else { nil }
        }
    }

    private func site(_ packages: String..., relation: String = "handle_all_urls") -> SiteHalf {
        let statements = packages.map { package in
            """
            {"relation": ["delegate_permission/common.\(relation)"], "target": {"namespace": "android_app",
            "package_name": "\(package)", "sha256_cert_fingerprints":
            ["14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"]}}
            """
        }
        return SiteHalf(
            nil,
            PublishedAssetLinks(
                .init(Array("[\(statements.joined(separator: ","))]".utf8), name: ""), includes: [:]
            ))
    }

    /// Compares flavours together and one by one.
    /// - Returns: the numbers of those that were compared, and of those that were taken from others.
    private func compare(
        _ apps: [AndroidDeclaration], _ sites: [SiteHalf]
    ) -> (whole: Int, taken: Int) {
        var forms = AndroidForms()
        for app in apps {
            var (one, other) = (
                AndroidComparison(app, file: "a", sites, claimed: ClaimedApp()),
                AndroidComparison(app, file: "a", sites, claimed: ClaimedApp())
            )
            let (together, alone) = (forms.agreement(of: &one), other.agreement())
            #expect(together?.findings == alone?.findings)
            #expect(together?.verdict == alone?.verdict)
            #expect(together?.app == alone?.app)
            #expect(together?.source == alone?.source)
            #expect(together?.opening == alone?.opening)
            #expect(alone?.findings.isEmpty == false)
        }
        return forms.count
    }

    @Test func `flavours that no site names are compared once`() throws {
        let apps = try flavors(40)
        for sites in [
            [], [site("com.example.other")], [site("com.example.shop")],
            [site("com.example.shop"), site("com.example.Shop.f7")], [SiteHalf(nil, nil)],
        ] {
            let count = compare(apps, sites)
            #expect(count.whole <= 2 && count.whole + count.taken == 40, "\(count)")
        }
    }

    @Test func `a flavour that a site names is compared by itself`() throws {
        let apps = try flavors(10)
        for relation in ["handle_all_urls", "get_login_creds"] {
            let count = compare(apps, [site("com.example.shop.f3", relation: relation)])
            #expect(count.whole == 2 && count.taken == 8, "\(count)")
        }
    }

    @Test func `flavours with other values are compared by themselves`() throws {
        let values = compare(try flavors(10, values: true), [site("a.b")])
        #expect(values.whole == 2 && values.taken == 8, "\(values)")
        let versions = compare(try flavors(10, "minSdkVersion 21"), [site("a.b")])
        #expect(versions.whole == 1 && versions.taken == 9, "\(versions)")
    }

    @Test(arguments: [0, 3])
    func `a flavour that may be switched off is compared by itself`(_ number: Int) throws {
        let apps = try flavors(10, skips: "name == 'f\(number)Release'")
        let count = compare(apps, [site("a.b")])
        #expect(count.whole == 2 && count.taken == 8, "\(count)")
    }

    @Test(
        "the package near another one is the first that is alike or begins it",
        arguments: [
            ("com.example.shop", nil), ("com.example.shop.f1", "com.example.shop"),
            ("COM.example.shop", "com.example.shop"), ("com.exa-mple.sh_op", "com.example.shop"),
            ("shop.example.com", "com.example.shop"), ("com.example.shopping", nil),
            ("a.b.c", "a.b"), ("b.a", "a.b"), ("", nil),
        ] as [(String, String?)])
    func near(_ package: String, _ expected: String?) {
        let names = ["com.example.shop", "a.b", "x.y.z"]
        let others = names.filter { $0 != package }
        #expect(NearPackages(others).first(near: package) == expected)
        let scanned = others.sorted().first {
            isAlike(Array($0.utf8)[...], Array(package.utf8)[...])
                || package.utf8.starts(with: "\($0).".utf8)
        }
        #expect(scanned == expected)
    }
}
