import AppFiles
import Diagnostics

/// Collects what is found in one file of an app.
struct AppFindings {
    let file: String
    /// The directory of the checkout that it is in, with a slash behind it; empty for the one that the program runs in.
    private let directory: String
    private(set) var list: [Diagnostic] = []

    /// - Parameter path: its path in the checkout; empty for a file of its own.
    init(file: String, _ path: String = "") {
        self.file = file
        let isIn = !path.isEmpty && file.utf8.suffix(path.utf8.count).elementsEqual(path.utf8)
        directory = isIn ? String(Substring(file.utf8.dropLast(path.utf8.count))) : ""
    }

    /// - Parameter place: nil for a binary file, which has no lines.
    mutating func add(
        _ severity: Severity, _ rule: RuleName, _ place: TextPlace?, _ message: String,
        advice: String
    ) {
        add(
            severity, rule, message, advice: advice,
            at: SourcePosition(file: file, line: place?.line ?? 1, column: place?.column ?? 1))
    }

    private mutating func add(
        _ severity: Severity, _ rule: RuleName, _ message: String, advice: String,
        at position: SourcePosition
    ) {
        let finding = Diagnostic(min(severity, most), rule, at: position, message, advice: advice)
        guard seen.insert(finding).inserted else { return }
        list.append(finding)
    }

    /// Names the files of a checkout that were not read, so that the verdict of an app of source stays open.
    /// - Parameter file: that which ships.
    mutating func add(unread: [UnreadSource], _ place: TextPlace?, orGive file: String) {
        let groups = groups(of: unread)
        for (source, facts) in groups.prefix(AppFileLimits.unreadMax) {
            add(
                .warning, source, place,
                source.isRead
                    ? "what \(quotedPath(source.name)) sets is not known here: \(facts)"
                    : "\(quotedPath(source.name)) was not read, so what it adds is not known here: \(facts)",
                advice: source.isRead
                    ? "give the \(file)" : "make it readable, or give the \(file)")
        }
        guard groups.count > AppFileLimits.unreadMax else { return }
        add(
            .warning, .sourceNotRead, place, "more files or directories were not read",
            advice: "make them readable, or give the \(file)")
    }

    /// Names what may change a file.
    mutating func add(
        _ severity: Severity, changing: [UnreadSource], _ place: TextPlace?, advice: String
    ) {
        for (source, facts) in groups(of: changing).prefix(AppFileLimits.unreadMax) {
            add(
                severity, source, place,
                "\(quotedPath(source.name)) may change what is here: \(facts)", advice: advice)
        }
    }

    /// The facts about each file in one sentence, each once.
    private func groups(of sources: [UnreadSource]) -> [(first: UnreadSource, facts: String)] {
        let groups = Dictionary(grouping: sources) { Array($0.name.utf8) }
        var seen = Set<[UInt8]>()
        return sources.compactMap { source in
            let key = Array(source.name.utf8)
            guard seen.insert(key).inserted else { return nil }
            var known = Set<UnreadSource>()
            let facts = groups[key, default: []].filter { known.insert($0).inserted }.map(\.fact)
            let more = facts.count - AppFileLimits.unreadMax
            return (
                source,
                facts.prefix(AppFileLimits.unreadMax).joined(separator: "; ")
                    + (more > 0 ? "; and \(more) more" : "")
            )
        }
    }

    /// - Parameter place: the one for a source whose own is not known.
    private mutating func add(
        _ severity: Severity, _ source: UnreadSource, _ place: TextPlace?, _ message: String,
        advice: String
    ) {
        guard let own = source.place else {
            return add(severity, .sourceNotRead, place, message, advice: advice)
        }
        add(
            severity, .sourceNotRead, message, advice: advice,
            at: SourcePosition(file: directory + source.name, line: own.line, column: own.column))
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
