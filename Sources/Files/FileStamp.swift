internal import Glibc

/// The identity of a file, under whatever names and links (stat(2)).
package struct FileIdentity: Hashable, Sendable {
    fileprivate let device: UInt
    fileprivate let number: UInt

    /// The file at `path`, symbolic links followed; nil when nothing is there.
    package init?(of path: String) {
        guard let stamp = FileStamp(of: path) else { return nil }
        self = stamp.identity
    }

    /// The files that standard output and standard error are written to, where they are regular
    /// ones.
    package static var standardOutputs: [FileIdentity] {
        [STDOUT_FILENO, STDERR_FILENO].compactMap { stream in
            guard let status = try? Files.status(of: stream) else { return nil }
            return status.st_mode & S_IFMT == S_IFREG ? FileIdentity(status) : nil
        }
    }

    init(_ status: stat) {
        device = UInt(status.st_dev)
        number = UInt(status.st_ino)
    }
}

/// Metadata that tell that a file has changed, or has become another one, without reading it.
package struct FileStamp: Hashable, Sendable, CustomStringConvertible {
    package let identity: FileIdentity
    package let bytes: Int
    /// The time at which its content was changed last: seconds since 1970, and nanoseconds on top.
    package let modified: Int
    package let modifiedNanoseconds: Int
    /// The same of its content or its names and rights.
    private let changed: Int
    private let changedNanoseconds: Int
    /// The number of its names.
    let names: Int

    /// The stamp of what is at `path`, symbolic links followed; nil when nothing is.
    package init?(of path: String) { self.init(of: Array(path.utf8)) }

    /// The same, of a path by its bytes.
    package init?(of path: [UInt8]) {
        var status = stat()
        guard unsafe withCString(path, { unsafe stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        identity = FileIdentity(status)
        bytes = Int(status.st_size)
        (modified, modifiedNanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        (changed, changedNanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
        names = Int(status.st_nlink)
    }

    /// All of it, in numbers.
    package var description: String {
        "\(identity.device) \(identity.number) \(bytes) \(modified) \(modifiedNanoseconds) "
            + "\(changed) \(changedNanoseconds)"
    }

    /// Whether the content is still the same, as far as can be told without reading it. A file that
    /// was removed, or replaced by another of its name, has the same content. If only the time of
    /// its last change of any kind differs, it counts as changed: its content may have been
    /// replaced, and the time of that set back.
    package func hasContent(of other: FileStamp) -> Bool {
        let isUntouched = changed == other.changed && changedNanoseconds == other.changedNanoseconds
        return identity == other.identity && bytes == other.bytes && modified == other.modified
            && modifiedNanoseconds == other.modifiedNanoseconds
            && (isUntouched || names != other.names)
    }

    /// Whether a change after `now`, in seconds since 1970, would show in the stamp. The clock of a
    /// file system advances in steps of some milliseconds: of two changes within one step the
    /// second leaves the stamp as it is.
    package func isSettled(at now: Int) -> Bool { changed + settlingSeconds < now }

    /// The same on a file system whose clock advances at least every 40 ms, as Linux' own do.
    /// - Parameter now: in milliseconds since 1970.
    package func isSettled(atMilliseconds now: Int) -> Bool {
        changed * 1000 + changedNanoseconds / 1_000_000 + clockStepMilliseconds <= now
    }
}

/// The directories in which a change can make `path` lead to other content, by the bytes of their
/// paths: the one that it ends in, and, where a part of it is a symbolic link, the link's own and
/// those that it leads to. Certificates are often renewed by replacing such a link.
package func decidingDirectories(of path: [UInt8]) -> Set<[UInt8]> {
    let slash = UInt8(ascii: "/")
    var found = Set<[UInt8]>()
    var waiting = parts(of: path)[...]
    var directory = path.first == slash ? [slash] : [UInt8(ascii: ".")]
    var linksLeft = linksMax
    while let part = waiting.popFirst() {
        let next = directory + (directory == [slash] ? [] : [slash]) + part
        if let target = unsafe withCString(next, { unsafe linkTarget($0, in: AT_FDCWD) }),
            linksLeft > 0
        {
            linksLeft -= 1
            found.insert(directory)
            if target.first == slash { directory = [slash] }
            waiting = parts(of: target) + waiting
        } else {
            if waiting.isEmpty { found.insert(directory) }
            directory = next
        }
    }
    return found
}

/// The parts of a path, those left out that lead nowhere.
func parts(of path: some Sequence<UInt8>) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
}

/// The target of a symbolic link; nil for anything else.
/// - Parameter path: empty means the link that the descriptor `directory` is open for.
func linkTarget(_ path: UnsafePointer<CChar>, in directory: CInt) -> [UInt8]? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe target.withUnsafeMutableBytes { bytes in
        unsafe bytes.bindMemory(to: CChar.self).baseAddress.map { buffer in
            unsafe readlinkat(directory, path, buffer, bytes.count)
        } ?? -1
    }
    return count > 0 ? Array(target[..<count]) : nil
}

private let settlingSeconds = 1
private let clockStepMilliseconds = 40
/// As many as the kernel follows (path_resolution(7)).
let linksMax = 40
