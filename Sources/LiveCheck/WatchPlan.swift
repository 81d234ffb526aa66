/// The next check of a watch's hosts, and the news in its result: a value without a thread, a clock
/// or a connection. Times are in seconds since 1970.
package struct WatchPlan: Sendable {
    private var watched = [Watched]()
    /// The time between two checks of a host; nil where nothing is to be checked.
    private var seconds: Int?

    private struct Watched {
        var host: CheckedHost
        var due: Int
        var wasReached = false
    }

    package enum Action: Sendable {
        case check(CheckedHost)
        /// Nothing is due before, unless there are other hosts.
        case wait(milliseconds: Int)
    }

    package struct News: Sendable {
        /// Whether the host's name leads to a server now, and did not at the check before. It does
        /// not matter whether the server's certificate is right.
        package let isReached: Bool
        /// Nil if it is nothing that an operator has to know.
        package let change: HostChange?
    }

    package init() {}

    /// The hosts with the times of their next checks; nil where nothing is to be checked.
    package var hosts: [(host: CheckedHost, next: Int)]? {
        seconds == nil ? nil : watched.map { ($0.host, $0.due) }
    }

    /// Takes the hosts that are watched from now on. A host that was watched before keeps its
    /// result.
    /// - Parameters:
    ///   - seconds: the time between two checks; nil where nothing is to be checked.
    ///   - isOther: whether other settings are to be seen at work.
    package mutating func take(
        _ hosts: [CheckedHost], every seconds: Int?, isOther: Bool, now: Int
    ) {
        self.seconds = seconds
        let known = Dictionary(watched.map { ($0.host.name, $0) }) { first, _ in first }
        watched = hosts.map { host in
            var host = host
            guard let before = known[host.name], before.host.port == host.port else {
                return Watched(host: host, due: now)
            }
            host.goOn(from: before.host, withCopies: !isOther)
            // Other settings and a first certificate are checked at once.
            let isDue = isOther || host.last == nil
            return Watched(host: host, due: isDue ? now : before.due, wasReached: before.wasReached)
        }
    }

    package func next(now: Int) -> Action {
        guard let seconds else { return .wait(milliseconds: .max) }
        // A later time was planned before the clock was set back.
        let latest = now + seconds + seconds / 5
        func due(_ host: Watched) -> Int { host.due > latest ? now : host.due }
        guard let first = watched.min(by: { due($0) < due($1) }) else {
            return .wait(milliseconds: .max)
        }
        guard due(first) > now else { return .check(first.host) }
        return .wait(milliseconds: min((due(first) - now) * 1_000, Self.restMilliseconds))
    }

    /// The longest wait before the clock is looked at again, because it may be set meanwhile.
    private static let restMilliseconds = 300_000

    /// Takes a host that was checked.
    /// - Parameters:
    ///   - isAwaited: whether its first certificate is awaited. Until then, only `isReached` is
    ///     news.
    ///   - now: the time at which the check began.
    ///   - random: from 0 to 1; hosts that were checked together come apart.
    package mutating func take(
        _ host: CheckedHost, isAwaited: Bool, now: Int, random: Double
    ) -> News {
        guard let seconds, let found = host.last?.report,
            let index = watched.firstIndex(where: { $0.host.name == host.name })
        else { return News(isReached: false, change: nil) }
        let before = watched[index]
        watched[index].due = now + seconds + Int(Double(seconds) * 0.2 * (random - 0.5))
        watched[index].wasReached = found.isReached
        let isReached = found.isReached && !before.wasReached
        if isAwaited { return News(isReached: isReached, change: nil) }
        watched[index].host = host
        // Of a healthy host, the first check is no news.
        let last = before.host.last?.report
        let isKnown = last.map(found.isSame) ?? (found.verdict == .healthy)
        return News(isReached: isReached, change: isKnown ? nil : HostChange(found, last))
    }
}

/// The change in a host's result from one check to the next.
package struct HostChange: Hashable, Sendable {
    package let host: String
    package let verdict: HostReport.Verdict
    package let hop: Hop?
    package let finding: LiveFinding?
    /// Whether the host was healthy before, or was not checked.
    package let wasHealthy: Bool

    init(_ report: HostReport, _ before: HostReport?) {
        (host, verdict) = (report.host, report.verdict)
        (hop, finding) = (report.cause?.hop, report.cause?.finding)
        wasHealthy = before.map { $0.verdict == .healthy } ?? true
    }
}

extension HostReport {
    /// Whether the host's name leads to a server that shakes hands, if only with a certificate that
    /// clients refuse, such as a placeholder.
    fileprivate var isReached: Bool {
        switch verdict {
        case .healthy, .warning: true
        case .unchecked: false
        case .broken:
            switch cause {
            case (.tls, let finding)?:
                finding.rule != .notTLS && finding.rule != .handshakeFailed
            case (.dns, _)?, (.connect, _)?, nil: false
            default: true
            }
        }
    }
}
