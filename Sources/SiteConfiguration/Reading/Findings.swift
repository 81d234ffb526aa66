import Diagnostics

/// Gathers what is wrong with one configuration, so that one run names everything.
///
/// A hostile file can hold a fault in every third byte; after `ConfigurationLimits.findingsMax`
/// the rest is counted, and neither worded nor kept.
struct Findings {
    private(set) var hasErrors = false
    private var kept = [Diagnostic]()
    private var seen = Set<Diagnostic>()
    private var leftOut = 0

    mutating func error(
        _ rule: RuleName, at position: SourcePosition, _ message: @autoclosure () -> String,
        advice: @autoclosure () -> String? = nil
    ) {
        hasErrors = true
        add(.error, rule, position, message, advice)
    }

    mutating func warning(
        _ rule: RuleName, at position: SourcePosition, _ message: @autoclosure () -> String,
        advice: @autoclosure () -> String? = nil
    ) {
        add(.warning, rule, position, message, advice)
    }

    mutating func note(
        _ rule: RuleName, at position: SourcePosition, _ message: @autoclosure () -> String,
        advice: @autoclosure () -> String? = nil
    ) {
        add(.note, rule, position, message, advice)
    }

    /// Takes over what another reader found.
    mutating func add(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics {
            if diagnostic.severity == .error { hasErrors = true }
            keep(diagnostic)
        }
    }

    private mutating func add(
        _ severity: Severity, _ rule: RuleName, _ position: SourcePosition, _ message: () -> String,
        _ advice: () -> String?
    ) {
        guard hasRoom(for: severity) else { return }
        keep(Diagnostic(severity, rule, at: position, message(), advice: advice()))
    }

    /// What is wrong with an inherited key is found again for each heir, and said once.
    private mutating func keep(_ diagnostic: Diagnostic) {
        guard !seen.contains(diagnostic), hasRoom(for: diagnostic.severity) else { return }
        seen.insert(diagnostic)
        if kept.count == ConfigurationLimits.findingsMax,
            let lesser = kept.lastIndex(where: { $0.severity < .error })
        {
            kept.remove(at: lesser)
            leftOut += 1
        }
        kept.append(diagnostic)
    }

    /// Whether one more finding is kept; an error takes the place of a lesser one.
    private mutating func hasRoom(for severity: Severity) -> Bool {
        if kept.count < ConfigurationLimits.findingsMax { return true }
        if severity == .error, kept.contains(where: { $0.severity < .error }) { return true }
        leftOut += 1
        return false
    }

    /// Everything kept, in order of the places.
    func sorted(file: String) -> [Diagnostic] {
        let inOrder = kept.enumerated().sorted { left, right in
            guard let here = left.element.position, let there = right.element.position,
                here != there
            else { return left.offset < right.offset }
            return here < there
        }.map(\.element)
        guard leftOut > 0 else { return inOrder }
        return inOrder + [
            Diagnostic(
                hasErrors ? .error : .warning, .tooManyFindings,
                at: SourcePosition(file: file, line: 1, column: 1),
                "\(leftOut) more findings are not shown")
        ]
    }
}
