private import Diagnostics

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
        // The slash that is implied after every path would only puzzle the reader.
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
            "never matches: \(depth) stars and variables, and systems stop after "
                + "\(patternDepthMax)"
        }
    }
}

extension RuleStep: CustomStringConvertible {
    package var description: String { failures.map(\.description).joined(separator: "; ") }
}
