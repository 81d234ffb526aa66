import ArgumentParser
import Diagnostics
import JSONSyntax
private import SiteConfiguration
private import URISyntax

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

struct SignInCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Print a link with which a person signs in to the console, once.",
        discussion: """
            Standard output has the link alone. Whoever has it signs in as this person, so give it to \
            nobody else. It is for ten minutes, and takes the place of the person's links before it. \
            Somebody who is not known yet is added. Other rights than before end the person's \
            sessions.
            """)

    @Argument(
        help: """
            The person's name, by which the audit shows what they do: letters, digits, and ., _, @, + \
            and - within.
            """)
    var name: String
    @Option(
        help: ArgumentHelp(
            "What the person may do: viewer, editor or admin. By default what they may already, or "
                + "viewer for somebody new.", valueName: "role"))
    var role: String?
    @Option(
        name: .customLong("collection"),
        help: ArgumentHelp(
            "The collection that the role is for; can be repeated. By default those that it is for "
                + "already, or all.", valueName: "collection"))
    var collections: [String] = []
    @Flag(
        help: "Print a link to the admin listener, also if the console has a host.")
    var local = false
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let origin = try options.origin()
        var members: [(key: String, value: JSONText)] = [("name", .string(name))]
        if let role { members.append(("role", .string(role))) }
        if !collections.isEmpty { members.append(("collections", .strings(collections))) }
        var asked = origin
        asked.names = ["/name": "name", "/role": "--role", "/collections": "--collection"]
        let answer = try asked.ask("POST", "people", .object(members))
        let host = local ? nil : answer["host"]
        let place = host.map { "https://\($0)" } ?? "http://\(origin.place.adminName)"
        try printOutput(.lines(["\(place)\(answer["path"] ?? "")"]))
        let rights = (answer["role"] ?? "") + people(of: answer.json)
        let isNew = answer.json?["isNew"]?.boolean == true
        printMessages([
            "\(isNew ? "added " : "")\(answer["name"] ?? name), \(rights): the link is for one "
                + "sign-in, until \(answer["expires"] ?? "")"
        ])
    }
}

struct ListPeopleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "List the people of the console.",
        discussion: """
            SESSIONS has the sessions that have not ended, and SEEN the last use of one of them, to the \
            minute. The json format has one person on each line.
            """)

    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let answer = try options.origin().ask("GET", "people")
        let people = answer.json?["people"]?.elements ?? []
        var output = Output()
        switch format.format {
        case .json: for person in people { try output.write(.jsonLine(person.written)) }
        case .text:
            var table = Table(["NAME", "ROLE", "COLLECTIONS", "SESSIONS", "SEEN", "ADDED"])
            let rows = people.map { person in
                [
                    person["name"]?.text ?? "", person["role"]?.text ?? "",
                    person["collections"]?.elements?.compactMap(\.text).joined(separator: ",")
                        ?? "all",
                    person["sessions"]?.written.compact ?? "", person["seen"]?.text ?? "",
                    person["created"]?.text.map { String($0.prefix(10)) } ?? "",
                ]
            }
            try output.write(.lines(table.lines(of: rows)))
        }
        try output.finish()
    }
}

struct RemovePersonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a person from the console, and end their sessions.")

    @Argument(help: "The person's name, as `waymark console people` shows it.") var name: String
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let answer = try options.origin().ask(
            "DELETE", "people/\(name.queryEscaped)", accepting: [400, 404])
        guard answer.status < 400 else {
            printMessages([
                "waymark: error: there is no person \(quoted(name))",
                "    `waymark console people` has the names",
            ])
            throw ExitCode.no
        }
    }
}

/// The collections that a role is for, behind its name.
private func people(of answer: JSONValue?) -> String {
    let names = answer?["collections"]?.elements?.compactMap(\.text) ?? []
    return names.isEmpty ? "" : " of \(names.joined(separator: ", "))"
}
