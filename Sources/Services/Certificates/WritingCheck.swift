import Diagnostics
private import SiteConfiguration

/// A check, from time to time, whether a directory of automatic certificates can still be written:
/// otherwise nobody would know before the next renewal, which may be weeks away.
struct WritingCheck {
    /// The reason why it cannot be written; nil if it can.
    private(set) var fault: Diagnostic?
    /// In milliseconds of the monotonic clock.
    private var lookAt = 0

    /// - Parameters:
    ///   - isHurried: whether somebody wants to know now.
    ///   - now: in milliseconds of the monotonic clock.
    /// - Returns: the fault, if it is a new one.
    mutating func look(
        _ directory: CertificateDirectory, _ hosts: AutomaticHosts, isHurried: Bool,
        milliseconds now: Int
    ) -> Diagnostic? {
        guard isHurried || now >= lookAt, let host = hosts.byName.values.first else { return nil }
        lookAt = now + Self.pauseMilliseconds
        let before = fault
        fault = directory.writingFault(at: host.automatic.position)?.diagnostic
        return fault?.message == before?.message ? nil : fault
    }

    private static let pauseMilliseconds = 60_000
}
