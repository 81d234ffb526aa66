import Testing

@testable import Certificates

/// The order in which hosts begin that could all begin, in days that pass in no time.
@Suite("Turns of hosts")
struct OrderTurnsTests {
    typealias Validity = RenewalSchedule.Validity
    private typealias Host = (name: String, record: HostRecord, validity: Validity?)

    private static let now = 100 * 86_400
    private static let day = 86_400
    private static let fault = IssuanceFault(.challenge, .challenge, "no address")

    private static func plan(_ hosts: [Host], authorities: [String] = ["ca"]) -> RenewalPlan {
        var plan = RenewalPlan()
        plan.take(
            hosts.enumerated().map { index, host in
                .init(
                    host: host.name,
                    authorities: [.init(authorities[index % authorities.count])], domain: nil,
                    record: host.record, validity: host.validity)
            }, { _ in OrderAllowance() })
        return plan
    }

    private static func new(_ name: String) -> Host { (name, HostRecord(), nil) }

    /// A host that has failed, the last time so many seconds ago.
    private static func failed(
        _ name: String, times: Int = 4, ago: Int, _ validity: Validity? = nil
    ) -> Host {
        var record = HostRecord()
        for _ in 0..<times { record.fail(fault, validity, now: now - ago, random: 0.5) }
        record.renewAt = validity.map { $0.notAfter - $0.seconds / 3 }
        record.nextInquiry = now + day
        return (name, record, validity)
    }

    /// A host whose certificate is renewed now, and that has so many days of 90 left.
    private static func renewal(_ name: String, left: Int) -> Host {
        var record = HostRecord()
        (record.renewAt, record.nextInquiry) = (now - 1, now + day)
        let end = now + left * day
        return (name, record, Validity(notBefore: end - 90 * day, notAfter: end))
    }

    /// The hosts that begin until `last` does, with their times; all of them fail at once.
    private static func turns(
        _ plan: inout RenewalPlan, until last: (String) -> Bool
    ) -> [(host: String, time: Int)] {
        var (time, turns) = (now, [(host: String, time: Int)]())
        while turns.count < 3_000 {
            guard let host = plan.nextOrder(now: time, milliseconds: time * 1_000) else {
                time = max(time + 1, plan.nextTurn(now: time))
                continue
            }
            plan.begin(host, now: time, milliseconds: time * 1_000)
            turns.append((host, time))
            guard !last(host) else { break }
            plan.fail(host, fault, now: time, random: 0.5)
            let paced = plan.allowances.values
                .map { $0.paced(now: time, milliseconds: time * 1_000) }.min()
            time = max(time, paced ?? time)
        }
        return turns
    }

    /// Uses the orders up that may begin at once.
    private static func exhaust(_ plan: inout RenewalPlan) {
        for _ in 0..<20 { plan.allowances["ca"]?.note(milliseconds: now * 1_000) }
    }

    // MARK: Hosts that fail, and one that does not

    /// Each of the failing hosts has failed before, and tries again once a day: 2,160 take every turn.
    @Test(arguments: [60, 500, 2_160])
    func `a new host has the next turn but one at the latest, however many fail`(
        failing: Int
    ) {
        let hosts = (0..<failing).map {
            Self.failed("bad\($0)", ago: Self.day + 40 * ($0 % 2_160) + 3_600)
        }
        var plan = Self.plan(hosts + [Self.new("good")])
        Self.exhaust(&plan)
        let turns = Self.turns(&plan) { $0 == "good" }
        #expect((turns.last?.time ?? .max) - Self.now <= 80, "\(turns.count) turns")
    }

    /// The same where all are new together, and the good one is the last in the list: one host after the
    /// other in forty seconds, and every tenth turn for what has failed.
    @Test(arguments: [(60, 1_840), (300, 12_480)])
    func `of hosts that are new together, none waits for more than a tenth of retries`(
        failing: Int, wait: Int
    ) {
        var plan = Self.plan((0..<failing).map { Self.new("bad\($0)") } + [Self.new("good")])
        let turns = Self.turns(&plan) { $0 == "good" }
        let waited = (turns.last?.time ?? .max) - Self.now
        #expect(waited <= wait && waited > wait - 200, "\(waited)")
    }

    @Test(arguments: [60, 500, 2_160])
    func `the list says how long the last of so many waits`(failing: Int) {
        let plan = Self.plan((0..<failing).map { Self.new("bad\($0)") } + [Self.new("good")])
        let waiting = plan.waiting(now: Self.now, milliseconds: 5)
        #expect(waiting.last?.entry.host == "good")
        #expect(waiting.last.map { $0.due - Self.now } == (failing - 19) * 40)
    }

    // MARK: The lines

    @Test func `by hand, near the end, never asked, due, failed: in this order`() {
        var ordered = Self.renewal("ordered", left: 80)
        ordered.record.orderRenewal()
        var plan = Self.plan([
            Self.failed("failed", ago: 2 * Self.day),
            Self.failed(
                "failed.ended", ago: 2 * Self.day, .init(notBefore: 0, notAfter: 98 * Self.day)),
            Self.renewal("due", left: 30),
            Self.new("new"),
            Self.failed(
                "failed.ending", ago: 2 * Self.day,
                .init(notBefore: 20 * Self.day, notAfter: 110 * Self.day)),
            Self.renewal("ending", left: 20),
            ordered,
        ])
        Self.exhaust(&plan)
        let predicted = plan.turns(now: Self.now, milliseconds: Self.now * 1_000)
        let kept = Self.turns(&plan) { $0 == "failed.ended" }
        let order = [
            "ordered", "ending", "failed.ending", "new", "due", "failed", "failed.ended",
        ]
        #expect(predicted.map(\.entry.host) == order)
        #expect(kept.first?.host == "ordered" && kept.first?.time == Self.now)
        var seen = Set<String>()
        #expect(kept.map(\.host).filter { seen.insert($0).inserted } == order)
    }

