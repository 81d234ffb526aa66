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
        #expect(record.due(nil, now: 0) == 0)
        record.plan(validity, random: 0.5)
        #expect(record.renewAt == 400_000 && record.due(validity, now: 600_000) == 400_000)
        // An authority that suggests a time after the end is not waited for.
        record.take(.init(start: 790_000, end: 2_000_000), next: nil, now: 0, random: 1)
        #expect(record.renewAt == 1_395_000 && record.due(validity, now: 600_000) == 760_000)
        record.orderRenewal()
        #expect(record.due(validity, now: 600_000) == 0)
    }

    @Test func `a failure moves the next attempt, and a success forgets it`() {
        let validity = Validity(notBefore: 0, notAfter: 800_000)
        var record = HostRecord()
        record.plan(validity, random: 0.5)
        record.order = OrderProgress(order: "https://ca.example/o/1", replaced: "a.b")
        record.fail(
            IssuanceFault(.challenge, .challenge, type: "dns", "no address"), now: 600_000,
            random: 0.5)
        #expect(record.due(validity, now: 600_000) == 600_060)
        #expect(record.due(nil, now: 600_000) == 600_060)
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

    /// An authority may name a window that is over for a certificate that is new, and a clock may be
    /// far ahead.
    @Test func `a certificate is not renewed again and again`() {
        for (life, pause) in [(90 * 86_400, 86_400), (6 * 86_400, 51_840), (30, 3)] {
            let validity = Validity(notBefore: 1_000_000, notAfter: 1_000_000 + life)
            for now in [1_000_000, validity.lastCall + 1] {
                var record = HostRecord()
                record.succeed(now: now)
                record.plan(validity, random: 0.5)
                record.take(.init(start: 1_000, end: 2_000), next: nil, now: now, random: 0.5)
                #expect(record.due(validity, now: now) == now + pause)
                // A person may know better.
                record.orderRenewal()
                #expect(record.due(validity, now: now) == 0)
            }
        }
        // Neither is one that is lost over and over.
        var record = HostRecord()
        record.succeed(now: 1_000_000)
        #expect(record.due(nil, now: 1_000_000) == 1_003_600)
    }

    @Test func `nothing is waited for that a clock has noted that was ahead`() {
        let (now, ahead) = (1_000_000, 1_000_000 + 400 * 86_400)
        let validity = Validity(notBefore: now - 60 * 86_400, notAfter: now + 30 * 86_400)
        var record = HostRecord()
        record.plan(validity, random: 0.5)
        record.fail(
            IssuanceFault(.certificate, .temporary, "it ended"), now: ahead, random: 0.5)
        #expect(record.due(nil, now: ahead) == ahead + 60)
        #expect(record.due(nil, now: now) == 0)
        #expect(record.due(validity, now: now) == record.renewAt)
        record.succeed(now: ahead)
        #expect(record.due(nil, now: now) == 0)
        #expect(record.due(validity, now: now) == validity.lastCall)
        #expect(record.inquiryDue(now: now) == 0 && record.inquiryDue(now: ahead) == ahead)
        record.take(nil, next: now + 86_400, now: now, random: 0.5)
        #expect(record.inquiryDue(now: now) == now + 86_400)
    }

    @Test func `the first challenge is the one that this origin can answer`() {
        var record = HostRecord()
        #expect(record.nextChallenges(answersHTTP: true) == [.http, .alpn])
        #expect(record.nextChallenges(answersHTTP: false) == [.alpn, .http])
        record.challenge = .http
        #expect(record.nextChallenges(answersHTTP: false) == [.http, .alpn])
        record.fail(IssuanceFault(.challenge, .challenge, "no"), now: 0, random: 0.5)
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
            record.fail(IssuanceFault(.certificate, .temporary, "damaged"), now: 0, random: 0.5)
            #expect(orders == (attempt <= 4 ? 1 : 1 + (attempt - 3) / 2), "\(attempt)")
        }
        // Who orders it does not want the same again.
        record.order.order = "https://ca.example/o/9"
        record.orderRenewal()
        #expect(record.order.order == nil)
        record.order.order = "https://ca.example/o/10"
        record.fail(IssuanceFault(.finalize, .temporary, "slow"), now: 0, random: 0.5)
        record.orderRenewal()
        #expect(record.order.order == "https://ca.example/o/10")
    }

    @Test func `a pause is for the account or the domain, and not for who orders a renewal`() {
        var allowance = OrderAllowance()
        func next(_ host: String, isOrdered: Bool = false) -> Int {
            allowance.next(for: host, isOrdered: isOrdered, now: 1_000, milliseconds: 5_000)
        }
        var limit = IssuanceFault(.order, .rateLimited, "too many")
        limit.retryTime = 9_000
        allowance.pause(after: limit, of: "a.b.example", now: 1_000, random: 0.5)
        #expect(next("c.b.example") == 9_000 && next("a.c.example") == 1_000)
        #expect(next("a.b.example", isOrdered: true) == 1_000)
        allowance.pause(
            after: IssuanceFault(.directory, .temporary, "no route"), of: "a.c.example", now: 1_000,
            random: 0.5)
        #expect(next("a.c.example") == 1_060 && next("a.c.example", isOrdered: true) == 1_000)
        allowance.pause(
            after: IssuanceFault(.account, .input, "terms"), of: "a.c.example", now: 1_000,
            random: 0.5)
        #expect(next("a.c.example") == 87_400)
        for _ in 0..<21 { allowance.note(milliseconds: 5_000) }
        #expect(next("a.c.example", isOrdered: true) == 1_080)
        allowance.forgetPauses()
        #expect(next("a.c.example") == 1_080)
    }

    /// The limits that Let's Encrypt publishes, through a year in which things fail: attempts of all
    /// hosts, the authority for half a day, certificates that cannot be used, and hosts that never
    /// succeed. On one day, all certificates have to be renewed at once.
    @Test(arguments: [true, false])
    func `a year of a thousand hosts is within what an authority allows`(suggests: Bool) throws {
        var year = SimulatedYear(suggestsTimes: suggests)
        year.run()
        // Of these limits, none is ever reached.
        #expect(year.authority.refusals.filter { $0.key != .domain } == [:])
        // A domain has more hosts than certificates in a week. Each time that it may have another, one
        // host may be refused.
        let issued = year.authority.issuedFirst
        #expect(year.authority.refusals[.domain, default: 0] > 0)
        #expect(year.authority.refusals[.domain, default: 0] <= issued)
        #expect(
            year.records.indices.allSatisfy { year.isHopeless($0) || year.validities[$0] != nil })
        #expect(year.ends == 0)
        // No herd: as many as may begin at once, and then one in 40 seconds.
        for (index, time) in year.orders.enumerated() where index >= 22 {
            #expect(time - year.orders[index - 22] >= 60)
        }
        // On usual days, what comes together is far below that: 90 an hour.
        let usual = Dictionary(grouping: year.orders.filter { !year.isSpecial($0) }) { $0 / 3_600 }
        let most = try #require(usual.values.map(\.count).max())
        #expect(most <= 75)
        // One that never succeeds is tried once a day, so that it is never paused for good.
        let hopeless = year.attempts.indices.filter(year.isHopeless)
        #expect(hopeless.allSatisfy { year.attempts[$0] <= 365 + 3 + 40 })
    }
}

