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

    @Test(
        "rules that match nothing, or come behind exclusions of everything, are broken",
        arguments: [
            #"{"substitutionVariables":{"x":[]},"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"#
                + #""components":[{"/":"/$(x)/*"}]}]}"#,
            #"{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":[{"/":"/$(none)/*"}]}]}"#,
            #"{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":[{"/":"/ä/*"}]}]}"#,
            #"{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":[{"/":"/*","exclude":true},"#
                + #"{"/":"/p/*"}]}]}"#,
            #"{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"paths":["NOT /p/*","/p/a"]}]}"#,
        ]
            + ["\\\"", "<", ">", "`", "{", "}", "^", "\\\\", " "].map {
                #"{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":[{"/":"/a\#($0)b"}]}]}"#
            }
            + [
                #"{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":[{"?":{"q":"'"}}]}]}"#,
                ##"{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":[{"#":"`"}]}]}"##,
                Self.values(#"["größe","a b"]"#), Self.values(#"[".."]"#),
            ]
            + [
                #"{"?":{"ü":"1"}}"#, #"{"?":{"a b":"?*"}}"#, #"{"/":"/a/../b"}"#,
                #"{"/":"/a/./b"}"#, #"{"/":"/a/%2e/b"}"#, #"{"/":"/a/..","percentEncoded":false}"#,
            ].map {
                #"{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":[\#($0)]}]}"#
            })
    func neverOpening(_ links: String) {
        let text = #"{"applinks":\#(links),"webcredentials":{"apps":["K3W9Q7M2XA.a.b"]}}"#
        func change(_ survey: inout HostSurvey) {
            Live.apple(Live.exchange(Live.applePath, 200, text, Live.json))(&survey)
            (survey.rootPath, survey.cdn) = (nil, nil)
        }
        for expected in [nil, Self.both, Self.iOS] {
            #expect(report(expected, change).verdict == .broken)
        }
        #expect(report(Self.android, change).verdict == .healthy)
    }

    @Test(
        "rules behind exclusions of something, and of unusual links, open an app",
        arguments: [
            #"[{"/":"/p/*","exclude":true},{"/":"/p*"}]"#, #"[{"/":"/%C3%A4/*"}]"#,
            #"[{"/":"/$(lang)-$(region)/*"}]"#, ##"[{"/":"/a","?":{"b":"?*"},"#": "c"}]"##,
            #"[{"/":"/ä/*","percentEncoded":false}]"#, #"[{"/":"/{a}","percentEncoded":false}]"#,
            #"[{"/":"/+~@;=&!(),:'[]|"}]"#, #"[{"?":{"q":"{^`}"}}]"#, ##"[{"#":"{^}'"}]"##,
            #"[{"?":"??**"}]"#, #"[{"/":"/**/a/**?"}]"#, #"[{"?":{"ü":"*"}}]"#,
            #"[{"?":{"a+b":"1"}}]"#, #"[{"?":{"ü":"ß"},"percentEncoded":false}]"#,
            #"[{"/":"/a/..b"}]"#, #"[{"/":"/a/*/b"}]"#,
        ])
    func opening(_ rules: String) {
        let text =
            #"{"applinks":{"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"components":\#(rules)}]}}"#
        let found = report(Self.iOS) { survey in
            Live.apple(Live.exchange(Live.applePath, 200, text, Live.json))(&survey)
            (survey.rootPath, survey.cdn) = (nil, nil)
        }
        #expect(found.findings.filter { $0.finding.severity > .note }.map(\.finding.rule) == [])
    }

    /// A file whose rule has a variable, with its values and other keys of the rule.
    private static func values(_ values: String, _ keys: String = "") -> String {
        #"{"substitutionVariables":{"v":\#(values)},"details":[{"appIDs":["K3W9Q7M2XA.a.b"],"#
            + #""components":[{"/":"/$(v)/x"\#(keys)}]}]}"#
    }

    @Test(
        "a variable opens an app if browsers leave one of its values, or rules decode it",
        arguments: [
            values(#"["größe","ok"]"#), values(#"["gr%C3%B6%C3%9Fe"]"#),
            values(#"["größe"]"#, #","percentEncoded":false"#), values(#"["..","..."]"#),
        ])
    func openingValue(_ links: String) {
        let found = report(Self.iOS) { survey in
            Live.apple(
                Live.exchange(Live.applePath, 200, #"{"applinks":\#(links)}"#, Live.json))(&survey)
            (survey.rootPath, survey.cdn) = (nil, nil)
        }
        #expect(found.verdict == .healthy)
    }

    @Test func `a file that nobody needs has not passed if its content was not read`() {
        func status(_ answer: ClientExchange) -> HostReport.Status? {
            let found = report(Self.iOS) { Live.android(answer)(&$0) }
            #expect(found.verdict == .healthy)
            return found.hops.first { $0.hop == .android }?.status
        }
        #expect(status(Live.failed(.wait, .reset, "x")) == .unchecked)
        #expect(status(Live.exchange(Live.androidPath, 404)) == .passed)
    }

    /// Statements as Google reads them.
    static let refused: [(String, @Sendable (String) -> String)] = [
        (
            "the key is in lower case",
            { $0.replacing(lastKey, with: lastKey.replacing("AB", with: "ab")) }
        ),
        ("rules exclude everything", { ruled($0, #"{"/":"/*","exclude":true},{"/":"/p/*"}"#) }),
        ("there are no rules", { ruled($0, "") }),
    ]
    private static let lastKey = "\(HostReportTests.print.dropLast(2))AB"

    private static func ruled(_ text: String, _ rules: String) -> String {
        text.replacing(
            #""target""#,
            with: #""relation_extensions":{"delegate_permission/common.handle_all_urls":"#
                + #"{"dynamic_app_link_components":[\#(rules)]}},"target""#)
    }

    @Test("a file of Google in which no link opens an app is broken", arguments: refused.indices)
    func androidNeverOpening(_ index: Int) {
        let text = Self.refused[index].1(Live.links.replacing(Live.print, with: Self.lastKey))
        func change(_ survey: inout HostSurvey) {
            Live.android(Live.exchange(Live.androidPath, 200, text, Live.json))(&survey)
            survey.google = nil
        }
        for expected in [nil, Self.both, Self.android] {
            let found = report(expected, change)
            #expect(seen(found, .noLinks) == ["broken", "error"], "\(Self.refused[index].0)")
        }
        #expect(seen(report(Self.iOS, change), .noLinks) == ["healthy", "note"])
        // Beside a statement that is good, it is the fault of one app.
        let other = text.replacing(#""a.b""#, with: #""c.d""#).dropFirst().dropLast()
        let beside = report(nil) {
            let text = Live.links.dropLast() + "," + other + "]"
            Live.android(Live.exchange(Live.androidPath, 200, String(text), Live.json))(&$0)
            $0.google = nil
        }
        #expect(beside.verdict == (index == 0 ? .broken : .warning))
        #expect(beside.cause?.finding.rule == (index == 0 ? .invalidFile : .noLinks))
    }

    @Test func `beside an include, only what Google has not is stale`() {
        func found(_ text: String, _ keys: String...) -> [LiveFinding] {
            let statements = keys.map { Live.googleAnswer($0).dropFirst(15).dropLast(18) }
            let answer = #"{"statements":[\#(statements.joined(separator: ","))]}"#
            return report(nil) {
                Live.android(Live.exchange(Live.androidPath, 200, text, Live.json))(&$0)
                $0.google = Live.exchange("/v1/statements:list", 200, answer, Live.json)
            }.findings.map(\.finding)
        }
        let both = Live.links.dropLast() + #",{"include":"https://b.example/assetlinks.json"}]"#
        #expect(found(String(both), Live.print) == [])
        let more = found(String(both), Live.print, Self.lastKey)
        #expect(more.map(\.rule) == [.includeUnchecked] && more.first?.severity == .note)
        #expect(more.first?.evidence?.contains("a.b \(Self.lastKey)") == true)
        let lost = found(String(both), Self.lastKey)
        #expect(lost.map(\.rule) == [.googleStale])
        #expect(lost.first?.evidence == "Google does not have a.b \(Live.print)")
        // Without an include, each difference is one.
        #expect(found(Live.links, Live.print, Self.lastKey).map(\.rule) == [.googleStale])
    }

    @Test func `a statement that Google refuses is said beside an include, too`() {
        let include = #"{"include":"https://b.example/assetlinks.json"}"#
        func rules(_ text: String) -> [LiveRule] {
            report(nil) {
                Live.android(Live.exchange(Live.androidPath, 200, text, Live.json))(&$0)
                $0.google = nil
            }.findings.map(\.finding.rule)
        }
        #expect(rules("[\(include)]") == [.includeUnchecked])
        let lower = Live.links.replacing(
            Live.print, with: Self.lastKey.replacing("AB", with: "ab"))
        #expect(rules(lower.dropLast() + ",\(include)]") == [.invalidFile, .includeUnchecked])
        // An include that Google refuses is none.
        let http = include.replacing("https", with: "http")
        #expect(rules(Live.links.dropLast() + ",\(http)]") == [.invalidFile])
    }

    @Test func `dynamic rules that let a link pass are healthy`() {
        let text = Self.ruled(Live.links, #"{"/":"/p/x","exclude":true},{"/":"/p/*"}"#)
        let found = report(Self.android) {
            Live.android(Live.exchange(Live.androidPath, 200, text, Live.json))(&$0)
            $0.google = nil
        }
        #expect(found.verdict == .healthy)
    }

    // MARK: The configuration's apps

    @Test func `a live file for another app than the configuration's is broken, and names both`() {
        let own = ExpectedFiles(apple: Array(Live.aasa.utf8), android: Array(Live.links.utf8))
        func changed(
            _ words: String, _ other: String, only: Bool = true
        ) -> (HostReport, live: LiveFinding?) {
            let found = report(own) { survey in
                let (aasa, links) = (
                    Live.aasa.replacing(words, with: other),
                    Live.links.replacing(words, with: other)
                )
                survey.answers = [
                    .init(
                        apple: Live.exchange(Live.applePath, 200, aasa, Live.json),
                        android: Live.exchange(Live.androidPath, 200, links, Live.json))
                ]
                (survey.rootPath, survey.cdn, survey.google) = (nil, nil, nil)
            }
            return (found, found.findings.first { $0.finding.rule == .liveDiffers }?.finding)
        }
        let (prefix, ofPrefix) = changed("ABCDE12345", "ABCDE12346")
        #expect(seen(prefix, .noLinks) == ["broken", "error"])
        #expect(prefix.cause?.finding.message.contains("ABCDE12345.a.b") == true)
        #expect(prefix.cause?.finding.evidence?.contains("ABCDE12346.a.b") == true)
        #expect(
            ofPrefix?.evidence
                == "deploying the configuration stops ABCDE12346.a.b opening links in favor of "
                + "ABCDE12345.a.b")
        let (package, ofPackage) = changed(#"package_name":"a.b"#, #"package_name":"a.c"#)
        #expect(seen(package, .noLinks) == ["broken", "error"])
        #expect(package.cause?.finding.message.contains("a.b") == true)
        #expect(
            ofPackage?.evidence
                == "deploying the configuration lets a.b with the key \(Live.print) open links; stops "
                + "a.c with the key \(Live.print) opening links")
        let (key, ofKey) = changed(Live.print, Self.lastKey)
        #expect(seen(key, .noLinks) == ["broken", "error"])
        #expect(key.cause?.finding.message.contains("none of the configuration's keys") == true)
        #expect(key.cause?.finding.evidence?.contains(Self.lastKey) == true)
        #expect(ofKey?.evidence?.contains("stops a.b with the key \(Self.lastKey)") == true)
        // One key of two is enough for the devices whose app it signs.
        let both = "\(Live.print)\",\"\(Self.lastKey)"
        let (more, ofMore) = changed(Live.print, both)
        #expect(seen(more, .noLinks) == ["warning"])
        #expect(ofMore?.evidence?.contains("stops a.b with the key \(Self.lastKey)") == true)
    }

    @Test func `the rules of each key are compared with the configuration's`() {
        func file(_ path: String) -> String {
            let first = Self.ruled(Live.links, #"{"/":"/p/*"}"#)
            let other = Self.ruled(
                Live.links.replacing(Live.print, with: Self.lastKey), #"{"/":"\#(path)"}"#)
            return "\(first.dropLast()),\(other.dropFirst())"
        }
        let own = ExpectedFiles(apple: nil, android: Array(file("/q/*").utf8))
        func evidence(_ path: String) -> String? {
            let found = report(own) {
                Live.android(Live.exchange(Live.androidPath, 200, file(path), Live.json))(&$0)
                $0.google = nil
            }
            return found.findings.first { $0.finding.rule == .liveDiffers }?.finding.evidence
        }
        #expect(evidence("/q/*") == nil)
        let text = evidence("/r/*") ?? ""
        #expect(text.contains("lets a.b, signed with \(Self.lastKey) open https://a.example/q/"))
        #expect(
            text.contains("stops a.b, signed with \(Self.lastKey) opening https://a.example/r/"))
    }

    @Test func `what else a file is for is named, if it differs from the configuration's`() {
        let own = ExpectedFiles(apple: Array(Live.aasa.utf8), android: nil)
        let text = Live.aasa.dropLast() + #","webcredentials":{"apps":["ABCDE12345.a.b"]}}"#
        let found = report(own) {
            Live.apple(Live.exchange(Live.applePath, 200, String(text), Live.json))(&$0)
            ($0.rootPath, $0.cdn) = (nil, nil)
        }
        #expect(seen(found, .liveDiffers) == ["warning", "warning"])
        #expect(
            found.cause?.finding.evidence
                == "deploying the configuration removes ABCDE12345.a.b from webcredentials")
    }

    @Test func `another prefix at Apple's CDN is named`() {
        let found = report(nil) {
            let copy = Live.aasa.replacing("ABCDE12345", with: "ABCDE12346")
            $0.cdn = Live.exchange("/a/v1/a.example", 200, copy, Live.json)
        }
        #expect(seen(found, .appleStale) == ["warning", "warning"])
        #expect(found.cause?.finding.evidence?.contains("in favor of ABCDE12345.a.b") == true)
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
