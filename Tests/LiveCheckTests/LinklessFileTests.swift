import Diagnostics
import Foundation
import HTTPClient
import LiveCheck
import TLS
import Testing

/// Files that are there and open nothing, files that are not there, and files that are signed.
@Suite("Verdicts about files without links")
struct LinklessFileTests {
    private typealias Live = HostReportTests

    private func report(
        _ expected: ExpectedFiles?, _ change: (inout HostSurvey) -> Void
    ) -> HostReport {
        HostReport(Live.survey(change), expected: expected, now: Live.now)
    }

    /// The severity of the rule at the step of a file, and the verdict.
    private func seen(_ report: HostReport, _ rule: LiveRule) -> [String] {
        [report.verdict.rawValue]
            + report.findings.filter { $0.finding.rule == rule }.map { "\($0.finding.severity)" }
    }

    private static let both = ExpectedFiles(hasApple: true, hasAndroid: true)
    private static let iOS = ExpectedFiles(hasApple: true, hasAndroid: false)
    private static let android = ExpectedFiles(hasApple: false, hasAndroid: true)

    static let empty = [
        "{}", #"{"error":"not found"}"#, #"{"applinks":{}}"#, #"{"applinks":{"details":[]}}"#,
        #"{"applinks":{"apps":[],"details":[]}}"#, #"{"webcredentials":{}}"#,
        #"{"applinks":{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"paths":[]}]}}"#,
        #"{"applinks":{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":[]}]}}"#,
    ]

    @Test("an Apple file in which no link opens an app is broken", arguments: empty)
    func appleFiles(_ text: String) {
        func change(_ survey: inout HostSurvey) {
            Live.apple(Live.exchange(Live.applePath, 200, text, Live.json))(&survey)
            (survey.rootPath, survey.cdn) = (nil, nil)
        }
        for expected in [nil, Self.both, Self.iOS] {
            let found = report(expected, change)
            #expect(seen(found, .noLinks) == ["broken", "error"])
            #expect(found.cause?.finding.evidence?.isEmpty == false)
            #expect(found.cause?.finding.message.contains("iPhones") == true)
        }
        #expect(seen(report(Self.android, change), .noLinks) == ["healthy", "note"])
        // What a configuration generates is as it is meant.
        let own = ExpectedFiles(apple: Array(text.utf8), android: nil)
        #expect(seen(report(own, change), .noLinks) == ["healthy", "note"])
        let other = ExpectedFiles(apple: Array(Live.aasa.utf8), android: nil)
        #expect(seen(report(other, change), .noLinks) == ["broken", "error"])
    }

    @Test(
        "rules that only exclude are broken by lint's error alone",
        arguments: [
            #"{"applinks":{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":"#
                + #"[{"/":"*","exclude":true}]}]}}"#,
            #"{"applinks":{"details":[{"appIDs":[],"components":[{"/":"*"}]}]}}"#,
        ])
    func lintErrors(_ text: String) {
        func change(_ survey: inout HostSurvey) {
            Live.apple(Live.exchange(Live.applePath, 200, text, Live.json))(&survey)
            (survey.rootPath, survey.cdn) = (nil, nil)
        }
        #expect(seen(report(nil, change), .noLinks) == ["broken"])
        #expect(seen(report(nil, change), .invalidFile) == ["broken", "error"])
        #expect(seen(report(Self.android, change), .noLinks) == ["healthy", "note"])
    }

    @Test func `an Apple file for passwords alone is a warning, unless an app is expected`() {
        func change(_ survey: inout HostSurvey) {
            let text = #"{"webcredentials":{"apps":["K3W9Q7M2XA.a.b"]}}"#
            Live.apple(Live.exchange(Live.applePath, 200, text, Live.json))(&survey)
            (survey.rootPath, survey.cdn) = (nil, nil)
        }
        #expect(seen(report(nil, change), .noLinks) == ["warning", "warning"])
        #expect(seen(report(Self.iOS, change), .noLinks) == ["broken", "error"])
        #expect(seen(report(Self.android, change), .noLinks) == ["healthy", "note"])
    }

