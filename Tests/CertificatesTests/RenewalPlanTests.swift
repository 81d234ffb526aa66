import Testing

@testable import Certificates

/// What is done next for many hosts.
@Suite("Renewal plan")
struct RenewalPlanTests {
    typealias Validity = RenewalSchedule.Validity

    private func plan(_ hosts: [(String, Validity?)]) -> RenewalPlan {
        var plan = RenewalPlan()
        plan.take(
            hosts.map { host, validity in
                var record = HostRecord()
                if let validity { record.plan(validity, random: 0.5) }
                return .init(
                    host: host, authorities: [.init("ca")], domain: nil, record: record,
                    validity: validity)
            }, { _ in OrderAllowance() })
        return plan
    }

    private static let valid = Validity(notBefore: 0, notAfter: 90 * 86_400)
    private static let renewal = 60 * 86_400

    @Test func `an order that is under way does not keep others from beginning`() {
        var plan = plan([("a.example", nil), ("b.example", nil)])
        #expect(plan.nextOrder(now: 5, milliseconds: 5) == "a.example")
        plan.begin("a.example", now: 5, milliseconds: 5)
        #expect(plan.nextOrder(now: 5, milliseconds: 5) == "b.example")
        plan.begin("b.example", now: 5, milliseconds: 5)
        #expect(plan.nextOrder(now: 5, milliseconds: 5) == nil)
        plan.fail(
            "a.example", IssuanceFault(.finalize, .temporary, "slow"), now: 5, random: 0.5)
        #expect(plan.nextOrder(now: 64, milliseconds: 64_000) == nil)
        #expect(plan.nextOrder(now: 65, milliseconds: 65_000) == "a.example")
        plan.succeed("b.example", Self.valid, now: 6, random: 0.5)
        #expect(plan["b.example"].map { $0.underway == nil } == true)
    }

    /// A host that is new is refused under a domain; its sibling's renewal goes on.
    @Test func `a sibling is renewed while its domain is paused for new hosts`() {
        var plan = plan([("new.b.example", nil), ("old.b.example", Self.valid)])
        let now = Self.renewal + 86_400
        var limit = IssuanceFault(
            .order, .rateLimited, #"too many certificates already issued for "b.example""#)
        limit.retryTime = now + 7 * 86_400
        plan.begin("new.b.example", now: 5, milliseconds: 5)
        plan.fail("new.b.example", limit, now: now, random: 0.5)
        #expect(plan.nextOrder(now: now, milliseconds: 5) == "old.b.example")
    }

    @Test func `an outage of a month lets no certificate end without another attempt`() {
        var plan = plan([("a.example", Self.valid), ("b.example", Self.valid)])
        var (now, attempts, said) = (Self.renewal, [Int](), [ExpiryAlarm]())
        while now < Self.valid.notAfter + 86_400 {
            said += plan.alarms(now: now).filter { $0.entry.host == "a.example" }.map(\.level)
            if let host = plan.nextOrder(now: now, milliseconds: now * 1_000) {
                plan.begin(host, now: now, milliseconds: now * 1_000)
                var fault = IssuanceFault(.directory, .temporary, "status 503")
                fault.retryTime = now + 31 * 86_400
                plan.fail(host, fault, now: now, random: 0.5)
                attempts.append(now)
            }
            now += 600
        }
        let gaps = zip(attempts, attempts.dropFirst()).map { $1 - $0 }
        #expect(gaps.max() ?? .max <= 90 * 86_400 / 20 + 600)
        #expect(attempts.count < 200)
        #expect(
            attempts.last { $0 < Self.valid.notAfter }.map { Self.valid.notAfter - $0 < 7_200 }
                == true)
        // The nearer, the more often: nine days, then 4.5, then 1.8.
        #expect(said.first == .late && said.last == .ended)
        let counts = ExpiryAlarm.allCases.map { level in said.count { $0 == level } }
        #expect(counts[0] <= 6 && counts[1] >= 8 && counts[2] >= 30 && counts[3] >= 20, "\(counts)")
    }

    @Test func `every attempt that an outage stops is counted, for the host that has made it`() {
        var plan = plan([("a.example", nil), ("b.example", nil)])
        var (now, attempts) = (0, 0)
        while now < 4 * 86_400 {
            if let host = plan.nextOrder(now: now, milliseconds: now * 1_000) {
                plan.begin(host, now: now, milliseconds: now * 1_000)
                var fault = IssuanceFault(.directory, .temporary, "status 503")
                fault.retryTime = now + 30 * 86_400
                plan.fail(host, fault, now: now, random: 0.5)
                attempts += 1
            }
            now += 600
        }
        #expect(plan.entries.map(\.record.failures).reduce(0, +) == attempts)
        // A day after the first, and not a week.
        #expect(attempts == 4)
        plan.block("b.example", IssuanceFault(.account, .temporary, "no key"), until: now, now: now)
        #expect(plan.entries.map(\.record.failures).reduce(0, +) == attempts + 1)
    }

