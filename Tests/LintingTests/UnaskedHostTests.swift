import AppFiles
import Associations
import Diagnostics
import Linting
import Testing

/// Hosts of an app that nobody can ask for their files.
@Suite struct UnaskedHostTests {
    private static let key = (0..<32).map { "\($0 * 7 % 90 + 10)" }.joined(separator: ":")
    private static let statement = """
        [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app",
        "package_name": "com.example.shop", "sha256_cert_fingerprints": ["\(key)"]}}]
        """

    @Test(
        "a host that cannot be asked leaves the verdict open",
        arguments: [
            ("my_shop.example.com", AppAgreement.Verdict.unknown), ("192.0.2.1", .unknown),
            ("shop.example.com", .agrees),
        ])
    func hosts(_ host: String, _ verdict: AppAgreement.Verdict) throws {
        let names = ["DEFAULT", "BROWSABLE"].map {
            "<category a:name='android.intent.category.\($0)'/>"
        }.joined()
        let manifest = """
            <manifest xmlns:a='http://schemas.android.com/apk/res/android'><application><activity a:name='.A'>
            <intent-filter a:autoVerify='true'><action a:name='android.intent.action.VIEW'/>\(names)
            <data a:scheme='https' a:host='shop.example.com'/><data a:host='\(host)'/>
            </intent-filter></activity></application></manifest>
            """
        let links = PublishedAssetLinks(Array(Self.statement.utf8))
        var comparison = AppComparison(
            [SiteHalf(live: "shop.example.com", .absent, .read(links))],
            claimed: ClaimedApp(android: "com.example.shop"))
        let found = comparison.compare(
            try AppFile.read(ByteSource(Array(manifest.utf8))), file: "AndroidManifest.xml")
        #expect(found.map(\.verdict) == [verdict])
        let reasons = found.compactMap(\.reason?.rule)
        #expect(reasons == (verdict == .agrees ? [] : [.hostNotCompared]))
    }
}
