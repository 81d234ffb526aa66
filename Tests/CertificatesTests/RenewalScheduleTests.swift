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
                failures: failures, isPassing: true, notBefore: nil, nil, now: 50_000,
                random: random)
            #expect(abs(time - 50_000 - seconds) <= seconds / 10)
        }
    }

    @Test func `what needs a hand is tried once a day, and a time that is named is waited for`() {
        func next(_ named: Int?, isLimit: Bool = false, isPassing: Bool = true) -> Int {
            RenewalSchedule.retryTime(
                failures: 1, isPassing: isPassing, notBefore: named.map { ($0, isLimit) }, nil,
                now: 0, random: 0.5)
        }
        #expect(next(nil, isPassing: false) == 86_400)
        #expect(next(50_000) == 50_000 && next(-5) == 60)
        // An outage is not believed for longer than a day, a limit for a week.
        #expect(next(200_000) == 86_400 && next(200_000, isLimit: true) == 200_000)
        #expect(next(31 * 86_400, isLimit: true) == 7 * 86_400)
    }

    /// Named times of a month, at every moment of certificates' lives.
    @Test(arguments: [90, 47, 6])
    func `whatever an authority names, a certificate is tried again before it ends`(days: Int) {
        let life = days * 86_400
        let validity = Validity(notBefore: 0, notAfter: life)
        for isLimit in [true, false] {
            for failures in [1, 3, 4, 40] {
                var (now, attempts) = (life / 2, 0)
                while now < life, attempts <= 60 {
                    let next = RenewalSchedule.retryTime(
                        failures: failures, isPassing: true,
                        notBefore: (now + 31 * 86_400, isLimit), validity, now: now, random: 1)
                    #expect(next > now && next - now <= life / 20)
                    (now, attempts) = (next, attempts + 1)
                }
                // The end is not approached by ever more attempts.
                #expect((10...60).contains(attempts), "\(attempts)")
            }
        }
        // After the end, once a day.
        let late = RenewalSchedule.retryTime(
            failures: 5, isPassing: true, notBefore: (life + 31 * 86_400, true), validity,
            now: life + 1, random: 1)
        #expect(late - life - 1 == min(86_400, life / 20))
    }

    @Test func `a record of an earlier version does not wait until its certificate has ended`()
        throws
    {
        // 503 with 30 days, when 50 seconds are left.
        let validity = Validity(notBefore: 0, notAfter: 90 * 86_400)
        let now = validity.notAfter - 50
        let text = """
            {"failures": 1, "nextTry": \(now + 30 * 86_400), "lastFault": "directory: status 503",
            "lastFaultTime": \(now), "renewAt": 5000000}
            """
        let record = try #require(HostRecord(json: Array(text.utf8)))
        #expect(record.due(validity, now: now) <= now + 90 * 86_400 / 2_000)
        let short = Validity(notBefore: now - 600, notAfter: now + 50)
        #expect(record.due(short, now: now) < now + 50)
    }

    @Test func `a certificate that nears its end is said the louder`() {
        let validity = Validity(notBefore: 0, notAfter: 1_000_000)
        let levels = [850_000, 910_000, 960_000, 985_000, 1_000_000].map {
            validity.alarm(isLate: true, now: $0)
        }
        #expect(levels == [nil, .late, .near, .imminent, .ended])
        #expect(validity.alarm(isLate: false, now: 910_000) == nil)
        #expect(validity.alarm(isLate: false, now: 960_000) == .near)
        let pauses = ExpiryAlarm.allCases.map(\.pauseSeconds)
        #expect(pauses == pauses.sorted(by: >) && pauses.last == 3_600)
    }

    @Test func `a reload makes a failed attempt at once, but few an hour and a day`() {
        var record = HostRecord()
        record.hurry(now: 0)
        #expect(record == HostRecord())
        var attempts = [Int]()
        for minute in 0..<3 * 1_440 {
            let now = minute * 60
            if record.due(nil, now: now) <= now {
                attempts.append(now)
                record.fail(
                    IssuanceFault(.challenge, .challenge, "no"), nil, now: now, random: 0.5)
            }
            record.hurry(now: now)
        }
        for start in attempts {
            #expect(attempts.count { (start..<start + 3_600).contains($0) } <= 5)
            #expect(attempts.count { (start..<start + 86_400).contains($0) } <= 14)
        }
        // The cause was removed after two hours of failures.
        record = HostRecord()
        for time in [0, 60, 660, 6_660] {
            record.fail(IssuanceFault(.challenge, .challenge, "no"), nil, now: time, random: 0.5)
        }
        #expect(record.due(nil, now: 7_200) == 6_660 + 86_400)
        record.hurry(now: 7_200)
        #expect(record.due(nil, now: 7_200) == 7_200)
    }

    @Test func `a limit of the authority's is waited for, also by a reload`() throws {
        var fault = IssuanceFault(.order, .rateLimited, type: "rateLimited", "too many")
        fault.retryTime = 40_000
        var record = HostRecord()
        record.fail(fault, nil, now: 0, random: 0.5)
        record = try #require(HostRecord(json: record.json))
        record.hurry(now: 100)
        #expect(record.due(nil, now: 100) == 40_000)
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
        #expect(record.due(nil, now: 0) == 0)
        record.plan(validity, random: 0.5)
        #expect(record.renewAt == 400_000 && record.due(validity, now: 600_000) == 400_000)
        // An authority that suggests a time after the end is not waited for.
        record.take(
            .init(start: 790_000, end: 2_000_000), next: nil, validity, now: 0, random: 1)
        #expect(record.renewAt == 760_000 && record.due(validity, now: 600_000) == 760_000)
        record.orderRenewal()
        #expect(record.due(validity, now: 600_000) == 0)
    }

    @Test func `a failure moves the next attempt, and a success forgets it`() {
        let validity = Validity(notBefore: 0, notAfter: 800_000)
        var record = HostRecord()
        record.plan(validity, random: 0.5)
        record.order = OrderProgress(order: "https://ca.example/o/1", replaced: "a.b")
        record.fail(
            IssuanceFault(.challenge, .challenge, type: "dns", "no address"), validity,
            now: 600_000,
            random: 0.5)
        #expect(record.due(validity, now: 600_000) == 600_060)
        #expect(record.due(nil, now: 600_000) == 600_060)
        #expect(record.lastFault == "challenge: no address (dns)")
        record.succeed(now: 600_100)
        var fresh = HostRecord()
        (fresh.lastSuccess, fresh.nextInquiry) = (600_100, 600_100)
        #expect(record == fresh)
    }

    @Test func `an authority's outage is counted, and does not move the host's schedule`() throws {
        var record = HostRecord()
        record.challenge = .http
        for time in stride(from: 0, to: 30_000, by: 6_000) {
            record.wait(
                IssuanceFault(.directory, .temporary, "no route"), until: time + 6_000, now: time)
        }
        // The alert asks for three.
        #expect(record.failures == 5 && record.nextTry == 30_000)
        // The host was not refused, so its challenge stays.
        #expect(record.nextChallenges(answersHTTP: true) == [.http, .alpn])
        record = try #require(HostRecord(json: record.json))
        record.fail(IssuanceFault(.challenge, .challenge, "no"), nil, now: 30_000, random: 0.5)
        #expect(record.failures == 6 && record.nextTry == 30_060)
        #expect(record.nextChallenges(answersHTTP: true) == [.alpn, .http])
    }

    @Test func `the same window keeps the time, and another draws another`() {
        var record = HostRecord()
        record.take(.init(start: 1_000, end: 3_000), next: 900, nil, now: 800, random: 0.5)
        #expect(record.renewAt == 1_500 && record.nextInquiry == 900)
        record.take(.init(start: 1_000, end: 3_000), next: nil, nil, now: 900, random: 0.9)
        #expect(record.renewAt == 1_500)
        record.take(.init(start: 0, end: 100), next: nil, nil, now: 900, random: 0.5)
        #expect(record.renewAt == 25)
        // No answer is no other window.
        record.take(nil, next: nil, nil, now: 900, random: 0.5)
        #expect(record.renewAt == 25)
    }

    @Test func `a record is the same after it was written and read`() throws {
        var record = HostRecord()
        record.order = OrderProgress(order: "https://ca.example/o/\"1\"", replaced: "a.b")
        record.take(.init(start: 1_000, end: 3_000), next: 900, nil, now: 800, random: 0.5)
        record.fail(
            IssuanceFault(.order, .temporary, "line\nbreak and \u{1F600}"), nil, now: 5, random: 0)
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

    /// An authority may name a window that is over for a certificate that is new, and a clock may be
    /// far ahead.
    @Test func `a certificate is not renewed again and again`() {
        for (life, pause) in [(90 * 86_400, 86_400), (6 * 86_400, 51_840), (30, 3)] {
            let validity = Validity(notBefore: 1_000_000, notAfter: 1_000_000 + life)
            for now in [1_000_000, validity.lastCall + 1] {
                var record = HostRecord()
                record.succeed(now: now)
                record.plan(validity, random: 0.5)
                record.take(.init(start: 1_000, end: 2_000), next: nil, nil, now: now, random: 0.5)
                #expect(record.due(validity, now: now) == now + pause)
                // A person may know better.
                record.orderRenewal()
                #expect(record.due(validity, now: now) == 0)
            }
        }
    }

    @Test func `one that was lost is replaced at once, and not again and again`()
        throws
    {
        var record = HostRecord()
        record.succeed(now: 1_000_000)
        #expect(record.due(nil, now: 1_000_000) <= 1_000_000)
        for pause in [3_600, 2 * 86_400, 2 * 86_400] {
            record.succeed(now: 1_000_000, replacesLost: true)
            record = try #require(HostRecord(json: record.json))
            #expect(record.due(nil, now: 1_000_000) == 1_000_000 + pause)
        }
        record.succeed(now: 2_000_000)
        #expect(record.due(nil, now: 2_000_000) <= 2_000_000)
    }

    @Test func `a time of an attempt that nothing has failed before is not waited for`() throws {
        let record = try #require(
            HostRecord(json: Array(#"{"failures": 2, "nextTry": 1125899906842623}"#.utf8)))
        #expect(record.due(nil, now: 1_000_000) <= 1_000_000)
    }

    @Test func `nothing is waited for that a clock has noted that was ahead`() {
        let (now, ahead) = (1_000_000, 1_000_000 + 400 * 86_400)
        let validity = Validity(notBefore: now - 60 * 86_400, notAfter: now + 30 * 86_400)
        var record = HostRecord()
        record.plan(validity, random: 0.5)
        record.fail(
            IssuanceFault(.certificate, .temporary, "it ended"), nil, now: ahead, random: 0.5)
        #expect(record.due(nil, now: ahead) == ahead + 60)
        #expect(record.due(nil, now: now) == 0)
        #expect(record.due(validity, now: now) == record.renewAt)
        record.succeed(now: ahead)
        #expect(record.due(nil, now: now) == 0)
        #expect(record.due(validity, now: now) == validity.lastCall)
        #expect(record.inquiryDue(now: now) == 0 && record.inquiryDue(now: ahead) == ahead)
        record.take(nil, next: now + 86_400, nil, now: now, random: 0.5)
        #expect(record.inquiryDue(now: now) == now + 86_400)
    }

    @Test func `the first challenge is the one that this origin can answer`() {
        var record = HostRecord()
        #expect(record.nextChallenges(answersHTTP: true) == [.http, .alpn])
        #expect(record.nextChallenges(answersHTTP: false) == [.alpn, .http])
        record.challenge = .http
        #expect(record.nextChallenges(answersHTTP: false) == [.http, .alpn])
        record.fail(IssuanceFault(.challenge, .challenge, "no"), nil, now: 0, random: 0.5)
        #expect(record.nextChallenges(answersHTTP: true) == [.alpn, .http])
    }

    @Test func `a certificate that is refused is fetched again, and then ordered every other day`()
    {
        var record = HostRecord()
        var orders = 0
        for attempt in 1...11 {
            if record.order.order == nil { orders += 1 }
            record.order.order = "https://ca.example/o/\(orders)"
            record.refuseCertificate()
            record.fail(
                IssuanceFault(.certificate, .temporary, "damaged"), nil, now: 0, random: 0.5)
            #expect(orders == (attempt <= 4 ? 1 : 1 + (attempt - 3) / 2), "\(attempt)")
        }
        // Who orders it does not want the same again.
        record.order.order = "https://ca.example/o/9"
        record.orderRenewal()
        #expect(record.order.order == nil)
        record.order.order = "https://ca.example/o/10"
        record.fail(IssuanceFault(.finalize, .temporary, "slow"), nil, now: 0, random: 0.5)
        record.orderRenewal(isIssued: true)
        #expect(record.order.order == "https://ca.example/o/10")
    }

    @Test(
        "an order that has given the certificate is no order of a renewal",
        arguments: [true, false])
    func keptOrder(_ isIssued: Bool) {
        var record = HostRecord()
        record.order.order = "https://ca.example/o/1"
        record.orderRenewal(isIssued: isIssued)
        #expect((record.order.order == nil) == isIssued)
        #expect(record.isRenewalOrdered)
    }
}
