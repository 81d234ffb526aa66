import ArgumentParser

/// Lets people into the console of a running origin.
struct ConsoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Let people into the console of stored links.",
        discussion: """
            The console is at /console/ of the admin listener, and at the host that `console` of the \
            environment names. A token needs the scope admin, which the token beside the store has. \
            The exit statuses are those of `waymark links`.
            """,
        subcommands: [
            SignInCommand.self, ListPeopleCommand.self, RemovePersonCommand.self,
        ])
}
