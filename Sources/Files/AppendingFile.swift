internal import Glibc

/// A file or stream to which a log appends. It never waits for a reader, unless `waitForRoom` is
/// called. A file is closed with its owner; a stream stays open.
package struct AppendingFile: ~Copyable {
    private let number: CInt
    private let isOwned: Bool
    private let way: Way

    /// The way to append bytes without waiting, and without changing a stream that other processes
    /// share. Making the stream non-blocking would make it so for all of them.
    private enum Way {
        /// It is a regular file, or was opened here as non-blocking.
        case plain
        case socket
        /// Each write first asks for room, and has no more bytes than a pipe takes at once.
        case asked
    }

    /// Standard output.
    package init() { self.init(borrowing: STDOUT_FILENO) }

    /// A shared stream, which is left open and unchanged.
    init(borrowing stream: CInt) {
        var status = stat()
        let kind = unsafe fstat(stream, &status) == 0 ? status.st_mode & S_IFMT : 0
        let isPipe = kind == S_IFIFO || kind == S_IFCHR
        // The same pipe or terminal, opened again, is non-blocking only here.
        let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let opened = isPipe ? unsafe open("/proc/self/fd/\(stream)", flags) : -1
        number = opened >= 0 ? opened : stream
        isOwned = opened >= 0
        way = isOwned || kind == S_IFREG ? .plain : kind == S_IFSOCK ? .socket : .asked
    }

    /// Opens or creates the file at this path. A new file is writable for its owner and readable
    /// for its group.
    package init(path: String) throws(FileError) {
        // Without O_NONBLOCK, opening a pipe without a reader would block.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
        number = unsafe open(path, flags, 0o640)
        guard number >= 0 else { throw .current() }
        isOwned = true
        way = .plain
    }

    deinit { if isOwned { close(number) } }

    /// Whether it is a file that other processes may share, which is written without asking for
    /// room.
    var isSharedFile: Bool { !isOwned && way == .plain }

    /// Appends bytes, at least one, and returns how many were written; 0 if there is no room.
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

    /// Waits until there is room or there is no reader any more, for at most this time.
    /// - Returns: whether a write can succeed.
    @discardableResult
    package borrowing func waitForRoom(milliseconds: Int) -> Bool {
        hasRoom(number, milliseconds: milliseconds)
    }

    /// Whether both are the same file or pipe, under any name.
    package borrowing func isSame(as other: borrowing AppendingFile) -> Bool {
        var (mine, theirs) = (stat(), stat())
        guard unsafe fstat(number, &mine) == 0, unsafe fstat(other.number, &theirs) == 0 else {
            return false
        }
        return mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino
    }
}

/// PIPE_BUF: a pipe with room takes this many bytes at once.
private let pipePieceBytes = 4096

/// Whether a stream gets room, or loses its reader, within this time; -1 waits without limit.
func hasRoom(_ stream: CInt, milliseconds: Int) -> Bool {
    var wanted = pollfd(fd: stream, events: Int16(POLLOUT), revents: 0)
    while true {
        let count = unsafe poll(&wanted, 1, CInt(milliseconds))
        if count >= 0 { return count > 0 }
        guard errno == EINTR else { return false }
    }
}
