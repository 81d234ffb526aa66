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

    init(_ severity: Severity, _ rule: RuleName, _ spot: Spot, _ message: String, advice: String) {
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
    ///   - places: those of `others`.
    func diagnostic(at position: SourcePosition, others places: [SourcePosition]) -> Diagnostic {
        let words: String
        if places.contains(where: { $0.line == position.line && $0.file == position.file }) {
            // The line alone would blame the value on itself.
            let places = Set(places).sorted().map { "line \($0.line), column \($0.column)" }
            words = inWords(places, "and")
        } else {
            let numbers = Set(places.map(\.line)).sorted().map { "\($0)" }
            words = (numbers.count == 1 ? "line " : "lines ") + inWords(numbers, "and")
        }
        return Diagnostic(severity, rule, at: position, message(words), advice: advice)
    }

    func diagnostic(file: String) -> Diagnostic {
        func place(_ start: TextPosition) -> SourcePosition {
            SourcePosition(file: file, line: start.line, column: start.column)
        }
        return diagnostic(at: place(start), others: others.map { place($0.start) })
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
