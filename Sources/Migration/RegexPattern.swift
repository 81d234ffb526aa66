private import URISyntax

/// A regular expression for a path as patterns of a configuration: one for each combination of its
/// alternatives. What a pattern cannot express is refused, and what it expresses roughly is noted.
struct RegexPattern {
    private(set) var variants = [Variant]()
    private(set) var notes = [String]()

    struct Variant {
        var pattern = ""
        /// What a configuration writes for each group, counted from 1.
        var groups = [Int: String]()
        var stars = 0
        /// The numbers of stars, from 0, that stand for a part of one segment.
        var segments = [Int]()
        /// Whether the last star must match something.
        var needsText = false

        var exclude: [String] {
            let isEnd = needsText && pattern.utf8.last == UInt8(ascii: "*")
            let empty = isEnd ? [String(pattern.dropLast())] : []
            return longerPaths(pattern, segments: segments) + empty
        }
    }

    /// Why an expression has no equal.
    struct Refusal: Error {
        let reason: String
    }

    private static let variantsMax = 64

    /// - Parameter isRelative: whether it is compared with the path without its first slash.
    init(_ expression: String, isRelative: Bool = false) throws(Refusal) {
        var reader = Reader(Array(expression.utf8))
        let isAnchored = reader.take("^")
        var start = Variant(pattern: isRelative && isAnchored ? "/" : "")
        if !isAnchored {
            start.pattern = isRelative ? "/*" : "*"
            start.stars = 1
        }
        variants = try read(&reader, [start], depth: 0)
        guard reader.rest.isEmpty else { throw Refusal(reason: "the expression has a stray )") }
        if !reader.isAnchoredAtEnd {
            variants = variants.map { variant in
                var variant = variant
                guard variant.pattern.utf8.last != UInt8(ascii: "*") else { return variant }
                variant.pattern += "*"
                variant.stars += 1
                variant.needsText = false
                return variant
            }
        }
        guard variants.allSatisfy({ ["/", "*"].contains($0.pattern.prefix(1)) }) else {
            throw Refusal(reason: "the expression does not begin with a slash")
        }
        notes = reader.notes
    }

    // MARK: Reading

    private struct Reader {
        var rest: ArraySlice<UInt8>
        var groups = 0
        var isAnchoredAtEnd = false
        var notes = [String]()

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        mutating func take(_ text: String) -> Bool {
            guard rest.starts(with: text.utf8) else { return false }
            rest = rest.dropFirst(text.utf8.count)
            return true
        }
    }

    /// Reads up to the end, or to the parenthesis that ends a group.
    private func read(
        _ reader: inout Reader, _ starts: [Variant], depth: Int
    ) throws(Refusal) -> [Variant] {
        var done = [Variant]()
        var current = starts
        while let byte = reader.rest.first, byte != UInt8(ascii: ")") {
            reader.rest = reader.rest.dropFirst()
            if byte == UInt8(ascii: "|") {
                guard depth > 0 else { throw Refusal(reason: "alternatives need a group") }
                done += current
                current = starts
            } else if byte == UInt8(ascii: "$"), reader.rest.isEmpty {
                reader.isAnchoredAtEnd = true
            } else {
                current = try readPiece(byte, &reader, current, depth)
            }
            guard current.count + done.count <= Self.variantsMax else {
                throw Refusal(reason: "the expression has too many alternatives")
            }
        }
        return done + current
    }

