import Files
import Sockets

/// Notices the orders that `waymark certificates` leaves in a directory. The kernel tells of them, on
/// most file systems; elsewhere a look at the directory shows them.
struct Arrivals {
    /// Ends the wait of the thread that takes the orders; nil where the system allows no more of them.
    let directories: DirectoryWatch?
    private let path: String
    private var stamp: FileStamp?

    init(_ directory: CertificateDirectory) {
        path = directory.renewals
        directories = try? DirectoryWatch()
    }

    /// Whether there may be orders that were not taken.
    mutating func take() -> Bool {
        let changes = directories?.take() ?? WatchedChanges()
        // Where it was not there before, a directory above it was watched.
        if stamp == nil || changes.areMore { try? directories?.watch([Array(path.utf8)]) }
        let before = stamp
        stamp = FileStamp(of: path)
        return stamp != nil && (stamp != before || !changes.paths.isEmpty || changes.areMore)
    }
}