    @Test func `a fault of this machine is no authority's, and delays nothing once it is over`() {
        var plan = RenewalPlan()
        plan.take(
            ["a.example", "b.example"].map {
                .init(
                    host: $0, authorities: [.init("ca"), .init("other")], domain: nil,
                    record: HostRecord(), validity: nil)
            }, { _ in OrderAllowance() })
        let fault = IssuanceFault(.account, .machine, "it is not a directory")
        for now in stride(from: 0, to: 7_200, by: 5) {
            #expect(plan.nextOrder(now: now, milliseconds: now * 1_000) == "a.example")
            #expect(plan.block("a.example", fault, until: now + 3_600, now: now).authority == nil)
            #expect(plan.nextOrder(now: now + 4, milliseconds: now * 1_000 + 4_000) == nil)
        }
        // It is one failure, and known for all.
        #expect(plan.entries.map(\.record.failures) == [1, 0])
        #expect(plan.entries.allSatisfy { $0.hold?.reason == fault.description })
        #expect(plan.nextOrder(now: 7_200, milliseconds: 7_200_000) == "a.example")
        #expect(plan.begin("a.example", now: 7_200, milliseconds: 0)?.authority == "ca")
        #expect(plan.nextOrder(now: 7_200, milliseconds: 7_200_000) == "b.example")
        #expect(plan.entries.allSatisfy { $0.hold == nil })
    }

    @Test func `a host whose key cannot be kept begins again when something was written`() {
        var plan = plan([("a.example", nil), ("b.example", nil)])
        plan.update("a.example") { $0.record.orderRenewal() }
        for round in 0..<100 {
            #expect(plan.nextOrder(now: 0, milliseconds: 0) == "a.example", "\(round)")
            plan.begin("a.example", now: 0, milliseconds: 0)
            plan.fail("a.example", IssuanceFault(.order, .machine, "full"), now: 0, random: 0.5)
            // No other host waits for it.
            #expect(plan.nextOrder(now: 1, milliseconds: 1_000) == "b.example")
            plan.release()
        }
        // What was ordered stays ordered, and its orders took nothing of what an account is allowed.
        #expect(plan["a.example"]?.record.failures == 1)
        #expect(plan["a.example"]?.record.isRenewalOrdered == true)
    }

    @Test func `an account that cannot be used lets no certificate end without another attempt`() {
        let validity = Validity(notBefore: 0, notAfter: 1_000)
        var (plan, attempts) = (plan([("a.example", validity)]), 0)
        for now in 0..<1_000 where plan.nextOrder(now: now, milliseconds: now * 1_000) != nil {
            plan.block(
                "a.example", IssuanceFault(.account, .temporary, "no key"), until: now + 3_600,
                now: now)
            attempts += 1
        }
        #expect((10...30).contains(attempts), "\(attempts)")
    }

    @Test func `hosts without a certificate are known with what they wait for`() throws {
        var plan = plan([("a.example", nil), ("b.example", nil), ("c.example", nil)])
        for lost in [false, true] {
            plan.update("b.example") { $0.record.succeed(now: 1_000, replacesLost: lost) }
        }
        var limit = IssuanceFault(.order, .rateLimited, "exact set")
        limit.retryTime = 50_000
        plan.fail("c.example", limit, now: 1_000, random: 0.5)
        let waiting = plan.waiting(now: 1_000, milliseconds: 5)
        #expect(waiting.map(\.entry.host) == ["a.example", "b.example", "c.example"])
        #expect(waiting.map(\.due) == [1_000, 4_600, 50_000])
        #expect(waiting[1].reason?.contains("issued lately") == true)
    }

