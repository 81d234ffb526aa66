import ArgumentParser
import Associations
import Diagnostics
import Files
import SiteConfiguration
import URISyntax

/// The form of many links.
private enum TransferFormat: String, CaseIterable, ExpressibleByArgument {
    case json, csv

    var type: String { self == .json ? "application/x-ndjson" : "text/csv" }
}

struct ExportLinks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print all links, as an import takes them.",
        discussion: """
            The json format has one link on each line. The exit status is 69 if not all of them came.
            """)

    @Option(help: "Only links of this collection.") var collection: String?
    @Option(help: "Only links with this tag.") var tag: String?
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

struct ImportLinks: ParsableCommand {
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
        help: ArgumentHelp(
            "With --firebase: the domain of its short links, if it is not the collection's.",
            valueName: "host"))
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
    }

    func run() throws {
        let isTable =
            firebase || [".csv", ".tsv", ".tab"].contains(where: path.lowercased().hasSuffix)
        let form = input ?? (isTable ? .csv : .json)
        let query = queryText([
            ("mode", mode.rawValue), ("collection", collection),
            ("format", firebase ? "firebase" : nil), ("domain", domain),
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

/// The lines of the answer to an import, printed as they come.
private struct ImportReport: ~Copyable {
    private let origin: LinkOrigin
    private let file: String
    private let format: OutputFormat
    private let isAtomic: Bool
    private var output = Output()
    private var rest = [UInt8]()
    private var refused = 0
    private var hasSummary = false
    private var isComplete = false
    /// Why the origin has ended the import before its content did.
    private var problem: JSONValue?

    init(origin: LinkOrigin, file: String, format: OutputFormat, isAtomic: Bool) {
        (self.origin, self.file, self.format) = (origin, file, format)
        self.isAtomic = isAtomic
    }

    mutating func add(_ piece: [UInt8]) throws(ExitCode) {
        rest += piece
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
        for line in rest[...end].split(separator: UInt8(ascii: "\n")) {
            guard let json = JSONDocument(Array(line), file: file).root else { continue }
            if format == .json { try output.write(.jsonLine(json.written)) }
            try read(json)
        }
        rest.removeSubrange(...end)
    }

    /// - Parameter status: of the answer.
    /// - Returns: the exit status, after printing what has ended the import; nil if all of it was done.
    mutating func finish(_ status: Int) throws(ExitCode) -> ExitCode? {
        try output.finish()
        let advice =
            isAtomic
            ? "nothing was written: import all of it again"
            : "import all of it again with --mode upsert, which leaves what is done as it is"
        if let problem {
            origin.printProblem(problem, at: file, advice: advice)
        } else if !hasSummary {
            printMessages([
                "\(file): error: the answer ends before it says what was done", "    \(advice)",
            ])
            return .unreachable
        }
        // Where lines are refused, 422 says no more than they do.
        if refused > 0, problem == nil { return .no }
        if 200..<300 ~= status { return isComplete ? nil : .tryAgain }
        return LinkOrigin.exitStatus(for: status)
    }

    private mutating func read(_ json: JSONValue) throws(ExitCode) {
        if let summary = json["summary"] {
            func number(_ key: String) -> String { summary[key]?.written.compact ?? "0" }
            refused = Int(number("refused")) ?? 0
            (hasSummary, isComplete) = (true, summary["complete"]?.boolean == true)
            guard format == .text else { return }
            let isApplied = summary["applied"]?.boolean == true
            try output.write(
                .lines([
                    (isApplied ? "" : "nothing was written: ")
                        + "\(number("created")) created, \(number("changed")) changed, "
                        + "\(number("unchanged")) unchanged, \(number("refused")) refused"
                        + (isComplete ? "" : "; the rest was not done")
                ]))
        } else if json["line"] == nil {
            problem = json
        } else if format == .text {
            let place = ["line", "column"].compactMap { json[$0]?.written.compact }
            let position = ([file] + place).joined(separator: ":")
            for warning in json["warnings"]?.elements ?? [] {
                origin.printFault(warning, "warning", nil, at: position)
            }
            if let problem = json["problem"] { origin.printProblem(problem, at: position) }
        }
    }
}

/// The query with these items, and the question mark before it; empty for none.
func queryText(_ items: [(String, String?)]) -> String {
    let items = items.compactMap { name, value in value.map { "\(name)=\($0.queryEscaped)" } }
    return items.isEmpty ? "" : "?\(items.joined(separator: "&"))"
}
