import ArgumentParser
import Diagnostics
import Files

/// The only way to standard output. The output is escaped for its format. A command that could not
/// print everything ends with an exit status for that.
struct Output: ~Copyable {
    private var stream = StandardOutput()

    /// - Throws: the exit status, after printing the reason.
    mutating func write(_ text: PrintedText) throws(ExitCode) {
        Progress.makeRoomForOutput()
        try Self.orStatus { () throws(FileError) in try stream.write(text.bytes) }
    }

    /// Writes a value of a record whose values are separated by tabs. A value that needs no escape
    /// is only scanned, because there can be millions.
    mutating func write(field: [UInt8]) throws(ExitCode) {
        guard field.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            return try write(.field(String(decoding: field, as: UTF8.self)))
        }
        try Self.orStatus { () throws(FileError) in try stream.write(field) }
    }

    /// Must be called at the end; otherwise the rest is not written.
    mutating func finish() throws(ExitCode) {
        try Self.orStatus { () throws(FileError) in try stream.finish() }
    }

    private static func orStatus(_ write: () throws(FileError) -> Void) throws(ExitCode) {
        do {
            try write()
        } catch {
            // A reader that has read enough, such as `head`, needs no message.
            if error == .readerGone { throw .readerGone }
            printMessage("waymark: error: standard output cannot be written: \(error)")
            throw .outputFailed
        }
    }
}

/// Prints a command's output.
/// - Throws: the exit status, after printing the reason.
func printOutput(_ text: PrintedText) throws(ExitCode) {
    var output = Output()
    try output.write(text)
    try output.finish()
}
