import ArgumentParser
import Associations
import Diagnostics
import Files
import Resolution

/// Reads a file that a person named on the command line; `-` is standard input.
/// - Throws: the exit status, after the reason has been printed.
func readNamed(
    _ path: String, bytesMax: Int = JSONDocument.bytesMax
) throws(ExitCode) -> [UInt8] {
    do {
        return try readInput(path, bytesMax: bytesMax)
    } catch {
        throw report(error, of: path)
    }
}

/// Reads a line of standard input.
/// - Throws: the exit status, after the reason has been printed.
func readLine(_ input: inout StandardInputLines) throws(ExitCode) -> InputLine? {
    do {
        return try input.next()
    } catch {
        throw report(error, of: "-")
    }
}

/// Says why a file could not be read, and returns the exit status.
func report(_ error: FileError, of path: String) -> ExitCode {
    printMessage("\(shownName(path)): error: cannot be read: \(error)")
    return switch error {
    // There is no input where a stream should be, whatever the reason.
    case _ where path == "-": .inputMissing
    case .missing: .inputMissing
    case .noPermission: .noPermission
    default: .configurationInvalid
    }
}

/// A file of the command line as messages name it.
func shownName(_ path: String) -> String { path == "-" ? "<stdin>" : path }

/// Prints the errors of an association file. One that no system reads has no rules to ask about.
/// - Throws: the exit status.
func printFaults(_ diagnostics: [Diagnostic], isRead: Bool) throws(ExitCode) {
    for diagnostic in diagnostics where diagnostic.severity == .error { printMessage(diagnostic) }
    if !isRead { throw .configurationInvalid }
}

/// Checks that `--as` names a client.
/// - Throws: a `ValidationError` that names a likely one, or all.
func checkClient(_ name: String) throws(ValidationError) {
    guard VisitorProfile.userAgent(of: name) != nil else {
        throw ValidationError(VisitorProfile.unknown(name))
    }
}

/// Checks that `--config` and `--env`, where they are optional, are both there or neither.
func checkPair(config: String?, env: String?) throws(ValidationError) {
    guard (config == nil) == (env == nil) else {
        throw ValidationError("--config and --env go together")
    }
}

/// Checks that a text of the command line is what it stands for, such as a link.
/// - Throws: a `ValidationError` that quotes the text and says what is wrong with it.
func checkArgument<Value, Failure: Error & CustomStringConvertible>(
    _ text: String, _ read: (String) throws(Failure) -> Value
) throws(ValidationError) {
    do {
        _ = try read(text)
    } catch {
        throw ValidationError("\(quoted(text)): \(error)")
    }
}
