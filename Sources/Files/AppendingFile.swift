internal import Glibc

/// A file that is only added to, or standard output: what logs are written to. Closed with its
/// owner; standard output stays open.
package struct AppendingFile: ~Copyable {
    private let number: CInt
    private let isOwned: Bool
    /// Whether a write could wait for a reader: standard output is shared with others, who may
    /// want it to, and is not a regular file.
    private let mayWait: Bool

    /// Standard output.
    package init() { self.init(borrowing: STDOUT_FILENO) }

    /// A stream that others have too, and that is left open and as it is.
    init(borrowing stream: CInt) {
        number = stream
        isOwned = false
        var status = stat()
        mayWait = unsafe fstat(stream, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
    }

    /// Opens the file of this path, or makes it, for its owner to write and its group to read.
    package init(path: String) throws(FileError) {
        // Without O_NONBLOCK a pipe that nobody reads would hold its writer.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
        number = unsafe open(path, flags, 0o640)
        guard number >= 0 else { throw .current() }
        isOwned = true
        mayWait = false
    }

    deinit { if isOwned { close(number) } }

    /// Adds bytes, of which there must be some, and returns how many were taken; none when this is
    /// a pipe that is full.
    package borrowing func write(_ bytes: Span<UInt8>) throws(FileError) -> Int {
        precondition(!bytes.isEmpty)
        let number = number
        if mayWait, !hasRoom(number, milliseconds: 0) { return 0 }
        let most = mayWait ? min(bytes.count, pipePieceBytes) : bytes.count
        while true {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(number, bytes.baseAddress, most)
            }
            if count >= 0 { return count }
            if errno == EAGAIN { return 0 }
            guard errno == EINTR else { throw .current() }
        }
    }

    /// Waits until a pipe that was full has room, or nobody reads it any more; at most so long.
    package borrowing func waitForRoom(milliseconds: Int) {
        _ = hasRoom(number, milliseconds: milliseconds)
    }

    /// Whether both are the same file or pipe, under whatever name each was opened.
    package borrowing func isSame(as other: borrowing AppendingFile) -> Bool {
        var (mine, theirs) = (stat(), stat())
        guard unsafe fstat(number, &mine) == 0, unsafe fstat(other.number, &theirs) == 0 else {
            return false
        }
        return mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
    }
}
