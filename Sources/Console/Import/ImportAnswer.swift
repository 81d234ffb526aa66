private import Diagnostics
private import JSONSyntax

/// The answer of the API to an import, as far as a page shows it.
struct ImportAnswer {
    /// A line of the answer.
    struct Row {
        let line: Int
        let url: String?
        let isRefused: Bool
        let problems: FormFindings
        let warnings: FormFindings
    }

    /// Lines of which there is something to say, in their order.
    private(set) var findings = [Row]()
    private(set) var moreFindings = 0
    /// The number of findings of these lines.
    private var findingCount = 0
    /// URLs of links that are made, and of those that are changed: the first of them.
    private(set) var made = [String]()
    private(set) var changed = [String]()
    private(set) var counts = [String: Int]()
    /// The number of the last line that it has an outcome of; 0 for none.
    private(set) var lastLine = 0
    /// The reason for which the import was not begun, or was not ended.
    private(set) var problem: FormFindings?
    let status: Int

    /// The most lines that a page shows with their findings, and links that are made or changed.
    static let findingsMax = 100
    static let linksMax = 20
    /// No line follows this many findings, of which one line can have a hundred.
    private static let findingCountMax = 500

    init(_ answer: ConsoleAPI.Answer) {
        status = answer.status
        guard answer.type.utf8.starts(with: "application/x-ndjson".utf8) else {
            problem = FormFindings(answer.json)
            return
        }
        for text in answer.content.split(separator: 0x0A) {
            guard let line = JSONDocument(Array(text), file: "").root else { continue }
            if let summary = line["summary"] {
                for name in ["lines", "created", "changed", "unchanged", "refused", "warned"] {
                    counts[name] = summary[name]?.count ?? 0
                }
            } else if let number = line["line"]?.count, line["outcome"] != nil {
                add(line, number)
            } else {
                problem = FormFindings(line)
            }
        }
    }

    private mutating func add(_ line: JSONValue, _ number: Int) {
        let (outcome, url) = (line["outcome"]?.text, line["url"]?.text)
        lastLine = max(lastLine, number)
        if outcome == "created", made.count < Self.linksMax { made.append(url ?? "") }
        if outcome == "changed", changed.count < Self.linksMax { changed.append(url ?? "") }
        let isRefused = outcome == "refused"
        guard isRefused || line["warnings"] != nil else { return }
        guard findings.count < Self.findingsMax, findingCount < Self.findingCountMax else {
            moreFindings += 1
            return
        }
        let row = Row(
            line: number, url: url, isRefused: isRefused,
            problems: isRefused ? FormFindings(line["problem"]) : FormFindings(),
            warnings: FormFindings(line, "warnings"))
        findingCount += row.problems.all.count + row.warnings.all.count
        findings.append(row)
    }

    /// Whether the import was refused as a whole, before any of its lines.
    var wasNotBegun: Bool { problem != nil && lastLine == 0 && doneCount == 0 }

    /// Whether nothing is imported, and a line names no collection: to choose one for all is said once.
    var lacksCollection: Bool {
        problem == nil && doneCount == 0 && self["unchanged"] == 0
            && findings.contains { row in
                row.isRefused
                    && row.problems.all.contains {
                        $0.rule.isScalarwise("missing-key") && $0.field == .collection
                    }
            }
    }

    /// The lines with findings that the answer only counts, because it had no room for more.
    var countedFindings: Int {
        max(0, self["refused"] + self["warned"] - findings.count - moreFindings)
    }

    subscript(name: String) -> Int { counts[name] ?? 0 }

    /// The links that an import makes or changes.
    var doneCount: Int { self["created"] + self["changed"] }
}
