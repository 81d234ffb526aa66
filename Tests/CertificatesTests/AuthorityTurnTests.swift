import Testing

@testable import Certificates

/// Which of several authorities is asked next, and when it is rehearsed.
@Suite("Turns of authorities")
struct AuthorityTurnTests {
    typealias Validity = RenewalSchedule.Validity

    private static let refused = IssuanceFault(.challenge, .challenge, "no address")
    private static let valid = Validity(notBefore: 0, notAfter: 90 * 86_400)
    private static let one = [AuthorityChoice("a", staging: "a/test")]
    private static let two = [
        AuthorityChoice("a", title: "a.example", staging: "a/test"),
        AuthorityChoice("a/otherwise/b", title: "b.example"),
    ]

    private func plan(
        _ authorities: [AuthorityChoice], _ hosts: [String] = ["h.example"],
        validity: Validity? = nil
    ) -> RenewalPlan {
        var plan = RenewalPlan()
        plan.take(
            hosts.map { host in
                var record = HostRecord()
                if let validity { record.plan(validity, random: 0.5) }
                return .init(
                    host: host, authorities: authorities, domain: nil, record: record,
                    validity: validity)
            }, { _ in OrderAllowance() })
        return plan
    }

    /// Lets attempts fail as long as there is a fault for them.
    /// - Returns: whom each has asked, and after how many seconds.
    private func attempts(
        _ plan: inout RenewalPlan, until end: Int,
        _ fault: (AuthorityAttempt) -> IssuanceFault?
    ) -> [(authority: String, time: Int)] {
        var (now, found) = (0, [(authority: String, time: Int)]())
        while now < end {
            guard let host = plan.nextOrder(now: now, milliseconds: now * 1_000),
                let attempt = plan.begin(host, now: now, milliseconds: now * 1_000)
            else {
                // No window is asked for, and the time until the next order is passed over.
                if let host = plan.nextInquiry(now: now) {
                    plan.update(host) { $0.record.nextInquiry = now + 86_400 }
                    _ = plan.nextOrder(now: now, milliseconds: now * 1_000)
                }
                now = max(now + 10, (min(plan.nextTurn(now: now), end) + 9) / 10 * 10)
                continue
            }
            found.append((attempt.authority, now))
            if let fault = fault(attempt) {
                plan.fail(host, fault, now: now, random: 0.5)
            } else if attempt.isRehearsal {
                plan.rehearse(host, now: now)
            } else {
                plan.succeed(
                    host, Validity(notBefore: now, notAfter: now + 90 * 86_400), now: now,
                    random: 0.5)
            }
        }
        return found
    }

    @Test func `without another authority and without a test, everything is as it was`() {
        var plan = plan([AuthorityChoice("a")])
        let found = attempts(&plan, until: 2 * 86_400) { _ in Self.refused }
        #expect(found.map(\.authority) == ["a", "a", "a", "a", "a"])
        #expect(found.map(\.time) == [0, 60, 660, 6_660, 93_060])
    }

