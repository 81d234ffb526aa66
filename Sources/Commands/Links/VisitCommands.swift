import ArgumentParser
import Associations
import Diagnostics
import SiteConfiguration
import URISyntax

/// The days of a question about visits.
struct VisitPeriodOptions: ParsableArguments {
    @Option(help: "The first day or time, such as 2027-01-31; 29 days ago by default.")
    var from: String?
    @Option(help: "The last day, or the time until which is counted; today by default.")
    var to: String?

    var items: [(String, String?)] { [("from", from), ("to", to)] }
}

struct CountVisits: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visits", abstract: "Count the visits of a link, or of all links together.",
        discussion: """
            PEOPLE are visits that had an answer; those that found no link, of bots and of \
            preparing programs are beside them. The token needs the scope stats.read. The json \
            format is the answer of the API.
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
        let path =
            try link.map { name in
                "links/\((try origin.link(name, alsoDeleted: true)["id"] ?? "").queryEscaped)/visits"
            } ?? "visits"
        let answer = try origin.ask("GET", path + query)
        guard format.format == .text else { return try format.write(answer) }
        var table = Table([by.rawValue.uppercased()] + Self.counts.map(\.title))
        let rows = (answer.json?["rows"]?.elements ?? []).map { row in
            [row[by.rawValue]?.text ?? ""]
                + Self.counts.map { row[$0.member]?.written.compact ?? $0.missing }
        }
        try printOutput(.lines(table.lines(of: rows)))
    }

    /// The columns. An hour and a platform have no number of visitors.
    private static let counts: [(member: String, title: String, missing: String)] = [
        ("visits", "PEOPLE", "0"), ("visitors", "VISITORS", ""), ("notFound", "NOT FOUND", "0"),
        ("bots", "BOTS", "0"), ("prefetches", "PREFETCHES", "0"), ("probes", "PROBES", "0"),
        ("opens", "OPENS", "0"), ("firstOpens", "FIRST OPENS", "0"),
    ]
}

struct ListMisses: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "misses",
        abstract: "List paths of collections that are of no link, the most frequent first.",
        discussion: """
            ERROR is by how much a count may be too high. The token needs the scope stats.read. The \
            json format has one path on each line.
            """)

    @OptionGroup var period: VisitPeriodOptions
    @OptionGroup var format: LinkFormat
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let answer = try options.origin().ask("GET", "misses" + queryText(period.items))
        let misses = answer.json?["misses"]?.elements ?? []
        var output = Output()
        switch format.format {
        case .json: for miss in misses { try output.write(.jsonLine(miss.written)) }
        case .text:
            var table = Table(["PATH", "COLLECTION", "COUNT", "ERROR", "LAST"])
            let rows = misses.map { miss in
                [
                    miss["path"]?.text ?? "", miss["collection"]?.text ?? "",
                    miss["count"]?.written.compact ?? "", miss["error"]?.written.compact ?? "",
                    miss["last"]?.text ?? "",
                ]
            }
            try output.write(.lines(table.lines(of: rows)))
        }
        try output.finish()
    }
}
