public import ArgumentParser
import CCommit
import Diagnostics
import Files

/// The program with its subcommands, each in its own file.
public struct WaymarkCommand: ParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "Serve universal links over HTTPS, and predict what they do.",
        version: "waymark \(programVersion)\(commitSuffix)",
        subcommands: [
            ServeCommand.self, RenderCommand.self, LintCommand.self, AppCommand.self,
            MatchCommand.self,
            ExplainCommand.self, ReportCommand.self, QRCommand.self,
            DiffCommand.self, StatementsCommand.self, TestCommand.self, CheckCommand.self,
            InitCommand.self, LinksCommand.self, TokensCommand.self, ConsoleCommand.self,
            NodesCommand.self, CertificatesCommand.self, HealthcheckCommand.self,
        ])

    public init() {}

    /// Runs the subcommand of the command line, and ends the process if it fails.
    ///
    /// If a subcommand finds an error in its arguments only when it runs, the message is the same
    /// as for errors while parsing: with the usage of that subcommand, which ArgumentParser's
    /// `main` no longer knows.
    public static func start() {
        do {
            try refuseOtherEncodings()
            let arguments = Array(CommandLine.arguments.dropFirst())
            var command = try parseServe() ?? parse(arguments)
            do {
                try refuseSlips(in: arguments, of: command)
                try command.run()
            } catch let error as ValidationError {
                throw refusal(error, of: type(of: command))
            }
        } catch {
            exit(withError: statusAfterPrinting(error))
        }
    }

    /// Refuses arguments that are not UTF-8. Swift has U+FFFD in the place of such bytes, which would name another file.
    private static func refuseOtherEncodings() throws {
        let arguments = CommandLine.arguments
        // Only systems with this file tell such an argument from one that has the character.
        guard arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }),
            let bytes = try? readInput("/proc/self/cmdline", bytesMax: argumentBytesMax)
        else { return }
        let written = bytes.split(separator: 0, omittingEmptySubsequences: false)
        for (number, (argument, bytes)) in zip(arguments, written).enumerated()
        where !argument.utf8.elementsEqual(bytes) {
            throw refusal(
                ValidationError(
                    "argument \(number), \(quoted(argument)), is not UTF-8, so it names no file here; rename the file, "
                        + "or give its directory, and convert other texts"), of: self)
        }
    }

    /// ArgumentParser's messages repeat arguments unescaped. A line end in an argument must not add
    /// lines to a log, so the arguments are parsed again with escapes.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        // Otherwise a file that is opened would get the number of a closed standard stream.
        reserveStandardStreams(refusing: true)
        try refuseUnknownCommand(in: arguments, of: self)
        do {
            return try parseAsRoot()
        } catch {
            do throws(ValidationError) {
                try refuseSlips(in: arguments, of: nil)
            } catch let slip {
                throw refusal(slip, of: command(in: arguments, of: self).type)
            }
            let escaped = arguments.map(withinOneLine)
            if !arguments.elementsEqual(escaped) { _ = try parseAsRoot(escaped) }
            throw error
        }
    }

    /// Prints ArgumentParser's text: help and scripts on standard output, errors in the arguments
    /// on standard error.
    private static func statusAfterPrinting(_ error: any Error) -> ExitCode {
        let (text, status) = (fullMessage(for: error), exitCode(for: error))
        guard !text.isEmpty else { return status }
        guard status == .success else {
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
            if let advice = advice(on: lines[0], Array(CommandLine.arguments.dropFirst())) {
                lines[0] += "; \(advice)"
            }
            printMessages(lines)
            return status
        }
        do {
            try printOutput(.help(text))
            return status
        } catch {
            return error
        }
    }

    /// The most frequent command, parsed without the other subcommands while OpenSSL loads. Nil for
    /// other commands and for errors, which the full parser reports.
    private static func parseServe() -> (any ParsableCommand)? {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.first == ServeCommand.configuration.commandName else { return nil }
        ServeCommand.beginLoading()
        return try? ServeCommand.parseAsRoot(Array(arguments.dropFirst()))
    }

    /// The exit status, after printing the error with the usage of the command.
    private static func refusal(
        _ error: ValidationError, of command: any ParsableCommand.Type
    ) -> ExitCode {
        printMessages(["Error: \(error.message)"] + usage(of: command))
        return .validationFailure
    }

    private static func usage(of command: any ParsableCommand.Type) -> [String] {
        let name = names(of: command, below: self).map { " \($0)" }.joined()
        return "Usage: \(usageString(for: command))".split(separator: "\n").map(String.init)
            + ["  See 'waymark\(name) --help' for more information."]
    }

    /// The names with which a subcommand is called: its own comes last.
    private static func names(
        of command: any ParsableCommand.Type, below root: any ParsableCommand.Type
    ) -> [String] {
        for child in root.configuration.subcommands {
            let deeper = child == command ? [] : names(of: command, below: child)
            if child == command || !deeper.isEmpty {
                return [child.configuration.commandName ?? ""] + deeper
            }
        }
        return []
    }
}

/// No system has longer command lines by default.
private let argumentBytesMax = 8 * 1_048_576

/// The version of this program.
let programVersion = "0.1.0"

/// The commit that `--version` prints after the version, or nothing if it is not known.
private var commitSuffix: String {
    let commit = waymark_commit()
    guard commit != 0 else { return "" }
    let digits = String(commit, radix: 16)
    return " (" + String(repeating: "0", count: 12 - digits.count) + digits + ")"
}
