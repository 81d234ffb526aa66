import ArgumentParser
import Files

struct ImportLinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make or change many links.",
        discussion: """
            A file has one link as JSON on each line, or it is a table (CSV) whose first line names \
            the members. Each line is done or refused by itself, unless --atomic. A table that cannot \
            be read to its end, because of its characters or a quote, is read no further. The exit \
            status is 1 if a line was refused, or there was none, and 75 if the input stopped to come, or the \
            store could not be used for all of it: then import the file again with --mode upsert.
            """)

    enum Mode: String, CaseIterable, ExpressibleByArgument { case create, upsert }

    @Argument(help: ArgumentHelp("The file; - is standard input.", valueName: "file"))
    var path: String
    @Option(
        name: .customLong("input-format"),
        help: """
            The format of the file: json or csv. By default csv if its name ends in .csv, .tsv or .tab.
            """)
    private var input: TransferFormat?
    @Option(help: "Whether a line changes a link that exists (upsert), or is refused (create).")
    var mode = Mode.create
    @Option(help: "The collection of lines that name none.") var collection: String?
    @Flag(help: "The file is a table that Firebase Dynamic Links has exported.")
    var firebase = false
    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            """
            The file is a table of another service: bitly, branch, dub, firebase, kutt, rebrandly, shlink, \
            short.io, tinyurl or yourls.
            """, valueName: "service"))
    var service: String?
    @Option(
        help: ArgumentHelp(
            """
            The members that columns of the table are: "Long URL=destination,Code=slug". With \
            --from, in place of what is known of them; "Theirs=" keeps nothing of a column, and "#3" is the \
            third.
            """, valueName: "theirs=ours"))
    var columns: String?
    @Option(
        help: ArgumentHelp(
            """
            With --from, --columns or --firebase: the domain of the table's short links. Others are \
            refused.
            """, valueName: "host"))
    var domain: String?
    @Flag(name: .customLong("dry-run"), help: "Say what would be done, and do nothing.")
    var isDryRun = false
    @Flag(help: "Do nothing if a line is refused.") var atomic = false
    @Option(help: "The format of the report: text, of refused lines, or json, of every line.")
    var format = OutputFormat.text
    @OptionGroup var options: LinkOriginOptions

    func validate() throws {
        guard path != "-" || !options.readsStandardInput else {
            throw ValidationError("standard input is either the links or the token")
        }
        guard !firebase || service == nil else {
            throw ValidationError("--firebase is --from firebase; leave one of them out")
        }
    }

    func run() throws {
        let isTable =
            firebase || service != nil || columns != nil
            || [".csv", ".tsv", ".tab"].contains(where: path.lowercased().hasSuffix)
        let form = input ?? (isTable ? .csv : .json)
        let query = queryText([
            ("mode", mode.rawValue), ("collection", collection),
            ("format", firebase ? "firebase" : service), ("columns", columns),
            ("domain", domain),
            ("dry-run", isDryRun ? "true" : nil),
            ("atomic", atomic ? "true" : nil),
            ("report", format == .text ? "refused" : nil),
        ])
        let origin = try options.origin()
        var report = ImportReport(
            origin: origin, file: shownName(path), format: format, isAtomic: atomic)
        let status = try Progress.showing(
            "sending \(shownName(path))", counting: "bytes", of: FileStamp(of: path)?.bytes
        ) { progress throws(ExitCode) in
            try origin.transfer(
                "POST", "import\(query)", accepting: TransferFormat.json.type,
                sending: (form.type, path), progress
            ) { piece throws(ExitCode) in try report.add(piece) }
        }
        if let status = try report.finish(status) { throw status }
    }
}