    @Test func `what has failed twice is rehearsed, and every third attempt after it is real`() {
        var plan = plan(Self.one)
        let found = attempts(&plan, until: 7 * 86_400) { _ in Self.refused }
        #expect(
            found.prefix(8).map(\.authority) == [
                "a", "a", "a/test", "a/test", "a", "a/test", "a/test", "a",
            ])
        #expect(plan["h.example"]?.record.lastFault?.hasPrefix("the test authority of a: ") == true)
    }

    @Test func `a rehearsal that succeeds is followed by the real attempt at once`() {
        var (plan, isMended) = (plan(Self.one), false)
        var found = attempts(&plan, until: 600) { _ in Self.refused }
        #expect(found.map(\.authority) == ["a", "a"])
        isMended = true
        found = attempts(&plan, until: 1_000) { _ in isMended ? nil : Self.refused }
        #expect(found.map(\.authority) == ["a/test", "a"])
        #expect(found[1].time - found[0].time <= 10)
        #expect(plan["h.example"]?.validity != nil && plan["h.example"]?.record.failures == 0)
        // A test authority has issued nothing that is served.
        #expect(plan["h.example"]?.issuer == "a" && plan["h.example"]?.record.issuer == nil)
    }

    @Test func `a test authority that cannot be asked, or refuses by its rules, is left out`() {
        let faults = [
            IssuanceFault(.directory, .temporary, "no route"),
            IssuanceFault(.order, .input, type: "caa", "the account is another one"),
            IssuanceFault(.order, .rateLimited, "too many"),
        ]
        for fault in faults {
            var plan = plan(Self.one)
            let found = attempts(&plan, until: 6_000) { $0.isRehearsal ? fault : Self.refused }
            #expect(found.prefix(4).map(\.authority) == ["a", "a", "a/test", "a"], "\(fault)")
            #expect(found[3].time - found[2].time <= 60)
        }
    }

    @Test func `the second authority is asked after three failures, and issues`() throws {
        var plan = plan(Self.two)
        let found = attempts(&plan, until: 3_600) { $0.place == 0 ? Self.refused : nil }
        #expect(found.map(\.authority) == ["a", "a", "a/test", "a/otherwise/b"])
        #expect(found[3].time - found[2].time <= 60)
        let entry = try #require(plan["h.example"])
        #expect(entry.issuer == "a/otherwise/b" && entry.record.failures == 0)
        // The renewal begins with the first again, with whatever is suggested by the second.
        #expect(plan.attempt(of: entry, now: 3_600).authority == "a")
        let read = try #require(HostRecord(json: entry.record.json))
        #expect(read == entry.record && read.issuer == "a/otherwise/b")
    }

    @Test func `a refusal that does not pass leads to the second at once`() {
        for kind in [IssuanceFault.Kind.input, .rateLimited] {
            var plan = plan(Self.two)
            var fault = IssuanceFault(.order, kind, "no")
            if kind == .rateLimited { fault.retryTime = 7 * 86_400 }
            let found = attempts(&plan, until: 600) { $0.place == 0 ? fault : nil }
            #expect(found.map(\.authority) == ["a", "a/otherwise/b"])
            #expect(found.map(\.time) == [0, 60])
        }
    }

    @Test func `all authorities that fail are asked in turns, once a day at last`() {
        var plan = plan(Self.two)
        let found = attempts(&plan, until: 12 * 86_400) { _ in Self.refused }
        #expect(
            found.map(\.authority).prefix(10) == [
                "a", "a", "a/test", "a/otherwise/b", "a/otherwise/b", "a/otherwise/b",
                "a", "a/otherwise/b", "a", "a/otherwise/b",
            ])
        let late = zip(found, found.dropFirst()).filter { $0.0.time > 86_400 }
        #expect(late.allSatisfy { $1.time - $0.time > 80_000 })
    }

    /// An outage concerns all hosts: they need not find it out one after the other.
    @Test func `an authority that is away is left by all hosts, and asked again when it is back`()
        throws
    {
        var plan = plan(Self.two, (0..<30).map { "h\($0).example" })
        var away = IssuanceFault(.directory, .temporary, "status 503")
        away.retryTime = 30 * 86_400
        let found = attempts(&plan, until: 7_200) { $0.place == 0 ? away : nil }
        #expect(found.first?.authority == "a" && found.count { $0.authority == "a" } == 1)
        #expect(found.count { $0.authority == "a/otherwise/b" } == 30)
        #expect(plan.entries.allSatisfy { $0.validity != nil })
        // A day later, it is asked first.
        let entry = try #require(plan["h3.example"])
        #expect(plan.attempt(of: entry, now: 7_200).authority == "a/otherwise/b")
        #expect(plan.attempt(of: entry, now: 2 * 86_400).authority == "a")
    }

    @Test func `a short outage is waited for`() {
        var plan = plan(Self.two)
        let away = IssuanceFault(.directory, .temporary, "no route")
        let found = attempts(&plan, until: 7_200) { $0.place == 0 ? away : nil }
        #expect(found.map(\.authority) == ["a", "a", "a", "a/otherwise/b"])
        #expect(found.map(\.time) == [0, 60, 660, 720])
    }

    @Test func `an account that cannot be opened leads to the next authority`() throws {
        var plan = plan(Self.two)
        plan.block("h.example", IssuanceFault(.account, .temporary, "no key"), until: 3_600, now: 0)
        let entry = try #require(plan["h.example"])
        #expect(plan.attempt(of: entry, now: 60).authority == "a/otherwise/b")
        #expect(plan.due(entry, now: 60, milliseconds: 60_000) == 60)
    }

    @Test func `a renewal ends no certificate while one of two authorities issues`() {
        var plan = plan(Self.two, validity: Self.valid)
        let found = attempts(&plan, until: 80 * 86_400) { $0.place == 0 ? Self.refused : nil }
        #expect(found.last?.authority == "a/otherwise/b")
        #expect(found.last.map { $0.time < 61 * 86_400 } == true)
    }

    @Test func `an order belongs to its authority`() throws {
        var record = HostRecord()
        record.order = OrderProgress(order: "https://ca/o", replaced: "x")
        record.resume(with: "a", isFirst: true)
        #expect(record.order.order == "https://ca/o")
        record.resume(with: "a/otherwise/b", isFirst: false)
        #expect(record.order.order == nil && record.order.replaced == nil)
        record.order.order = "https://cb/o"
        record = try #require(HostRecord(json: record.json))
        record.resume(with: "a/otherwise/b", isFirst: false)
        #expect(record.order.order == "https://cb/o")
        record.resume(with: "a", isFirst: true)
        #expect(record.order.order == nil)
    }

    @Test func `a turn outlives the process, and an authority that is configured no more does not`()
        throws
    {
        var plan = plan(Self.two)
        _ = attempts(&plan, until: 800) { _ in Self.refused }
        let record = try #require(plan["h.example"]?.record)
        let read = try #require(HostRecord(json: record.json))
        #expect(read == record && read.turn.authority == "a/otherwise/b")
        #expect(read.turn.attempt(Self.two, isOut: { _ in false }).place == 1)
        #expect(read.turn.attempt([AuthorityChoice("c")], isOut: { _ in false }).authority == "c")
    }
}
