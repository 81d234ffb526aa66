internal import Glibc
private import Synchronization

/// The changes in watched directories.
package struct WatchedChanges: Sendable {
    /// Entries that are no directories, by the bytes of their paths. The value is true if no writer
    /// is known that has not finished: the last event is that the file was closed after writing,
    /// renamed or removed.
    private var completeness = [[UInt8]: Bool]()
    /// Whether there are changes besides `paths`.
    package var areMore = false

    /// Nothing.
    package init() {}

    /// The entries that have changed and are no directories, by the bytes of their paths.
    package var paths: some Collection<[UInt8]> { completeness.keys }

    /// Whether all changes are known by their paths, and all writers have finished.
    package var areComplete: Bool {
        !areMore && !completeness.isEmpty && completeness.values.allSatisfy(\.self)
    }

    mutating func add(_ mask: UInt32, in directory: [UInt8]?, _ name: ArraySlice<UInt8>) {
        // Said of a directory that is not watched any more.
        guard mask & UInt32(IN_IGNORED) == 0 else { return }
        guard let directory, !name.isEmpty, mask & UInt32(IN_ISDIR) == 0,
            completeness.count < pathsMax
        else {
            areMore = true
            return
        }
        let path = directory + [slash] + name
        if mask & completing != 0 {
            completeness[path] = true
        } else if mask & UInt32(IN_CREATE) != 0 {
            completeness[path] = false
        } else {
            // A change of rights or times does not show whether somebody is writing.
            completeness[path] = completeness[path] ?? false
        }
    }
}

/// If more entries have changed, everything is compared.
private let pathsMax = 1024

private let slash = UInt8(ascii: "/")

// After these events, the file has its content, or is gone.
private let completing = UInt32(IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
