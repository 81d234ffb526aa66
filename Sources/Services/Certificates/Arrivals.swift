import Files
import Sockets

/// Notices the orders that `waymark certificates` leaves in a directory. On most file systems the
/// kernel tells of them; on others, a look at the directory shows them.
struct Arrivals {
    /// Ends the wait of the thread that takes the orders; nil if the system allows no more watches.
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
        // If the directory did not exist before, a directory above it was watched.
        if stamp == nil || changes.areMore { try? directories?.watch([Array(path.utf8)]) }
        let before = stamp
        stamp = FileStamp(of: path)
        return stamp != nil && (stamp != before || !changes.paths.isEmpty || changes.areMore)
    }
}
