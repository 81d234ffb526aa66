import Diagnostics
import Origin
import Services
import Snapshots

/// Places in files that have changed since what is served was read of them: another line is there by
/// now, so messages about what is served do not name them.
struct OldPlaces {
    /// Whether all are: the last configuration was refused.
    private var areAll = false
    /// The files of sites that are served as they were before.
    private var files = Set<String>()

    init(_ server: OriginServer) {
        self.init(keptIn: server.snapshot)
        areAll = !server.reloads.isLastGood
    }

    /// Those of the sites that a snapshot serves as they were before.
    init(keptIn snapshot: Snapshot) {
        files = Set(snapshot.siteFaults.filter(\.isKept).map(\.position.file))
    }

    /// A finding about what is served, without a place that is old.
    func hiding(_ finding: Diagnostic) -> Diagnostic {
        guard let position = finding.position, areAll || files.contains(position.file) else {
            return finding
        }
        return finding.withoutPlace
    }
}
