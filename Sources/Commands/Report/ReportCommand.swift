import ArgumentParser
import Associations
import Diagnostics
import Reporting
import Resolution

/// Checks a page of a universal link. Exit status: 0; 1 if an item is severe enough; 66 if a file
/// is missing; 78 if the configuration is invalid.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show what search engines, link previews and app banners find on a page.",
        discussion: """
            The page is an HTML file, or a URL that a configuration serves. Nothing is fetched: \
            the code of `serve` answers the URL. For a file, the options give the page's URL, its \
            association files, robots.txt, and the directory with its images. Without an option, \
            the items that need it are not applicable. docs/report.md describes every item.
            """)

    @Argument(help: ArgumentHelp("An HTML file, or a URL.", valueName: "url|file"))
    var text: String

    @OptionGroup var source: ReportSource

    @Option(help: "The format of the report: text or json.")
    var format = OutputFormat.text

    @Option(help: "The lowest result that gives exit status 1: required or recommended.")
    var failOn = Threshold.required

    @Option(help: "Leave out an item, given by its name. Can be repeated.")
    var ignore: [String] = []

    /// The lowest result with exit status 1.
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
