internal import Glibc
private import Synchronization

/// Says that something has changed in one of several directories (inotify(7)): an entry was made,
/// removed, renamed, given other rights, or closed after it was written. One thread may name the
/// directories, which can take long on some file systems, while another waits for changes.
package final class DirectoryWatch: Sendable {
    private let descriptor: Descriptor
    private let numbers = Mutex(Set<CInt>())

    /// Watches nothing yet.
    package init() throws(SystemError) {
        let number = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else { throw SystemError("inotify_init1") }
        descriptor = Descriptor(number)
    }

    /// Watches these directories, by the bytes of their paths, and no others. In place of one that
    /// is not there the nearest above it is watched, where it may come; where one is, those above
    /// it could be moved away.
    /// - Throws: when the system watches no more; some of them are watched then.
    package func watch(_ directories: Set<[UInt8]>) throws(SystemError) {
        var found = Set<CInt>()
        var failure: SystemError?
        for directory in directories {
            let number = addNearest(directory)
            if number >= 0 {
                found.insert(number)
            } else if errno == ENOSPC || errno == ENOMEM {
                failure = SystemError("inotify_add_watch")
            }
        }
        for directory in Set(directories.flatMap(directoriesAbove)) {
            // What is watched for itself already, under whatever name, goes on being so.
            let number = add(directory, moveMask | UInt32(IN_MASK_ADD))
            guard number >= 0, found.insert(number).inserted else { continue }
            _ = add(directory, moveMask)
        }
        let before = numbers.withLock { numbers in
            defer { numbers = found }
            return numbers
        }
        for number in before.subtracting(found) {
            _ = inotify_rm_watch(descriptor.number, number)
        }
        if let failure { throw failure }
    }

    private func addNearest(_ directory: [UInt8]) -> CInt {
        var position = directory
        while true {
            let number = add(position, mask)
            guard number < 0, errno == ENOENT || errno == ENOTDIR, position != [slash],
                position != here
            else { return number }
            let name = position.reversed().prefix { $0 != slash }.count
            position = Array(position.dropLast(name + 1))
            if position.isEmpty { position = directory.first == slash ? [slash] : here }
        }
    }

    private func add(_ path: [UInt8], _ mask: UInt32) -> CInt {
        let path = path.map { CChar(bitPattern: $0) } + [0]
        return unsafe inotify_add_watch(descriptor.number, path, mask)
    }

    /// Takes everything that was said.
    package func clear() {
        var events = [UInt8](repeating: 0, count: 16384)
        while unsafe read(descriptor.number, &events, events.count) > 0 {}
    }

    /// Lets a change end the waits of this poller; the event carries the token.
    package func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
        try poller.add(descriptor, .reading, token: token)
    }
}

/// Every beginning of a path that names a directory above it, the root left out.
private func directoriesAbove(_ path: [UInt8]) -> [[UInt8]] {
    path.indices.dropFirst().filter { path[$0] == slash }.map { Array(path[..<$0]) }
}

private let slash = UInt8(ascii: "/")
private let here = [UInt8(ascii: ".")]

// Not IN_MODIFY: a log that is written there would say so with each line.
private let mask =
    UInt32(
        IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVED_FROM
            | IN_MOVED_TO | IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
// What happens in it is none of our business.
private let moveMask = UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
