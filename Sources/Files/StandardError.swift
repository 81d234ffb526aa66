private import Glibc

/// Writes to standard error, the stream for messages. What cannot be written is lost: nobody is
/// left to be told.
package func writeToStandardError(_ text: String) { writeAll(Array(text.utf8), to: STDERR_FILENO) }
