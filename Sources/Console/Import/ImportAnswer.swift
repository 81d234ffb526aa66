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

        fileprivate var findingCount: Int { problems.all.count + warnings.all.count }
    }

    /// The lines that are refused.
    private var refused = Rows()
    /// The lines that are taken with a remark.
    private var remarked = Rows()
    /// The lines that the page shows: first those that are refused, and then those with remarks.
    private(set) var findings = [Row]()
    private(set) var moreFindings = 0
    /// The URLs of the first links that are made.
    private(set) var made = [String]()
    /// The URLs of the first links that are changed.
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
    /// The number of findings after which no further line is shown. One line can have a hundred.
    private static let findingCountMax = 500

    /// The first lines of one kind.
    private struct Rows {
        private(set) var first = [Row]()
        private(set) var count = 0
        /// The number of findings of the first ones.
        private var findingCount = 0

        /// - Parameter make: makes the row, if there is room for it.
        mutating func add(_ make: () -> Row) {
            count += 1
            guard first.count < ImportAnswer.findingsMax,
                findingCount < ImportAnswer.findingCountMax
            else { return }
            let row = make()
            findingCount += row.findingCount
            first.append(row)
        }
    }

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
        // Refused lines are first, because remarks on all others could fill the page.
        var count = 0
        for row in refused.first + remarked.first
        where findings.count < Self.findingsMax && count < Self.findingCountMax {
            count += row.findingCount
            findings.append(row)
        }
        // The sums also count lines for which the answer had no room. A refused line with remarks counts as refused alone.
        let remarks = max(remarked.count, self["warned"])
        moreFindings = max(refused.count, self["refused"]) + remarks - findings.count
    }

    private mutating func add(_ line: JSONValue, _ number: Int) {
        let (outcome, url) = (line["outcome"]?.text, line["url"]?.text)
        lastLine = max(lastLine, number)
        if outcome == "created", made.count < Self.linksMax { made.append(url ?? "") }
        if outcome == "changed", changed.count < Self.linksMax { changed.append(url ?? "") }
        let isRefused = outcome == "refused"
        func row() -> Row {
            Row(
                line: number, url: url, isRefused: isRefused,
                problems: isRefused ? FormFindings(line["problem"]) : FormFindings(),
                warnings: FormFindings(line, "warnings"))
        }
        if isRefused {
            refused.add(row)
        } else if line["warnings"] != nil {
            remarked.add(row)
        }
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

    subscript(name: String) -> Int { counts[name] ?? 0 }

    /// The links that an import makes or changes.
    var doneCount: Int { self["created"] + self["changed"] }
}
