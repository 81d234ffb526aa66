import ArgumentParser
import Diagnostics
private import URISyntax

struct AddAliasCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias", abstract: "Give a link another slug, and show the link.")

    @Argument(help: LinksCommand.linkHelp) var link: String
    @Argument(help: "The slug with which it is found, too.") var slug: String
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let origin = try options.origin()
        let id = try origin.link(link)["id"] ?? ""
        let answer = try origin.ask(
            "POST", "links/\(id.queryEscaped)/aliases", .object([("slug", .string(slug))]))
        try format.write(answer)
    }
}

struct DrawLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr", abstract: "Write the QR code of a link, as `waymark qr` does.",
        discussion: "The code is drawn here; the origin is only asked for the link's URL.")

    @Argument(help: LinksCommand.linkHelp) var link: String
    @OptionGroup var code: QROptions
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let answer = try options.origin().link(link)
        guard let url = answer["url"] else {
            printMessages([
                "waymark: error: the link \(quoted(link)) has no URL: the configuration has no "
                    + "collection \(quoted(answer["collection"] ?? ""))",
                "    add the collection again, or give the link another one",
            ])
            throw ExitCode.no
        }
        try code.write(url)
    }
}
