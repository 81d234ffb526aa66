private import Glibc

/// Writes to standard error. If that fails, the text is lost.
package func writeToStandardError(_ text: String) {
    try? writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
}

/// Writes to standard error from any thread, one text after the other. It waits at most a second
/// for a slow reader or disk, and only once for one that has stopped, so that the server goes on.
/// Texts that could not be written are counted.
package func logToStandardError(_ text: String) { standardError.write(text) }

/// Opens standard error for `logToStandardError` before the process changes its user, because the
/// other user may not be allowed to open it.
/// - Parameter startThread: runs a body on a thread of its own, which waits for the disk if standard
///   error is a file; false if there can be none.
package func prepareStandardError(
    startingThread startThread: (@escaping @Sendable () -> Void) -> Bool
) { standardError.beginCarrying(on: startThread) }

/// Whether a text could be written to standard error now.
package var standardErrorHasRoom: Bool { standardError.hasRoom }

/// Counts a text for the log that was lost earlier. It never waits.
package func countLostText() { standardError.countLost() }

/// The number of texts for the log that were lost or cut since the process started. It never waits.
package var lostTexts: Int { standardError.lostCount }

private let standardError = EventStream(STDERR_FILENO, patienceMilliseconds: 1000)

/// The reader of standard error.
package enum MessageReader: Sendable {
    case terminal
    /// journald, which adds a time to each line.
    case journal
    case other

    /// journald publishes the device and inode of its stream (systemd.exec(5)), because a child
    /// process with another stream may inherit the variable.
    package static var current: MessageReader {
        if isatty(STDERR_FILENO) == 1 { return .terminal }
        guard let variable = unsafe getenv("JOURNAL_STREAM") else { return .other }
        let stream = unsafe String(cString: variable)
        var status = stat()
        guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return .other }
        return stream == "\(status.st_dev):\(status.st_ino)" ? .journal : .other
    }
}
