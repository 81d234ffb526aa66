/// The names and values of a map that stands whole in a Gradle script: `[host: "a", "b": c]` of Groovy, `mapOf("host" to
/// "a")` of Kotlin, and `["host"] = "a"`.
struct GradleMap {
    /// A value is nil where it is no literal.
    private(set) var pairs = [(name: [UInt8], value: String?)]()

    /// Nil for what can have other names, too, such as a sum of two maps.
    init?(_ tokens: ArraySlice<GradleToken>, _ definitions: GradleDefinitions) {
        guard !tokens.isEmpty else { return nil }
        var rest = tokens
        if rest.count > 3, rest[rest.startIndex + 2] == closing, rest[rest.startIndex + 3] == equal
        {
            guard rest.first == opening,
                case .text(let name?) = definitions.value(rest[rest.startIndex + 1])
            else { return nil }
            pairs = [(Array(name.utf8), definitions.literal(rest.dropFirst(4)))]
            return
        }
        if rest.first == .symbol(UInt8(ascii: "(")) { rest = Self.inner(rest, ")") }
        if rest.first == opening {
            rest = Self.inner(rest, "]")
        } else if let first = rest.first, mapMakers.contains(where: first.isWord) {
            rest = Self.inner(rest.drop { $0 != .symbol(UInt8(ascii: "(")) }, ")")
        }
        guard let elements = Self.elements(of: rest) else { return nil }
        if elements.count == 1, elements[0].elementsEqual([colon]) { return }
        // `put("host", "a")`.
        if elements.count == 2, let name = definitions.literal(elements[0]) {
            pairs = [(Array(name.utf8), definitions.literal(elements[1]))]
            return
        }
        for element in elements {
            guard let pair = Self.pair(element, definitions) else { return nil }
            pairs.append(pair)
        }
    }

    /// The tokens within the brackets, which are the first token and the last.
    private static func inner(
        _ tokens: ArraySlice<GradleToken>, _ end: Unicode.Scalar
    ) -> ArraySlice<GradleToken> {
        tokens.last == .symbol(UInt8(ascii: end)) ? tokens.dropFirst().dropLast() : tokens
    }

    /// The parts between commas; nil if brackets end that do not begin here.
    private static func elements(
        of tokens: ArraySlice<GradleToken>
    ) -> [ArraySlice<GradleToken>]? {
        var elements = [ArraySlice<GradleToken>]()
        var (depth, start) = (0, tokens.startIndex)
        for index in tokens.indices {
            depth += tokens[index].nesting
            if depth < 0 { return nil }
            guard depth == 0, tokens[index] == .symbol(UInt8(ascii: ",")) else { continue }
            elements.append(tokens[start..<index])
            start = index + 1
        }
        elements.append(tokens[start...])
        return depth == 0 ? elements.filter { !$0.isEmpty } : nil
    }

    /// `host: "a"`, `"host": "a"` or `"host" to "a"`; nil for one whose name is no literal.
    private static func pair(
        _ element: ArraySlice<GradleToken>, _ definitions: GradleDefinitions
    ) -> (name: [UInt8], value: String?)? {
        guard element.count > 2, let first = element.first else { return nil }
        let value = definitions.literal(element.dropFirst(2))
        let isOfGroovy = element[element.startIndex + 1] == colon
        guard isOfGroovy || element[element.startIndex + 1].isWord("to") else { return nil }
        // Groovy's `host:` is no variable.
        switch isOfGroovy ? first : definitions.value(first) {
        case .text(let name?): return (Array(name.utf8), value)
        case .word(let name) where isOfGroovy: return (name, value)
        default: return nil
        }
    }
}

private let opening = GradleToken.symbol(UInt8(ascii: "["))
private let closing = GradleToken.symbol(UInt8(ascii: "]"))
private let equal = GradleToken.symbol(UInt8(ascii: "="))
private let colon = GradleToken.symbol(UInt8(ascii: ":"))
/// The functions of Kotlin that make a map.
private let mapMakers = ["mapOf", "mutableMapOf", "hashMapOf", "linkedMapOf"]
