import AppFiles
import Associations
import Diagnostics
import Foundation
import Linting
import Testing

/// A site's file with other texts than the fingerprint of the key that people install the app with.
@Suite("Fingerprints in assetlinks.json beside an app")
struct AppPlaceholderTests {
    private static let zeros = Array(repeating: "00", count: 32).joined(separator: ":")
    private static let real = (0..<32).map { "\($0 * 7 % 90 + 10)" }.joined(separator: ":")

    private func findings(_ fingerprints: String...) throws -> [Diagnostic] {
        try findings("shop.apk", fingerprints).filter { $0.severity == .error }
    }

    private func findings(_ name: String, _ fingerprints: [String]) throws -> [Diagnostic] {
        let keys = fingerprints.map { "\"\($0)\"" }.joined(separator: ",")
        let text = """
            [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace":
            "android_app", "package_name": "com.example.shop", "sha256_cert_fingerprints": [\(keys)]}}]
            """
        let links = PublishedAssetLinks(Array(text.utf8))
        let app = FileManager.default.contents(
            atPath: "\(AppFixture.directory)/files/\(name)")
        let file = try AppFile.read(ByteSource(Array(try #require(app))))
        var comparison = AppComparison([SiteHalf(nil, links)])
        return comparison.compare(file, file: name).flatMap(\.findings)
    }

    @Test("a placeholder is said, refused by Google or not", arguments: [zeros, "<SHA256>"])
    func placeholders(_ text: String) throws {
        let found = try findings(text)
        #expect(found.map(\.rule) == [.fingerprintNotPublished])
        let words =
            "\"shop.example.com\" lists \"com.example.shop\" with the placeholder \"\(text.prefix(6))"
        #expect(found.first?.message.hasPrefix(words) == true)
    }

    @Test func `a statement that Google refuses is said`() throws {
        let found = try findings(Self.real.replacingOccurrences(of: "10", with: "ab"))
        #expect(found.map(\.rule) == [.packageNotListed])
        #expect(
            found.first?.message
                == "\"shop.example.com\" lists \"com.example.shop\" only with a fingerprint in lower case, which Google refuses"
        )
    }

    @Test func `another key, also beside a placeholder, is a key that is not the app's`() throws {
        for found in [try findings(Self.real), try findings(Self.real, Self.zeros)] {
            #expect(found.map(\.rule) == [.fingerprintNotPublished])
            #expect(found.first?.message.contains("placeholder") == false)
        }
    }

    @Test func `the key of a bundle is not Google Play's, however often it is listed`() throws {
        let keys = try String(
            contentsOfFile: "\(AppFixture.directory)/files/keys.txt", encoding: .utf8)
        let own = try #require(keys.split(separator: "\n").first.map(String.init))
        func severity(_ fingerprints: String...) throws -> Severity? {
            try findings("shop.aab", fingerprints).first { $0.rule == .uploadKey }?.severity
        }
        #expect(try severity(own, own) == .warning)
        #expect(try severity(own, Self.real, own) == .note)
    }
}
