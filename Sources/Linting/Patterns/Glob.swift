import Associations

/// A pattern in a form that can be compared with others: literals, `?`, `*`, and variables whose
/// values are not looked into.
///
/// Patterns that take the same texts mostly have equal forms: in a run of wildcards the question
/// marks come first, then one star.
package struct Glob: Hashable, Sendable {
    /// What stands at one place of a pattern.
    package enum Symbol: Hashable, Sendable {
        case literal(Unicode.Scalar)
        /// Any one scalar.
        case one
        /// Any number of scalars.
        case many
        /// Whatever values the variable of this name has.
        case variable(String)
    }

    package let symbols: [Symbol]

    /// A text that is compared as it stands, as queries and fragments are. Nil for a `$(` without
    /// its end, which no text matches, and for a pattern that is too long to be compared.
    package init?(_ text: String) {
        var scalars = Array(text.unicodeScalars)
        // Of two stars at the end the first is asked for text by the second.
        if scalars.suffix(2) == ["*", "*"] { scalars.append("?") }
        self.init(scalars: scalars)
    }

    /// A path pattern, with the slashes that Apple's systems add and take away. Nil as above, and
    /// for a single character that is neither `/` nor a wildcard, which no path is.
    package init?(path: String) {
        let scalars = normalizedPath(Array(path.unicodeScalars))
        if scalars.count == 1, !["/", "*", "?"].contains(scalars[0]) { return nil }
        self.init(scalars: scalars)
    }

    private init?(scalars: [Unicode.Scalar]) {
        guard scalars.count <= Self.scalarsMax, let symbols = parse(scalars) else { return nil }
        self.symbols = symbols
    }

    /// Longer patterns are not compared; nor does any system match them.
    static let scalarsMax = 65_536

    /// Whether every text matches.
    package var isUniversal: Bool { symbols == [.many] }

    /// Whether every path matches: all of them begin with a slash.
    package var takesEveryPath: Bool { isUniversal || symbols == [.literal("/"), .many] }
}

// MARK: - Reading

private func parse(_ scalars: [Unicode.Scalar]) -> [Glob.Symbol]? {
    var symbols = [Glob.Symbol]()
    var (ones, hasStar) = (0, false)
    func flush() {
        symbols += Array(repeating: .one, count: ones) + (hasStar ? [.many] : [])
        (ones, hasStar) = (0, false)
    }
    var index = 0
    while index < scalars.count {
        let scalar = scalars[index]
        index += 1
        switch scalar {
        case "*": hasStar = true
        case "?": ones += 1
        case "$" where index < scalars.count && scalars[index] == "(":
            guard let end = scalars[index...].firstIndex(of: ")") else { return nil }
            flush()
            symbols.append(.variable(String(String.UnicodeScalarView(scalars[(index + 1)..<end]))))
            index = end + 1
        default:
            flush()
            symbols.append(.literal(scalar))
        }
    }
    flush()
    return symbols
}

/// What patterns and paths are both made into before they are compared.
private func normalizedPath(_ path: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard path.count > 1 else { return path.isEmpty ? ["/"] : path }
    var text = [Unicode.Scalar]()
    for scalar in path where !((scalar == "*" || scalar == "/") && text.last == scalar) {
        text.append(scalar)
    }
    let leads = text.first == "*"
    if leads { text.removeFirst() }
    let trails = text.last == "*"
    if trails { text.removeLast() }
    if !leads, text.first != "/" { text.insert("/", at: 0) }
    if !trails, text.last != "/" { text.append("/") }
    return (leads ? ["*"] : []) + text + (trails ? ["*"] : [])
}
