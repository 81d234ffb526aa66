import Diagnostics
import HTTPClient
import LiveCheck
import SiteConfiguration
import Testing
import URISyntax

@Suite("Live files for passkeys and passwords")
struct WellKnownFileTests {
    private typealias Live = HostReportTests

    private static let page = "https://a.example/password"
    private static let none =
        "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"
    private static let origins = #"{"origins": ["https://b.example"]}"#

    private func rules(_ answers: ClientExchange...) throws -> [LiveRule] {
        let position = SourcePosition(file: "x", line: 1, column: 1)
        let wellKnown = WellKnownFiles(
            relatedOrigins: [RelatedOrigin(try WebURL("https://b.example"), at: position)],
            changePassword: try WebURL(Self.page))
        let survey = Live.survey { $0.wellKnown = answers }
        let expected = ExpectedFiles(
            apple: Array(Live.aasa.utf8), android: Array(Live.links.utf8), wellKnown: wellKnown)
        let report = HostReport(survey, expected: expected, now: Live.now)
        #expect(report.verdict == (report.findings.isEmpty ? .healthy : .warning))
        #expect(report.hops.contains { $0.hop == .wellKnown } == !answers.isEmpty)
        return report.findings.map(\.finding.rule)
    }

    @Test func `what the configuration says is healthy`() throws {
        #expect(try rules() == [])
        let found = try rules(
            Live.exchange("/.well-known/webauthn", 200, Self.origins, Live.json),
            Live.exchange("/.well-known/change-password", 303, "", "location: \(Self.page)"),
            Live.exchange(Self.none, 404))
        #expect(found == [])
    }

    @Test func `anything else is a warning`() throws {
        let path = "/.well-known/webauthn"
        let other = Self.origins.replacing("b.ex", with: "c.ex")
        let cases: [(ClientExchange, LiveRule)] = [
            (Live.exchange(path, 404), .fileMissing),
            (Live.exchange(path, 301, "", "location: /x"), .redirect),
            (Live.exchange(path, 500), .badStatus),
            (
                Live.exchange(path, 200, Self.origins, "content-type: application/octet-stream"),
                .contentType
            ),
            (Live.exchange(path, 200, Self.origins), .contentType),
            (Live.exchange(path, 200, other, Live.json), .liveDiffers),
            (
                Live.exchange(path, 200, Self.origins, Live.json, "content-encoding: br"),
                .liveDiffers
            ),
            (Live.exchange("/.well-known/change-password", 200, "<html>"), .badStatus),
            (Live.exchange("/.well-known/change-password", 404), .fileMissing),
            (Live.exchange("/.well-known/change-password", 302, "", "location: /x"), .liveDiffers),
            (Live.exchange(Self.none, 200, "<html>"), .softNotFound),
        ]
        for (answer, rule) in cases {
            #expect(try rules(answer) == [rule], "\(answer.request.target)")
        }
    }
}
