import Diagnostics
import Services
import Testing

@testable import Certificates
@testable import Origin

/// What operators are told of automatic certificates.
@Suite("Certificate findings")
struct CertificateFindingTests {
    private static let now = 1_000_000

    private func plan(_ records: [(String, HostRecord)]) -> RenewalPlan {
        var plan = RenewalPlan()
        plan.take(
            records.map { host, record in
                .init(
                    host: host, authorities: [.init("ca")], domain: nil, record: record,
                    validity: nil)
            }, { _ in OrderAllowance() })
        return plan
    }

    private func greeting(_ plan: RenewalPlan) -> [Diagnostic] {
        CertificateFindings.greeting(
            plan.waiting(now: Self.now, milliseconds: 5), now: Self.now
        ) { _ in nil }
    }

    @Test func `a start says "now" of what is requested now, and else when and why`() {
        var lost = HostRecord()
        lost.succeed(now: Self.now)
        var again = lost
        again.succeed(now: Self.now, replacesLost: true)
        var failed = HostRecord()
        failed.fail(
            IssuanceFault(.challenge, .challenge, "no address"), nil, now: Self.now, random: 0.5)
        var plan = plan([("new.a", HostRecord()), ("lost.a", lost), ("again.a", again)])
        var found = greeting(plan)
        #expect(
            found.map(\.message) == [
                "2 hosts without a certificate: new.a, lost.a",
                "1 host without a certificate: again.a",
            ])
        #expect(found[0].advice?.hasPrefix("they are requested now;") == true)
        #expect(
            found[1].advice?.hasPrefix(
                "it is requested on Mon, 12 Jan 1970 14:46:40 GMT: others for the same names were "
                    + "issued lately") == true, "\(found[1].advice ?? "")")
        // A limit of all is what they wait for, whatever their records say.
        var limit = IssuanceFault(.account, .rateLimited, "too many accounts")
        limit.retryTime = Self.now + 50_000
        plan.fail("new.a", limit, now: Self.now, random: 0.5)
        found = greeting(plan)
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.advice?.contains("requested now") == false })
        #expect(found.allSatisfy { $0.advice?.contains("too many accounts") == true })
        found = greeting(self.plan([("failed.a", failed)]))
        #expect(
            found.map(\.message) == [
                "failed.a has no certificate, after 1 failure: challenge: no address"
            ])
        #expect(
            found[0].advice?.contains("the next attempt is on Mon, 12 Jan 1970 13:47:40") == true)
        plan = self.plan([("failed.a", failed)])
        _ = plan.hurry(nil, now: Self.now)
        #expect(greeting(plan)[0].advice == "remove the cause; this start tries it again at once")
    }
}
