import Diagnostics
import Testing

@testable import AppFiles
@testable import Linting

@Suite("Limits of comparing the values of an app")
struct AppLimitTests {
    @Test(
        "pairs of hosts and paths are looked at up to a limit",
        arguments: [(99, true), (100, false)])
    func combinations(_ row: (paths: Int, isFound: Bool)) throws {
        let hosts = (0..<100).map { "<data a:host='h\($0).example' a:pathPrefix='/a'/>" }.joined()
        let paths = (0..<row.paths).map { "<data a:host='h0.example' a:path='/a/\($0)'/>" }.joined()
        let text = """
            <manifest xmlns:a='http://schemas.android.com/apk/res/android'><application><activity>
            <intent-filter>\(hosts)\(paths)<data a:host='h0.example' a:path='/b'/></intent-filter>
            </activity></application></manifest>
            """
        let app = try AndroidDeclaration(XMLReader.read(Array(text.utf8)), kind: .source)
        let filter = try #require(app.filters.first)
        var found = AppFindings(file: "a")
        AndroidPathRules(
            filter, kind: .source, leastAPI: nil, ManifestNotation(app, filter)
        ).examine(&found)
        #expect(found.contains(.dataCrossProduct) == row.isFound)
    }
}
