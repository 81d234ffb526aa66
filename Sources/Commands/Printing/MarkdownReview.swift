import Reviewing

/// Changes as a comment on a pull request, in GitHub's Markdown.
struct MarkdownReview {
    private(set) var lines = [MarkdownLine]()

    /// GitHub's limit for a comment, in characters, less some room for the last line.
    static let bytesMax = 65_536 - 256

    init(_ reports: [VersionDifference]) {
        let changed = reports.filter(\.isChanged)
        lines.append(MarkdownLine([.words("### What changes for links")]))
        guard !changed.isEmpty else {
            lines += [MarkdownLine(), MarkdownLine([.words("Nothing changes for visitors.")])]
            return
        }
        for report in changed { addAlarms(report) }
        var (bytes, left) = (lines.reduce(0) { $0 + $1.text.utf8.count + 1 }, 0)
        for report in changed {
            let entries = report.entries.filter { !$0.isAlarming }
            guard !entries.isEmpty else { continue }
            var part = [MarkdownLine()]
            if let title = report.title {
                part += [MarkdownLine([.words("#### "), .text(title)]), MarkdownLine()]
            }
            part += [
                MarkdownLine([.words("| what | URL | for whom | before | now |")]),
                MarkdownLine([.words("|---|---|---|---|---|")]),
            ]
            for entry in entries {
                let row = entry.row
                bytes += row.text.utf8.count + 1
                if bytes <= Self.bytesMax { part.append(row) } else { left += 1 }
            }
            lines += part
        }
        if left > 0 {
            lines += [
                MarkdownLine(),
                MarkdownLine([
                    .words("\(left) more are left out, because a comment has a limited size; "),
                    .words("`waymark diff` lists them."),
                ]),
            ]
        }
    }

    private mutating func addAlarms(_ report: VersionDifference) {
        let alarms = report.entries.filter(\.isAlarming)
        guard !alarms.isEmpty else { return }
        lines += [MarkdownLine(), MarkdownLine([.words("> [!WARNING]")])]
        for alarm in alarms {
            var parts: [MarkdownLine.Part] = [.words("> ")]
            if let scope = alarm.scope { parts += [.text(scope), .words(": ")] }
            parts += [.text(alarm.fact)]
            if let url = alarm.url { parts += [.words(", for example "), .code(url)] }
            if !alarm.audience.isEmpty { parts += [.words(", "), .text(alarm.audience)] }
            if let before = alarm.before, let after = alarm.after {
                parts += [.words("; before: "), .code(before), .words("; now: "), .code(after)]
            }
            lines += [MarkdownLine(parts), MarkdownLine([.words(">")])]
        }
    }
}

extension ReviewEntry {
    fileprivate var row: MarkdownLine {
        var cells = [MarkdownLine.Part]()
        func add(_ part: MarkdownLine.Part?) { cells += [.words(" | "), part ?? .words("")] }
        let what = note.map { "\(fact) (\($0))" } ?? fact
        cells += [.words("| "), .text(what)]
        add(url.map { .code($0) })
        add(.text(audience))
        add(before.map { .code($0) })
        add(after.map { .code($0) })
        return MarkdownLine(cells + [.words(" |")])
    }
}
