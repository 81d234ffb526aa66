internal import Glibc

/// What tells that a file has changed, or has become another one, without reading it.
package struct FileStamp: Hashable, Sendable {
    private let device: UInt
    private let number: UInt
    private let bytes: Int
    /// Seconds and nanoseconds.
    private let modified: [Int]
    private let changed: [Int]

    /// The stamp of what is at `path`, symbolic links followed; nil when nothing is.
    package init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        number = UInt(status.st_ino)
        bytes = Int(status.st_size)
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}

/// The directories in which a change can make `path` lead to other content: the one that it ends
/// in, and, where a part of it is a symbolic link, the link's own and those that it leads to.
/// Certificates are often renewed by exchanging such a link.
package func decidingDirectories(of path: String) -> Set<String> {
    var found = Set<String>()
    var waiting = parts(of: path)[...]
    var directory = path.utf8.first == UInt8(ascii: "/") ? "/" : "."
    var linksLeft = linksMax
    while let part = waiting.popFirst() {
        let next = directory == "/" ? "/\(part)" : "\(directory)/\(part)"
        if let target = linkTarget(of: next), linksLeft > 0 {
            linksLeft -= 1
            found.insert(directory)
            if target.utf8.first == UInt8(ascii: "/") { directory = "/" }
            waiting = parts(of: target) + waiting
        } else {
            if waiting.isEmpty { found.insert(directory) }
            directory = next
        }
    }
    return found
}

private func parts(of path: String) -> ArraySlice<String> {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        .filter { $0 != "." }[...]
}

/// What a symbolic link says; nil for anything else.
private func linkTarget(of path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &target, target.count)
    guard count > 0 else { return nil }
    return String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// As many as the kernel follows.
private let linksMax = 40
