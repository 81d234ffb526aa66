import AppFiles
import Associations
import Diagnostics
import Foundation
import Linting
import Testing

/// A site's file that has a placeholder where the fingerprint of the app's key should be.
@Suite("Placeholders in assetlinks.json beside an app")
struct AppPlaceholderTests {
    private static let zeros = Array(repeating: "00", count: 32).joined(separator: ":")
    private static let real = (0..<32).map { "\($0 * 7 % 90 + 10)" }.joined(separator: ":")

    private func findings(_ fingerprints: String...) throws -> [Diagnostic] {
        let keys = fingerprints.map { "\"\($0)\"" }.joined(separator: ",")
        let text = """
            [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace":
            "android_app", "package_name": "com.example.shop", "sha256_cert_fingerprints": [\(keys)]}}]
            """
        let links = PublishedAssetLinks(Array(text.utf8))
        let apk = FileManager.default.contents(
            atPath: "\(AppFixture.directory)/files/shop.apk")
        let file = try AppFile.read(ByteSource(Array(try #require(apk))))
        return AppComparison([SiteHalf(nil, links)]).compare(file, file: "shop.apk")
            .flatMap(\.findings).filter { $0.severity == .error }
    }

    @Test("a placeholder is said, refused by Google or not", arguments: [zeros, "<SHA256>"])
    func placeholders(_ text: String) throws {
        let found = try findings(text)
        #expect(found.map(\.rule) == [.fingerprintNotPublished])
        let words =
            "\"shop.example.com\" lists \"com.example.shop\" with the placeholder \"\(text.prefix(6))"
        #expect(found.first?.message.hasPrefix(words) == true)
    }

    @Test func `another key, also beside a placeholder, is a key that is not the app's`() throws {
        for found in [try findings(Self.real), try findings(Self.real, Self.zeros)] {
            #expect(found.map(\.rule) == [.fingerprintNotPublished])
            #expect(found.first?.message.contains("placeholder") == false)
        }
    }
}
