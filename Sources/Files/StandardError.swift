private import Glibc

/// Writes to standard error, the stream for messages. What cannot be written is lost: nobody is
/// left to be told.
package func writeToStandardError(_ text: String) {
    try? writeAll(Array(text.utf8)[...], to: STDERR_FILENO)
}

/// Writes to standard error from any thread, one text after the other. A slow reader is waited for
/// at most a second, and one that stands still no more than once: it must not stop the server. What
/// it does not take is lost, and counted.
package func logToStandardError(_ text: String) { standardError.write(text) }

/// Opens standard error for `logToStandardError`, while this process may: as another user it may
/// not open what is behind it.
package func prepareStandardError() { _ = standardError }

/// Whether whoever reads standard error would take something now.
package var standardErrorHasRoom: Bool { standardError.hasRoom }

/// Counts a text for the log that was lost before it came here. It waits for nobody.
package func countLostText() { standardError.countLost() }

/// How many texts for the log were lost since the process began, or not taken whole. It waits for
/// nobody.
package var lostTexts: Int { standardError.lostCount }

private let standardError = EventStream(STDERR_FILENO, patienceMilliseconds: 1000)

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