    @Test func `a certificate that a rehearsal has promised is ordered before first certificates`()
    {
        var rehearsed = Self.failed("rehearsed", times: 2, ago: 600)
        rehearsed.record.rehearse(now: Self.now)
        var plan = Self.plan([Self.new("new"), rehearsed])
        #expect(plan.nextOrder(now: Self.now, milliseconds: 5) == "rehearsed")
    }

    @Test func `an order by hand waits for no limit and no pace, unless there are twenty`() {
        var plan = Self.plan((0..<50).map { Self.new("h\($0)") })
        Self.exhaust(&plan)
        #expect(plan.nextOrder(now: Self.now, milliseconds: Self.now * 1_000) == nil)
        var limit = IssuanceFault(.order, .rateLimited, "too many new orders")
        limit.retryTime = Self.now + 50_000
        plan.fail("h0", limit, now: Self.now, random: 0.5)
        for index in (20..<45).reversed() { plan.update("h\(index)") { $0.record.orderRenewal() } }
        // The list says of no such host that it is paused, and of the others that they are.
        let turns = plan.turns(now: Self.now, milliseconds: Self.now * 1_000)
        func pause(_ host: String) -> Bool? {
            turns.first { $0.entry.host == host }.map { $0.pause != nil }
        }
        #expect(pause("h20") == false && pause("h1") == true)
        for index in 20..<40 {
            let next = plan.nextOrder(now: Self.now, milliseconds: Self.now * 1_000)
            #expect(next == "h\(index)")
            plan.begin("h\(index)", now: Self.now, milliseconds: Self.now * 1_000)
        }
        // Whoever orders all hosts by a script keeps to the pace, too.
        #expect(plan.nextOrder(now: Self.now, milliseconds: Self.now * 1_000) == nil)
        let later = Self.now + 40
        #expect(plan.nextOrder(now: later, milliseconds: later * 1_000) == "h40")
    }

    // MARK: No line waits for ever

    @Test func `retries have each tenth turn while others wait`() {
        var plan = Self.plan(
            (0..<60).map { Self.new("new\($0)") } + [Self.failed("failed", ago: 2 * Self.day)])
        Self.exhaust(&plan)
        #expect(Self.turns(&plan) { $0 == "failed" }.count == 10)
    }

    @Test func `first certificates have each tenth turn while many renewals fail near their end`() {
        var plan = Self.plan(
            (0..<300).map {
                Self.failed(
                    "ending\($0)", ago: 3 * Self.day,
                    .init(notBefore: 20 * Self.day, notAfter: 110 * Self.day))
            } + [Self.failed("failed", ago: 2 * Self.day), Self.new("new")])
        Self.exhaust(&plan)
        let turns = Self.turns(&plan) { $0 == "failed" }
        #expect(turns.map(\.host).firstIndex(of: "new") == 9)
        #expect(turns.count == 11)
    }

    @Test func `each account has its own turns`() {
        // Every other host has the other authority, which has not used its orders up.
        var plan = Self.plan(
            (0..<40).map { Self.new("new\($0)") } + [Self.failed("failed", ago: 2 * Self.day)],
            authorities: ["ca", "other"])
        Self.exhaust(&plan)
        let turns = Self.turns(&plan) { $0 == "failed" }
        #expect(turns.count { $0.time == Self.now } == 20)
        let own = turns.filter { $0.host.utf8.last.map { $0.isMultiple(of: 2) } ?? false }
        #expect(own.count == 10, "\(own)")
    }

    // MARK: What is predicted is kept

    @Test func `the order that is predicted is the one that is kept, if all succeed`() {
        let hosts =
            (0..<30).map { Self.failed("failed\($0)", ago: Self.day - 30 * $0) }
            + (0..<40).map { Self.new("new\($0)") }
            + (0..<20).map { Self.renewal("due\($0)", left: 30) }
            + (0..<10).map { Self.renewal("ending\($0)", left: 5 + $0) }
        var plan = Self.plan(hosts)
        let predicted = plan.turns(now: Self.now, milliseconds: Self.now * 1_000)
        var (kept, time) = ([(String, Int)](), Self.now)
        while kept.count < hosts.count, time < Self.now + Self.day {
            guard let host = plan.nextOrder(now: time, milliseconds: time * 1_000) else {
                time = max(time + 1, plan.nextTurn(now: time))
                continue
            }
            plan.begin(host, now: time, milliseconds: time * 1_000)
            plan.succeed(
                host, .init(notBefore: time, notAfter: time + 90 * Self.day), now: time, random: 0.5
            )
            // No window is asked for.
            plan.update(host) { $0.record.nextInquiry = time + Self.day }
            kept.append((host, time))
        }
        #expect(kept.map(\.0) == predicted.map(\.entry.host))
        #expect(kept.map(\.1) == predicted.map(\.due))
    }
}
