private import Glibc
private import Synchronization

/// Writes to standard error, the stream for messages. What cannot be written is lost: nobody is
/// left to be told.
package func writeToStandardError(_ text: String) {
    try? writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
}

/// Writes to standard error from any thread, one text after the other, and waits at most a second
/// for its reader: what is not taken by then is lost, and counted. A slow reader must not stop the
/// server.
package func logToStandardError(_ text: String) {
    if !logText(text, to: STDERR_FILENO, milliseconds: readerMilliseconds) { countLostText() }
}

/// Whether a stream has taken a text whole; its reader is waited for so long.
func logText(_ text: String, to stream: CInt, milliseconds: Int) -> Bool {
    writing.withLock { _ in
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            guard hasRoom(stream, milliseconds: milliseconds) else { return false }
            let piece = rest.prefix(pipePieceBytes)
            let written = unsafe piece.withUnsafeBytes { bytes in
                unsafe write(stream, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}

/// Counts a text for the log that was lost before it came here. It waits for nobody.
package func countLostText() { lost.wrappingAdd(1, ordering: .relaxed) }

/// How many texts for the log were lost since the process began, or not taken whole. It waits for
/// nobody.
package var lostTexts: Int { lost.load(ordering: .relaxed) }

private let writing = Mutex(())
private let lost = Atomic(0)
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
