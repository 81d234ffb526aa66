import Associations
import Diagnostics
import Linting
import Testing

@testable import AppFiles

@Suite("Declarations of one app beside each other")
struct AppDeclarationTests {
    private func entitlements(_ domains: [String], _ more: String = "") -> [UInt8] {
        let texts = domains.map { "<string>\($0)</string>" }.joined()
        return Array(
            """
            <plist version="1.0"><dict>\(more)<key>com.apple.developer.associated-domains</key>
            <array>\(texts)</array></dict></plist>
            """.utf8)
    }

    @Test(
        "an App Clip's host is one of its app, however that writes it",
        arguments: [
            ("appclips:shop.example.com", true), ("appclips:Shop.example.com", true),
            ("appclips:*.example.com", true), ("appclips:shop.example.com?mode=developer", true),
            ("applinks:shop.example.com", false), ("appclips:www.example.com", false),
            ("appclips:*.shop.example.com", false),
        ])
    func clips(_ domain: String, _ isSame: Bool) throws {
        let parents = """
            <key>com.apple.developer.parent-application-identifiers</key>
            <array><string>ABCDE12345.com.example.shop</string></array>
            """
        let own = try PropertyList.read(entitlements(["appclips:shop.example.com"], parents))
        var clip = AppleDeclaration(own, kind: .signature)
        clip.enclosing = .init(
            applicationIdentifier: nil, bundleIdentifier: nil,
            hostsOfClips: AppleDeclaration.hostsOfClips([domain]))
        var comparison = AppComparison([SiteHalf(nil, nil)])
        let found = comparison.compare([.apple(clip)], file: "clip").flatMap(\.findings)
        #expect(found.contains { $0.rule == .clipDomainsDiffer } != isSame)
    }

    /// Certificates as scheme and fingerprint, the oldest version, and what is said of `B` where only `A` is published.
    static let certificates: [([(Int, String)], least: Int, rules: [RuleName])] = [
        ([(3, "A"), (2, "B")], 27, [.rotatedKeyOnePublished]),
        ([(3, "A"), (2, "B")], 28, []),
        ([(3, "A"), (1, "B")], 27, [.rotatedKeyOnePublished]),
        ([(2, "A"), (1, "B")], 23, [.rotatedKeyOnePublished]),
        ([(2, "A"), (1, "B")], 24, []),
        ([(31, "A"), (3, "B")], 32, [.rotatedKeyOnePublished]),
        ([(31, "A"), (3, "B"), (2, "B")], 33, []),
        ([(3, "B"), (2, "A")], 24, [.fingerprintNotPublished]),
        // A key that was never rotated is named once.
        ([(3, "B"), (2, "B"), (1, "B")], 1, [.fingerprintNotPublished]),
    ]