    @Test func `of many hosts each is known with the time of its turn`() throws {
        let limit = DomainLimit(certificates: 50, seconds: 7 * 86_400)
        var plan = RenewalPlan()
        plan.take(
            (100..<160).map {
                .init(
                    host: "h\($0).example", authorities: [.init("ca")], domain: "example",
                    record: HostRecord(), validity: nil)
            }, { _ in OrderAllowance(limit: limit) })
        let waiting = plan.waiting(now: 1_000, milliseconds: 5)
        #expect(waiting.map(\.entry.host) == plan.entries.map(\.host))
        #expect(waiting[..<20].allSatisfy { $0.due == 1_000 && $0.reason == nil })
        #expect(waiting[20..<50].map(\.due) == (1...30).map { 1_000 + $0 * 40 })
        #expect(waiting[20..<50].allSatisfy { $0.pause == nil })
        #expect(waiting[20].reason?.contains("20 begin at once") == true)
        #expect(waiting[50...].map(\.due) == (1...10).map { 1_000 + $0 * limit.secondsEach })
        #expect(
            waiting[50...].allSatisfy { $0.reason?.contains("50 certificates in 7 days") == true })
        // The plan itself is not changed by the question.
        #expect(plan.nextOrder(now: 1_000, milliseconds: 5) == "h100.example")
    }

    @Test func `a certificate that is renewed in time is never said to end`() {
        var plan = plan([("a.example", Self.valid)])
        for now in stride(from: 0, to: Self.valid.lastCall, by: 3_600) {
            if plan.nextOrder(now: now, milliseconds: now * 1_000) != nil { return }
            #expect(plan.alarms(now: now).isEmpty)
        }
    }

    @Test func `a revoked certificate is none, until there is another`() throws {
        var plan = plan([("a.example", Self.valid)])
        plan.update("a.example") { $0.record.revoke() }
        #expect(plan.nextOrder(now: 100, milliseconds: 5) == "a.example")
        plan.begin("a.example", now: 5, milliseconds: 5)
        plan.fail(
            "a.example", IssuanceFault(.challenge, .challenge, "no"), now: 100, random: 0.5)
        let entry = try #require(plan["a.example"])
        #expect(entry.usableValidity == nil && entry.record.isRevoked)
        // It is tried again in a minute, not in two months.
        #expect(plan.due(entry, now: 100, milliseconds: 50_000) == 160)
        let read = try #require(HostRecord(json: entry.record.json))
        #expect(read.isRevoked)
        plan.succeed("a.example", Self.valid, now: 200, random: 0.5)
        #expect(plan["a.example"]?.record.isRevoked == false)
    }

    @Test func `a record says of which certificates it is that they were revoked`() {
        var record = HostRecord()
        record.lastSuccess = 100_000
        #expect(!record.revokes(certificateFrom: 100_000))
        record.revoke()
        #expect(record.revokes(certificateFrom: 0) && record.revokes(certificateFrom: 103_600))
        // It was issued later than the last that the record knows.
        #expect(!record.revokes(certificateFrom: 103_601))
        // Another node's certificate can be, and is the one that was revoked.
        record.revoke(RenewalSchedule.Validity(notBefore: 200_000, notAfter: 300_000))
        #expect(record.revokes(certificateFrom: 200_000) && record.lastSuccess == 200_000)
        var unknown = HostRecord()
        unknown.revoke(RenewalSchedule.Validity(notBefore: 5, notAfter: 6))
        #expect(unknown.revokes(certificateFrom: 5) && unknown.lastSuccess == 5)
        #expect(!unknown.revokes(certificateFrom: 3_606))
    }

    @Test func `a renewal that somebody has ordered is tried until it is done`() throws {
        var plan = plan([("a.example", Self.valid)])
        let now = 10 * 86_400
        plan.update("a.example") { $0.record.orderRenewal() }
        // It may be a restart until its turn comes.
        let kept = try #require(plan["a.example"]).record
        #expect(HostRecord(json: kept.json)?.due(Self.valid, now: now) == 0)
        plan.begin("a.example", now: 5, milliseconds: 5)
        plan.fail("a.example", IssuanceFault(.challenge, .challenge, "no"), now: now, random: 0.5)
        let entry = try #require(plan["a.example"])
        #expect(plan.due(entry, now: now, milliseconds: 50_000) == now + 60)
    }

    @Test func `a window far in the future is bounded in what is planned`() throws {
        var record = HostRecord()
        record.take(
            .init(start: 253_402_300_000, end: 253_402_300_799), next: nil, Self.valid, now: 0,
            random: 0.5)
        #expect(record.renewAt == Self.valid.lastCall)
        #expect(record.due(Self.valid, now: 0) == Self.valid.lastCall)
    }

    @Test func `a reload forgets outages and what was refused, and no limits`() {
        var plan = plan([("a.example", nil), ("b.example", nil), ("c.example", nil)])
        plan.fail("a.example", IssuanceFault(.order, .input, "caa"), now: 0, random: 0.5)
        var limit = IssuanceFault(.order, .rateLimited, "exact set")
        limit.retryTime = 50_000
        plan.fail("b.example", limit, now: 0, random: 0.5)
        plan.begin("c.example", now: 0, milliseconds: 0)
        plan.fail("c.example", IssuanceFault(.nonce, .temporary, "no"), now: 0, random: 0.5)
        #expect(plan.nextOrder(now: 10, milliseconds: 5) == nil)
        #expect(Set(plan.hurry(nil, now: 10)) == ["a.example", "c.example"])
        let dues = ["a.example", "b.example", "c.example"].map { name in
            plan[name].map { plan.due($0, now: 10, milliseconds: 500_000) } ?? -1
        }
        #expect(dues == [10, 50_000, 10])
    }
}
