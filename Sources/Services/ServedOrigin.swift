package import Memory
package import Snapshots
import Sockets

/// The parts of an origin that services and loops share: the snapshot that is answered from, the
/// reloads that led to it, and what services have found for those who ask. Usable on any thread.
package final class ServedOrigin: Sendable {
    package let published: Published<Snapshot>
    package let reloads = ReloadState(now: Clock.unixSeconds)
    /// The figures of automatic certificates.
    package let renewals = RenewalFigures()
    /// The findings of the watch.
    package let checks = HostChecks()
    /// The findings of lint about what is served.
    package let findings = RunningFindings()

    package init(_ snapshot: Snapshot) { published = Published(snapshot) }

    /// The snapshot that is answered from now.
    package var snapshot: Snapshot { published.value }
}
