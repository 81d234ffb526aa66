import Associations
import Diagnostics

/// What a rule found: the place in the file that was read, and words that may name another.
struct Finding {
    let rule: LinkRule
    let severity: Severity
    let pointer: String
    let start: TextPosition
    /// What the message is about besides; `lineMark` stands for its line.
    let other: Spot?
    let message: String
    let advice: String

    /// A value of a file: its JSON pointer, and where it stands.
    struct Spot {
        let pointer: String
        let start: TextPosition
    }

    init(
        _ severity: Severity, _ rule: LinkRule, _ spot: Spot, _ message: String,
        other: Spot? = nil, advice: String
    ) {
        self.rule = rule
        self.severity = severity
        self.pointer = spot.pointer
        self.start = spot.start
        self.other = other
        self.message = message
        self.advice = advice
    }

    /// - Parameters:
    ///   - place: where to say it.
    ///   - line: the line of `other`.
    func diagnostic(at position: SourcePosition, line: Int?) -> Diagnostic {
        let words = line.map { message.replacingFirstMark(with: "line \($0)") } ?? message
        return Diagnostic(severity, rule.rawValue, at: position, words, advice: advice)
    }

    func diagnostic(file: String) -> Diagnostic {
        diagnostic(
            at: SourcePosition(file: file, line: start.line, column: start.column),
            line: other?.start.line)
    }
}

extension Finding.Spot {
    init(_ rule: RuleReading) { self.init(pointer: rule.pointer, start: rule.start) }
    init(_ detail: DetailReading) { self.init(pointer: detail.pointer, start: detail.start) }
    init(_ value: Located<String>) { self.init(pointer: value.pointer, start: value.start) }
}

extension RuleReading {
    /// Where the path stands, or the rule where it has none of its own.
    var pathSpot: Finding.Spot { path.map { Finding.Spot($0) } ?? Finding.Spot(self) }
}

extension String {
    /// With `words` in place of the mark that no text from outside can hold unescaped.
    fileprivate func replacingFirstMark(with words: String) -> String {
        guard let mark = unicodeScalars.firstIndex(of: lineMark.unicodeScalars.first ?? "%") else {
            return self
        }
        return String(unicodeScalars[..<mark]) + words
            + String(unicodeScalars[unicodeScalars.index(after: mark)...])
    }
}

/// Stands in a message for the line of the other place; `quoted` would have escaped it.
let lineMark = "\u{1}"
