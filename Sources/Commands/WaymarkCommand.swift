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
            DiffCommand.self, TestCommand.self,
            InitCommand.self,
            HealthcheckCommand.self,
        ])

    public init() {}

    /// Runs what the command line says, and ends the process.
    public static func start() {
        if CommandLine.arguments.dropFirst().first == ServeCommand.configuration.commandName {
            ServeCommand.beginLoading()
        }
        main()
    }
}

/// The version of this program, as `--version` prints it.
let programVersion = "0.1.0"
