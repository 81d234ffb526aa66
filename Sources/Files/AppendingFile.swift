internal import Glibc

/// A file that is only added to, or a stream that others have too: what logs are written to. It
/// never waits for a reader, unless it is asked to. Closed with its owner; a stream stays open.
package struct AppendingFile: ~Copyable {
    private let number: CInt
    private let isOwned: Bool
    private let way: Way

    /// How bytes are added without a wait, and without a change for those who share a stream: were
    /// it made non-blocking, it would be so for everybody.
    private enum Way {
        /// It is a regular file, or was opened here, non-blocking.
        case plain
        case socket
        /// It is asked for room before each write, and is given no more than a pipe takes at once.
        case asked
    }

    /// Standard output.
    package init() { self.init(borrowing: STDOUT_FILENO) }

    /// A stream that others have too, and that is left open and as it is.
    init(borrowing stream: CInt) {
        var status = stat()
        let kind = unsafe fstat(stream, &status) == 0 ? status.st_mode & S_IFMT : 0
        let isPipe = kind == S_IFIFO || kind == S_IFCHR
        // The same pipe or terminal, opened anew, is non-blocking here alone.
        let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let opened = isPipe ? unsafe open("/proc/self/fd/\(stream)", flags) : -1
        number = opened >= 0 ? opened : stream
        isOwned = opened >= 0
        way = isOwned || kind == S_IFREG ? .plain : kind == S_IFSOCK ? .socket : .asked
    }

    /// Opens the file of this path, or makes it, for its owner to write and its group to read.
    package init(path: String) throws(FileError) {
        // Without O_NONBLOCK a pipe that nobody reads would hold its writer.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
        number = unsafe open(path, flags, 0o640)
        guard number >= 0 else { throw .current() }
        isOwned = true
        way = .plain
    }

    deinit { if isOwned { close(number) } }

    /// Adds bytes, of which there must be some, and returns how many were taken; none when there is
    /// no room because nobody reads.
    package borrowing func write(_ bytes: Span<UInt8>) throws(FileError) -> Int {
        precondition(!bytes.isEmpty)
        let (number, way) = (number, way)
        if way == .asked, !waitForRoom(milliseconds: 0) { return 0 }
        while true {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                switch way {
                case .plain: unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
                case .socket:
                    unsafe send(
                        number, bytes.baseAddress, bytes.count,
                        CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
                case .asked:
                    unsafe Glibc.write(number, bytes.baseAddress, min(bytes.count, pipePieceBytes))
                }
            }
            if count >= 0 { return count }
            if errno == EAGAIN { return 0 }
            guard errno == EINTR else { throw .current() }
        }
    }

    /// Waits until there is room, or nobody reads any more; at most so long.
    /// - Returns: whether it is worth while to write.
    @discardableResult
    package borrowing func waitForRoom(milliseconds: Int) -> Bool {
        hasRoom(number, milliseconds: milliseconds)
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

/// PIPE_BUF: a pipe that has room takes so many bytes at once.
private let pipePieceBytes = 4096

/// Whether a stream has room, or its reader is gone, before so many milliseconds have passed; -1
/// waits for ever.
func hasRoom(_ stream: CInt, milliseconds: Int) -> Bool {
    var wanted = pollfd(fd: stream, events: Int16(POLLOUT), revents: 0)
    while true {
        let count = unsafe poll(&wanted, 1, CInt(milliseconds))
        if count >= 0 { return count > 0 }
        guard errno == EINTR else { return false }
    }
}
