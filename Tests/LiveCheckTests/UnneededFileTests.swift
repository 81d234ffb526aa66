import Diagnostics
import HTTPClient
import LiveCheck
import Testing

/// A site with an app for one platform alone, and what it answers for the other one's file.
@Suite("Verdicts about files of a platform without an app")
struct UnneededFileTests {
    private typealias Live = HostReportTests

    static let apps: [(path: String, hasApple: Bool)] = [
        (HostReportTests.androidPath, true), (HostReportTests.applePath, false),
    ]

    private func report(
        _ answer: ClientExchange, _ expected: ExpectedFiles?,
        _ change: (inout HostSurvey) -> Void = { _ in }
    ) -> HostReport {
        let isApple = answer.request.target == Live.applePath
        let survey = Live.survey {
            (isApple ? Live.apple(answer) : Live.android(answer))(&$0)
            if isApple { ($0.rootPath, $0.cdn) = (nil, nil) } else { $0.google = nil }
            change(&$0)
        }
        return HostReport(survey, expected: expected, now: Live.now)
    }

    private func answers(_ path: String) -> [ClientExchange] {
        let page = "content-type: text/html"
        return [
            Live.exchange(path, 200, "<!doctype html>", page), Live.exchange(path, 200, "", page),
            Live.exchange(path, 302, "", "location: /"), Live.exchange(path, 401, "<html>", page),
            Live.exchange(path, 403, "<html>", "cf-mitigated: challenge"),
            Live.exchange(path, 500, "<html>", page), Live.exchange(path, 503),
            Live.exchange(path, 200, "{", Live.json), Live.exchange(path, 200, "hello", page),
            Live.exchange(path, 200, String(repeating: " ", count: 131_073), Live.json),
            Live.exchange(path, 404), Live.exchange(path, 200, "[]", Live.json),
        ]
    }

    @Test("whatever is answered for it is a note", arguments: apps)
    func unneeded(_ path: String, _ hasApple: Bool) {
        let flags = ExpectedFiles(hasApple: hasApple, hasAndroid: !hasApple)
        let configured = ExpectedFiles(
            apple: hasApple ? Array(Live.aasa.utf8) : nil,
            android: hasApple ? nil : Array(Live.links.utf8))
        for answer in answers(path) {
            for expected in [flags, configured] {
                let found = report(answer, expected)
                #expect(found.verdict == .healthy, "\(found.lines)")
                #expect(found.findings.allSatisfy { $0.finding.severity == .note })
                // Who has said which apps there are is not asked to say it.
                #expect(found.findings.allSatisfy { !$0.finding.advice.contains("--ios") })
            }
        }
    }

    @Test("the same for a file that is needed is broken, and so it is if nobody says it")
    func needed() {
        let expected = [
            ExpectedFiles(hasApple: true, hasAndroid: true),
            ExpectedFiles(hasApple: true, hasAndroid: false),
        ]
        for answer in answers(Live.applePath) {
            for expected in expected { #expect(report(answer, expected).verdict == .broken) }
        }
        for answer in answers(Live.androidPath).dropFirst().dropLast(2) {
            #expect(report(answer, nil).verdict == .broken)
        }
    }

    @Test(
        "a page for every path is as severe as no file, beside the other platform's",
        arguments: apps)
    func pageForEveryPath(_ path: String, _ hasApple: Bool) {
        let missing = report(Live.exchange(path, 404), nil)
        let page = report(answers(path)[0], nil)
        #expect(missing.verdict == .warning && page.verdict == .warning, "\(page.lines)")
        #expect(page.affects == missing.affects)
        #expect(page.cause?.finding.rule == .pageInsteadOfFile)
        #expect(page.cause?.finding.message.contains("so no link opens an app") == true)
        #expect(
            page.cause?.finding.advice.contains(hasApple ? "--ios alone" : "--android alone")
                == true)
        // Nearby: whoever has said that there are apps, and a site that has no file at all.
        for expected in [
            ExpectedFiles(hasApple: true, hasAndroid: true),
            ExpectedFiles(hasApple: !hasApple, hasAndroid: hasApple),
        ] {
            #expect(report(answers(path)[0], expected).verdict == .broken)
        }
        let other = hasApple ? Live.applePath : Live.androidPath
        let nothing = report(answers(path)[0], nil) { survey in
            let answer = Live.exchange(other, 200, "<html>", "content-type: text/html")
            (hasApple ? Live.apple(answer) : Live.android(answer))(&survey)
        }
        #expect(nothing.verdict == .broken, "\(nothing.lines)")
    }

