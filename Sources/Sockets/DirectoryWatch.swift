internal import Glibc
private import Synchronization

/// Reports that something has changed in one of several directories (inotify(7)): an entry was
/// created, removed, renamed, given other rights, or closed after writing. One thread can set the
/// directories, which can take long on some file systems, while another waits for changes.
package final class DirectoryWatch: Sendable {
    private let descriptor: Descriptor
    private let watched = Mutex(Watched())

    private struct Watched: Sendable {
        /// The numbers that the kernel has given.
        var numbers = Set<CInt>()
        /// The directories whose entries are watched, by their numbers.
        var paths = [CInt: [UInt8]]()
    }

    /// A watch on no directories.
    package init() throws(SystemError) {
        let number = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else { throw SystemError("inotify_init1") }
        descriptor = Descriptor(number)
    }

    /// Watches exactly these directories, given by the bytes of their paths. If a directory does
    /// not exist, the nearest existing parent is watched, where it may appear. For an existing
    /// directory, its parents are watched too, because they can be moved away.
    /// - Throws: an error if the system's limit on watches is reached; then only some directories
    ///   are watched.
    package func watch(_ directories: Set<[UInt8]>) throws(SystemError) {
        var found = Set<CInt>()
        var paths = [CInt: [UInt8]]()
        var failure: SystemError?
        for directory in directories {
            var path = directory
            let number = addNearest(&path)
            if number >= 0 {
                found.insert(number)
                paths[number] = path
            } else if errno == ENOSPC || errno == ENOMEM {
                failure = SystemError("inotify_add_watch")
            }
        }
        for directory in Set(directories.flatMap(directoriesAbove)) {
            // A directory that is already watched, under any name, stays watched.
            let number = add(directory, moveMask | UInt32(IN_MASK_ADD))
            guard number >= 0, found.insert(number).inserted else { continue }
            _ = add(directory, moveMask)
        }
        let before = watched.withLock { watched in
            defer { watched = Watched(numbers: found, paths: paths) }
            return watched.numbers
        }
        for number in before.subtracting(found) {
            _ = inotify_rm_watch(descriptor.number, number)
        }
        if let failure { throw failure }
    }

    private func addNearest(_ position: inout [UInt8]) -> CInt {
        let isAbsolute = position.first == slash
        while true {
            let number = add(position, mask)
            guard number < 0, errno == ENOENT || errno == ENOTDIR, position != [slash],
                position != here
            else { return number }
            let name = position.reversed().prefix { $0 != slash }.count
            position = Array(position.dropLast(name + 1))
            if position.isEmpty { position = isAbsolute ? [slash] : here }
        }
    }

    private func add(_ path: [UInt8], _ mask: UInt32) -> CInt {
        let path = path.map { CChar(bitPattern: $0) } + [0]
        return unsafe inotify_add_watch(descriptor.number, path, mask)
    }

    /// Adds what has changed since it was asked for last.
    package func take(after before: WatchedChanges = WatchedChanges()) -> WatchedChanges {
        let paths = watched.withLock { $0.paths }
        var changes = before
        var events = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe read(descriptor.number, &events, events.count)
            guard count > 0 else { return changes }
            var start = 0
            while start + eventBytes <= count {
                let event = unsafe events.withUnsafeBytes {
                    unsafe $0.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                }
                let name = events[start + eventBytes..<start + eventBytes + Int(event.len)]
                start += eventBytes + Int(event.len)
                changes.add(event.mask, in: paths[event.wd], name.prefix { $0 != 0 })
            }
        }
    }

    /// For poll(2), until a change is taken.
    var number: CInt { descriptor.number }

    /// Lets a change wake this poller, with an event that has the token.
    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
        try poller.add(descriptor, .reading, token: token)
    }
}

private let eventBytes = MemoryLayout<inotify_event>.size

/// Every beginning of a path that names a directory above it, the root left out.
private func directoriesAbove(_ path: [UInt8]) -> [[UInt8]] {
    path.indices.dropFirst().filter { path[$0] == slash }.map { Array(path[..<$0]) }
}

private let slash = UInt8(ascii: "/")

private let here = [UInt8(ascii: ".")]

// Without IN_MODIFY, because a log in the directory would cause an event for each line.
let mask =
    UInt32(
        IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVED_FROM
            | IN_MOVED_TO | IN_MOVE_SELF) | UInt32(IN_ONLYDIR)

// Other changes in a parent directory are ignored.
private let moveMask = UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
