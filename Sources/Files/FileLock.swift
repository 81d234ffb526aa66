internal import Glibc

/// A lock that one process holds on a file of its own, until it ends, however it ends.
package struct FileLock: ~Copyable {
    private let descriptor: CInt

    /// Takes the lock of the file at `path`, which is created if it does not exist; only its owner
    /// can read it.
    /// - Parameter purpose: the content of the file from now on, by which others know what it is locked for;
    ///   nil leaves the file as it is.
    /// - Throws: why not; `taken` if another process has it.
    package init(path: String, purpose: String? = nil) throws(FileError) {
        let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .current() }
        try self.init(number)
        guard let purpose else { return }
        // Without room on the disk, others do not know.
        let bytes = Array(purpose.utf8)
        if ftruncate(descriptor, 0) == 0 { _ = unsafe pwrite(descriptor, bytes, bytes.count, 0) }
    }

    /// Takes the lock of a file that exists, under whatever name: symbolic links are followed. Nobody
    /// else in this process may have locked parts of the file (fcntl(2)), because they lose that.
    /// - Throws: why not; `taken` if another process has it.
    package init(of path: String) throws(FileError) {
        let number = unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { throw .current() }
        try self.init(number)
    }

    private init(_ number: CInt) throws(FileError) {
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let error = FileError.current()
            close(number)
            throw isTaken ? .taken : error
        }
        descriptor = number
    }

    /// Whether the locked file is what is at `path` now.
    package func isOf(_ path: String) -> Bool {
        guard let status = try? status(of: descriptor) else { return false }
        return FileIdentity(status) == FileIdentity(of: path)
    }

    /// Whether the locked file has no name any more: its content is lost when the process ends.
    package var isNameless: Bool {
        (try? status(of: descriptor)).map { FileStamp($0).names == 0 } ?? false
    }

    /// The first bytes of the locked file; fewer if it has not so many.
    package func readBeginning(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            filled = max(0, unsafe pread(descriptor, memory.baseAddress, count, 0))
        }
    }

    deinit { close(descriptor) }
}
