package import Diagnostics
package import LiveCheck

/// An event of a service that its operator should hear of at once.
package enum ServiceEvent: Hashable, Sendable {
    case finding(Diagnostic)
    /// The links of a store are answered now: so many slugs, after this time. Its tables were upgraded
    /// from that version.
    case storeOpened(
        path: String, slugs: Int, milliseconds: Int, upgradedFrom: Int?, node: String? = nil)
    /// Links can be changed again.
    case storeRecovered(path: String)
    /// The node is notified again of what other nodes change.
    case notificationsArrive
    /// A host has its first automatic certificate, or another; it ends then, in seconds since 1970.
    /// - Parameter isOther: whether it is not the first of the host's authorities.
    case certificateIssued(
        host: String, authority: String, isOther: Bool, isRenewal: Bool, notAfter: Int,
        milliseconds: Int)
    /// A test authority has issued a certificate, which is not used.
    case certificateRehearsed(host: String, authority: String)
    /// An authority has made an account, for the first certificate, or because its key was lost.
    case accountMade(authority: String, terms: String?)
    /// An authority asks for a renewal at another time, and explains it at a URL.
    case renewalMoved(host: String, to: Int, explanation: String)
    /// A program that sets and clears records in DNS has written something, for a host's certificate.
    case programOutput(host: String, text: String)
    /// A check of a host has found something else than the one before.
    case hostChecked(HostChange)
}
