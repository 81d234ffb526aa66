package import Diagnostics

/// A fault of a live site, or something to know about it.
package struct LiveFinding: Hashable, Sendable {
    package let rule: LiveRule
    package let severity: Severity
    /// The fact, in lower case without a full stop.
    package let message: String
    /// The evidence, such as a line of a response; nil if the message states all.
    package let evidence: String?
    package let advice: String
    /// The rule of the fault from which this one follows; nil if it stands by itself.
    package internal(set) var follows: LiveRule?

    init(
        _ severity: Severity, _ rule: LiveRule, _ message: String, evidence: String? = nil,
        advice: String? = nil
    ) {
        self.rule = rule
        self.severity = severity
        self.message = message
        self.evidence = evidence
        self.advice = advice ?? rule.advice
    }
}

/// A step on the way from a host's name to a link that opens an app, in order. A fault of one step
/// mostly causes faults of later ones.
package enum Hop: String, CaseIterable, Comparable, Sendable {
    case dns, connect, tls
    case apple = "apple-file"
    case android = "android-file"
    case http
    case wellKnown = "well-known"
    case cdn = "apple-cdn"
    case google

    package static func < (left: Hop, right: Hop) -> Bool {
        guard let first = allCases.firstIndex(of: left), let second = allCases.firstIndex(of: right)
        else { return false }
        return first < second
    }
}

/// The clients that cannot use the links because of a fault.
package enum Affected: String, CaseIterable, Sendable {
    /// Devices that install or update the app.
    case apple = "apple-new-installs"
    /// Devices that have the app: they ask again about once a week.
    case installed = "apple-installed"
    case android = "android-new-installs"
    /// People without the app.
    case browsers
    /// Programs that read pages: previews in messengers, search engines.
    case previews

    /// For people.
    package var words: String {
        switch self {
        case .apple: "iPhones, iPads and Macs that install or update the app"
        case .installed: "those that have the app, when they ask again, about once a week"
        case .android: "Android devices that install or update the app"
        case .browsers: "browsers"
        case .previews: "previews and search engines"
        }
    }
}
