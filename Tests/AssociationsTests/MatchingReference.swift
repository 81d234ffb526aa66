import Associations

/// A matcher that is obviously right and hopelessly slow, to hold the compiled one against. It
/// tries everything, scalar by scalar, on the texts as the rules describe them.
struct PlainMatcher {
    typealias Text = [Unicode.Scalar]

    var variables: [String: [String]] = [:]

    enum Token: Equatable {
        case scalar(Unicode.Scalar)
        case any, star, never
        case variable(String)
    }

    func matches(_ pattern: String, _ text: Text, folded: Bool, isPath: Bool = false) -> Bool {
        let scalars = Array(pattern.unicodeScalars)
        let tokens = Self.tokens(isPath ? Self.normalized(scalars) : scalars, variables: true)
        return matches(tokens[...], (isPath ? Self.normalized(text) : text)[...], folded)
    }

    private func matches(_ tokens: ArraySlice<Token>, _ text: Text.SubSequence, _ folded: Bool)
        -> Bool
    {
        guard let token = tokens.first else { return text.isEmpty }
        let rest = tokens.dropFirst()
        switch token {
        case .never: return false
        case .scalar(let scalar):
            guard let first = text.first, Self.same(scalar, first, folded) else { return false }
            return matches(rest, text.dropFirst(), folded)
        case .any: return !text.isEmpty && matches(rest, text.dropFirst(), folded)
        case .star:
            return (0...text.count).contains { matches(rest, text.dropFirst($0), folded) }
        case .variable(let name):
            return values(name).contains { value in
                let tokens = Self.tokens(Array(value.unicodeScalars), variables: false)
                return matches((tokens + rest)[...], text, folded)
            }
        }
    }

    /// What each star of the rule's path takes: as little as it can, the last one what is left, and
    /// not the slash that is implied.
    func stars(_ rule: RuleText, _ url: LinkURL) -> [String]? {
        let path = rule.percentEncoded ? url.path : Self.decoded(url.path)
        let text = Self.normalized(Array(path.unicodeScalars))
        let pattern = Self.normalized(Array((rule.path ?? "").unicodeScalars))
        let tokens = Self.tokens(pattern, variables: true)
        guard var found = stars(tokens[...], text[...], !rule.caseSensitive) else { return nil }
        if pattern.last == "*", path.utf8.last != UInt8(ascii: "/"), found.last?.last == "/" {
            found[found.count - 1].removeLast()
        }
        return found.map { String(String.UnicodeScalarView($0)) }
    }

    private func stars(
        _ tokens: ArraySlice<Token>, _ text: Text.SubSequence, _ folded: Bool
    ) -> [Text]? {
        guard let token = tokens.first else { return text.isEmpty ? [] : nil }
        let rest = tokens.dropFirst()
        switch token {
        case .never: return nil
        case .scalar(let scalar):
            guard let first = text.first, Self.same(scalar, first, folded) else { return nil }
            return stars(rest, text.dropFirst(), folded)
        case .any: return text.isEmpty ? nil : stars(rest, text.dropFirst(), folded)
        case .star:
            for count in 0...text.count {
                guard let more = stars(rest, text.dropFirst(count), folded) else { continue }
                return [Array(text.prefix(count))] + more
            }
            return nil
        case .variable(let name):
            for value in values(name).sorted(by: { $0.count < $1.count }) {
                let tokens = value.unicodeScalars.map { Token.scalar($0) }
                if let found = stars((tokens + rest)[...], text, folded) { return found }
            }
            return nil
        }
    }

    private func values(_ name: String) -> [String] {
        if let own = variables[name] { return own }
        let upper = (0x41...0x5A as ClosedRange<UInt8>).map { String(Unicode.Scalar($0)) }
        let lower = upper.map { $0.lowercased() }
        let digits = (0...9).map(String.init)
        return switch name {
        case "alpha": upper + lower
        case "upper": upper
        case "lower": lower
        case "alnum": upper + lower + digits
        case "digit": digits
        case "xdigit": digits + upper.prefix(6) + lower.prefix(6)
        case "region": ["AT", "DE", "GB", "US"]
        case "lang": ["de", "en", "fil"]
        default: []
        }
    }

    static func same(_ a: Unicode.Scalar, _ b: Unicode.Scalar, _ folded: Bool) -> Bool {
        folded ? fold(a) == fold(b) : a == b
    }

    static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let lower = Array(scalar.properties.lowercaseMapping.unicodeScalars)
        return lower.count == 1 ? lower[0] : scalar
    }

    static func tokens(_ text: Text, variables: Bool) -> [Token] {
        var tokens = [Token]()
        var rest = text[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": tokens.append(.star)
            case "?": tokens.append(.any)
            case "$" where variables && rest.first == "(":
                guard let end = rest.firstIndex(of: ")") else { return tokens + [.never] }
                var name = String.UnicodeScalarView()
                name.append(contentsOf: rest[rest.startIndex + 1..<end])
                tokens.append(.variable(String(name)))
                rest = rest[(end + 1)...]
            default: tokens.append(.scalar(scalar))
            }
        }
        return tokens
    }

    /// The five steps, one after the other.
    static func normalized(_ path: Text) -> Text {
        if path.isEmpty { return ["/"] }
        if path.count == 1 { return path }
        var text = path
        for mark in ["*", "/"] as Text {
            while let twice = text.indices.dropLast().first(where: {
                text[$0] == mark && text[$0 + 1] == mark
            }) {
                text.remove(at: twice)
            }
        }
        let startsOpen = text.count > 1 && text.first == "*"
        let endsOpen = text.count > 1 && text.last == "*"
        if startsOpen { text.removeFirst() }
        if endsOpen { text.removeLast() }
        if !startsOpen, text.first != "/" { text.insert("/", at: 0) }
        if !endsOpen, text.last != "/" { text.append("/") }
        return (startsOpen ? ["*"] : []) + text + (endsOpen ? ["*"] : [])
    }
}
