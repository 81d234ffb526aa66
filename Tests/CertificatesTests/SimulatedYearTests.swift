import Testing

@testable import Certificates

/// Renewals through a year.
@Suite("A simulated year")
struct SimulatedYearTests {
    /// The limits that Let's Encrypt publishes, through a year in which things fail: attempts of all
    /// hosts, the authority for half a day, certificates that cannot be used, and hosts that never
    /// succeed. On one day, all certificates have to be renewed at once.
    ///
    /// Of a domain's hosts, fifty get their first certificate at once, and then one in 202 minutes.
    @Test(arguments: [true, false], [true, false])
    func `a year of a thousand hosts is within what an authority allows`(
        suggests: Bool, isOneDomain: Bool
    ) throws {
        var year = SimulatedYear(suggestsTimes: suggests, isOneDomain: isOneDomain)
        year.run()
        // Of these limits, none is ever reached.
        #expect(year.authority.refusals.filter { $0.key != .domain } == [:])
        // What was issued and could not be used is counted by the authority alone.
        let issued = year.authority.issuedFirst
        let refused = year.authority.refusals[.domain, default: 0]
        #expect(refused <= issued / 20, "\(refused) of \(issued)")
        let entries = year.plan.entries
        #expect(
            entries.indices.allSatisfy { year.isHopeless($0) || entries[$0].validity != nil })
        #expect(year.ends == 0)
        if isOneDomain {
            let days = (year.lastFirst ?? 0) / 86_400
            #expect(
                (125...150).contains(days), "the last host has its certificate after \(days) days")
        }
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
    private(set) var plan = RenewalPlan()
    private(set) var attempts = [Int](repeating: 0, count: hosts)
    /// When orders have begun.
    private(set) var orders = [Int]()
    /// Certificates that have ended before they were renewed.
    private(set) var ends = 0
    /// When the last host has got its first certificate.
    private(set) var lastFirst: Int?
    private let suggestsTimes, isOneDomain: Bool
    private var random = SplitMix(state: 20_261_124)
    private let names: [String]

    private static let hosts = 1_000
    private static let day = 86_400
    private static let life = 90 * day
    private static let outage = 100 * day..<100 * day + day / 2
    private static let revocation = 200 * day

    /// - Parameter isOneDomain: whether all are of one registered domain; else three in ten.
    init(suggestsTimes: Bool, isOneDomain: Bool) {
        (self.suggestsTimes, self.isOneDomain) = (suggestsTimes, isOneDomain)
        let names = (0..<Self.hosts).map { host in
            isOneDomain
                ? "h\(host).links.example.com"
                : host % 10 < 3 ? "h\(host).example.com" : "h\(host).d\(host / 10).example"
        }
        self.names = names
        plan.take(
            names.map { name in
                .init(
                    host: name, authorities: [.init("ca")], domain: LimitedAuthority.domain(name),
                    record: HostRecord(), validity: nil)
            },
            { _ in OrderAllowance(limit: DomainLimit(certificates: 50, seconds: 7 * Self.day)) })
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
        var dues = Dues(count: names.count)
        while now < 365 * Self.day {
            if !isRevoked, now >= Self.revocation {
                isRevoked = true
                for (host, name) in names.enumerated() {
                    guard let validity = plan[name]?.validity else { continue }
                    let fraction = random.fraction()
                    plan.update(name) {
                        $0.record.take(
                            .init(start: now - 3_600, end: now - 1_800), next: nil, validity,
                            now: now, random: fraction)
                    }
                    dues[host] = now
                }
            }
            let host = dues.first
            guard let entry = plan[names[host]] else { return }
            let paced = plan.allowances["ca"]?.paced(now: now, milliseconds: now * 1_000) ?? 0
            let due = max(dues[host], paced)
            guard due <= now else {
                now = isRevoked ? due : min(due, max(now + 1, Self.revocation))
                continue
            }
            dues[host] = plan.due(entry, now: now, milliseconds: now * 1_000)
            guard dues[host] <= now else {
                if isOneDomain, entry.validity == nil { postpone(&dues, to: dues[host], now) }
                continue
            }
            attempt(host, now)
            guard let after = plan[names[host]] else { return }
            dues[host] = after.record.due(after.validity, now: now)
        }
    }

    /// Other hosts without a certificate would find the same; so the test takes seconds, not minutes.
    private func postpone(_ dues: inout Dues, to due: Int, _ now: Int) {
        for host in names.indices where dues[host] <= now {
            if plan[names[host]]?.validity == nil { dues[host] = due }
        }
    }

    private mutating func attempt(_ host: Int, _ now: Int) {
        let name = names[host]
        guard let entry = plan[name] else { return }
        attempts[host] += 1
        if let validity = entry.validity, validity.notAfter <= now { ends += 1 }
        let isResumed = entry.record.order.order != nil
        plan.begin(name, now: now, milliseconds: now * 1_000)
        do throws(IssuanceFault) {
            guard !Self.outage.contains(now) else {
                throw IssuanceFault(.directory, .temporary, "no route")
            }
            let isReplacement = suggestsTimes && entry.validity != nil
            if !isResumed {
                orders.append(now)
                try authority.order(name, isReplacement: isReplacement, now)
                plan.update(name) { $0.record.order.order = "https://ca.example/o" }
                guard !isHopeless(host), random.fraction() >= 0.05 else {
                    plan.update(name) { $0.record.order.order = nil }
                    authority.noteFailure(of: name, now)
                    throw IssuanceFault(.challenge, .challenge, "no")
                }
                authority.issue(name, isReplacement: isReplacement, now)
            }
            guard random.fraction() >= 0.02 else {
                plan.update(name) { $0.record.refuseCertificate() }
                throw IssuanceFault(.certificate, .temporary, "damaged")
            }
            succeed(name, now)
        } catch {
            plan.fail(name, error, now: now, random: random.fraction())
        }
    }

    private mutating func succeed(_ name: String, _ now: Int) {
        if plan[name]?.validity == nil { lastFirst = now }
        let validity = RenewalSchedule.Validity(
            notBefore: now - 3_600, notAfter: now - 3_600 + Self.life)
        plan.succeed(name, validity, now: now, random: random.fraction())
        guard suggestsTimes else { return }
        let middle = validity.notBefore + Self.life * 2 / 3
        let fraction = random.fraction()
        plan.update(name) {
            $0.record.take(
                .init(start: middle - Self.life / 100, end: middle + Self.life / 100),
                next: nil, validity, now: now, random: fraction)
        }
    }
}

