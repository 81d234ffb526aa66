import Diagnostics

/// Collects the faults of one configuration, so that one run reports all of them.
///
/// A hostile file can have a fault in every third byte. After `ConfigurationLimits.findingsMax`
/// findings, the rest is only counted.
struct Findings {
    private(set) var hasErrors = false
    private var kept = [Diagnostic]()
    private var seen = Set<Diagnostic>()
    private var shared = SharedFindings()
    /// The number of findings that were not kept.
    private(set) var leftOut = 0

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

    /// Adds a finding about a site at its position, once if it is the same in other environments.
    mutating func add(
        _ severity: Severity, _ rule: RuleName, of site: DescribedSite, _ message: String,
        advice: String? = nil
    ) {
        let finding = Diagnostic(severity, rule, at: site.position, message, advice: advice)
        if severity == .error { hasErrors = true }
        if shared.isFirst(finding, of: site) { keep(finding) }
    }

    /// Adds an error about a name that nothing has, with the nearest ones.
    /// - Parameter kind: the kind of the names: `app`.
    mutating func unknownName<Names: Sequence<String>>(
        _ kind: String, _ name: String, at position: SourcePosition,
        among known: @autoclosure () -> Names
    ) {
        // Only searched for a finding that is kept, because a hostile file can name thousands.
        func advice() -> String? {
            let names = known().sorted()
            let nearest = nearestName(
                to: name, among: names.prefix(ConfigurationLimits.suggestionsMax))
            if let nearest { return didYouMean(nearest) }
            let areFew = (1...ConfigurationLimits.listedNamesMax).contains(names.count)
            return areFew ? listed(names, as: kind) : nil
        }
        error(.unknownName, at: position, "there is no \(kind) \(quoted(name))", advice: advice())
    }

    /// Adds the findings of another reader.
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

    /// A fault of an inherited key is found again for each environment that inherits it, and kept
    /// once.
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

    /// True if one more error would only be counted.
    var isFull: Bool { kept.count >= ConfigurationLimits.findingsMax }

    /// Whether one more finding is kept. An error replaces a finding that is less severe.
    private mutating func hasRoom(for severity: Severity) -> Bool {
        if kept.count < ConfigurationLimits.findingsMax { return true }
        if severity == .error, kept.contains(where: { $0.severity < .error }) { return true }
        leftOut += 1
        return false
    }

    /// All findings that were kept, in the order of their positions.
    func sorted(file: String) -> [Diagnostic] {
        let inOrder = kept.enumerated().sorted { left, right in
            guard let here = left.element.position, let there = right.element.position,
                here != there
            else { return left.offset < right.offset }
            return here < there
        }.map { shared.whole($0.element) }
        guard leftOut > 0 else { return inOrder }
        return inOrder + [
            Diagnostic(
                hasErrors ? .error : .warning, .tooManyFindings,
                at: SourcePosition(file: file, line: 1, column: 1),
                "\(leftOut) more findings are not shown")
        ]
    }
}
