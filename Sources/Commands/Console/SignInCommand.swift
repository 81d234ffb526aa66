import ArgumentParser
import Diagnostics
import JSONSyntax

/// Prints a sign-in link.
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
    @Flag(help: "Print a link to the admin listener, also if the console has a host.")
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

/// The collections that a role is for, behind its name.
private func people(of answer: JSONValue?) -> String {
    let names = answer?["collections"]?.elements?.compactMap(\.text) ?? []
    return names.isEmpty ? "" : " of \(names.joined(separator: ", "))"
}