/// A thousand hosts of one account for a year.
private struct SimulatedYear {
    var authority = LimitedAuthority()
    private(set) var records = [HostRecord](repeating: HostRecord(), count: hosts)
    private(set) var validities = [RenewalSchedule.Validity?](repeating: nil, count: hosts)
    private(set) var attempts = [Int](repeating: 0, count: hosts)
    /// When orders have begun.
    private(set) var orders = [Int]()
    /// Certificates that have ended before they were renewed.
    private(set) var ends = 0
    private let suggestsTimes: Bool
    private var random = SplitMix(state: 20_261_124)
    private var allowance = OrderAllowance()

    private static let hosts = 1_000
    private static let day = 86_400
    private static let life = 90 * day
    private static let outage = 100 * day..<100 * day + day / 2
    private static let revocation = 200 * day

    init(suggestsTimes: Bool) { self.suggestsTimes = suggestsTimes }

    /// Three in ten are of one domain.
    private let names = (0..<hosts).map { host in
        host % 10 < 3 ? "h\(host).example.com" : "h\(host).d\(host / 10).example"
    }

    func isHopeless(_ host: Int) -> Bool { host % 100 == 99 }

    /// While the first are issued, and after all had to be renewed.
    func isSpecial(_ time: Int) -> Bool {
        time < 2 * Self.day
            || (Self.revocation..<Self.revocation + 2 * Self.day).contains(time)
    }

    mutating func run() {
        var now = 0
        var isRevoked = !suggestsTimes
        // When each is to be looked at again.
        var dues = [Int](repeating: 0, count: records.count)
        while now < 365 * Self.day {
            if !isRevoked, now >= Self.revocation {
                isRevoked = true
                for host in records.indices where validities[host] != nil {
                    records[host].take(
                        .init(start: now - 3_600, end: now - 1_800), next: nil, now: now,
                        random: random.fraction())
                    dues[host] = now
                }
            }
            guard let host = dues.indices.min(by: { dues[$0] < dues[$1] }) else { return }
            let due = max(dues[host], next(host, isOrdered: true, now))
            guard due <= now else {
                now = isRevoked ? due : min(due, max(now + 1, Self.revocation))
                continue
            }
            dues[host] = max(
                records[host].due(validities[host], now: now), next(host, isOrdered: false, now))
            guard dues[host] <= now else { continue }
            attempt(host, now)
            dues[host] = records[host].due(validities[host], now: now)
        }
    }

    private func next(_ host: Int, isOrdered: Bool, _ now: Int) -> Int {
        allowance.next(for: names[host], isOrdered: isOrdered, now: now, milliseconds: now * 1_000)
    }

