import Testing

@testable import Certificates

/// The next action for certificates, by what is known and what has come back; no thread, no file and no
/// clock has a part in it.
@Suite("The agenda of certificates")
struct CertificateAgendaTests {
    typealias Agenda = CertificateAgenda
    typealias Validity = RenewalSchedule.Validity

    private static let valid = Validity(notBefore: 0, notAfter: 90 * 86_400)
    private static let now = Moment(seconds: 1_000, milliseconds: 5_000)

    private static func later(_ seconds: Int) -> Moment {
        Moment(
            seconds: now.seconds + seconds, milliseconds: now.milliseconds + seconds * 1_000)
    }

    private static func fault(_ step: IssuanceStep) -> IssuanceFault {
        IssuanceFault(step, .temporary, "no")
    }

    /// An agenda of these hosts; those with a validity have a certificate.
    private static func agenda(
        _ hosts: [(String, Validity?)], isInCharge: Bool = true
    ) -> Agenda {
        var agenda = Agenda()
        take(hosts, &agenda, isInCharge: isInCharge)
        _ = agenda.takeChanges()
        return agenda
    }

    @discardableResult
    private static func take(
        _ hosts: [(String, Validity?)], _ agenda: inout Agenda, isInCharge: Bool = true,
        _ record: HostRecord? = HostRecord()
    ) -> [String] {
        agenda.take(
            hosts.map { host, validity in
                .init(
                    host: host, authorities: [.init("ca")], domain: nil, validity: validity,
                    record: record)
            }, now, isInCharge: isInCharge, random: { 0.5 }, { _ in OrderAllowance() })
    }

    private static func begin(_ host: String) -> Agenda.Action {
        .begin(
            host: host, AuthorityAttempt(place: 0, isRehearsal: false, authority: "ca", title: nil))
    }

    /// What has happened before, the time since, and what is done next.
    typealias Row = (String, [(String, Validity?)], (inout Agenda) -> Void, Int, [Agenda.Action])

    private static var rows: [Row] {
        let (one, two) = ([("a", Validity?.none)], [("a", Validity?.none), ("b", nil)])
        let issued = [("a", Optional(valid))]
        return [
            ("without hosts nothing is ever due", [], { _ in }, 0, [.wait(milliseconds: .max)]),
            ("a host without a certificate is ordered", one, { _ in }, 0, [begin("a")]),
            (
                "an order that has begun makes steps", one, { _ = $0.begin("a", now) }, 0,
                [.step(host: "a"), .step(host: "a")]
            ),
            (
                "orders take turns, and another one begins between", two,
                { agenda in
                    _ = agenda.begin("a", now)
                    _ = agenda.next(now)
                }, 0, [.step(host: "a"), begin("b"), .step(host: "a")]
            ),
            (
                "an order that waits is left alone until then", one,
                { agenda in
                    _ = agenda.begin("a", now)
                    agenda.wait("a", until: now.milliseconds + 7_000)
                }, 0, [.wait(milliseconds: 7_000)]
            ),
            (
                "and then goes on", one,
                { agenda in
                    _ = agenda.begin("a", now)
                    agenda.wait("a", until: now.milliseconds + 7_000)
                }, 7, [.step(host: "a")]
            ),
            (
                "a program that has ended lets its order go on", one,
                { agenda in
                    _ = agenda.begin("a", now)
                    agenda.wait("a", until: .max)
                    agenda.take(
                        ChallengeRecord(name: "_acme-challenge.a", value: "x"), of: "a",
                        isOpen: true)
                }, 0, [.step(host: "a")]
            ),
            (
                "one that has failed is tried in a minute", one,
                { agenda in
                    _ = agenda.begin("a", now)
                    _ = agenda.fail("a", fault(.challenge), now, random: 0.5)
                }, 0, [.wait(milliseconds: 60_000)]
            ),
            (
                "or when somebody may have removed the cause", one,
                { agenda in
                    _ = agenda.begin("a", now)
                    _ = agenda.fail("a", fault(.challenge), now, random: 0.5)
                    agenda.hurry("a", now)
                }, 0, [begin("a")]
            ),
            (
                "an account that cannot be used keeps its hosts waiting for an hour", two,
                { _ = $0.block("a", fault(.account), now) }, 0, [.wait(milliseconds: 60_000)]
            ),
            (
                "and no longer", two, { _ = $0.block("a", fault(.account), now) }, 3_599,
                [.wait(milliseconds: 1_000)]
            ),
            (
                "its issuer is asked when it should be renewed", issued, { _ in }, 0,
                [.inquire(host: "a")]
            ),
            (
                "the minute is looked at again before a distant renewal", issued,
                { _ = $0.inquire("a", nil, now, random: 0.5) }, 0, [.wait(milliseconds: 60_000)]
            ),
            (
                "the wait ends with the renewal", issued,
                { agenda in
                    _ = agenda.next(now)
                    _ = agenda.inquire("a", nil, later(60 * 86_400 - 1_020), random: 0.5)
                    agenda.note("a") { $0.renewAt = 60 * 86_400 }
                }, 60 * 86_400 - 1_020, [.remind, .wait(milliseconds: 20_000)]
            ),
            (
                "a renewal that was ordered begins", issued,
                { $0.note("a") { $0.orderRenewal() } }, 0, [begin("a")]
            ),
            (
                "a reminder comes each hour", issued,
                { agenda in
                    _ = agenda.next(now)
                    _ = agenda.inquire("a", nil, now, random: 0.5)
                }, 3_600, [.remind, .wait(milliseconds: 60_000)]
            ),
            (
                "what ended is said, and tried", issued, { _ in }, 91 * 86_400,
                [
                    .warn([
                        .init(
                            host: "a", level: .ended, pause: nil,
                            next: later(91 * 86_400).seconds)
                    ]),
                    begin("a"),
                ]
            ),
        ]
    }

