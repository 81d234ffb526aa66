import ArgumentParser
import Diagnostics
import Files

/// Standard output, the only way to it. What goes out has taken a form that is escaped for whatever
/// reads it; a command that could not print everything ends with a status that says so.
struct Output: ~Copyable {
    private var stream = StandardOutput()

    /// - Throws: the exit status, once the reason has been said.
    mutating func write(_ text: PrintedText) throws(ExitCode) {
        try Self.orStatus { () throws(FileError) in try stream.write(text.bytes) }
    }

    /// Writes a value of a record whose values are separated by tabs. What needs no escape costs a
    /// look at each byte: there can be millions.
    mutating func write(field: [UInt8]) throws(ExitCode) {
        guard field.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            return try write(.field(String(decoding: field, as: UTF8.self)))
        }
        try Self.orStatus { () throws(FileError) in try stream.write(field) }
    }

    /// Must be called when all is written, or it is not.
    mutating func finish() throws(ExitCode) {
        try Self.orStatus { () throws(FileError) in try stream.finish() }
    }

    private static func orStatus(_ write: () throws(FileError) -> Void) throws(ExitCode) {
        do {
            try write()
        } catch {
            // A reader that has read enough, as `head` has, needs no message.
            if error == .readerGone { throw .readerGone }
            printMessage("waymark: error: standard output cannot be written: \(error)")
            throw .outputFailed
        }
    }
}

/// Prints all that a command has to print.
/// - Throws: the exit status, once the reason has been said.
func printOutput(_ text: PrintedText) throws(ExitCode) {
    var output = Output()
    try output.write(text)
    try output.finish()
}
