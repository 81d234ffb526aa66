import ArgumentParser
private import Countries
import Diagnostics
private import JSONSyntax
private import SiteConfiguration
private import URISyntax

struct CountVisitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits", abstract: "Count the visits of a link, or of many links together.",
        discussion: """
            VISITS are those of people that had an answer, PEOPLE the different people of a day. By day \
            and by hour, requests that found no link, of bots and of preparing programs are beside \
            them. A country has its name behind its two letters. The token needs the scope stats.read, and \
            links.read, too, unless the link is named by its id. The json format is the answer of \
            the API.
            """)

    @Argument(help: "The link: its id, its URL, or COLLECTION/SLUG; by default all links together.")
    var link: String?
    @Option(
        help: """
            What is counted together, one thing or two with a comma: day, hour, platform, outcome, country, \
            referrer, or of many links link, tag, campaign, collection.
            """)
    var by = "day"
    @Option(
        help:
            "The time zone of days and hours, such as Europe/Berlin, or site for that of the links' site; UTC by default."
    )
    var zone: String?
    @Option(help: "Only links of this collection.")
    var collection: String?
    @Option(help: "Only links with this tag; an empty one is that of links without a tag.")
    var tag: String?
    @Option(help: "Only links whose destination has this utm_campaign; empty for none.")
    var campaign: String?
    @OptionGroup var period: VisitPeriodOptions
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func validate() throws {
        let isOfMany = collection ?? tag ?? campaign != nil
        guard link == nil || !isOfMany else {
            throw ValidationError(
                "--collection, --tag and --campaign choose among links; leave out the link, or them"
            )
        }
    }

    private var dimensions: [String] {
        by.utf8.split(separator: UInt8(ascii: ",")).map { String($0) ?? "" }
    }

    func run() throws {
        let origin = try options.origin()
        let asked = [
            ("by", by), ("zone", zone), ("collection", collection), ("tag", tag),
            ("campaign", campaign),
        ]
        let query = queryText(asked + period.items)
        let path = try link.map { "links/\(try origin.id(of: $0).queryEscaped)/visits" } ?? "visits"
        let answer = try origin.ask("GET", path + query, accepting: link == nil ? [] : [404])
        if answer.status == 404, let link { throw origin.missing(link) }
        guard format.format == .text else { return try format.write(answer) }
        let dimensions = dimensions
        let isOfAll = !dimensions.contains {
            ["platform", "outcome", "referrer", "country"].contains($0)
        }
        let counts = Self.counts.filter { count in
            switch count.member {
            case "visits": true
            case "visitors": link != nil && by == "day" && answer.json?["zone"] == nil
            default: isOfAll
            }
        }
        var table = Table(dimensions.map { $0.uppercased() } + counts.map(\.title))
        let rows = (answer.json?["rows"]?.elements ?? []).map { row in
            dimensions.map { Self.words(row[$0]?.text ?? "", of: $0) }
                + counts.map { row[$0.member]?.written.compact ?? $0.missing }
        }
        try printOutput(.lines(table.lines(of: rows)))
    }

    /// A value as people read it: a country has its name behind its letters, if it has one.
    static func words(_ value: String, of dimension: String) -> String {
        guard dimension == "country", let names = CountryNames(code: value) else { return value }
        return "\(value) \(names.english)"
    }

    /// The columns.
    private static let counts: [(member: String, title: String, missing: String)] = [
        ("visits", "VISITS", "0"), ("visitors", "PEOPLE", ""), ("notFound", "NOT FOUND", "0"),
        ("bots", "BOTS", "0"), ("prefetches", "PREFETCHES", "0"), ("probes", "PROBES", "0"),
        ("opens", "OPENS", "0"), ("firstOpens", "FIRST OPENS", "0"),
    ]
}
