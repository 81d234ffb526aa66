private import Glibc

/// Standard output, written in large pieces. `finish` writes the rest; without it the rest is lost.
package struct StandardOutput: ~Copyable {
    private var buffer = [UInt8]()

    /// An empty buffer.
    package init() {}

    /// Adds bytes, and writes when there are enough.
    /// - Throws: an error if they could not all be written; some may have been.
    package mutating func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= pieceBytes { try flush() }
    }

    /// Writes the rest, and waits until the file system has accepted it: some report only then that
    /// there is no room.
    package mutating func finish() throws(FileError) {
        try flush()
        // Closing a descriptor asks the file system for errors; this copy is closed for that.
        let copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, close(copy) == 0 || errno == EINTR else { throw .current() }
    }

    private mutating func flush() throws(FileError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        try writeAll(buffer[...], to: STDOUT_FILENO)
    }
}

/// Opens /dev/null in place of standard streams that the parent process has closed. Otherwise
/// another file would get their numbers, and the output for them.
/// - Parameter refusing: whether reading and writing there fails as on a closed stream.
package func reserveStandardStreams(refusing: Bool = false) {
    while true {
        // Standard input comes first, because open(2) uses the lowest free number.
        let isInputOpen = fcntl(STDIN_FILENO, F_GETFD) >= 0
        let mode = !refusing ? O_RDWR : isInputOpen ? O_RDONLY : O_WRONLY
        let number = unsafe open("/dev/null", mode)
        guard (STDIN_FILENO...STDERR_FILENO).contains(number) else {
            close(number)
            return
        }
    }
}

/// Whether a person uses this process: standard input or output is a terminal.
package var isAtTerminal: Bool { isatty(STDIN_FILENO) == 1 || isatty(STDOUT_FILENO) == 1 }

/// Whether standard input is a terminal, at which a person can be asked.
package var isStandardInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

/// Whether standard output is a terminal.
package var isStandardOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

/// Whether standard error is a terminal.
package var isStandardErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

/// The columns of the terminal that standard output is; nil if it is none, or does not say.
package var standardOutputColumns: Int? { columns(of: STDOUT_FILENO) }

/// The same for standard error.
package var standardErrorColumns: Int? { columns(of: STDERR_FILENO) }

private func columns(of stream: CInt) -> Int? {
    var size = winsize()
    guard unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
}

/// Writes all bytes to a stream, and waits for its reader without limit.
func writeAll(_ bytes: ArraySlice<UInt8>, to stream: CInt) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
        let written = unsafe rest.withUnsafeBytes { bytes in
            unsafe write(stream, bytes.baseAddress, bytes.count)
        }
        if written >= 0 {
            rest = rest.dropFirst(written)
        } else if errno == EAGAIN {
            // Another process that shares the stream has made it non-blocking.
            _ = hasRoom(stream, milliseconds: -1)
        } else if errno != EINTR {
            throw .current()
        }
    }
}

private let pieceBytes = 65536
