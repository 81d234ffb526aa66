public import ArgumentParser

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
            var command = try parseServe() ?? parseAsRoot()
            do {
                try command.run()
            } catch let error as ValidationError {
                printMessage("Error: \(error.message)\n\(usage(of: type(of: command)))")
                throw ExitCode.validationFailure
            }
        } catch {
            exit(withError: error)
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

    private static func usage(of command: any ParsableCommand.Type) -> String {
        let name = command.configuration.commandName.map { " \($0)" } ?? ""
        return "Usage: \(usageString(for: command))\n"
            + "  See 'waymark\(name) --help' for more information."
    }
}

/// The version of this program, as `--version` prints it.
let programVersion = "0.1.0"
