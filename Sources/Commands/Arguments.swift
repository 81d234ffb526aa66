import ArgumentParser
import Associations
import Diagnostics
import Files
import Resolution
import SiteConfiguration
import URISyntax

/// Reads a file that is named on the command line; `-` is standard input.
/// - Throws: the exit status, after printing the reason.
func readNamed(
    _ path: String, bytesMax: Int = ConfigurationLimits.fileBytesMax
) throws(ExitCode) -> [UInt8] {
    do {
        return try readInput(path, bytesMax: bytesMax)
    } catch {
        throw report(error, of: path)
    }
}

/// Reads a line of standard input.
/// - Throws: the exit status, after printing the reason.
func readLine(_ input: inout StandardInputLines) throws(ExitCode) -> InputLine? {
    do {
        return try input.next()
    } catch {
        throw report(error, of: "-")
    }
}

/// Prints which path could not be written, and why.
func writing<Result>(
    _ path: String, _ write: () throws(FileError) -> Result
) throws(ExitCode) -> Result {
    do throws(FileError) {
        return try write()
    } catch {
        let (reason, status): (String, ExitCode) =
            switch error {
            case .missing: ("the directory does not exist", .outputFailed)
            case .noPermission: ("no permission", .noPermission)
            case .readOnlyFileSystem: (error.description, .noPermission)
            default: (error.description, .outputFailed)
            }
        printMessage("waymark: error: \(quotedPath(path)) cannot be written: \(reason)")
        throw status
    }
}

/// Prints why a file could not be read, and returns the exit status.
func report(_ error: FileError, of path: String) -> ExitCode {
    printMessage("\(shownName(path)): error: cannot be read: \(error.words(at: path))")
    if let cure = error.linkCure(at: path) {
        printMessage("    \(cure)")
    } else if error == .missing, path.unicodeScalars.contains("\u{FFFD}") {
        printMessage("    its name is not UTF-8: rename it, or give its directory")
    }
    return switch error {
    // Standard input is closed or a directory.
    case _ where path == "-": .inputMissing
    case .missing, .directory, .notARegularFile: .inputMissing
    case .noPermission: .noPermission
    default: .configurationInvalid
    }
}

/// The name of a file of the command line in messages.
func shownName(_ path: String) -> String { path == "-" ? "<stdin>" : path }

/// Prints the errors of an association file. A file that no system reads has no rules.
/// - Throws: the exit status.
func printFaults(_ diagnostics: [Diagnostic], isRead: Bool) throws(ExitCode) {
    for diagnostic in diagnostics where diagnostic.severity == .error { printMessage(diagnostic) }
    if !isRead { throw .configurationInvalid }
}

/// Checks that `--as` is a known client.
/// - Throws: a `ValidationError` with the nearest name, or all names.
func checkClient(_ name: String) throws(ValidationError) {
    guard VisitorProfile.userAgent(of: name) != nil else {
        throw ValidationError(VisitorProfile.unknown(name))
    }
}

/// Reads the time of a request.
/// - Throws: a `ValidationError` that quotes the text, and says what is wrong and what to write.
func readTime(_ text: String) throws(ValidationError) -> Timestamp {
    do throws(TimestampError) {
        return try Timestamp(text)
    } catch {
        throw ValidationError("\(quoted(text)) \(error); \(error.advice(on: text))")
    }
}

/// Checks that a text of the command line has the required form, such as a link's.
/// - Throws: a `ValidationError` that quotes the text and says what is wrong.
func checkArgument<Value, Failure: Error & CustomStringConvertible>(
    _ text: String, _ read: (String) throws(Failure) -> Value
) throws(ValidationError) {
    do {
        _ = try read(text)
    } catch {
        throw ValidationError("\(quoted(text)): \(error)")
    }
}
