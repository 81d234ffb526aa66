import ArgumentParser
import Diagnostics
private import JSONSyntax
private import SiteConfiguration
private import URISyntax

struct CountVisitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits", abstract: "Count the visits of a link, or of all links together.",
        discussion: """
            PEOPLE are visits that had an answer. By day and by hour, those that found no link, of \
            bots and of preparing programs are beside them. The token needs the scope stats.read, and \
            links.read, too, unless the link is named by its id. The json format is the answer of \
            the API.
            """)

    enum Grouping: String, CaseIterable, ExpressibleByArgument {
        case day, hour, platform, outcome, referrer
    }

    @Argument(
        help: "The link: its id, its URL, or COLLECTION/SLUG; by default all links together.")
    var link: String?
    @Option(help: "What is counted together: day, hour, platform, outcome or referrer.")
    var by = Grouping.day
    @OptionGroup var period: VisitPeriodOptions
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func validate() throws {
        guard by != .referrer || link != nil else {
            throw ValidationError("referrers are counted for each link; name one")
        }
    }

    func run() throws {
        let origin = try options.origin()
        let query = queryText([("by", by.rawValue)] + period.items)
        let path = try link.map { "links/\(try origin.id(of: $0).queryEscaped)/visits" } ?? "visits"
        let answer = try origin.ask("GET", path + query, accepting: link == nil ? [] : [404])
        if answer.status == 404, let link { throw origin.missing(link) }
        guard format.format == .text else { return try format.write(answer) }
        let counts = Self.counts.filter { $0.groupings.contains(by) }
        var table = Table([by.rawValue.uppercased()] + counts.map(\.title))
        let rows = (answer.json?["rows"]?.elements ?? []).map { row in
            [row[by.rawValue]?.text ?? ""]
                + counts.map { row[$0.member]?.written.compact ?? $0.missing }
        }
        try printOutput(.lines(table.lines(of: rows)))
    }

    /// The columns, and what they are counted for.
    private static let counts:
        [(
            member: String, title: String, missing: String, groupings: [Grouping]
        )] = [
            ("visits", "PEOPLE", "0", Grouping.allCases), ("visitors", "VISITORS", "", [.day]),
            ("notFound", "NOT FOUND", "0", [.day, .hour]), ("bots", "BOTS", "0", [.day, .hour]),
            ("prefetches", "PREFETCHES", "0", [.day, .hour]),
            ("probes", "PROBES", "0", [.day, .hour]),
            ("opens", "OPENS", "0", [.day, .hour]),
            ("firstOpens", "FIRST OPENS", "0", [.day, .hour]),
        ]
}