    private func readPiece(
        _ byte: UInt8, _ reader: inout Reader, _ current: [Variant], _ depth: Int
    ) throws(Refusal) -> [Variant] {
        switch byte {
        case UInt8(ascii: "("): return try readGroup(&reader, current, depth)
        case UInt8(ascii: "."): return try readClass(".", &reader, current)
        case UInt8(ascii: "["):
            guard let end = reader.rest.dropFirst().firstIndex(of: UInt8(ascii: "]")) else {
                throw Refusal(reason: "the expression has a [ without a ]")
            }
            let text = "[\(String(decoding: reader.rest[..<end], as: UTF8.self))]"
            reader.rest = reader.rest[(end + 1)...]
            return try readClass(text, &reader, current)
        case UInt8(ascii: "\\"):
            guard let next = reader.rest.popFirst() else {
                throw Refusal(reason: "the expression ends with a backslash")
            }
            guard !next.isLetter, !next.isDigit else {
                guard "dwsDWS".utf8.contains(next) else {
                    throw Refusal(reason: "patterns have no \\\(Unicode.Scalar(next))")
                }
                return try readClass("\\\(Unicode.Scalar(next))", &reader, current)
            }
            return try readLiteral(next, &reader, current)
        case UInt8(ascii: "^"), UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "*"),
            UInt8(ascii: "+"), UInt8(ascii: "?"):
            throw Refusal(
                reason: "patterns have no \(Unicode.Scalar(byte)) in this position")
        default: return try readLiteral(byte, &reader, current)
        }
    }

    private func readLiteral(
        _ byte: UInt8, _ reader: inout Reader, _ current: [Variant]
    ) throws(Refusal) -> [Variant] {
        let isOptional = reader.take("?")
        if let next = reader.rest.first, "*+{".utf8.contains(next) {
            throw Refusal(reason: "patterns cannot repeat a character")
        }
        let with = current.map { variant in
            var variant = variant
            variant.pattern += literalPattern(String(decoding: [byte], as: UTF8.self))
            return variant
        }
        // A slash at the end makes no difference to a pattern.
        let isEnd = reader.rest.elementsEqual("$".utf8)
        if isOptional, byte == UInt8(ascii: "/"), isEnd { return current }
        return isOptional ? with + current : with
    }

    /// Any number of characters of a class becomes a star.
    private func readClass(
        _ text: String, _ reader: inout Reader, _ current: [Variant]
    ) throws(Refusal) -> [Variant] {
        let isSegment = text == "[^/]"
        if let count = repetition(&reader) {
            if text != ".", !isSegment {
                reader.notes.append("* matches any text, where the expression has \(text)")
            } else if !["*", "+"].contains(count) {
                reader.notes.append(
                    "* matches a text of any length, where the expression has \(count)")
            }
            return current.map { variant in
                var variant = variant
                if text != "." { variant.segments.append(variant.stars) }
                variant.stars += 1
                variant.pattern += "*"
                variant.needsText = count != "*"
                return variant
            }
        }
        if reader.rest.first == UInt8(ascii: "?") {
            throw Refusal(reason: "patterns have no optional character of a class")
        }
        if text != "." {
            reader.notes.append("? matches any character, where the expression has \(text)")
        }
        return current.map { variant in
            var variant = variant
            variant.pattern += "?"
            return variant
        }
    }

    /// `*`, `+` or a number in braces; without the mark for the shortest match.
    private func repetition(_ reader: inout Reader) -> String? {
        for sign in ["*", "+"] where reader.take(sign) {
            _ = reader.take("?")
            return sign
        }
        guard reader.rest.first == UInt8(ascii: "{"),
            let end = reader.rest.firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        let text = String(decoding: reader.rest[...end], as: UTF8.self)
        reader.rest = reader.rest[(end + 1)...]
        return text
    }

    private func readGroup(
        _ reader: inout Reader, _ current: [Variant], _ depth: Int
    ) throws(Refusal) -> [Variant] {
        let isCapturing = !reader.take("?:")
        if isCapturing, reader.rest.first == UInt8(ascii: "?") {
            throw Refusal(reason: "patterns look neither ahead nor back")
        }
        guard depth < 8 else { throw Refusal(reason: "the expression has too many groups") }
        if isCapturing { reader.groups += 1 }
        let number = reader.groups
        var result = [Variant]()
        let inside = reader
        for start in current {
            reader = inside
            let found = try read(&reader, [start], depth: depth + 1)
            guard reader.take(")") else {
                throw Refusal(reason: "the expression has a ( without a )")
            }
            result += found.map { variant in
                var variant = variant
                guard isCapturing else { return variant }
                let text = variant.pattern.utf8.dropFirst(start.pattern.utf8.count)
                variant.groups[number] = Self.template(text, after: start.stars)
                return variant
            }
        }
        if let next = reader.rest.first, "*+{".utf8.contains(next) {
            throw Refusal(reason: "patterns cannot repeat a group")
        }
        guard reader.take("?") else { return result }
        return result
            + current.map { variant in
                var variant = variant
                if isCapturing { variant.groups[number] = "" }
                return variant
            }
    }

    /// The text of a group with the numbers of its stars; nil if it has a character that only a
    /// request knows.
    private static func template(_ pattern: Substring.UTF8View, after stars: Int) -> String? {
        var (result, stars) = ("", stars)
        for byte in pattern {
            switch byte {
            case UInt8(ascii: "*"):
                stars += 1
                result += "{\(stars)}"
            case UInt8(ascii: "?"): return nil
            default: result += literalURL([byte])
            }
        }
        return result
    }

    // MARK: Using

    /// A rule for each variant, with the groups' values in the destination.
    /// - Parameters:
    ///   - destination: fills in the values; nil if it needs one that has none.
    func rules(
        _ source: SourceLine, isCaseSensitive: Bool,
        answer: ([Int: String]) -> RedirectRule.Answer?
    ) -> [RedirectRule]? {
        var rules = [RedirectRule]()
        for variant in variants {
            guard variant.stars <= 9 || variant.groups.isEmpty, let answer = answer(variant.groups)
            else { return nil }
            var rule = RedirectRule(source: source, match: [variant.pattern], answer: answer)
            rule.exclude = variant.exclude
            rule.isCaseSensitive = isCaseSensitive
            rule.notes = notes
            rules.append(rule)
        }
        return rules
    }
}
