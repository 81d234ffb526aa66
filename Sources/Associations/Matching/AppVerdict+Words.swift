private import Diagnostics

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
        return "the \(part) \(quoted(text)) does not match \(quoted(pattern))"
    }
}

extension PatternFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .undefinedVariable(let name):
            "never matches: nothing defines the variable \(quoted(name))"
        case .unterminatedVariable: "never matches: $( has no )"
        case .tooComplex(let depth):
            "never matches: \(depth) stars and variables, and systems give up after "
                + "\(patternDepthMax)"
        }
    }
}

extension RuleStep: CustomStringConvertible {
    package var description: String { failures.map(\.description).joined(separator: "; ") }
}