    @Test("an old certificate counts if a version sees it", arguments: certificates)
    func olderCertificates(_ row: ([(Int, String)], least: Int, rules: [RuleName])) throws {
        // One that repeats itself is a placeholder.
        let bytes = [
            "B7", "2C", "E9", "83", "C5", "73", "06", "50", "D8", "EE", "B9", "95", "2F", "34",
            "FC", "64",
            "16", "A0", "83", "42", "E6", "1D", "BE", "A8", "8A", "04", "96", "B2", "3F", "CF",
            "44", "E5",
        ]
        func fingerprint(_ letter: String) -> String {
            (letter == "A" ? bytes : bytes.reversed()).joined(separator: ":")
        }
        let text = """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android">
            <uses-sdk android:minSdkVersion="\(row.least)"/><application>
            <activity android:name=".Main"><intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <category android:name="android.intent.category.DEFAULT"/>
            <category android:name="android.intent.category.BROWSABLE"/>
            <data android:scheme="https" android:host="shop.example.com"/>
            </intent-filter></activity></application></manifest>
            """
        let read = try AppFile.read(ByteSource(Array(text.utf8)))
        guard case .android(var app)? = read.first else {
            Issue.record("no manifest")
            return
        }
        app.certificates = row.0.map { APKCertificate(scheme: $0, fingerprint: fingerprint($1)) }
        let statements = """
            [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {
            "namespace": "android_app", "package_name": "com.example.shop",
            "sha256_cert_fingerprints": ["\(fingerprint("A"))"]}}]
            """
        let site = SiteHalf(
            nil, PublishedAssetLinks(.init(Array(statements.utf8), name: ""), includes: [:]))
        var comparison = AppComparison([site], claimed: ClaimedApp(android: "com.example.shop"))
        let found = comparison.compare([.android(app)], file: "shop").flatMap(\.findings)
            .map(\.rule)
        #expect(
            found.filter { $0 == .rotatedKeyOnePublished || $0 == .fingerprintNotPublished }
                == row.rules)
    }

    @Test func `a host that one platform lacks is said once, in the file that lacks it`() throws {
        let filter = """
            <intent-filter android:autoVerify="true">
            <action android:name="android.intent.action.VIEW"/>
            <data android:scheme="https" android:host="shop.example.com"/>
            <data android:host="www.example.com"/></intent-filter>
            """
        let manifest = """
            <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
            <activity android:name=".Main">\(filter)\(filter)</activity></application></manifest>
            """
        let android = try AppFile.read(ByteSource(Array(manifest.utf8)))
        let ios = try AppFile.read(ByteSource(entitlements(["applinks:shop.example.com"])))
        let files = [
            (file: "shop.xml", declarations: android), (file: "shop", declarations: ios),
        ]
        var comparison = AppComparison([SiteHalf(nil, nil)])
        var agreements = files.flatMap { comparison.compare($0.declarations, file: $0.file) }
        comparison.addPlatforms(to: &agreements, files)
        let found = agreements.map { agreement in
            agreement.findings.filter { $0.rule == .platformsDifferInHosts }.map(\.message)
        }
        #expect(
            found == [
                [],
                [
                    "the manifest verifies \"www.example.com\", and no associated domain is for it"
                ],
            ])
    }

    @Test func `an alias without its activity is an error in the file that ships`() throws {
        let text = """
            <manifest xmlns:a="http://schemas.android.com/apk/res/android" package="a.b"><application>
            <activity-alias a:name=".L" a:targetActivity=".M"/><activity a:name=".M"/></application></manifest>
            """
        let root = try XMLReader.read(Array(text.utf8))
        let app = try AndroidDeclaration(root, kind: .binary)
        var comparison = AppComparison([SiteHalf(nil, nil)])
        let found = comparison.compare([.android(app)], file: "apk").flatMap(\.findings)
        let alias = found.filter { $0.rule == .aliasWithoutTarget }
        #expect(alias.map(\.severity) == [.error])
        #expect(alias.first?.message.contains("which stands behind it") == true)
    }

    /// A configuration beside that of the app that a host lists, each with a host of its own, which answers without a file.
    @Test(
        "a build for developers is left out on a host that nobody has said to be the site's",
        arguments: [("dev", false), ("pro", true)])
    func live(_ name: String, _ isCompared: Bool) throws {
        func app(_ name: String) throws -> AppDeclaration {
            let list = try PropertyList.read(entitlements(["applinks:\(name).example.com"]))
            var app = AppleDeclaration(list, kind: .entitlements)
            app.use = XcodeUse(
                target: "Shop", configurations: ["Release-\(name)"],
                bundleIdentifier: "com.example.\(name)", team: "ABCDE12345")
            app.use?.isOfApp = true
            return .apple(app)
        }
        let text = """
            {"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.shop"],"components":[{"/":"/*"}]}]}}
            """
        let reading = AssociationReading(Array(text.utf8), file: "")
        var comparison = AppComparison([
            SiteHalf(live: "shop.example.com", .read(reading), .absent),
            SiteHalf(live: "\(name).example.com", .absent, .absent),
        ])
        let found = comparison.compare([try app("shop"), try app(name)], file: "a.entitlements")
        #expect(found.map(\.verdict) == (isCompared ? [.agrees, .differs] : [.agrees]))
    }
}
