import Associations

/// A rule in a form that can be compared with others. A part that takes everything counts as one
/// that is not looked at.
struct RulePattern: Hashable {
    let path: Glob?
    let query: QueryGlob?
    let fragment: Glob?
    let exclude: Bool
    let caseSensitive: Bool
    let percentEncoded: Bool

    /// One pattern over the whole query, or patterns for items by their names.
    enum QueryGlob: Hashable {
        case whole(Glob)
        case items([[UInt8]: Glob])
    }

    /// Nil for a rule that can match nothing, or is too long to be compared.
    init?(_ rule: RuleReading) {
        self.init(
            path: rule.path?.value, query: rule.query, fragment: rule.fragment?.value,
            exclude: rule.exclude, caseSensitive: rule.caseSensitive,
            percentEncoded: rule.percentEncoded)
    }

    init?(
        path: String?, query: QueryPattern?, fragment: String?, exclude: Bool,
        caseSensitive: Bool, percentEncoded: Bool
    ) {
        self.exclude = exclude
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
        let parts = (path.map { Glob(path: $0) }, fragment.map { Glob($0) })
        if case .some(nil) = parts.0 { return nil }
        if case .some(nil) = parts.1 { return nil }
        self.path = parts.0?.flatMap { $0.takesEveryPath ? nil : $0 }
        self.fragment = parts.1?.flatMap { $0.isUniversal ? nil : $0 }
        switch query {
        case nil: self.query = nil
        case .whole(let text):
            guard let glob = Glob(text) else { return nil }
            self.query = glob.isUniversal ? nil : .whole(glob)
        case .items(let items):
            var globs = [[UInt8]: Glob]()
            for item in items {
                guard let glob = Glob(item.pattern) else { return nil }
                if !glob.isUniversal { globs[Array(item.name.utf8)] = glob }
            }
            self.query = globs.isEmpty ? nil : .items(globs)
        }
    }

    /// Whether every URL matches.
    var isCatchAll: Bool { path == nil && query == nil && fragment == nil }

    /// Whether every URL that `other` matches is matched by this rule too; false may mean that
    /// it could not be found out.
    func covers(_ other: RulePattern, steps: inout Int) -> Bool {
        steps -= 1
        if isCatchAll { return true }
        guard percentEncoded == other.percentEncoded, !caseSensitive || other.caseSensitive else {
            return false
        }
        let folding = !caseSensitive
        if let path {
            guard let narrower = other.path,
                path.coversPath(narrower, folding: folding, steps: &steps)
            else { return false }
        }
        if let fragment {
            guard let narrower = other.fragment,
                fragment.covers(narrower, folding: folding, steps: &steps)
            else { return false }
        }
        return coversQuery(other.query, folding, &steps)
    }

    private func coversQuery(
        _ other: QueryGlob?, _ folding: Bool, _ steps: inout Int
    ) -> Bool {
        switch (query, other) {
        case (nil, _): return true
        case (.whole(let own), .whole(let narrower)):
            return own.covers(narrower, folding: folding, steps: &steps)
        case (.items(let own), .items(let narrower)):
            for (name, glob) in own {
                guard let pattern = narrower[name],
                    glob.covers(pattern, folding: folding, steps: &steps)
                else { return false }
            }
            return true
        default: return false
        }
    }

    /// Whether a URL of this path, without query and fragment, matches.
    func matches(path text: Glob, steps: inout Int) -> Bool {
        let folding = !caseSensitive
        if let path, !path.coversPath(text, folding: folding, steps: &steps) { return false }
        if let fragment, !fragment.takesNothing { return false }
        switch query {
        case nil: return true
        case .whole(let glob): return glob.takesNothing
        case .items(let items): return items.values.allSatisfy(\.takesNothing)
        }
    }
}

extension Glob {
    /// Whether the empty text matches.
    var takesNothing: Bool { symbols.allSatisfy { $0 == .many } }
}
