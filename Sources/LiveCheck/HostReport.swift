import Diagnostics
package import SiteConfiguration
import Sockets

/// The meaning of a host's survey: a verdict, its first cause, and the findings of each step.
package struct HostReport: Sendable {
    package let host: String
    package let verdict: Verdict
    /// The fault that is first on the way from the host's name to the app; the others may be its
    /// consequences. Nil if the host is healthy.
    package let cause: (hop: Hop, finding: LiveFinding)?
    /// The clients that cannot use the links because of the cause, in the order of the cases.
    package let affects: [Affected]
    package let hops: [HopReport]

    package enum Verdict: String, Sendable {
        case healthy, warning, broken
        /// Nothing could be asked, because this machine has no way to the host.
        case unchecked
    }

    /// One step, at one address where it has one.
    package struct HopReport: Sendable {
        package let hop: Hop
        package let address: String?
        package let status: Status
        package let milliseconds: Int?
        package let findings: [LiveFinding]
    }

    package enum Status: String, Sendable {
        case passed, warning, failed, unchecked
    }

    /// - Parameters:
    ///   - expected: the files that the configuration generates; nil if there is none.
    ///   - now: seconds since 1970.
    package init(_ survey: HostSurvey, expected: ExpectedFiles? = nil, now: Int) {
        let judge = Judge(survey: survey, expected: expected, now: now)
        host = survey.host
        hops = judge.hops.linked
        let found = hops.flatMap { hop in hop.findings.map { (hop: hop.hop, finding: $0) } }
        let worst = found.map(\.finding.severity).max() ?? .note
        let cause =
            worst == .note
            ? nil : found.filter { $0.finding.severity == worst }.min { $0.hop < $1.hop }
        self.cause = cause
        let ofCause = found.filter { other in
            other.finding.severity == worst
                && [other.finding.rule, other.finding.follows].contains(cause?.finding.rule)
        }
        let affected = Set(ofCause.flatMap { $0.finding.rule.affects($0.hop) })
        affects = cause == nil ? [] : Affected.allCases.filter(affected.contains)
        verdict =
            if judge.isUnreached {
                .unchecked
            } else {
                switch worst {
                case .error: .broken
                case .warning: .warning
                case .note: .healthy
                }
            }
    }
}

/// The expectations of a host: the platforms that it has apps for, and its association files as far
/// as they are known.
package struct ExpectedFiles: Sendable {
    let (hasApple, hasAndroid): (Bool, Bool)
    /// The files that a configuration generates; nil where it generates none, or none is known.
    let (apple, android): ([UInt8]?, [UInt8]?)
    /// The other files below `/.well-known/`.
    let wellKnown: WellKnownFiles

    /// A configuration has apps for the platforms that it generates a file for.
    package init(apple: [UInt8]?, android: [UInt8]?, wellKnown: WellKnownFiles = WellKnownFiles()) {
        (self.apple, self.android, self.wellKnown) = (apple, android, wellKnown)
        (hasApple, hasAndroid) = (apple != nil, android != nil)
    }

    /// Apps whose files are not known.
    package init(hasApple: Bool, hasAndroid: Bool) {
        (self.hasApple, self.hasAndroid) = (hasApple, hasAndroid)
        (apple, android, wellKnown) = (nil, nil, WellKnownFiles())
    }
}

extension HostReport.HopReport {
    init(hop: Hop, address: String?, milliseconds: Int?, findings: [LiveFinding]) {
        let status: HostReport.Status =
            switch findings.map(\.severity).max() {
            case .error: .failed
            case .warning: .warning
            default:
                findings.contains { $0.rule.isUnchecked || $0.rule.isUnread } ? .unchecked : .passed
            }
        self.init(
            hop: hop, address: address, status: status, milliseconds: milliseconds,
            findings: findings)
    }

    /// With the findings changed.
    func with(_ changed: [LiveFinding]) -> HostReport.HopReport {
        .init(hop: hop, address: address, milliseconds: milliseconds, findings: changed)
    }

    func adding(_ more: [LiveFinding]) -> HostReport.HopReport {
        .init(hop: hop, address: address, milliseconds: milliseconds, findings: findings + more)
    }
}

extension [HostReport.HopReport] {
    /// With what follows from a fault earlier on the same way: the same fault in the other file, what
    /// a service says of it, and what a connection suffers after its handshake.
    var linked: [HostReport.HopReport] {
        var earlier = [(hop: Hop, address: String?, rule: LiveRule, root: LiveRule)]()
        return map { hop in
            let changed = hop.findings.map { finding in
                guard finding.severity > .note else { return finding }
                var finding = finding
                let causes = earlier.filter { cause in
                    cause.rule == finding.rule
                        || hop.hop.follows(cause.hop, cause.rule)
                            && (hop.hop >= .cdn || cause.address == hop.address)
                }
                finding.follows = causes.first?.root
                return finding
            }
            earlier += changed.filter { $0.severity == .error }
                .map { (hop.hop, hop.address, $0.rule, $0.follows ?? $0.rule) }
            return hop.with(changed)
        }
    }
}

extension Hop {
    /// Whether a fault of an earlier step can be the reason of one here.
    func follows(_ earlier: Hop, _ rule: LiveRule) -> Bool {
        switch self {
        case .dns: false
        case .connect, .tls, .apple, .android, .http, .wellKnown: earlier < .apple && earlier < self
        case .cdn: earlier <= .apple
        case .google:
            earlier <= .tls || earlier == .android
                // What refuses or drops Apple's requests does so with Google's.
                || [.appleTimeout, .appleFiltered, .applePrivateAddress].contains(rule)
        }
    }
}

extension NameResolution {
    var words: String {
        switch self {
        case .addresses(let addresses):
            addresses.count == 1 ? "1 address" : "\(addresses.count) addresses"
        case .none: "none"
        case .failed(let reason): reason
        }
    }
}

extension LiveRule {
    var isUnchecked: Bool {
        [.familyUnchecked, .appleUnchecked, .googleUnchecked, .includeUnchecked].contains(self)
            || self == .resolverFailed
    }

    /// Whether nothing is known of a file's content. For a file that nobody needs, it is a note.
    fileprivate var isUnread: Bool {
        [.connectionLost, .slowAnswer, .malformedAnswer].contains(self)
    }
}
