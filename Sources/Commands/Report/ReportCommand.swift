import ArgumentParser
import Associations
import Diagnostics
import Reporting
import Resolution

/// Says how a page does as a universal link's page. Exit: 0, 1 if an item is grave enough, 66 if a
/// file is missing, 78 if the configuration is invalid.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Say what search engines, previews and app banners find on a page.",
        discussion: """
            The page is a file of HTML, or a URL that a configuration answers, by the code that \
            `serve` runs; nothing is fetched. What a file cannot tell is not applicable until an \
            option says it: where the page will be, its association files, robots.txt, and the \
            directory with its pictures. Every item is explained in docs/report.md.
            """)

    @Argument(help: ArgumentHelp("A file of HTML, or a URL.", valueName: "url|file"))
    var text: String

    @OptionGroup var source: ReportSource

    @Option(help: "How it is printed: text or json.")
    var format = OutputFormat.text

    @Option(help: "The least status that ends with status 1: required or recommended.")
    var failOn = Threshold.required

    @Option(help: "Leave an item out, by its name. Can be repeated.")
    var ignore: [String] = []

    /// From which status on the exit status is 1.
    enum Threshold: String, CaseIterable, ExpressibleByArgument {
        case required, recommended

        var status: ItemStatus { self == .required ? .required : .recommended }
    }

    func validate() throws {
        try source.validate(for: text)
        for name in ignore where ReportCatalogue.item(named: name) == nil {
            let nearest = nearestName(to: name, among: ReportCatalogue.items.map(\.id))
            throw ValidationError(
                "there is no item \(quoted(name))"
                    + (nearest.map { "; \(didYouMean($0))" } ?? ""))
        }
    }

    func run() throws {
        let input = try source.input(for: text)
        let card = ReportCard(input).leavingOut(ignore)
        switch format {
        case .text: try printOutput(.lines(card.lines(of: input)))
        case .json: try printOutput(.json(card.json(of: input)))
        }
        if card.results.contains(where: { $0.status >= failOn.status }) { throw ExitCode.no }
    }
}
