import Diagnostics
import HTTPMessages
import Origin
import Snapshots
import Testing

@Suite("Certificates that end while they are served")
struct ExpiryTests {
    private let origin: TestOrigin
    private let end: Int

    init() throws {
        origin = try TestOrigin()
        let ended = try #require(origin.snapshot.expiryFindings(now: 1 << 40).first)
        let date = Array(ended.message.utf8.suffix(HTTPDate.count))
        end = try #require(HTTPDate.parse(date, 0..<date.count, now: 0))
    }

    @Test func `nothing is said until two weeks are left`() {
        #expect(origin.snapshot.expiryFindings(now: end - 14 * 86400) == [])
        #expect(origin.snapshot.expiryFindings(now: end - 14 * 86400 + 1).count == 1)
    }

    @Test(
        "what is left is told in days, and at last in hours",
        arguments: [
            (14 * 86400 - 1, "in 13 days"), (2 * 86400, "in 2 days"),
            (2 * 86400 - 1, "in 47 hours"), (7200, "in 2 hours"), (7199, "in an hour"),
            (3599, "within an hour"), (1, "within an hour"),
        ])
    func remaining(_ seconds: Int, _ words: String) throws {
        let finding = try #require(origin.snapshot.expiryFindings(now: end - seconds).first)
        #expect(finding.severity == .warning && finding.rule == .certificateExpiresSoon)
        #expect(finding.message.hasSuffix(" GMT, \(words)"), "\(finding)")
    }

    @Test func `one that has ended is an error, which is said once`() throws {
        let finding = try #require(origin.snapshot.expiryFindings(now: end).first)
        #expect(finding.severity == .error && finding.rule == .expiredCertificate)
        #expect(finding.advice?.contains("this machine's clock") == true)
        #expect(origin.snapshot.expiryFindings(now: end + 86400) == [finding])
    }

    @Test func `the origin is ready as long as one is good`() throws {
        #expect(origin.snapshot.canShakeHands(now: end - 1))
        #expect(!origin.snapshot.canShakeHands(now: end))
        let both = try TestOrigin {
            $0.certificateNames = $0.hosts
            $0.olderNames = ["old.example"]
            $0.hosts.append("old.example")
        }
        #expect(
            both.snapshot.expiryFindings(now: end - 86400).map(\.severity) == [.warning, .error])
        #expect(both.snapshot.canShakeHands(now: end - 86400))
        #expect(!both.snapshot.canShakeHands(now: end + 86400))
    }
}
