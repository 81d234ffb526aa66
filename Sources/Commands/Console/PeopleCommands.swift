import ArgumentParser
import Diagnostics
import JSONSyntax
private import SiteConfiguration
private import URISyntax

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
