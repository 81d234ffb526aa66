import AppFiles
import Associations
import Diagnostics
import Linting
import TestSupport
import Testing

@Suite("Apps that no link opens, among many")
struct OpeningEntriesTests {
    private let closed = "[{\"/\":\"*\",\"exclude\":true},{\"/\":\"/item/*\"}]"
    private let open = "[{\"/\":\"/a\",\"exclude\":true},{\"/\":\"/item/*\"}]"

    private func site(_ entries: [(identifier: String, rules: String)]) -> SiteHalf {
        let details = entries.map { "{\"appIDs\":[\"\($0)\"],\"components\":\($1)}" }
        let text = "{\"applinks\":{\"details\":[\(details.joined(separator: ","))]}}"
        return SiteHalf(AssociationReading(Array(text.utf8), file: "aasa"), nil)
    }

    private func agreement(
        _ comparison: inout AppComparison, _ identifier: String
    ) throws -> AppAgreement {
        let text = """
            <plist><dict><key>application-identifier</key><string>\(identifier)</string>
            <key>com.apple.developer.associated-domains</key>
            <array><string>applinks:shop.example.com</string></array></dict></plist>
            """
        let app = try AppFile.read(ByteSource(Array(text.utf8)))
        return try #require(comparison.compare(app, file: identifier).first)
    }

    @Test(
        "only the lists of apps that are compared are searched",
        arguments: [(true, AppAgreement.Verdict.differs), (false, .agrees)])
    func others(_ isClosed: Bool, _ verdict: AppAgreement.Verdict) throws {
        let others = (0..<400).map { ("ABCDE12345.com.example.a\($0)", open) }
        let own = ("ABCDE12345.com.example.shop", isClosed ? closed : open)
        var comparison = AppComparison([site(others + [own])])
        let found = try agreement(&comparison, "ABCDE12345.com.example.shop")
        #expect(found.verdict == verdict, "\(found)")
    }

    @Test func `beyond the limit, the verdict is open`() throws {
        let names = (0..<257).map { "ABCDE12345.com.example.a\($0)" }
        var comparison = AppComparison([site(names.map { ($0, closed) })])
        for name in names.dropLast() {
            #expect(try agreement(&comparison, name).verdict == .differs)
        }
        let last = try agreement(&comparison, names[256])
        #expect(last.verdict == .unknown && last.reason?.rule == .pathsNotCompared, "\(last)")
        // What was searched stays known.
        #expect(try agreement(&comparison, names[0]).verdict == .differs)
    }
}