    @Test func `what the services say of it is a note, too`() {
        let page = Live.exchange(Live.applePath, 200, "<html>", "content-type: text/html")
        let android = ExpectedFiles(hasApple: false, hasAndroid: true)
        let found = report(page, android, Live.refusedByApple("SWCERR00401 Bad JSON content"))
        #expect(found.verdict == .healthy)
        // Nobody may take it for the live file.
        #expect(!found.isCurrentAtApple)
        let other = Live.exchange(Live.androidPath, 200, "<html>", "content-type: text/html")
        let iOS = ExpectedFiles(hasApple: true, hasAndroid: false)
        let error = #"{"errorCode":["ERROR_CODE_WRONG_CONTENT_TYPE"]}"#
        #expect(
            report(other, iOS) { $0.google = Live.exchange("/v1", 200, error, Live.json) }.verdict
                == .healthy)
        let unknown = report(other, nil) { $0.google = Live.exchange("/v1", 200, error, Live.json) }
        #expect(unknown.verdict == .warning, "\(unknown.lines)")
    }

    // MARK: Includes

    private static let included = #"[{"include":"https://a.example/x"}]"#

    @Test func `an included file is not checked, unless Google has answered`() throws {
        let file = Live.exchange(Live.androidPath, 200, Self.included, Live.json)
        for expected in [nil, ExpectedFiles(hasApple: false, hasAndroid: true)] {
            let found = report(file, expected)
            let finding = try #require(found.findings.first { $0.hop == .android })
            #expect(finding.finding.rule == .includeUnchecked)
            #expect(finding.finding.evidence == "include https://a.example/x")
            #expect(found.hops.contains { $0.hop == .android && $0.status == .unchecked })
            #expect(found.lines.contains { $0.contains("not checked: android-file") })
            let known = report(file, expected) {
                $0.google = Live.exchange("/v1", 200, Live.googleAnswer(Live.print), Live.json)
            }
            #expect(known.verdict == .healthy)
            #expect(!known.findings.contains { $0.hop >= .android && $0.hop != .cdn })
            let empty = report(file, expected) {
                $0.google = Live.exchange("/v1", 200, #"{"maxAge":"599s"}"#, Live.json)
            }
            #expect(empty.findings.contains { $0.hop == .google && $0.finding.rule == .noLinks })
            #expect(empty.verdict == .warning)
        }
    }

    // MARK: Words

    @Test(
        "the message says what was seen, and the cure is one",
        arguments: [
            (301, "location: ", "redirect", "301 with an empty Location"),
            (301, "x: y", "redirect", "301 without Location"),
            (304, "x: y", "bad-status", "HTTP/1.1 304"),
            (300, "location: https://a.example/", "bad-status", "HTTP/1.1 300"),
        ])
    func redirects(_ status: Int, _ field: String, _ rule: String, _ evidence: String) {
        let cause = report(Live.exchange(Live.applePath, status, "", field), nil).cause
        #expect(cause?.finding.rule.rawValue == rule)
        #expect(cause?.finding.evidence?.hasPrefix(evidence) == true)
    }

    @Test(
        "a signed file that is text names the form to sign it in",
        arguments: [
            ("-----BEGIN PKCS7-----\nMIIF\n-----END PKCS7-----\n", "PEM"),
            ("MIME-Version: 1.0\nContent-Type: multipart/signed\n", "S/MIME"),
        ])
    func signedText(_ text: String, _ form: String) {
        let type = "content-type: application/pkcs7-mime"
        let cause = report(Live.exchange(Live.applePath, 200, text, type), nil).cause
        #expect(cause?.finding.rule == .invalidFile)
        #expect(cause?.finding.message.contains(form) == true)
        #expect(cause?.finding.message.contains("more error") == false)
        #expect(cause?.finding.advice.contains("-outform DER") == true)
    }

    @Test func `the number of other errors is read as one`() {
        let text = #"{"applinks":{"details":[{"appIDs":["a","b"],"components":[{"/":1}]}]}}"#
        let message = report(Live.exchange(Live.applePath, 200, text, Live.json), nil).cause?
            .finding.message
        #expect(
            message?.hasSuffix("more errors)") == true || message?.hasSuffix("more error)") == true)
    }

    @Test func `the size that counts is the decoded one`() {
        let large = String(repeating: " ", count: 131_073)
        let plain = report(Live.exchange(Live.applePath, 200, large, Live.json), nil).cause
        #expect(plain?.finding.message.hasSuffix("more than 131,072 bytes") == true)
        let coded = Live.exchange(
            Live.applePath, 200, large, Live.json, "content-encoding: identity")
        #expect(report(coded, nil).cause?.finding.message.hasSuffix("bytes, decoded") == true)
    }
}
