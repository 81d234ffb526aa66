package import Diagnostics

/// The state of the server, as each part of it was seen last. Times are in seconds since 1970.
package struct ServerHealth: Sendable {
    /// The number of the configuration that is served, and the time since which it is.
    package var generation = 1
    package var servedSince = 0
    /// The attempts to serve a configuration, the last first.
    package var reloads = [ReloadAttempt]()
    package var certificates = [CertificateHealth]()
    /// The time at which renewals were looked at; nil where no certificate is requested by itself.
    package var renewalsSeen: Int?
    /// The reason why no certificate is requested, in words; nil if there is none.
    package var obstacle: String?
    /// Nil where there is none.
    package var store: StoreHealth?
    package var fleet: FleetHealth?
    /// Nil where no host is checked.
    package var hosts: [CheckedHealth]?
    package var published = [PublishedHealth]()
    package var findings = FindingsHealth.underway

    package init() {}
}

/// Whether the time at which something was seen is too far from now. It can be later than now, where a clock was set. Nil is too far, too.
func isOld(_ seen: Int?, after seconds: Int, now: Int) -> Bool {
    seen.map { abs(now - $0) > seconds } ?? true
}

/// A judgement in words: the last is the worst.
enum HealthGrade: Int, Comparable {
    case well, notKnown, warning, unwell

    static func < (left: HealthGrade, right: HealthGrade) -> Bool { left.rawValue < right.rawValue }

    var text: ConsoleText {
        switch self {
        case .well: .gradeWell
        case .notKnown: .gradeNotKnown
        case .warning: .gradeWarning
        case .unwell: .gradeUnwell
        }
    }
}

/// The certificate of a host.
package struct CertificateHealth: Sendable {
    package enum State: Sendable {
        case served
        /// It is of an earlier configuration, or of what a file held before.
        case kept
        /// It is not issued yet.
        case awaited
        /// Handshakes are refused.
        case missing
    }

    package let host: String
    package var state = State.served
    package var end: Int?
    /// Whether it is requested and renewed by itself.
    package var isAutomatic = false
    package var renewAt: Int?
    /// Attempts that have failed since the last that has succeeded.
    package var failures = 0
    package var lastFault: String?
    package var lastFaultTime: Int?
    package var nextTry: Int?
    package var pauseReason: String?
    package var pausedUntil: Int?

    package init(_ host: String) { self.host = host }

    private static let soonSeconds = 14 * 86_400

    func grade(at now: Int) -> HealthGrade {
        guard state == .served || state == .kept, let end, end > now else { return .unwell }
        let isPaused = pausedUntil.map { $0 > now } ?? false
        // Certificates that are renewed by themselves may live for less than two weeks.
        let isLate =
            isAutomatic ? renewAt.map { $0 + 86_400 < now } ?? false : end < now + Self.soonSeconds
        return state == .kept || failures > 0 || isPaused || isLate ? .warning : .well
    }
}

/// The store of links.
package struct StoreHealth: Sendable {
    package enum State: Sendable {
        case opening, open
        /// It cannot be opened, with the reason in words.
        case closed(String)
        /// Links are answered, and cannot be changed.
        case failed(String)
    }

    package var state: State
    /// Whether it is a database that several servers share.
    package var isShared: Bool
    /// The path of its file, or its servers.
    package var place: String
    /// The name and the version of the database.
    package var software: String?
    /// The short names that are answered, and the memory that they take and may take.
    package var links: Int?
    package var bytes: Int?
    package var bytesMax: Int?
    /// The time at which it was looked at.
    package var seen: Int?

    package init(_ state: State, isShared: Bool, place: String) {
        (self.state, self.isShared, self.place) = (state, isShared, place)
    }

    /// It is looked at every five seconds.
    static let ageMax = 60

    func grade(at now: Int) -> HealthGrade {
        switch state {
        case .opening: .notKnown
        case .open: isOld(seen, after: Self.ageMax, now: now) ? .notKnown : .well
        case .failed: .warning
        case .closed: .unwell
        }
    }
}

/// The servers that share the store, as this one has seen them.
package struct FleetHealth: Sendable {
    package struct Node: Sendable {
        package let name, version, configuration: String
        package let isUp, isOwn: Bool
        package let behind, clockOffsetMilliseconds: Int
        package let seen: Int

        package init(
            _ name: String, version: String, configuration: String, isUp: Bool, isOwn: Bool,
            behind: Int, clockOffsetMilliseconds: Int, seen: Int
        ) {
            (self.name, self.version, self.configuration) = (name, version, configuration)
            (self.isUp, self.isOwn, self.behind) = (isUp, isOwn, behind)
            (self.clockOffsetMilliseconds, self.seen) = (clockOffsetMilliseconds, seen)
        }
    }

    package let nodes: [Node]
    package let configurations: Int
    package let seen: Int

    package init(_ nodes: [Node], configurations: Int, seen: Int) {
        (self.nodes, self.configurations, self.seen) = (nodes, configurations, seen)
    }

    /// They are looked at every five seconds.
    static let ageMax = 60

    func grade(at now: Int) -> HealthGrade {
        if isOld(seen, after: Self.ageMax, now: now) { return .notKnown }
        return configurations > 1 || nodes.contains { !$0.isUp } ? .warning : .well
    }
}

/// A host that is checked from outside.
package struct CheckedHealth: Sendable {
    package enum Verdict: Sendable { case healthy, warning, broken, unchecked }

    package let host: String
    /// Nil before the first check.
    package let verdict: Verdict?
    /// The first cause, and what to do, in words; nil if it is healthy.
    package let cause, advice: String?
    /// The times of the last check, and of the next.
    package let seen, next: Int?

    package init(
        _ host: String, _ verdict: Verdict?, cause: String? = nil, advice: String? = nil,
        seen: Int?, next: Int?
    ) {
        (self.host, self.verdict, self.cause) = (host, verdict, cause)
        (self.advice, self.seen, self.next) = (advice, seen, next)
    }

    /// A check that should have come so long ago has not.
    private static let lateSeconds = 600

    func isOld(at now: Int) -> Bool { next.map { $0 + Self.lateSeconds < now } ?? false }

    func grade(at now: Int) -> HealthGrade {
        switch verdict {
        case .healthy: isOld(at: now) ? .notKnown : .well
        case .warning: .warning
        case .broken: .unwell
        case .unchecked, nil: .notKnown
        }
    }
}

/// The files that the hosts of a site publish for apps.
package struct PublishedHealth: Sendable {
    package struct File: Sendable {
        /// The identifiers of the apps that it names.
        package let apps: [String]
        package let bytes: Int

        package init(_ apps: [String], bytes: Int) { (self.apps, self.bytes) = (apps, bytes) }
    }

    package let hosts, collections: [String]
    /// Nil where none is published.
    package let apple, android: File?

    package init(_ hosts: [String], collections: [String], apple: File?, android: File?) {
        (self.hosts, self.collections, self.apple, self.android) = (
            hosts, collections, apple, android
        )
    }
}

/// The findings of lint about the configuration that is served.
package enum FindingsHealth: Sendable {
    /// They are being looked for.
    case underway
    /// The file is not the one that is served any more.
    case otherFile(seen: Int)
    /// There was no memory to look for them.
    case noMemory(seen: Int)
    case found([Diagnostic], seen: Int)

    var grade: HealthGrade {
        switch self {
        case .underway, .otherFile, .noMemory: .notKnown
        case .found(let findings, _):
            switch findings.map(\.severity).max() {
            case .error: .unwell
            case .warning: .warning
            default: .well
            }
        }
    }
}
