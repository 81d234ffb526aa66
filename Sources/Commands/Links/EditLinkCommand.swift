import ArgumentParser

struct EditLinkCommand: ParsableCommand {
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
