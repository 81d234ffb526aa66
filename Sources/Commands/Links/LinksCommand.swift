import ArgumentParser
import Associations
import Diagnostics
import SiteConfiguration
import Files
import Resolution
import URISyntax

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
            ListLinks.self, ShowLink.self, CreateLink.self, EditLink.self, DisableLink.self,
            EnableLink.self, DeleteLink.self, AddAlias.self, CheckLink.self, ExplainLink.self,
            DrawLink.self, CountVisits.self, ListMisses.self, ImportLinks.self, ExportLinks.self,
            BackUpLinks.self, RestoreLinks.self,
        ])

    /// A link of the store, as a person names it.
    static let linkHelp: ArgumentHelp = "The link: its id, its URL, or COLLECTION/SLUG."
}

struct ListLinks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List links, in the order in which they were made.",
        discussion: """
            The json format has one link on each line. On a terminal, the lines of the text format \
            are cut to its width.
            """)

    enum State: String, CaseIterable, ExpressibleByArgument { case active, disabled }

    @Option(help: "Only links of this collection.") var collection: String?
    @Option(help: "Only links with this tag.") var tag: String?
    @Option(help: "Only links that are active, or disabled.") var state: State?
    @Option(
        help: "Only links with this text in slug, destination, title, description or note.")
    var search: String?
    @Flag(help: "Also links that are archived.") var archived = false
    @Option(help: ArgumentHelp("At most this many links.", valueName: "number"))
    var limit: Int?
    @Option(help: "The format of the list: text or json.") var format = OutputFormat.text
    @OptionGroup var options: LinkOriginOptions

    func validate() throws {
        guard limit ?? 1 >= 1 else {
            throw ValidationError("--limit is \(limit ?? 0), must be at least 1")
        }
    }

    func run() throws {
        let origin = try options.origin()
        let query = [
            ("collection", collection), ("tag", tag), ("state", state?.rawValue), ("q", search),
            ("archived", archived ? "true" : nil),
        ].compactMap { name, value in value.map { "\(name)=\($0.queryEscaped)" } }
        var output = Output()
        var table = Table(["URL", "STATE", "DESTINATION", "TAGS", "NOTE"])
        var left = limit ?? .max
        var next: String? = ""
        while let after = next, left > 0 {
            let page =
                query + ["limit=\(min(left, Self.pageLinks))"] + (after.isEmpty ? [] : [after])
            let answer = try origin.ask("GET", "links?\(page.joined(separator: "&"))")
            let links = answer.json?["links"]?.elements ?? []
            switch format {
            case .json: for link in links { try output.write(.jsonLine(link.written)) }
            case .text: try output.write(.lines(table.lines(of: links.map(Self.row))))
            }
            left -= links.count
            let hasMore = answer.field("link") != nil && !links.isEmpty
            next = hasMore ? links.last?["id"]?.text.map { "after=\($0)" } : nil
        }
        try output.finish()
    }

    /// As many as an answer can have.
    private static let pageLinks = 200

    private static func row(_ link: JSONValue) -> [String] {
        let state =
            (link["state"]?.text ?? "") + (link["archived"]?.boolean == true ? ", archived" : "")
        let tags = link["tags"]?.elements?.compactMap(\.text) ?? []
        return [
            // A collection that the configuration does not have any more has no URL.
            link["url"]?.text
                ?? "\(link["collection"]?.text ?? "")/\(link["slug"]?.text ?? "")",
            state, link["destination"]?.text ?? "", listedTexts(tags),
            link["note"]?.text ?? "",
        ]
    }
}

struct ShowLink: ParsableCommand {
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

struct CreateLink: ParsableCommand {
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

struct CheckLink: ParsableCommand {
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

struct EditLink: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a link, and show it.",
        discussion: """
            An option replaces what the link has, and an empty value removes it: --until ''. With \
            --json, null removes a member. A collection and a slug do not change; `links alias` gives \
            the link another slug. If somebody else changes the link at the same time, nothing is \
            done, and the exit status is 1.
            """)

    @Argument(help: LinksCommand.linkHelp) var link: String
    @OptionGroup var content: LinkContentOptions
    @Option(help: .hidden) var slug: String?
    @Option(help: .hidden) var collection: String?
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func validate() throws {
        if slug != nil {
            throw ValidationError(
                "a link keeps its slug, because people have it; give it another one besides: "
                    + "waymark links alias LINK SLUG")
        }
        if collection != nil {
            throw ValidationError(
                "a link keeps its collection; make another link: waymark links create --collection")
        }
        try content.check(options)
        guard !content.isEmpty else {
            throw ValidationError(
                "nothing is to be changed; give a destination, an option or --json")
        }
    }

    func run() throws {
        let (json, source) = try content.written(isNew: false)
        var origin = try options.origin()
        origin.names = LinkContentOptions.names
        let before = try origin.link(link)
        let after = try origin.change(before, json, match: before.entityTag, from: source)
        origin.printWarnings(after)
        try format.write(after)
    }
}

struct DisableLink: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable a link, so that it is answered as if it did not exist.")

    @Argument(help: LinksCommand.linkHelp) var link: String
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        try setState("disabled", of: link, options.origin(), format)
    }
}

struct EnableLink: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a link that was disabled.")

    @Argument(help: LinksCommand.linkHelp) var link: String
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        try setState("active", of: link, options.origin(), format)
    }
}

/// It depends on nothing else of the link, so another person's change is no obstacle.
private func setState(
    _ state: String, of name: String, _ origin: LinkOrigin, _ format: LinkFormat
) throws {
    let link = try origin.link(name)
    try format.write(
        origin.change(link, .object([("state", .string(state))]), match: "*"))
}

struct DeleteLink: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a link; its slug stays taken.",
        discussion: """
            Browsers get 410 then. It cannot be undone: to take a link out of use for a time, \
            disable it.
            """)

    @Argument(help: LinksCommand.linkHelp) var link: String
    @Flag(help: "Delete without asking.") var yes = false
    @OptionGroup var options: LinkOriginOptions

    func validate() throws {
        guard !yes else { return }
        guard isStandardInputTerminal, !options.readsStandardInput else {
            throw ValidationError(
                "standard input is no terminal, where you could be asked; add --yes")
        }
    }

    func run() throws {
        let origin = try options.origin()
        let before = try origin.link(link)
        let name = before["url"] ?? before["id"] ?? ""
        if !yes, try !confirms(before, name) {
            printMessage("waymark: nothing was deleted")
            throw ExitCode.no
        }
        let answer = try origin.ask(
            "DELETE", "links/\((before["id"] ?? "").queryEscaped)", match: before.entityTag,
            accepting: [412])
        guard answer.status != 412 else { throw origin.changedMeanwhile(before) }
        try printOutput(.lines(["deleted \(name)"]))
    }

    private func confirms(_ link: LinkOrigin.Answer, _ name: String) throws -> Bool {
        let destination = link["destination"].map { ", which leads to \($0)" } ?? ""
        printMessage(
            "delete \(name)\(destination)? It cannot be undone, and its slug stays taken. [y/N]")
        var input = StandardInputLines()
        let line = try readLine(&input)
        let words = line.map { String(decoding: $0.bytes, as: UTF8.self).lowercased() } ?? ""
        return ["y", "yes"].contains(words)
    }
}

struct BackUpLinks: ParsableCommand {
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

struct ExplainLink: ParsableCommand {
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
