import HTTPClient
import LiveCheck
import Testing

/// What port 80 answers, beside a site whose https is well.
@Suite("Verdicts about plain HTTP")
struct PlainHTTPTests {
    private typealias Live = HostReportTests

    private func report(_ answer: ClientExchange?) -> HostReport {
        HostReport(Live.survey { $0.plainHTTP = answer }, now: Live.now)
    }

    private func seen(_ answer: ClientExchange?) -> [String] {
        let report = report(answer)
        return [report.verdict.rawValue]
            + report.findings.map { "\($0.finding.severity) \($0.finding.rule.rawValue)" }
    }

    static let leading = [
        (301, "https://a.example/"), (308, "https://a.example"), (302, "HTTPS://A.example/"),
        (307, "https://www.a.example/"), (303, "https://a.example:8443/x"),
    ]

    @Test("a redirect to https is right", arguments: leading)
    func leads(_ status: Int, _ target: String) {
        #expect(seen(Live.exchange("/", status, "", "location: \(target)")) == ["healthy"])
    }

    static let staying = [
        (301, "http://a.example/"), (301, "http://parking.example/"), (302, "/de/"),
        (302, "//a.example/"), (301, ""), (300, "https://a.example/"), (301, "httpss://a.example/"),
    ]

    @Test("a redirect elsewhere is a warning", arguments: staying)
    func stays(_ status: Int, _ target: String) {
        let answer = Live.exchange("/", status, "", "location: \(target)")
        #expect(seen(answer) == ["warning", "warning plain-http-stays"])
        #expect(report(answer).affects == [.browsers])
        #expect(report(answer).cause?.finding.evidence?.contains("\(status) ") == true)
    }

    @Test("an answer that is no redirect is a warning", arguments: [200, 301, 403, 404, 429, 500])
    func answers(_ status: Int) {
        let answer = Live.exchange("/", status, "<!doctype html>", "content-type: text/html")
        #expect(seen(answer) == ["warning", "warning plain-http-stays"])
        #expect(report(answer).cause?.finding.message.contains("\(status)") == true)
    }

    @Test func `what is no HTTP is a warning`() {
        for kind in [FetchFailure.Kind.malformed, .reset, .system] {
            let answer = Live.failed(.wait, kind, address: "192.0.1.1:80")
            #expect(seen(answer) == ["warning", "warning plain-http-stays"])
        }
    }

    @Test func `a closed port is a note, and one that nobody could ask is nothing`() {
        let refused = Live.failed(.connect, .refused, address: "192.0.1.1:80")
        #expect(seen(refused) == ["healthy", "note plain-http-refused"])
        for phase in [FetchFailure.Phase.connect, .wait] {
            let silent = Live.failed(phase, .timeout, address: "192.0.1.1:80")
            #expect(seen(silent) == ["healthy", "note plain-http-hangs"])
        }
        #expect(seen(Live.failed(.connect, .unreachable)) == ["healthy"])
        #expect(seen(nil) == ["healthy"])
    }
}
