import ArgumentParser
import Diagnostics
private import JSONSyntax
private import SiteConfiguration

/// The days of a question about visits.
struct VisitPeriodOptions: ParsableArguments {
    @Option(help: "The first day or time, such as 2027-01-31; 29 days ago by default.")
    var from: String?
    @Option(help: "The last day, or the time until which is counted; today by default.")
    var to: String?

    var items: [(String, String?)] { [("from", from), ("to", to)] }
}

struct ListMissesCommand: ParsableCommand {
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
