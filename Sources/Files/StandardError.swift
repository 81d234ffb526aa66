private import Glibc
private import Synchronization

/// Writes to standard error, the stream for messages. What cannot be written is lost: nobody is
/// left to be told.
package func writeToStandardError(_ text: String) { writeAll(Array(text.utf8), to: STDERR_FILENO) }

/// Writes to standard error from any thread, one text after the other, and waits at most a second
/// for its reader: what is not taken by then is lost. A slow reader must not stop the server.
package func logToStandardError(_ text: String) {
    writing.withLock { _ in
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, hasRoom(STDERR_FILENO, milliseconds: readerMilliseconds) {
            let piece = rest.prefix(pipePieceBytes)
            let written = unsafe piece.withUnsafeBytes { bytes in
                unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

private let writing = Mutex(())
/// How long who reads standard error is waited for.
private let readerMilliseconds = 1000

/// Who reads standard error.
package enum MessageReader: Sendable {
    case terminal
    /// journald, which marks each line with its time.
    case journal
    case other

    /// journald says which stream is its own by device and inode (systemd.exec(5)), because a
    /// child that has another may have inherited the variable.
    package static var current: MessageReader {
        if isatty(STDERR_FILENO) == 1 { return .terminal }
        guard let variable = unsafe getenv("JOURNAL_STREAM") else { return .other }
        let stream = unsafe String(cString: variable)
        var status = stat()
        guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return .other }
        return stream == "\(status.st_dev):\(status.st_ino)" ? .journal : .other
    }
}
