import Testing

@testable import Certificates

/// When certificates are renewed, and failed attempts repeated.
@Suite("Renewal schedule")
struct RenewalScheduleTests {
    typealias Validity = RenewalSchedule.Validity

    @Test(arguments: [(90, 60.0), (47, 31.33), (10, 6.67), (6, 3.0), (1, 0.5)])
    func `two thirds of a long life have gone, or half of a short one`(
        days: Int, after: Double
    ) {
        let validity = Validity(notBefore: 1_000_000, notAfter: 1_000_000 + days * 86_400)
        for random in stride(from: 0.0, through: 1.0, by: 0.1) {
            let time = RenewalSchedule.renewalTime(of: validity, random: random)
            let gone = Double(time - validity.notBefore) / 86_400
            #expect(abs(gone - after) <= Double(days) / 100 + 0.01, "\(gone) of \(days) days")
        }
    }

    @Test func `a suggested window is used in its first half`() throws {
        let window = try #require(RenewalSchedule.Window(start: 1_000, end: 3_000))
        #expect(RenewalSchedule.renewalTime(in: window, random: 0) == 1_000)
        #expect(RenewalSchedule.renewalTime(in: window, random: 1) == 2_000)
        #expect(RenewalSchedule.Window(start: 3_000, end: 3_000) == nil)
        #expect(RenewalSchedule.Window(start: 3_000, end: 2_999) == nil)
    }

    @Test(arguments: [(1, 60), (2, 600), (3, 6_000), (4, 86_400), (40, 86_400)])
    func `attempts are repeated after 1, 10 and 100 minutes, and then once a day`(
        failures: Int, seconds: Int
    ) {
        for random in [0, 0.5, 1] {
            let time = RenewalSchedule.retryTime(
                failures: failures, isPassing: true, notBefore: nil, now: 50_000, random: random)
            #expect(abs(time - 50_000 - seconds) <= seconds / 10)
        }
    }

    @Test func `what needs a hand is tried once a day, and no time that is named is passed over`() {
        let daily = RenewalSchedule.retryTime(
            failures: 1, isPassing: false, notBefore: nil, now: 0, random: 0.5)
        #expect(daily == 86_400)
        let named = RenewalSchedule.retryTime(
            failures: 1, isPassing: true, notBefore: 200_000, now: 0, random: 0.5)
        #expect(named == 200_000)
        let past = RenewalSchedule.retryTime(
            failures: 1, isPassing: true, notBefore: -5, now: 0, random: 0.5)
        #expect(past == 60)
    }

