/// A finding about a text: what is wrong, where, and what to do.
///
/// The message is a fact in lower case without a full stop. The advice says how to fix it.
public struct Diagnostic: Hashable, Sendable {
    public let severity: Severity
    /// The rule's stable kebab-case name, on which scripts and suppressions can rely.
    public let rule: RuleName
    /// The position, or nil if the finding concerns the whole run (no file was read).
    public let position: SourcePosition?
    public let message: String
    public let advice: String?

    public init(
        _ severity: Severity, _ rule: RuleName, at position: SourcePosition?, _ message: String,
        advice: String? = nil
    ) {
        self.severity = severity
        self.rule = rule
        self.position = position
        self.message = message
        self.advice = advice
    }
}

extension Diagnostic {
    /// The same finding, of which nobody knows any more where it is in a file.
    package var withoutPlace: Diagnostic {
        Diagnostic(severity, rule, at: nil, message, advice: advice)
    }

    /// The same finding, as a warning if it is an error.
    package var atMostWarning: Diagnostic {
        Diagnostic(min(severity, .warning), rule, at: position, message, advice: advice)
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The form for people: `position: severity: fact [rule]`, then the advice, indented.
    /// Characters that would break a line are escaped, because a file's name can contain them.
    public var description: String { ([head] + adviceLines).joined(separator: "\n") }

    /// The first line, `position: severity: fact [rule]`.
    package var head: String {
        let start = position.map { "\($0): " } ?? ""
        return onOneLine("\(start)\(severity): \(message) [\(rule)]")
    }

    /// The advice, indented, in as many lines as it has.
    package var adviceLines: [String] {
        (advice?.utf8.split(separator: UInt8(ascii: "\n")) ?? []).map {
            onOneLine("    " + String(decoding: $0, as: UTF8.self))
        }
    }
}

/// The severity of a finding, ordered: an error is greater than a warning, and a warning than a
/// note.
public enum Severity: Int, Sendable, Comparable, CaseIterable, CustomStringConvertible {
    case note, warning, error

    public static func < (left: Severity, right: Severity) -> Bool {
        left.rawValue < right.rawValue
    }

    public var description: String {
        switch self {
        case .note: "note"
        case .warning: "warning"
        case .error: "error"
        }
    }
}

extension Sequence<Diagnostic> {
    /// In the order of their positions; findings without a position come first.
    public var inOrder: [Diagnostic] {
        sorted { left, right in
            guard let first = left.position, let second = right.position else {
                return left.position == nil && right.position != nil
            }
            return first < second
        }
    }
}
