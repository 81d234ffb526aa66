import Snapshots
import TestSupport
import Answering
import Diagnostics
import Origin
import SiteConfiguration
import Sockets
import TLS
import Testing

@Suite("The certificate that each host is answered with, as time goes by")
struct HostCertificateTests {
    private let directory: TemporaryDirectory
    private let now = Clock.unixSeconds
    private let day = 86400

    init() throws { directory = try TemporaryDirectory() }

    private func build(
        _ environment: Environment, after previous: Snapshot? = nil, at now: Int
    ) throws -> Snapshot {
        try Snapshot.build(
            environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(),
            after: previous, now: now)
    }

    private func rules(_ findings: [Diagnostic]) -> [String] { findings.map(\.rule.rawValue) }

    @Test func `one that expires while it is served is noticed, and then refused`() throws {
        let environment = try TestOrigin.environment(TestSite(), directory)
        let first = try build(environment, at: now)
        #expect(first.certificateFaults == [] && first.certificateConsequences == [])
        #expect(!first.hasOutdatedCertificates(now: now + 364 * day))
        #expect(first.hasOutdatedCertificates(now: now + 365 * day))
        let second = try build(environment, after: first, at: now + 365 * day)
        #expect(rules(second.certificateFaults) == ["expired-certificate"])
        #expect(rules(second.certificateConsequences) == ["host-without-certificate"])
        #expect(!second.canShakeHands(now: now + 365 * day))
        #expect(!second.hasOutdatedCertificates(now: now + 366 * day))
        // Clocks are set back, too.
        #expect(second.hasOutdatedCertificates(now: now))
    }

    @Test func `one of the future is taken when its time has come`() throws {
        let environment = try TestOrigin.environment(TestSite(), directory)
        let first = try build(environment, at: now - day)
        #expect(rules(first.certificateFaults) == ["certificate-not-yet-valid"])
        #expect(!first.canShakeHands(now: now - day))
        #expect(!first.hasOutdatedCertificates(now: now - day + 3600))
        #expect(first.hasOutdatedCertificates(now: now))
        let second = try build(environment, after: first, at: now)
        #expect(second.certificateFaults == [] && second.canShakeHands(now: now))
    }

    @Test func `a host keeps the one before until that expires`() throws {
        let environment = try TestOrigin.environment(TestSite(), directory)
        let first = try build(environment, at: now)
        try directory.write("leaf.pem", Array("nothing".utf8))
        let second = try build(environment, after: first, at: now + day)
        #expect(rules(second.certificateFaults) == ["unusable-certificate"])
        #expect(rules(second.certificateConsequences) == ["certificate-kept"])
        #expect(second.canShakeHands(now: now + day))
        #expect(second.expiryFindings(now: now + 360 * day).count == 1)
        let third = try build(environment, after: second, at: now + 2 * day)
        #expect(rules(third.certificateConsequences) == ["certificate-kept"])
        #expect(third.hasOutdatedCertificates(now: now + 365 * day))
        let last = try build(environment, after: third, at: now + 365 * day)
        #expect(rules(last.certificateConsequences) == ["host-without-certificate"])
        // Nobody else's are kept: a start knows none.
        let start = try build(environment, at: now + day)
        #expect(rules(start.certificateConsequences) == ["host-without-certificate"])
    }

    @Test func `of two that cover a host the first that can be used is taken`() throws {
        var site = TestSite()
        site.olderNames = site.hosts
        let environment = try TestOrigin.environment(site, directory)
        let both = try build(environment, at: now)
        // The other one ends 30 days before.
        let findings = both.expiryFindings(now: now + 364 * day)
        #expect(findings.count == 1 && findings[0].message.contains("leaf.pem"))
        try directory.write("leaf.key", [])
        let second = try build(environment, after: both, at: now)
        #expect(rules(second.certificateFaults) == ["unusable-certificate"])
        #expect(second.certificateConsequences == [])
        #expect(second.canShakeHands(now: now))
    }

    @Test func `an association file is signed with the one before, or not at all`() throws {
        var site = TestSite()
        site.isSigned = true
        let environment = try TestOrigin.environment(site, directory)
        let first = try build(environment, at: now)
        try directory.write("leaf.pem", Array("nothing".utf8))
        let kept = try build(environment, after: first, at: now)
        let start = try build(environment, at: now)
        for (snapshot, type) in [
            (first, "application/pkcs7-mime"), (kept, "application/pkcs7-mime"),
            (start, "application/json"),
        ] {
            let answer = snapshot.predict(
                Array(
                    "GET /apple-app-site-association HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
                isSecure: true)
            #expect(String(decoding: answer, as: UTF8.self).contains("Content-Type: \(type)\r\n"))
        }
        #expect(rules(start.certificateConsequences).contains("association-not-signed"))
        #expect(rules(kept.certificateConsequences).contains("association-not-signed"))
    }

    @Test func `certificates are renewed without another configuration`() throws {
        let environment = try TestOrigin.environment(TestSite(), directory)
        let first = try build(environment, at: now)
        let same = try #require(first.rereadingCertificates(now: now + day))
        #expect(same.certificateChanges(since: first).isEmpty)
        #expect(same.certificateFaults == [] && same.sites.sites[0] === first.sites.sites[0])
        let (chain, key) = try TestOrigin.authority.get().issue(
            for: ["localhost", "www.example.com"], now: now, days: 400)
        // Half of a renewal is not used, and that is said.
        try directory.write("leaf.key", key)
        let half = try #require(first.rereadingCertificates(now: now))
        #expect(half.certificateChanges(since: first).isEmpty)
        #expect(rules(half.certificateFaults) == ["unusable-certificate"])
        #expect(rules(half.certificateConsequences) == ["certificate-kept"])
        try directory.write("leaf.pem", chain)
        let second = try #require(first.rereadingCertificates(now: now))
        let names = ["localhost", "www.example.com"]
        let changes = second.certificateChanges(since: first)
        #expect(changes.replaced == names && changes.lost == [])
        #expect(second.certificateFaults == [] && second.canShakeHands(now: now + 399 * day))
        #expect(second.tls !== first.tls && second.environment.name == first.environment.name)
        // The next is made of this one.
        let third = try #require(second.rereadingCertificates(now: now))
        #expect(third.certificateChanges(since: second).isEmpty)
        // One that has ended is not another one.
        let last = try #require(third.rereadingCertificates(now: now + 401 * day))
        let end = last.certificateChanges(since: third)
        #expect(end.replaced == [] && end.lost == names)
    }

    @Test func `without https there is nothing to renew`() throws {
        let environment = try TestOrigin.environment(TestSite(), directory)
        let snapshot = try Snapshot.build(
            environment, limits: .patient, ticketKeys: try TestOrigin.ticketKeys.get(), now: now,
            speaksTLS: false)
        #expect(snapshot.rereadingCertificates(now: now) == nil)
    }

    @Test func `what refuses a configuration is said together with certificates' faults`() throws {
        let environment = try TestOrigin.environment(TestSite(), directory)
        try directory.write("leaf.pem", [])
        // A file where a directory should be cannot be meant.
        _ = shell("rm -r \(directory.path)/Public && touch \(directory.path)/Public")
        let error = #expect(throws: BuildError.self) { try build(environment, at: now) }
        #expect(
            Set(rules(error?.diagnostics ?? [])) == ["unusable-certificate", "unreadable-file"])
    }
}
