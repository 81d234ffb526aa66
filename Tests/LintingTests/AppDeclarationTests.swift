import Associations
import Diagnostics
import Linting
import Testing

@testable import AppFiles

@Suite("Declarations of one app beside each other")
struct AppDeclarationTests {
    private let comparison = AppComparison([SiteHalf(nil, nil)])

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
        clip.enclosing = .init(applicationIdentifier: nil, domains: [domain])
        let found = comparison.compare([.apple(clip)], file: "clip").flatMap(\.findings)
        #expect(found.contains { $0.rule == .clipDomainsDiffer } != isSame)
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
}