    @Test(
        arguments: [
            (nil, 21_600), (0, 60), (59, 60), (3_600, 3_600), (90_000, 86_400),
        ] as [(Int?, Int)])
    func `a window is asked for between a minute and a day from now`(named: Int?, after: Int) {
        #expect(
            RenewalSchedule.nextInquiry(named: named.map { 7_000 + $0 }, now: 7_000)
                == 7_000 + after)
    }

    @Test func `a host is due without a certificate, at its time, and at the last call`() {
        let validity = Validity(notBefore: 0, notAfter: 800_000)
        var record = HostRecord()
        #expect(record.due(nil) == 0)
        record.plan(validity, random: 0.5)
        #expect(record.renewAt == 400_000 && record.due(validity) == 400_000)
        // An authority that suggests a time after the end is not waited for.
        record.take(.init(start: 790_000, end: 2_000_000), next: nil, now: 0, random: 1)
        #expect(record.renewAt == 1_395_000 && record.due(validity) == 760_000)
        record.isRenewalOrdered = true
        #expect(record.due(validity) == 0)
    }

    @Test func `a failure moves the next attempt, and a success forgets it`() {
        let validity = Validity(notBefore: 0, notAfter: 800_000)
        var record = HostRecord()
        record.plan(validity, random: 0.5)
        record.order = OrderProgress(order: "https://ca.example/o/1", replaced: "a.b")
        record.fail(
            IssuanceFault(.challenge, .challenge, type: "dns", "no address"), now: 600_000,
            random: 0.5)
        #expect(record.due(validity) == 600_060)
        #expect(record.due(nil) == 600_060)
        #expect(record.lastFault == "challenge: no address (dns)")
        record.succeed(now: 600_100)
        var fresh = HostRecord()
        (fresh.lastSuccess, fresh.nextInquiry) = (600_100, 600_100)
        #expect(record == fresh)
    }

    @Test func `an authority's outage is not counted as the host's failures`() {
        var record = HostRecord()
        for time in stride(from: 0, to: 30_000, by: 6_000) {
            record.wait(
                IssuanceFault(.directory, .temporary, "no route"), until: time + 6_000, now: time)
        }
        #expect(record.failures == 1 && record.nextTry == 30_000)
        record.fail(IssuanceFault(.challenge, .challenge, "no"), now: 30_000, random: 0.5)
        #expect(record.nextTry == 30_600)
    }

    @Test func `the same window keeps the time, and another draws another`() {
        var record = HostRecord()
        record.take(.init(start: 1_000, end: 3_000), next: 900, now: 800, random: 0.5)
        #expect(record.renewAt == 1_500 && record.nextInquiry == 900)
        record.take(.init(start: 1_000, end: 3_000), next: nil, now: 900, random: 0.9)
        #expect(record.renewAt == 1_500)
        record.take(.init(start: 0, end: 100), next: nil, now: 900, random: 0.5)
        #expect(record.renewAt == 25)
        // No answer is no other window.
        record.take(nil, next: nil, now: 900, random: 0.5)
        #expect(record.renewAt == 25)
    }

    @Test func `a record is the same after it was written and read`() throws {
        var record = HostRecord()
        record.order = OrderProgress(order: "https://ca.example/o/\"1\"", replaced: "a.b")
        record.take(.init(start: 1_000, end: 3_000), next: 900, now: 800, random: 0.5)
        record.fail(
            IssuanceFault(.order, .temporary, "line\nbreak and \u{1F600}"), now: 5, random: 0)
        record.lastSuccess = 77
        #expect(HostRecord(json: record.json) == record)
        #expect(HostRecord(json: HostRecord().json) == HostRecord())
        for wrong in ["", "[]", "{", "nothing"] {
            #expect(HostRecord(json: Array(wrong.utf8)) == nil, "\(wrong)")
        }
    }

    /// Let's Encrypt allows an account 300 orders in three hours.
    @Test(arguments: [1, 20, 21, 1_000])
    func `orders of any number of hosts stay below 300 in three hours`(hosts: Int) {
        var (pace, now, began) = (OrderPace(), 1_000, [Int]())
        for _ in 0..<hosts {
            now = max(now, pace.next(now: now))
            began.append(now)
            pace.note(now: now)
        }
        #expect(began.prefix(20).allSatisfy { $0 == 1_000 })
        for start in began {
            let window = began.count { (start..<start + 3 * 3_600_000).contains($0) }
            #expect(window <= 300)
        }
        // After a rest, some can begin at once again.
        now += 10 * 3_600_000
        #expect(pace.next(now: now) == now)
    }

    /// A year of a thousand hosts, of whose attempts one in twenty fails.
    @Test func `a year of a thousand hosts is without a herd, and nothing ends`() {
        var random = SplitMix(state: 20_261_124)
        let (hosts, life, year) = (1_000, 90 * 86_400, 365 * 86_400)
        var records = [HostRecord](repeating: HostRecord(), count: hosts)
        var validities = [Validity?](repeating: nil, count: hosts)
        var (pace, orders, failures, ends) = (OrderPace(), [Int](), [Int: [Int]](), 0)
        var now = 0
        while now < year {
            var next = Int.max
            var chosen: Int?
            for host in 0..<hosts {
                let due = records[host].due(validities[host])
                if due <= now { chosen = chosen ?? host } else { next = min(next, due) }
            }
            let allowed = pace.next(now: now * 1_000) / 1_000
            guard let host = chosen, allowed <= now else {
                now = chosen == nil ? next : max(now + 1, allowed)
                continue
            }
            if let validity = validities[host], validity.notAfter <= now { ends += 1 }
            orders.append(now)
            pace.note(now: now * 1_000)
            if random.fraction() < 0.05 {
                failures[host, default: []].append(now)
                records[host].fail(
                    IssuanceFault(.challenge, .challenge, "no"), now: now,
                    random: random.fraction())
            } else {
                let validity = Validity(notBefore: now - 3_600, notAfter: now - 3_600 + life)
                validities[host] = validity
                records[host].succeed(now: now)
                records[host].plan(validity, random: random.fraction())
            }
        }
        #expect(ends == 0)
        // The first, and six after two thirds of a life each; each failure adds an attempt.
        #expect((6 * hosts...7 * hosts).contains(orders.count - failures.values.joined().count))
        for (index, time) in orders.enumerated() where index >= 300 {
            #expect(time - orders[index - 300] >= 3 * 3_600)
        }
        for times in failures.values {
            for (index, time) in times.enumerated() where index >= 5 {
                #expect(time - times[index - 5] >= 3_600)
            }
        }
    }
}

/// Random numbers that are the same in every run.
private struct SplitMix {
    var state: UInt64

    mutating func fraction() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return Double((value ^ value >> 31) >> 11) / 9_007_199_254_740_992
    }
}
