import ArgumentParser
import JSONSyntax
private import SiteConfiguration
private import URISyntax

struct ListLinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List links, in the order in which they were made.",
        discussion: """
            The json format has one link on each line. On a terminal, the lines of the text format \
            are cut to its width.
            """)

    enum State: String, CaseIterable, ExpressibleByArgument { case active, disabled }

    @Option(help: "Only links of this collection.") var collection: String?
    @Option(help: "Only links with this tag; an empty one is that of links without a tag.")
    var tag: String?
    @Option(help: "Only links that are active, or disabled.") var state: State?
    @Option(
        help: "Only links with this text in slug, aliases, destination, title, description or note."
    )
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