    @Test("a file of Google without an app is broken", arguments: ["[]", "[{}]"])
    func androidFiles(_ text: String) {
        func change(_ survey: inout HostSurvey) {
            Live.android(Live.exchange(Live.androidPath, 200, text, Live.json))(&survey)
            survey.google = nil
        }
        #expect(
            report(nil, change).verdict == .broken && report(Self.both, change).verdict == .broken)
        #expect(seen(report(Self.iOS, change), .noLinks) == ["healthy", "note"])
    }

    @Test(
        "a file of Google for other things is a warning, and an include may have the app",
        arguments: [
            (Live.links.replacing("handle_all_urls", with: "get_login_creds"), "warning"),
            (Live.links.replacing("handle_all_urls", with: "x_handle_all_url"), "warning"),
            (#"[{"include":"https://b.example/assetlinks.json"}]"#, nil), (Live.links, nil),
            (Live.links.replacing("[{", with: #"[{"include":"https://b.example/x"},{"#), nil),
        ] as [(String, String?)])
    func otherStatements(_ text: String, _ severity: String?) {
        let found = report(nil) {
            Live.android(Live.exchange(Live.androidPath, 200, text, Live.json))(&$0)
            $0.google = nil
        }
        #expect(seen(found, .noLinks) == [severity ?? "healthy"] + [severity].compactMap(\.self))
    }

    @Test func `a file that is not there is a warning, unless it is known what is expected`() {
        func lost(_ path: String, _ answer: ClientExchange) -> (inout HostSurvey) -> Void {
            { survey in
                let isApple = path == Live.applePath
                (isApple ? Live.apple(answer) : Live.android(answer))(&survey)
                (survey.rootPath, survey.cdn, survey.google) = (nil, nil, nil)
            }
        }
        let bucket = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
        for (path, with, without, words) in [
            (Live.applePath, Self.iOS, Self.android, "iPhones"),
            (Live.androidPath, Self.android, Self.iOS, "Android"),
        ] {
            for answer in [
                Live.exchange(path, 404), Live.exchange(path, 410),
                Live.exchange(path, 403, bucket, "server: AmazonS3"),
            ] {
                let unknown = report(nil, lost(path, answer))
                #expect(seen(unknown, .noFile) == ["warning", "warning"])
                #expect(unknown.cause?.finding.message.contains(words) == true)
                #expect(seen(report(without, lost(path, answer)), .noFile) == ["healthy", "note"])
                #expect(
                    seen(report(with, lost(path, answer)), .fileMissing) == ["broken", "error"])
            }
            let refused = Live.exchange(path, 403, "<html>", "server: AmazonS3")
            #expect(seen(report(with, lost(path, refused)), .requestFiltered).first == "broken")
            #expect(seen(report(nil, lost(path, refused)), .requestFiltered).first == "broken")
            #expect(
                seen(report(without, lost(path, refused)), .requestFiltered)
                    == ["healthy", "note"])
        }
        let denied = Live.exchange(Live.applePath, 403, bucket, "server: AmazonS3")
        let advice = report(Self.iOS, lost(Live.applePath, denied)).cause?.finding.advice
        #expect(advice?.contains("s3:ListBucket") == true)
    }

    // MARK: Signed files

    /// The content as `openssl smime -sign -outform DER` writes it.
    private static func signed(_ text: String) throws -> [UInt8] {
        let authority = try DevelopmentAuthority(now: Live.now)
        let leaf = try authority.issue(for: ["a.example"], now: Live.now)
        let certificate = try ServerCertificate(chain: leaf.certificate, key: leaf.key)
        return try signedMessage(Array(text.utf8), by: certificate)
    }

    @Test func `of a signed file the content is compared`() throws {
        let bytes = try Self.signed(Live.aasa)
        let type = "content-type: application/pkcs7-mime"
        func change(_ copy: [UInt8]) -> (inout HostSurvey) -> Void {
            { survey in
                Live.apple(Live.exchange(Live.applePath, 200, "", type, bytes: bytes))(&survey)
                survey.rootPath = survey.answers[0].apple
                survey.cdn = Live.exchange("/a/v1/a.example", 200, "", Live.json, bytes: copy)
            }
        }
        for copy in [
            Array(Live.aasa.utf8), Array(Live.spaced.utf8), bytes, try Self.signed(Live.spaced),
        ] {
            let found = report(nil, change(copy))
            #expect(found.verdict == .healthy && found.isCurrentAtApple)
            #expect(found.findings.map(\.finding.rule) == [])
        }
        for copy in [Array(Live.moved.utf8), try Self.signed(Live.moved)] {
            #expect(seen(report(nil, change(copy)), .appleStale) == ["warning", "warning"])
        }
        let configured = ExpectedFiles(
            apple: Array(Live.aasa.utf8), android: Array(Live.links.utf8))
        #expect(report(configured, change(bytes)).findings.isEmpty)
        let moved = ExpectedFiles(apple: Array(Live.moved.utf8), android: Array(Live.links.utf8))
        #expect(seen(report(moved, change(bytes)), .liveDiffers) == ["warning", "warning"])
    }

    @Test func `a signed file that opens nothing is broken, as any other`() throws {
        let bytes = try Self.signed("{}")
        let found = report(nil) {
            Live.apple(Live.exchange(Live.applePath, 200, "", Live.json, bytes: bytes))(&$0)
            ($0.rootPath, $0.cdn) = (nil, nil)
        }
        #expect(seen(found, .noLinks) == ["broken", "error"])
    }
}
