private import Diagnostics

/// The effect of a URL for one app, the rule behind it, and why earlier rules did not match.
package struct AppVerdict: Hashable, Sendable {
    package let appID: String
    package let verdict: LinkOutcome
    /// The rule that decided, or the entry if it has no pattern list; nil if no rule matched.
    package let rule: RulePosition?
    /// The rules that did not match, in their order.
    package let steps: [RuleStep]
    /// The step that came nearest to a match; nil if no rule resembles the URL.
    package let nearest: RuleStep?
    /// The points on which Apple's systems may decide differently.
    package let caveats: [LinkCaveat]
}

/// The position of a rule in its file.
package struct RulePosition: Hashable, Sendable {
    /// Counted from 0 among the app's rules; nil for a whole entry.
    package let index: Int?
    /// A JSON pointer in its file (RFC 6901).
    package let pointer: String
    /// Counted from 1; 0 where there is no file.
    package let line: Int

    package init(index: Int?, pointer: String, line: Int) {
        self.index = index
        self.pointer = pointer
        self.line = line
    }
}

/// A rule that did not match, and each of its parts that failed.
package struct RuleStep: Hashable, Sendable {
    package let position: RulePosition
    package let failures: [PartFailure]
}

/// A part of a rule that did not match: its pattern, and the text that was compared with it.
package struct PartFailure: Hashable, Sendable, CustomStringConvertible {
    package let part: LinkPart
    /// As in the file.
    package let pattern: String
    /// In the compared form: decoded if the rule says so, and a path with the slashes of
    /// normalization.
    package let text: String
    /// Whether the URL lacks the part altogether.
    package let isMissing: Bool
    /// The reason why the pattern never matches; nil if it can match.
    package let fault: PatternFault?
}

/// A part of a URL that a rule can match.
package enum LinkPart: Hashable, Sendable, CustomStringConvertible {
    case path
    case query
    case queryItem(String)
    case fragment
}

extension AppVerdict: CustomStringConvertible {
    /// One line: "opens X because …", "stays in the browser: …".
    package var description: String {
        switch (verdict, rule) {
        case (.open, let rule?) where rule.index == nil:
            "opens \(appID) because \(rule) lists no patterns, so every link does"
        case (.open, let rule?): "opens \(appID) because \(rule) matches"
        case (.exclude, let rule?): "stays in the browser: \(rule) excludes it"
        default:
            "stays in the browser: no rule of \(appID) matches"
                + (nearest.map { "; the nearest is \($0.position), and \($0)" } ?? "")
        }
    }
}

extension RulePosition: CustomStringConvertible {
    package var description: String {
        let name = index.map { "rule \($0 + 1)" } ?? "its entry"
        let position = [pointer.isEmpty ? nil : pointer, line > 0 ? "line \(line)" : nil]
            .compactMap(\.self).joined(separator: ", ")
        return position.isEmpty ? name : "\(name) (\(position))"
    }
}

extension LinkPart {
    package var description: String {
        switch self {
        case .path: "path"
        case .query: "query"
        case .queryItem(let name): "query item \(quoted(name))"
        case .fragment: "fragment"
        }
    }
}

extension PartFailure {
    package var description: String {
        if let fault { return "the pattern for the \(part), \(quoted(pattern)), \(fault)" }
        if isMissing { return "the link has no \(part), which must match \(quoted(pattern))" }
        // People would not recognize the slash that normalization has added.
        let isSlashed = part == .path && text.utf8.count > 1 && text.utf8.last == UInt8(ascii: "/")
        let shown = isSlashed ? String(decoding: text.utf8.dropLast(), as: UTF8.self) : text
        return "the \(part) \(quoted(shown)) does not match \(quoted(pattern))"
    }
}

extension PatternFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .undefinedVariable(let name):
            "never matches: there is no variable \(quoted(name))"
        case .unterminatedVariable: "never matches: $( has no )"
        case .tooComplex(let depth):
            "never matches: \(depth) stars and variables, and systems stop after \(patternDepthMax)"
        }
    }
}

extension RuleStep: CustomStringConvertible {
    package var description: String { failures.map(\.description).joined(separator: "; ") }
}
