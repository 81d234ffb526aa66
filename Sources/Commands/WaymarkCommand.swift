public import ArgumentParser
import Diagnostics
import Files

/// The program: its subcommands, each in a file of its own.
public struct WaymarkCommand: ParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "The HTTPS origin of a team's universal links.",
        version: programVersion,
        subcommands: [
            ServeCommand.self, RenderCommand.self, LintCommand.self, MatchCommand.self,
            ExplainCommand.self, ReportCommand.self,
            DiffCommand.self, StatementsCommand.self, TestCommand.self,
            InitCommand.self,
            HealthcheckCommand.self,
        ])

    public init() {}

    /// Runs the subcommand that the process's arguments name, and ends the process where it fails.
    ///
    /// What it finds wrong with its arguments only when it runs is told as it is while they are
    /// read: with the usage of that subcommand, which ArgumentParser's `main` no longer knows.
    public static func start() {
        do {
            var command = try parseServe() ?? parse()
            do {
                try command.run()
            } catch let error as ValidationError {
                printMessages(["Error: \(error.message)"] + usage(of: type(of: command)))
                throw ExitCode.validationFailure
            }
        } catch {
            exit(withError: statusAfterPrinting(error))
        }
    }

    /// ArgumentParser's messages repeat arguments as they are. A line end in one must not add lines
    /// to a log, so the message is asked for again with arguments that are escaped.
    private static func parse() throws -> any ParsableCommand {
        // Else a file that is opened is taken for a stream that was closed.
        reserveStandardStreams(refusing: true)
        do {
            return try parseAsRoot()
        } catch {
            let arguments = CommandLine.arguments.dropFirst()
            let escaped = arguments.map(onOneLine)
            if !arguments.elementsEqual(escaped) { _ = try parseAsRoot(escaped) }
            throw error
        }
    }

    /// Prints what ArgumentParser has to say: help and scripts on standard output, a mistake in the
    /// arguments on standard error.
    private static func statusAfterPrinting(_ error: any Error) -> ExitCode {
        let (text, status) = (fullMessage(for: error), exitCode(for: error))
        guard !text.isEmpty else { return status }
        guard status == .success else {
            printMessages(
                text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
            return status
        }
        do {
            try printOutput(.help(text))
            return status
        } catch {
            return error
        }
    }

    /// What most processes are started for, read without a look at the other subcommands, while
    /// OpenSSL loads. Nil for all else, mistakes among it, which are told by who knows the whole.
    private static func parseServe() -> (any ParsableCommand)? {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.first == ServeCommand.configuration.commandName else { return nil }
        ServeCommand.beginLoading()
        return try? ServeCommand.parseAsRoot(Array(arguments.dropFirst()))
    }

    private static func usage(of command: any ParsableCommand.Type) -> [String] {
        let name = command.configuration.commandName.map { " \($0)" } ?? ""
        return "Usage: \(usageString(for: command))".split(separator: "\n").map(String.init)
            + ["  See 'waymark\(name) --help' for more information."]
    }
}

/// The version of this program, as `--version` prints it.
let programVersion = "0.1.0"
