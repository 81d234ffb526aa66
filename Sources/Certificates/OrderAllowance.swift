/// The times at which orders of one account may begin: at their pace, and not before the times that
/// its authority has named for the account or a domain. Times are in seconds since 1970.
package struct OrderAllowance: Hashable, Sendable {
    private var pace = OrderPace()
    /// The lines of the account's hosts.
    var turns = OrderTurns()
    /// The limit for the hosts of a registered domain; nil if none is known.
    let limit: DomainLimit?
    var domainPaces = [String: DomainPace]()
    /// First orders that have not ended yet, by domain.
    private var underway = [String: Int]()
    /// The authority could not be asked so often since the last certificate.
    package internal(set) var failures = 0
    /// The authority cannot be asked; it concerns all hosts.
    package internal(set) var outage: OrderPause?
    /// A limit of the account for new certificates.
    package internal(set) var account: OrderPause?
    /// Limits of domains for new certificates.
    package internal(set) var domains = [String: OrderPause]()

    package init(limit: DomainLimit? = nil) { self.limit = limit }

    init(limit: DomainLimit?, paces: [String: DomainPace]) {
        self.init(limit: limit)
        domainPaces = paces
    }

    /// The time at which the account's pace lets the next order begin.
    /// - Parameters:
    ///   - isByHand: whether somebody has ordered it.
    ///   - milliseconds: of a monotonic clock.
    func paced(isByHand: Bool = false, now: Int, milliseconds: Int) -> Int {
        let next = pace.next(now: milliseconds, isByHand: isByHand)
        return now + (next - milliseconds + 999) / 1_000
    }

    /// The pause that a host has to wait for; nil if it may begin.
    package func pause(of host: OrderSubject, now: Int) -> OrderPause? {
        var pauses = [outage]
        // Authorities exempt renewals from these: those that name the certificate that they replace,
        // and those of the same names.
        if host.validity == nil {
            pauses.append(account)
            var name = host.name.utf8[...]
            while true {
                pauses.append(domains[String(decoding: name, as: UTF8.self)])
                guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else { break }
                name = name[name.index(after: dot)...]
            }
            pauses.append(wait(of: host, now: now))
        }
        return pauses.compactMap(\.self).filter { $0.until(for: host) > now }
            .max { $0.until(for: host) < $1.until(for: host) }
    }

    /// The wait for the limit of its domain that no authority had to name.
    private func wait(of host: OrderSubject, now: Int) -> OrderPause? {
        guard let limit, let domain = host.domain else { return nil }
        let next = (domainPaces[domain] ?? DomainPace())
            .next(now: now, underway: underway[domain] ?? 0, limit)
        return OrderPause(
            since: now, until: next, isLimit: true,
            reason: "the authority issues \(limit.certificates) certificates in "
                + "\(limit.seconds / 86_400) days for hosts of \(domain)")
    }

    /// The allowance as another process has left it. That one has its own clock for the pace, so this one keeps its own.
    func following(_ other: OrderAllowance) -> OrderAllowance {
        var new = other
        (new.pace, new.turns) = (pace, turns)
        return new
    }

    /// Notes an order.
    package mutating func note(milliseconds: Int) { pace.note(now: milliseconds) }

    /// Takes back an order that was not made.
    mutating func forgive() { pace.forgive() }

    /// Notes that a host's first order begins.
    mutating func begin(inDomain domain: String) { underway[domain, default: 0] += 1 }

    /// Notes that it has ended.
    mutating func end(inDomain domain: String) {
        underway[domain] = underway[domain].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// Notes a certificate.
    /// - Parameter domain: of a host's first one.
    mutating func succeed(firstInDomain domain: String?, now: Int) {
        failures = 0
        outage = nil
        guard let limit, let domain else { return }
        domainPaces = domainPaces.filter { $0.value.fullAt > now }
        domainPaces[domain, default: DomainPace()].note(now: now, limit)
    }

    /// Forgets the pauses, where the settings or the clock have changed.
    package mutating func forgetPauses() {
        forgetOutage()
        (account, domains) = (nil, [:])
    }

    /// Lets the authority be asked at once, because somebody may have removed what was in the way.
    package mutating func forgetOutage() {
        guard outage?.isLimit != true else { return }
        (failures, outage) = (0, nil)
    }

    /// Keeps other hosts from running into the same refusal.
    /// - Parameter random: from 0 to 1.
    package mutating func pause(
        after fault: IssuanceFault, of host: OrderSubject, now: Int, random: Double
    ) {
        let isLimit = fault.kind == .rateLimited
        func pause(until time: Int) -> OrderPause {
            OrderPause(since: now, until: time, isLimit: isLimit, reason: fault.description)
        }
        switch fault.step {
        case .directory, .nonce, .account:
            failures += 1
            // What passes by itself is over within hours. Each host waits as long as its life allows.
            outage = pause(
                until: RenewalSchedule.retryTime(
                    failures: min(failures, 3), isPassing: fault.kind == .temporary,
                    notBefore: fault.retryTime.map { ($0, isLimit) }, nil, now: now, random: random)
            )
        case .order where isLimit:
            let limited = pause(until: min(fault.retryTime ?? now + 3_600, now + Self.pauseMax))
            domains = domains.filter { $0.value.until > now }
            switch LimitScope(fault.detail, host) {
            case .host: break
            case .account: account = limited
            case .domain(let name): domains[name] = limited
            }
        case .order, .authorization, .challenge, .finalize, .certificate: break
        }
    }

    private static let pauseMax = 7 * 86_400
}

/// A host, as far as limits concern it.
package struct OrderSubject: Hashable, Sendable {
    package let name: String
    /// The registered domain that it belongs to; nil if that is not known.
    package let domain: String?
    /// Of its certificate; nil if it has none.
    package let validity: RenewalSchedule.Validity?

    package init(name: String, domain: String?, validity: RenewalSchedule.Validity?) {
        self.name = name
        self.domain = domain
        self.validity = validity
    }
}

/// A time for which hosts wait together, in seconds since 1970.
package struct OrderPause: Hashable, Sendable {
    package let since, until: Int
    /// Whether a limit is the reason.
    package let isLimit: Bool
    package let reason: String

    /// The time at which it ends for a host, whose certificate may not live so long.
    package func until(for host: OrderSubject) -> Int {
        min(until, since + RenewalSchedule.waitSecondsMax(host.validity, now: since))
    }
}

/// Whom a limit concerns, by the words of the authority that has named it (those of Let's Encrypt); where
/// it says nothing of it, the registered domain.
enum LimitScope: Hashable {
    case host, account
    case domain(String)

    init(_ words: String, _ host: OrderSubject) {
        func says(_ phrase: String) -> Bool { words.firstRange(of: phrase) != nil }
        let named = words.utf8.split(separator: UInt8(ascii: "\""), maxSplits: 2)
            .dropFirst().first.map { String(decoding: $0, as: UTF8.self) }
        if says("exact set") || says("failed authorizations") {
            self = .host
        } else if let named, Self.covers(named, host.name) {
            self = .domain(named)
        } else if says("from this account") || says("new orders") {
            self = .account
        } else {
            self = host.domain.map { .domain($0) } ?? .host
        }
    }

    private static func covers(_ domain: String, _ host: String) -> Bool {
        !domain.isEmpty
            && (host == domain || host.utf8.reversed().starts(with: ".\(domain)".utf8.reversed()))
    }
}
