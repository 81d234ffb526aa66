import AppFiles
import Diagnostics

/// Collects what is found in one file of an app.
struct AppFindings {
    let file: String
    private(set) var list: [Diagnostic] = []

    init(file: String) { self.file = file }

    /// - Parameter place: nil for a binary file, which has no lines.
    mutating func add(
        _ severity: Severity, _ rule: RuleName, _ place: TextPlace?, _ message: String,
        advice: String
    ) {
        let position = SourcePosition(
            file: file, line: place?.line ?? 1, column: place?.column ?? 1)
        let finding = Diagnostic(min(severity, most), rule, at: position, message, advice: advice)
        guard seen.insert(finding).inserted else { return }
        list.append(finding)
    }

    /// Names the files of a checkout that were not read, so that the verdict of an app of source stays open.
    /// - Parameter file: that which ships.
    mutating func add(unread: [UnreadSource], _ place: TextPlace?, orGive file: String) {
        var names = Set<UnreadSource>()
        let sources = unread.filter { names.insert($0).inserted }
        for source in sources.prefix(AppFileLimits.unreadMax) {
            add(
                .warning, .sourceNotRead, place,
                source.isRead
                    ? "what \(quoted(source.name)) sets is not known here: \(source.fact)"
                    : "\(quoted(source.name)) was not read, so what it adds is not known here: \(source.fact)",
                advice: source.isRead
                    ? "give the \(file)" : "make it readable, or give the \(file)")
        }
        guard sources.count > AppFileLimits.unreadMax else { return }
        add(
            .warning, .sourceNotRead, place, "more files or directories were not read",
            advice: "make them readable, or give the \(file)")
    }

    /// Adds findings that are at most so severe.
    mutating func limited(to severity: Severity, _ add: (inout AppFindings) -> Void) {
        let before = most
        most = severity
        add(&self)
        most = before
    }

    private var most = Severity.error
    private var seen = Set<Diagnostic>()

    /// Whether a finding of the rule was added.
    func contains(_ rule: RuleName) -> Bool { list.contains { $0.rule == rule } }
}

extension IntentFilter.Value {
    /// The text in a sentence, with the place that it is from.
    var shown: String { quoted(text) + whence }

    /// The place that it is from, in a sentence; empty for a text of the manifest itself.
    var whence: String { origin.map { " (of \($0))" } ?? "" }
}

/// The names that a site lists in the place of one; empty if there are none.
func but(_ names: [String]) -> String { names.isEmpty ? "" : ", but \(enumerated(names))" }

/// Names in one sentence, at most four of them.
package func enumerated(_ names: [String]) -> String {
    let shown = names.prefix(4).map { quoted($0) }
    return shown.joined(separator: ", ") + (names.count > 4 ? " and \(names.count - 4) more" : "")
}