/// The times at which hosts are to be looked at, in groups whose first ones are known.
private struct Dues {
    private var times: [Int]
    private var firsts: [Int]
    private static let groupSize = 32

    init(count: Int) {
        times = [Int](repeating: 0, count: count)
        firsts = stride(from: 0, to: count, by: Self.groupSize).map(\.self)
    }

    /// The host that comes first.
    var first: Int {
        var first = firsts[0]
        for other in firsts where times[other] < times[first] { first = other }
        return first
    }

    subscript(host: Int) -> Int {
        get { times[host] }
        set {
            times[host] = newValue
            let start = host / Self.groupSize * Self.groupSize
            var first = start
            for other in start..<min(start + Self.groupSize, times.count)
            where times[other] < times[first] {
                first = other
            }
            firsts[host / Self.groupSize] = first
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

    static func domain(_ name: String) -> String {
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
        let domain = Self.domain(name)
        try check(
            domains[domain, default: Bucket(50, secondsPerToken: 12_096)].wait(now), .domain,
            "too many certificates (50) already issued for \"\(domain)\" in the last 168h0m0s")
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
        domains[Self.domain(name), default: Bucket(50, secondsPerToken: 12_096)].take(now)
    }

    private mutating func check(
        _ time: Int?, _ limit: Limit, _ words: String = "too many new orders"
    ) throws(IssuanceFault) {
        guard let time else { return }
        refusals[limit, default: 0] += 1
        var fault = IssuanceFault(.order, .rateLimited, type: "rateLimited", words)
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
