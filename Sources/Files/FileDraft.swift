internal import Glibc

/// A file that is written in pieces beside its path, and takes the place of the one there when it is complete: a
/// reader sees the old or the new content. A draft that is given up is removed.
package final class FileDraft {
    private let path: String
    private let draft: String
    private let file: CInt
    private var isPublished = false

    /// - Parameter mode: the permission bits, before the umask.
    package init(of path: String, mode: UInt32) throws(FileError) {
        self.path = path
        draft = "\(path).\(getpid()).new"
        // Left behind by a process with the same number.
        removeFile(draft)
        file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw .current() }
    }

    deinit {
        guard file >= 0 else { return }
        close(file)
        if !isPublished { removeFile(draft) }
    }

    package func append(_ bytes: [UInt8]) throws(FileError) { try writeAll(bytes[...], to: file) }

    /// Waits until the content is on the disk, and gives it the path.
    /// - Parameter seconds: since 1970, which the file has as the time of its last change.
    package func publish(modified seconds: Int) throws(FileError) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        guard unsafe futimens(file, times) == 0 else { throw .current() }
        // EINVAL: the file system has nothing to synchronize.
        guard fsync(file) == 0 || errno == EINVAL else { throw .current() }
        try moveFile(draft, to: path)
        isPublished = true
    }

    /// Removes the drafts of a path that processes have left which were killed.
    package static func removeLeft(of path: String) {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
            Array(path.utf8[path.utf8.index(after: $0)...])
        }
        let (own, end) = ((name ?? Array(path.utf8)) + [UInt8(ascii: ".")], Array(".new".utf8))
        for other in (try? namesOfFiles(in: parentDirectory(of: path))) ?? [] {
            let bytes = Array(other.utf8)
            guard bytes.starts(with: own), bytes.suffix(end.count).elementsEqual(end) else {
                continue
            }
            let number = bytes.dropFirst(own.count).dropLast(end.count)
            guard !number.isEmpty, number.allSatisfy({ 0x30...0x39 ~= $0 }) else { continue }
            removeFile("\(parentDirectory(of: path))/\(other)")
        }
    }
}

/// Notes another time as that of the last change of a file.
/// - Parameter seconds: since 1970.
package func setModified(_ path: String, _ seconds: Int) throws(FileError) {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    guard unsafe utimensat(AT_FDCWD, path, times, 0) == 0 else { throw .current() }
}
