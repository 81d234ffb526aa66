/// The findings of one cause: the first ones, and their number.
struct Group: Sendable {
    let cause: Cause
    private(set) var kept: [Diagnostic]
    private(set) var count = 1
    private var isInOneLine = true

    init(cause: Cause, first: Diagnostic) {
        self.cause = cause
        kept = [first]
    }

    var severity: Severity { cause.severity }

    mutating func add(_ finding: Diagnostic) {
        count += 1
        if finding.position?.line != kept.first?.position?.line { isInOneLine = false }
        if kept.count <= Self.linesMax { kept.append(finding) }
    }

    /// A few findings are shown at their positions; of more, one is shown that counts the others.
    var shown: [Diagnostic] {
        let ordered = kept.inOrder
        guard count > Self.shownMax, let first = ordered.first else { return ordered }
        return [
            Diagnostic(
                first.severity, first.rule, at: first.position,
                "\(first.message), and \(count - 1) more like it\(lines(of: ordered))",
                advice: first.advice)
        ]
    }

    /// The lines of the others, as far as they are listed.
    private func lines(of ordered: [Diagnostic]) -> String {
        var lines = [Int]()
        for line in ordered.dropFirst().compactMap(\.position?.line) where lines.last != line {
            lines.append(line)
        }
        guard let only = lines.first else { return "" }
        if isInOneLine { return " in line \(only)" }
        let list = lines.map { "\($0)" }.joined(separator: ", ")
        return kept.count == count ? " in lines \(list)" : " in lines \(list) and others"
    }

    /// The most findings of one cause that are shown.
    private static let shownMax = 3
    /// The most lines of the others that are listed.
    private static let linesMax = 8
}
