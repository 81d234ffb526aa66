import Testing

@testable import Certificates

/// When hosts without a certificate have their turns.
@Suite("Turns of hosts without a certificate")
struct WaitingHostsTests {
    private func plan(
        _ hosts: [(name: String, domain: String)], limit: DomainLimit? = nil
    ) -> RenewalPlan {
        var plan = RenewalPlan()
        plan.take(
            hosts.map {
                .init(
                    host: $0.name, authorities: [.init("ca")], domain: $0.domain,
                    record: HostRecord(), validity: nil)
            }, { _ in OrderAllowance(limit: limit) })
        return plan
    }

    @Test func `hosts that are paused take no turn of those that are not`() throws {
        let limit = DomainLimit(certificates: 50, seconds: 7 * 86_400)
        let paused = (100..<170).map { (name: "h\($0).a.co.uk", domain: "a.co.uk") }
        let others = (100..<110).map { (name: "h\($0).b.example", domain: "b.example") }
        let plan = plan(paused + others, limit: limit)
        let waiting = plan.waiting(now: 1_000, milliseconds: 5)
        #expect(waiting.map(\.due) == waiting.map(\.due).sorted())
        // Twenty at once, and then one every 40 s, without a gap for the twenty that are paused.
        #expect(waiting[..<60].map(\.due) == (0..<60).map { 1_000 + max(0, $0 - 19) * 40 })
        #expect(waiting[50..<60].map(\.entry.host) == others.map(\.name))
        #expect(waiting[60...].allSatisfy { $0.entry.domain == "a.co.uk" && $0.pause != nil })
        #expect(waiting[60...].map(\.due) == (1...20).map { 1_000 + $0 * limit.secondsEach })
    }

    @Test func `of hosts whose pause ends together, twenty begin at once`() throws {
        var plan = plan((100..<130).map { (name: "h\($0).example", domain: "h\($0).example") })
        var limit = IssuanceFault(.account, .rateLimited, "too many accounts")
        limit.retryTime = 5_000
        plan.fail("h100.example", limit, now: 1_000, random: 0.5)
        let dues = plan.waiting(now: 1_000, milliseconds: 5).map(\.due)
        // What does not pass by itself is tried again after a day.
        #expect(dues == (0..<30).map { 87_400 + max(0, $0 - 19) * 40 })
    }

    // MARK: After a failure

    private static let validity = RenewalSchedule.Validity(notBefore: 0, notAfter: 90 * 86_400)

    @Test func `a renewal that somebody has ordered and that has failed is tried by a reload`() {
        var record = HostRecord()
        record.succeed(now: 1_000)
        record.plan(Self.validity, random: 0.5)
        // Without an order, nothing is due for weeks.
        #expect(record.due(Self.validity, now: 2_000) > 30 * 86_400)
        record.orderRenewal()
        #expect(record.due(Self.validity, now: 2_000) == 0)
        record.wait(IssuanceFault(.account, .input, "closed"), until: 9_000, now: 2_000)
        #expect(record.due(Self.validity, now: 2_000) == 9_000)
        record.hurry(now: 3_000)
        #expect(record.due(Self.validity, now: 3_000) == 3_000)
    }

    @Test func `a reload knows the hosts that it does not try, and their next attempts`() {
        var agenda = CertificateAgenda()
        func moment(_ seconds: Int) -> Moment {
            Moment(seconds: seconds, milliseconds: seconds * 1_000)
        }
        _ = agenda.take(
            ["a", "b"].map {
                .init(
                    host: $0, authorities: [.init("ca")], domain: nil, validity: nil,
                    record: HostRecord())
            }, moment(0), isInCharge: true, random: { 0.5 }, { _ in OrderAllowance() })
        func failure(at time: Int) {
            _ = agenda.begin("a", moment(time))
            _ = agenda.fail(
                "a", IssuanceFault(.challenge, .input, "no"), moment(time), random: 0.5)
        }
        for time in [100, 200] {
            failure(at: time)
            // It is tried at once, and the host that has not failed is no news.
            agenda.hurry(nil, moment(time + 50))
            #expect(agenda.delayed(moment(time + 50)).isEmpty)
        }
        failure(at: 300)
        agenda.hurry(nil, moment(350))
        let delayed = agenda.delayed(moment(350))
        #expect(delayed.map(\.host) == ["a"])
        #expect(
            delayed.map(\.due) == agenda.plan.entries.prefix(1).map { agenda.due($0, moment(350)) })
        #expect((delayed.first?.due ?? 0) > 350)
    }
}
