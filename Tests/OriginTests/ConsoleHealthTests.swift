import Diagnostics
import Services
import TestSupport
import Testing

@testable import Origin

@Suite("The health of a running origin in the console")
struct ConsoleHealthTests {
    @Test func `administrators of everything see it, with what a reload has found`() throws {
        let store = try StoreOrigin()
        let admin = try store.signedIn("anna", #", "role": "admin""#)
        let reloads = store.origin.server.reloads
        let finding = Diagnostic(.error, .unknownName, at: nil, "there is no link \"y\"")
        reloads.note(.refused, .changed, [finding], now: 1_800_000_000)
        let page = try admin.ask("GET", "/console/health")
        #expect(page.status == 200)
        for words in [
            "SQLite 3.", "Refused, the one before is served", "there is no link", "links.db",
        ] {
            #expect(page.body.contains(words), "\(words) in \(page.body)")
        }
        for more in [
            #", "role": "editor""#, #", "role": "admin", "collections": ["short"]"#,
        ] {
            let other = try store.signedIn("ben\(more.utf8.count)", more)
            let answer = try other.ask("GET", "/console/health")
            #expect(answer.status == 403 && !answer.body.contains("links.db"))
        }
    }

    @Test func `attempts that end alike are one, and only the last has findings`() {
        let reloads = ReloadState(now: 1)
        let findings = (0..<500).map { Diagnostic(.error, .start, at: nil, "\($0)") }
        reloads.note(.taken, .start, findings, now: 1)
        for now in 2...9 { reloads.note(.refused, .retried, findings, now: now) }
        reloads.note(.postponed, .changed, [], now: 10)
        reloads.note(.taken, .changed, [], now: 11)
        reloads.note(.taken, .changed, [findings[0]], now: 12)
        let attempts = reloads.attempts
        #expect(attempts.map(\.outcome) == [.taken, .taken, .postponed, .refused, .taken])
        #expect(attempts.map(\.first) == [12, 11, 10, 2, 1])
        #expect(attempts.map(\.last) == [12, 11, 10, 9, 1])
        #expect(attempts.map(\.findings.count) == [1, 0, 0, 0, 0])
        for now in 13...40 {
            reloads.note(now % 2 == 0 ? .refused : .postponed, .changed, findings, now: now)
        }
        #expect(reloads.attempts.count == 10 && reloads.attempts[0].findings.count == 200)
    }
}
