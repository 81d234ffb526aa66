import Associations
import Diagnostics
import Reporting

extension ReportCard {
    /// The report for people: every group with its items, then the previews, then the totals.
    func lines(of input: ReportInput) -> [String] {
        var lines = [input.heading]
        for group in ReportGroup.allCases {
            let results = results(of: group)
            guard !results.isEmpty else { continue }
            lines += ["", group.title] + results.runs.flatMap(\.lines)
        }
        for preview in previews {
            lines += ["", "\(preview.title), with this page's texts"]
            lines += preview.drawing.map { "  \($0)" } + preview.notes.map { "  \($0)" }
        }
        return lines + ["", sum]
    }

    private var sum: String {
        "\(count(.required)) required, \(count(.recommended)) recommended, "
            + "\(count(.pass)) passed, \(count(.notApplicable)) not applicable"
    }
}

extension ReportInput {
    fileprivate var heading: String {
        let name =
            page.file.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            ? page.file : quoted(page.file)
        let position = exchange == nil ? url.map { ", at \(quoted($0.description))" } ?? "" : ""
        let client = exchange.map { ", requested by \($0.client)" } ?? ""
        return name + position + client + (site.map { ", in \($0.environment)" } ?? "")
    }
}

/// Results on one line: a single one, or several that are not applicable for the same reason.
private struct ResultRun {
    let first: ItemResult
    var last: ItemResult

    var lines: [String] {
        let name = first == last ? first.item.id : "\(first.item.id) … \(last.item.id)"
        let blanks = String(repeating: " ", count: max(0, nameColumns - name.unicodeScalars.count))
        let line = "  \(mark) \(name)\(blanks)  \(first.evidence)"
        guard let fix = first.fix else { return [line] }
        return [line, "      \(fix) (\(first.item.source))"]
    }

    private var mark: String {
        switch first.status {
        case .pass: "✓"
        case .recommended: "!"
        case .required: "✗"
        case .notApplicable: "–"
        }
    }
}

extension [ItemResult] {
    fileprivate var runs: [ResultRun] {
        reduce(into: []) { runs, result in
            if result.status == .notApplicable, let run = runs.last,
                run.last.status == .notApplicable, run.last.evidence == result.evidence
            {
                runs[runs.count - 1].last = result
            } else {
                runs.append(ResultRun(first: result, last: result))
            }
        }
    }
}

/// The length of the longest name.
private let nameColumns = 23