    private mutating func attempt(_ host: Int, _ now: Int) {
        attempts[host] += 1
        if let validity = validities[host], validity.notAfter <= now { ends += 1 }
        let isResumed = records[host].order.order != nil
        if !isResumed { allowance.note(milliseconds: now * 1_000) }
        do throws(IssuanceFault) {
            guard !Self.outage.contains(now) else {
                throw IssuanceFault(.directory, .temporary, "no route")
            }
            let isReplacement = suggestsTimes && validities[host] != nil
            if !isResumed {
                orders.append(now)
                try authority.order(names[host], isReplacement: isReplacement, now)
                records[host].order.order = "https://ca.example/o"
                guard !isHopeless(host), random.fraction() >= 0.05 else {
                    records[host].order.order = nil
                    authority.noteFailure(of: names[host], now)
                    throw IssuanceFault(.challenge, .challenge, "no")
                }
                authority.issue(
                    names[host], isReplacement: isReplacement, now)
            }
            guard random.fraction() >= 0.02 else {
                records[host].refuseCertificate()
                throw IssuanceFault(.certificate, .temporary, "damaged")
            }
            let validity = RenewalSchedule.Validity(
                notBefore: now - 3_600, notAfter: now - 3_600 + Self.life)
            validities[host] = validity
            allowance.succeed()
            records[host].succeed(now: now)
            records[host].plan(validity, random: random.fraction())
            if suggestsTimes {
                let middle = validity.notBefore + Self.life * 2 / 3
                records[host].take(
                    .init(start: middle - Self.life / 100, end: middle + Self.life / 100),
                    next: nil, now: now, random: random.fraction())
            }
        } catch {
            allowance.pause(after: error, of: names[host], now: now, random: random.fraction())
            if error.step.isOfAuthority {
                records[host].wait(error, until: allowance.pausedUntil, now: now)
            } else {
                records[host].fail(error, now: now, random: random.fraction())
            }
        }
    }
}

/// The limits of Let's Encrypt, which are token buckets.
private struct LimitedAuthority {
    enum Limit: Hashable { case orders, domain, names, failures, consecutiveFailures }

    private struct Bucket {
        let size: Double
        let secondsPerToken: Double
        var tokens: Double
        var time = 0

        init(_ size: Int, secondsPerToken: Int) {
            (self.size, tokens) = (Double(size), Double(size))
            self.secondsPerToken = Double(secondsPerToken)
        }

        mutating func fill(_ now: Int) {
            tokens = min(size, tokens + Double(now - time) / secondsPerToken)
            time = now
        }

        /// When there is a token again; nil if there is one.
        mutating func wait(_ now: Int) -> Int? {
            fill(now)
            return tokens >= 1 ? nil : now + Int((1 - tokens) * secondsPerToken) + 1
        }

        mutating func take(_ now: Int) {
            fill(now)
            tokens -= 1
        }
    }

    private(set) var refusals = [Limit: Int]()
    private(set) var issuedFirst = 0
    private var orders = Bucket(300, secondsPerToken: 36)
    private var domains = [String: Bucket]()
    private var names = [String: Bucket]()
    private var failures = [String: Bucket]()
    private var consecutive = [String: Bucket]()
    private var issued = Set<String>()

    private func domain(_ name: String) -> String {
        name.split(separator: ".").suffix(2).joined(separator: ".")
    }

    mutating func order(_ name: String, isReplacement: Bool, _ now: Int) throws(IssuanceFault) {
        try check(
            consecutive[name, default: Bucket(1_152, secondsPerToken: 86_400)].wait(now),
            .consecutiveFailures)
        guard !isReplacement else { return }
        try check(orders.wait(now), .orders)
        orders.take(now)
        try check(failures[name, default: Bucket(5, secondsPerToken: 720)].wait(now), .failures)
        try check(names[name, default: Bucket(5, secondsPerToken: 122_400)].wait(now), .names)
        // A renewal of the same names is exempt from this one.
        guard !issued.contains(name) else { return }
        try check(
            domains[domain(name), default: Bucket(50, secondsPerToken: 12_120)].wait(now), .domain)
    }

    mutating func noteFailure(of name: String, _ now: Int) {
        failures[name, default: Bucket(5, secondsPerToken: 720)].take(now)
        consecutive[name, default: Bucket(1_152, secondsPerToken: 86_400)].take(now)
    }

    mutating func issue(_ name: String, isReplacement: Bool, _ now: Int) {
        consecutive[name] = nil
        guard !isReplacement else { return }
        names[name, default: Bucket(5, secondsPerToken: 122_400)].take(now)
        guard issued.insert(name).inserted else { return }
        issuedFirst += 1
        domains[domain(name), default: Bucket(50, secondsPerToken: 12_120)].take(now)
    }

    private mutating func check(
        _ time: Int?, _ limit: Limit
    ) throws(IssuanceFault) {
        guard let time else { return }
        refusals[limit, default: 0] += 1
        var fault = IssuanceFault(.order, .rateLimited, type: "rateLimited", "too many")
        fault.retryTime = time
        throw fault
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
