import Associations
import Diagnostics
import JSONSyntax

/// A rule's finding: a value of the file, and a message that may name the lines of other values.
struct Finding {
    let rule: RuleName
    let severity: Severity
    let pointer: String
    let start: TextPosition
    /// The other values in the message.
    let others: [Spot]
    /// The message, given the lines of `others`: `line 3`, or `lines 3 and 5`.
    let message: (String) -> String
    let advice: String

    /// A value of a file: its JSON pointer, and its position.
    struct Spot {
        let pointer: String
        let start: TextPosition
    }

    init(
        _ severity: Severity, _ rule: RuleName, _ spot: Spot, _ message: String, advice: String
    ) {
        self.init(severity, rule, spot, others: [], advice: advice) { _ in message }
    }

    init(
        _ severity: Severity, _ rule: RuleName, _ spot: Spot, others: [Spot], advice: String,
        message: @escaping (String) -> String
    ) {
        self.rule = rule
        self.severity = severity
        pointer = spot.pointer
        start = spot.start
        self.others = others
        self.message = message
        self.advice = advice
    }

    /// - Parameters:
    ///   - position: where to report it.
    ///   - lines: those of `others`.
    func diagnostic(at position: SourcePosition, lines: [Int]) -> Diagnostic {
        let numbers = Set(lines).sorted().map { "\($0)" }
        let words =
            numbers.count == 1
            ? "line \(numbers[0])"
            : "lines \(numbers.dropLast().joined(separator: ", ")) and \(numbers.last ?? "")"
        return Diagnostic(severity, rule, at: position, message(words), advice: advice)
    }

    func diagnostic(file: String) -> Diagnostic {
        diagnostic(
            at: SourcePosition(file: file, line: start.line, column: start.column),
            lines: others.map(\.start.line))
    }
}

extension Finding.Spot {
    init(_ rule: RuleReading) { self.init(pointer: rule.pointer, start: rule.start) }
    init(_ detail: DetailReading) { self.init(pointer: detail.pointer, start: detail.start) }
    init(_ value: Located<String>) { self.init(pointer: value.pointer, start: value.start) }
}

extension RuleReading {
    /// The position of the path, or that of the rule if it has no path of its own.
    var pathSpot: Finding.Spot { path.map { Finding.Spot($0) } ?? Finding.Spot(self) }
}