    @Test(arguments: 0..<17)
    func `what is next is what the table says`(_ index: Int) throws {
        let row = Self.rows[index]
        #expect(Self.rows.count == 17)
        var agenda = Self.agenda(row.1)
        row.2(&agenda)
        let time = Self.later(row.3)
        #expect(row.4.map { _ in agenda.next(time) } == row.4, "\(row.0)")
    }

    @Test func `without the lock it is tried every five seconds, and nothing else is done`() {
        var agenda = Self.agenda([("a", nil)], isInCharge: false)
        let seen = [0, 0, 4, 5, 5].map { agenda.next(Self.later($0)) }
        #expect(
            seen == [
                .takeLock, .wait(milliseconds: 5_000), .wait(milliseconds: 1_000), .takeLock,
                .wait(milliseconds: 5_000),
            ])
        Self.take([("a", nil)], &agenda)
        #expect(agenda.next(Self.later(6)) == Self.begin("a"))
    }

    @Test func `without the lock it is said all the same that a certificate ends`() {
        var agenda = Self.agenda([("a", Self.valid)], isInCharge: false)
        let end = Moment(seconds: Self.valid.notAfter + 1, milliseconds: 5_000)
        #expect(agenda.next(end) == .takeLock)
        guard case .warn(let warnings) = agenda.next(end) else {
            return #expect(Bool(false), "nothing is said")
        }
        #expect(warnings.map(\.level) == [.ended])
        #expect(agenda.next(end) == .wait(milliseconds: 5_000))
    }

    @Test func `who loses the lock requests nothing until the lock is taken again`() {
        var agenda = Self.agenda([("a", nil), ("b", nil)])
        _ = agenda.begin("a", Self.now)
        #expect(agenda.loseLock() == ["a"])
        #expect(!agenda.isInCharge && agenda.plan["a"]?.underway == nil)
        #expect(agenda.next(Self.now) == .takeLock)
        #expect(agenda.next(Self.now) == .wait(milliseconds: 5_000))
        #expect(agenda.next(Self.later(5)) == .takeLock)
        Self.take([("a", nil), ("b", nil)], &agenda)
        #expect(agenda.next(Self.later(5)) == Self.begin("a"))
    }

    @Test func `whoever takes turns asks for one when something is due, or somebody has asked`() {
        var agenda = Agenda(takesTurns: true)
        var renewed = HostRecord()
        renewed.plan(Self.valid, random: 0.5)
        renewed.nextInquiry = Self.now.seconds + 3_600
        Self.take([("a", Self.valid)], &agenda, isInCharge: false, renewed)
        guard case .wait(let pause) = agenda.next(Self.now) else {
            return #expect(Bool(false), "something is due")
        }
        #expect(pause > 5_000)
        agenda.isAsked = true
        #expect(agenda.next(Self.later(1)) == .takeLock)
        // It is another node's turn.
        #expect(agenda.next(Self.later(1)) == .wait(milliseconds: 5_000))
        agenda.isAsked = false
        #expect(agenda.next(Self.later(7)) == .wait(milliseconds: pause))
        // What is due is asked for without news.
        let due = renewed.due(Self.valid, now: Self.now.seconds)
        let then = Moment(seconds: due, milliseconds: 5_000 + (due - 1_000) * 1_000)
        let seen = (0..<3).map { _ in agenda.next(then) }
        #expect(seen == [.takeLock, .remind, .wait(milliseconds: 5_000)])
        // Another node has renewed it meanwhile.
        let next = Validity(notBefore: due, notAfter: due + 90 * 86_400)
        var record = HostRecord()
        record.plan(next, random: 0.5)
        record.nextInquiry = due + 3_600
        agenda.follow("a", record, next)
        guard
            case .wait = agenda.next(
                Moment(seconds: due + 5, milliseconds: then.milliseconds + 5_000))
        else { return #expect(Bool(false), "it is still due") }
        #expect(agenda.plan["a"]?.validity == next && !agenda.isInCharge)
    }

    @Test func `a turn is given back when nothing is under way, and nothing due soon`() {
        func agenda(due: Int?, takesTurns: Bool = true) -> Agenda {
            var agenda = Agenda(takesTurns: takesTurns)
            var record = HostRecord()
            record.renewAt = due
            record.nextInquiry = Self.now.seconds + 86_400
            Self.take([("a", Self.valid)], &agenda, record)
            return agenda
        }
        let end = Self.valid.notAfter
        let rows: [(String, Agenda, Bool)] = [
            ("nothing is due", agenda(due: end / 2), true),
            ("it never takes turns", agenda(due: end / 2, takesTurns: false), false),
            ("it is due in 11 s", agenda(due: Self.now.seconds + 11), true),
            ("it is due in 10 s", agenda(due: Self.now.seconds + 10), false),
            ("it is due", agenda(due: Self.now.seconds), false),
        ]
        for (name, agenda, canYield) in rows {
            var agenda = agenda
            let found = agenda.canYield(Self.now)
            #expect(found == canYield, "\(name)")
        }
        var busy = agenda(due: end / 2)
        _ = busy.begin("a", Self.now)
        let isBusy = !busy.canYield(Self.now)
        #expect(isBusy, "an order is under way")
    }

    @Test
    func
        `a turn goes on while hosts wait for the pace of their account, which no other process has`()
    {
        let hosts = (0...OrderPace.burst).map { ("h\($0)", nil as Validity?) }
        var agenda = Agenda(takesTurns: true)
        Self.take(hosts, &agenda)
        for (host, _) in hosts.dropLast() { _ = agenda.begin(host, Self.now) }
        func next(_ plan: RenewalPlan) -> String? {
            var plan = plan
            return plan.nextOrder(now: Self.now.seconds, milliseconds: Self.now.milliseconds)
        }
        #expect(next(agenda.plan) == nil && agenda.plan.isPacing(now: Self.now.seconds))
        // What another process has written has no clock in it.
        agenda.follow(OrderAllowance(), of: "ca")
        #expect(next(agenda.plan) == nil)
        _ = agenda.begin(hosts[OrderPace.burst].0, Self.now)
        #expect(!agenda.plan.isPacing(now: Self.now.seconds))
    }

    @Test func `a window that is over is named as the time of the renewal that it leads to`() {
        var agenda = Self.agenda([("a", nil)])
        _ = agenda.begin("a", Self.now)
        let life = Validity(notBefore: 1_000, notAfter: 1_000 + 90 * 86_400)
        agenda.succeed("a", life, Self.now, random: 0.5)
        let past = RenewalSchedule.Window(start: 0, end: 100)
        let info = RenewalInfo(window: past, explanation: nil, retryTime: nil)
        #expect(agenda.inquire("a", info, Self.now, random: 0.5) == 1_000 + 86_400)
        #expect(agenda.plan["a"]?.record.renewalTime(life, now: 1_000) == 87_400)
        // The same again is no news.
        #expect(agenda.inquire("a", info, Self.later(60), random: 0.5) == nil)
        // Of one that was issued long ago, "now" is that time.
        let other = RenewalSchedule.Window(start: 200, end: 300)
        let late = RenewalInfo(window: other, explanation: nil, retryTime: nil)
        #expect(
            agenda.inquire("a", late, Self.later(100_000), random: 0.5) == 1_000 + 100_000)
        // One in time is not moved.
        let usual = RenewalSchedule.Window(start: 5_000_000, end: 5_000_100)
        let good = RenewalInfo(window: usual, explanation: nil, retryTime: nil)
        #expect(agenda.inquire("a", good, Self.later(100_000), random: 0) == 5_000_000)
    }

    @Test func `nothing begins until files that are new were read`() {
        var agenda = Self.agenda([("a", nil)])
        agenda.settle(Self.now)
        #expect(agenda.next(Self.now) == .wait(milliseconds: 2_000))
        #expect(agenda.next(Self.later(2)) == Self.begin("a"))
    }

    @Test func `a host that a reload brings waits two seconds for other origins to read it`() {
        var agenda = Self.agenda([("a", nil)])
        _ = agenda.begin("a", Self.now)
        agenda.wait("a", until: .max)
        Self.take([("a", nil), ("b", nil)], &agenda, nil)
        #expect(agenda.next(Self.now) == .wait(milliseconds: 2_000))
        #expect(agenda.next(Self.later(2)) == Self.begin("b"))
    }

    @Test func `no more than twenty orders are under way`() {
        var agenda = Self.agenda((10..<40).map { ("h\($0)", nil) })
        var begun = 0
        while case .begin(let host, _) = agenda.next(Self.now) {
            #expect(agenda.begin(host, Self.now) != nil)
            agenda.wait(host, until: .max)
            begun += 1
        }
        #expect(begun == 20)
        #expect(agenda.next(Self.now) == .wait(milliseconds: 60_000))
    }

    /// Orders that an authority does not end take all places, and the pace lets nothing begin.
    @Test func `what somebody has ordered begins at once, also where all places are taken`() {
        var agenda = Self.agenda((10..<90).map { ("h\($0)", nil) })
        while case .begin(let host, _) = agenda.next(Self.now) {
            _ = agenda.begin(host, Self.now)
            agenda.wait(host, until: .max)
        }
        // The last ones in the list; as many as there are places by themselves.
        for host in 65..<90 { agenda.note("h\(host)") { $0.orderRenewal() } }
        for host in 65..<85 {
            #expect(agenda.next(Self.now) == Self.begin("h\(host)"))
            #expect(agenda.begin("h\(host)", Self.now) != nil)
            agenda.wait("h\(host)", until: .max)
        }
        #expect(agenda.next(Self.now) == .wait(milliseconds: 60_000))
    }

    @Test func `an authority that cannot be asked ends all of its orders, and one has failed`() {
        var agenda = Self.agenda([("a", nil), ("b", nil)])
        for host in ["a", "b"] { _ = agenda.begin(host, Self.now) }
        _ = agenda.takeChanges()
        let (_, ended) = agenda.fail("a", Self.fault(.directory), Self.now, random: 0.5)
        #expect(ended == ["b"])
        #expect(agenda.plan.entries.map(\.record.failures) == [1, 0])
        let changes = agenda.takeChanges()
        #expect(changes.hosts == ["a"] && changes.authorities == ["ca"])
        #expect(agenda.next(Self.now) == .wait(milliseconds: 60_000))
    }

    @Test func `a host that is not served any more ends its order, and others go on`() {
        var agenda = Self.agenda([("a", nil), ("b", nil)])
        for host in ["a", "b"] { _ = agenda.begin(host, Self.now) }
        #expect(Self.take([("b", nil)], &agenda, nil) == ["a"])
        #expect(agenda.next(Self.now) == .step(host: "b"))
        // With other settings it begins anew, at once.
        _ = agenda.fail("b", Self.fault(.challenge), Self.now, random: 0.5)
        Self.take([("b", nil)], &agenda, HostRecord())
        #expect(agenda.next(Self.now) == Self.begin("b"))
    }

    @Test func `a renewal is planned before anything is done, and kept`() {
        var agenda = Agenda()
        Self.take([("a", Self.valid)], &agenda)
        #expect(agenda.takeChanges().hosts == ["a"])
        #expect(agenda.plan["a"]?.record.renewAt == 60 * 86_400)
        #expect(agenda.takeChanges().hosts == [])
    }

    @Test func `a certificate that was issued leaves nothing but its renewal`() {
        var agenda = Self.agenda([("a", nil)])
        _ = agenda.begin("a", Self.now)
        agenda.succeed("a", Self.valid, Self.now, random: 0.5)
        #expect(agenda.takeChanges().authorities == ["ca"])
        #expect(agenda.next(Self.now) == .inquire(host: "a"))
        #expect(agenda.inquire("a", nil, Self.now, random: 0.5) == nil)
        #expect(agenda.next(Self.now) == .wait(milliseconds: 60_000))
    }

    @Test func `what is noted and changes nothing is not written`() {
        var agenda = Self.agenda([("a", nil)])
        agenda.note("a") { $0.challenge = nil }
        #expect(agenda.takeChanges().hosts == [])
        agenda.note("a") { $0.challenge = .http }
        #expect(agenda.takeChanges().hosts == ["a"])
    }
}
