import ArgumentParser
import Diagnostics
private import JSONSyntax
private import URISyntax

/// Makes and maintains the links of a running origin's store.
struct LinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Make and maintain stored links of a running origin.",
        discussion: """
            The commands ask the origin through its admin listener or, with --api, through a host of \
            its API from anywhere. A link is named by its id, its URL, or COLLECTION/SLUG.

            The exit status is 1 if the origin refuses a request or has no such link, 69 if it does \
            not answer, 75 if its store cannot be used now, and 77 if there is no token or the \
            token does not allow the request.
            """,
        subcommands: [
            ListLinksCommand.self, ShowLinkCommand.self, CreateLinkCommand.self,
            EditLinkCommand.self, DisableLinkCommand.self,
            EnableLinkCommand.self, DeleteLinkCommand.self, AddAliasCommand.self,
            CheckLinkCommand.self, ExplainLinkCommand.self,
            DrawLinkCommand.self, CountVisitsCommand.self, ListMissesCommand.self,
            ImportLinksCommand.self, ExportLinksCommand.self,
            BackUpLinksCommand.self, RestoreLinksCommand.self, CopyLinksCommand.self,
        ])

    /// A link of the store, as a person names it.
    static let linkHelp: ArgumentHelp = "The link: its id, its URL, or COLLECTION/SLUG."
}

struct ShowLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything about a link.",
        discussion: "A link that was deleted is shown too; the exit status is 1 then.")

    @Argument(help: LinksCommand.linkHelp) var link: String
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let answer = try options.origin().link(link, alsoDeleted: true)
        try format.write(answer)
        if answer.status == 410 { throw ExitCode.no }
    }
}

struct CreateLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a link, and print its URL.",
        discussion: """
            What is wrong with the link is printed completely, and no link is made then.
            """)

    @OptionGroup var description: LinkDescriptionOptions
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func validate() throws { try description.check(options) }

    func run() throws {
        let (json, source) = try description.written()
        var origin = try options.origin()
        origin.names = LinkDescriptionOptions.names
        let answer = try origin.ask("POST", "links", json, from: source)
        origin.printWarnings(answer)
        switch format.format {
        case .text: try printOutput(.lines([answer["url"] ?? answer["id"] ?? ""]))
        case .json: try format.write(answer)
        }
    }
}

struct CheckLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check what making a link would refuse; make nothing.",
        discussion: "The exit status is 1 if the link would be refused.")

    @OptionGroup var description: LinkDescriptionOptions
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func validate() throws { try description.check(options) }

    func run() throws {
        let (json, source) = try description.written()
        var origin = try options.origin()
        origin.names = LinkDescriptionOptions.names
        let answer = try origin.ask("POST", "links:check", json, from: source)
        let faults = answer.json?["errors"]?.elements ?? []
        for fault in faults { origin.printFault(fault, "error", source) }
        origin.printWarnings(answer)
        let isValid = answer.json?["isValid"]?.boolean == true
        switch format.format {
        case .text:
            let count = counted(faults.count, "error")
            try printOutput(
                .lines([isValid ? "the link can be made" : "the link cannot be made: \(count)"]))
        case .json: try format.write(answer)
        }
        if !isValid { throw ExitCode.no }
    }
}

struct DisableLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable a link, so that it is answered as if it did not exist.")

    @Argument(help: LinksCommand.linkHelp) var link: String
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws { try setState("disabled", of: link, options.origin(), format) }
}

struct EnableLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a link that was disabled.")

    @Argument(help: LinksCommand.linkHelp) var link: String
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws { try setState("active", of: link, options.origin(), format) }
}

/// It depends on nothing else of the link, so another person's change is no obstacle.
private func setState(
    _ state: String, of name: String, _ origin: LinkOrigin, _ format: LinkFormat
) throws {
    let link = try origin.link(name)
    try format.write(origin.change(link, .object([("state", .string(state))]), match: "*"))
}

struct BackUpLinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the store, and print the path of the copy.",
        discussion: """
            The origin writes consistent copies of links and visits beside its store, and checks them. \
            Links are answered meanwhile. The path is that of the links; the visits are beside it, \
            without what tells visitors apart. The token needs the scope admin, as that beside the \
            store has.
            """)

    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let origin = try options.origin()
        let answer = try Progress.showing("copying the store") { _ throws(ExitCode) in
            try origin.ask("POST", "backup")
        }
        switch format.format {
        case .text:
            if answer.json?["visits"]?.text == nil {
                printMessages([
                    "waymark: warning: the visits are not in the backup",
                    "    their file cannot be used now; the origin's log says why",
                ])
            }
            try printOutput(.lines([answer["path"] ?? ""]))
        case .json: try format.write(answer)
        }
    }
}

struct ExplainLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain what a link does for a client now.")

    @Argument(help: LinksCommand.linkHelp) var link: String
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The client, as in `waymark explain`: iphone-safari, android-chrome, desktop-chrome, …",
            valueName: "client"))
    var client = "desktop-chrome"
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func validate() throws { try checkClient(client) }

    func run() throws {
        let origin = try options.origin()
        let id = try origin.link(link)["id"] ?? ""
        let answer = try origin.ask(
            "GET", "links/\(id.queryEscaped)/explain?as=\(client.queryEscaped)")
        switch format.format {
        case .text: try printOutput(.lines(lines(answer)))
        case .json: try format.write(answer)
        }
    }

    private func lines(_ answer: LinkOrigin.Answer) -> [String] {
        let apps = answer.json?["opens"]?.elements?.compactMap(\.text) ?? []
        var lines = ["\(answer["url"] ?? "")", "  asked by \(client)", "apps"]
        lines += apps.isEmpty ? ["  no app opens it"] : apps.map { "  \($0) opens it" }
        lines.append("the web")
        for step in answer.json?["steps"]?.elements ?? [] {
            let mark = step["taken"]?.boolean == true ? "→" : " "
            lines.append("  \(mark) \(step["step"]?.text ?? ""): \(step["reason"]?.text ?? "")")
        }
        lines.append("response")
        return lines + shown(answer.json?["answer"]).map { "  \($0)" }
    }
}
