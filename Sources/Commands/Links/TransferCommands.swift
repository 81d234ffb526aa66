import ArgumentParser
private import URISyntax

/// The form of many links.
enum TransferFormat: String, CaseIterable, ExpressibleByArgument {
    case json, csv

    var type: String { self == .json ? "application/x-ndjson" : "text/csv" }
}

struct ExportLinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print all links, as an import takes them.",
        discussion: """
            The json format has one link on each line. The exit status is 69 if not all of them came.
            """)

    @Option(help: "Only links of this collection.") var collection: String?
    @Option(help: "Only links with this tag; an empty one is that of links without a tag.")
    var tag: String?
    @Flag(help: "Also links that were deleted, so that their slugs stay taken elsewhere.")
    var deleted = false
    @Option(help: "The format: json or csv.") private var format = TransferFormat.json
    @OptionGroup var options: LinkOriginOptions

    func run() throws {
        let query = queryText([
            ("format", format == .csv ? "csv" : nil), ("collection", collection), ("tag", tag),
            ("deleted", deleted ? "true" : nil),
        ])
        let origin = try options.origin()
        var output = Output()
        try Progress.showing("exporting", counting: "links") { progress throws(ExitCode) in
            _ = try origin.transfer("GET", "export\(query)", accepting: format.type, progress) {
                piece throws(ExitCode) in
                progress.advance(by: piece.count { $0 == UInt8(ascii: "\n") })
                try output.write(.content(piece))
            }
        }
        try output.finish()
    }
}

/// The query with these items, and the question mark before it; empty for none.
func queryText(_ items: [(String, String?)]) -> String {
    let items = items.compactMap { name, value in value.map { "\(name)=\($0.queryEscaped)" } }
    return items.isEmpty ? "" : "?\(items.joined(separator: "&"))"
}
