private import Glibc

/// Standard output, written in large pieces; what is left is written by `finish`. Who drops it
/// before drops what waits.
package struct StandardOutput: ~Copyable {
    private var buffer = [UInt8]()

    /// Nothing is waiting to be written.
    package init() {}

    /// Takes the bytes, and writes when enough have come together.
    /// - Throws: why they could not be written whole; some of them may have been.
    package mutating func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= pieceBytes { try flush() }
    }

    /// Writes what is waiting, and waits until the file's system has taken it over: some say only
    /// then that there is no room.
    package mutating func finish() throws(FileError) {
        try flush()
        // Each descriptor that is closed asks the file system; this one is needed by nobody else.
        let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, close(copy) == 0 || errno == EINTR else { throw .current() }
    }

    private mutating func flush() throws(FileError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        try writeAll(buffer[...], to: STDOUT_FILENO)
    }
}

/// Opens /dev/null in place of standard streams that whoever started this process has closed.
/// Otherwise something else gets their numbers, and what is told there goes to that.
/// - Parameter refusing: whether reading and writing there fails as on a closed stream; it goes
///   well unless said.
package func reserveStandardStreams(refusing: Bool = false) {
    while true {
        // Standard input comes first: the lowest number is taken.
        let isInputOpen = fcntl(STDIN_FILENO, F_GETFD) >= 0
        let mode = !refusing ? O_RDWR : isInputOpen ? O_RDONLY : O_WRONLY
        let number = unsafe open("/dev/null", mode)
        guard (STDIN_FILENO...STDERR_FILENO).contains(number) else {
            close(number)
            return
        }
    }
}

/// Whether somebody sits in front of this process: input or output is a terminal.
package var isAtTerminal: Bool { isatty(STDIN_FILENO) == 1 || isatty(STDOUT_FILENO) == 1 }

/// Whether a person looks at standard output.
package var isStandardOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

/// Writes all bytes to a stream, and waits for its reader as long as that takes.
func writeAll(_ bytes: ArraySlice<UInt8>, to stream: CInt) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
        let written = unsafe rest.withUnsafeBytes { bytes in
            unsafe write(stream, bytes.baseAddress, bytes.count)
        }
        if written >= 0 {
            rest = rest.dropFirst(written)
        } else if errno == EAGAIN {
            // Whoever shares the stream has made it so; it is not ours to change.
            _ = hasRoom(stream, milliseconds: -1)
        } else if errno != EINTR {
            throw .current()
        }
    }
}

private let pieceBytes = 65536
