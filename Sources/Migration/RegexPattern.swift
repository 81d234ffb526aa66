private import URISyntax

/// A regular expression for a path as patterns of a configuration: one for each combination of its
/// alternatives. What a pattern cannot express is refused, and what it expresses roughly is noted.
struct RegexPattern {
    var variants = [Variant]()
    private(set) var notes = [String]()
    /// Whether the expression can share out a path among its parts otherwise than the patterns.
    private(set) var sharesOut = false
    private(set) var isCaseSensitive = true

    struct Variant {
        var pattern = StarPattern()
        /// A configuration's text for each group, by its number from 1 and by its name.
        var groups = [String: String]()
        /// The groups whose text only a request knows.
        fileprivate var unusable = Set<String>()
        /// Whether its first star took the slash that every path begins with.
        fileprivate var isOfWholePath = false
    }

    /// The reason why an expression has no equal, or needs none.
    struct Refusal: Error {
        let reason: String
        /// Whether it matches no path at all.
        var isNever = false
    }

    private static let variantsMax = 64
    private static let groupsDepthMax = 8
    private static let groupsMax = 64
    private static let bytesMax = 4_096

    /// - Parameters:
    ///   - base: the beginning of all paths, which the expression does not see: `/` in a directory's
    ///     file. Nil if it is compared with the whole path.
    ///   - isDecoded: whether it is compared with paths without escapes, so that a percent sign is
    ///     one.
    init(_ expression: String, below base: String? = nil, isDecoded: Bool = true) throws(Refusal) {
        guard expression.utf8.count <= Self.bytesMax else {
            throw Refusal(reason: "the expression has more than \(Self.bytesMax) bytes")
        }
        var reader = Reader(Array(expression.utf8), isDecoded)
        if reader.take("(?i)") { isCaseSensitive = false }
        var isAnchored = reader.take("^")
        // The leftmost match begins with the path.
        if !isAnchored { isAnchored = [".*", "(.*", ".+", "(.+"].contains(where: reader.begins) }
        if !isAnchored, reader.begins("(?P<") || reader.begins("(?<"),
            let end = reader.rest.firstIndex(of: UInt8(ascii: ">"))
        {
            isAnchored = [".*", ".+"].contains { reader.rest[(end + 1)...].starts(with: $0.utf8) }
        }
        var start = Variant(
            pattern: StarPattern(base.map { literalPattern($0, isDecoded: true) } ?? ""))
        if !isAnchored {
            _ = start.pattern.appendStar(inSegment: false, needsText: false)
        } else if reader.take("/?"), base == nil {
            start.pattern.append("/")
        }
        variants = try read(&reader, [start], depth: 0)
        guard reader.rest.isEmpty else { throw Refusal(reason: "the expression has a stray )") }
        if !reader.isAnchoredAtEnd { try openEnds() }
        for index in variants.indices { variants[index].takeWholePath() }
        try removeImpossible()
        (notes, sharesOut) = (reader.notes, reader.sharesOut)
        // A group of an alternative that does not match is empty.
        for index in variants.indices {
            for name in reader.names
            where variants[index].groups[name] == nil && !variants[index].unusable.contains(name) {
                variants[index].groups[name] = ""
            }
        }
    }

    private mutating func openEnds() throws(Refusal) {
        guard !variants.contains(where: \.pattern.endsInShortest) else {
            throw Refusal(reason: "the last group takes nothing without a $ behind it")
        }
        for index in variants.indices { variants[index].openEnd() }
    }

    /// Removes the variants that no path has.
    private mutating func removeImpossible() throws(Refusal) {
        let isRooted = variants.contains { ["/", "*"].contains($0.pattern.text.prefix(1)) }
        guard isRooted, !variants.contains(where: \.pattern.text.isEmpty) else {
            throw Refusal(reason: "the expression does not begin with a slash")
        }
        variants.removeAll { variant in
            !["/", "*"].contains(variant.pattern.text.prefix(1))
                || variant.pattern.text.contains("//")
        }
        guard !variants.isEmpty else {
            throw Refusal(
                reason: "no path that is compared with it has the slashes that it needs, so it "
                    + "never matches",
                isNever: true)
        }
    }

    /// Whether it matches every path.
    var matchesEverything: Bool { variants.contains { $0.pattern.text == "*" } }

    // MARK: Reading

    private struct Reader {
        var rest: ArraySlice<UInt8>
        var groups = 0
        /// The numbers and names of all groups.
        var names = Set<String>()
        var isAnchoredAtEnd = false
        var notes = [String]()
        var sharesOut = false

        let isDecoded: Bool

        init(_ bytes: [UInt8], _ isDecoded: Bool) {
            (rest, self.isDecoded) = (bytes[...], isDecoded)
        }

        /// Whether only a slash, if anything, can follow in the path.
        var isAtEnd: Bool {
            let behind = rest.drop { $0 == UInt8(ascii: ")") }
            return ["", "$", "/?$", "/*$", "/+$"].contains { behind.elementsEqual($0.utf8) }
        }

        func begins(_ text: String) -> Bool { rest.starts(with: text.utf8) }

        mutating func take(_ text: String) -> Bool {
            guard begins(text) else { return false }
            rest = rest.dropFirst(text.utf8.count)
            return true
        }

        /// The name of a group, up to the character that ends it.
        mutating func takeName() -> String? {
            guard take("?<") || take("?P<") || take("?'"),
                let end = rest.firstIndex(where: { ">'".utf8.contains($0) })
            else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }

        mutating func note(_ text: String) {
            if !notes.contains(text) { notes.append(text) }
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
            throw Refusal(reason: "patterns have no \(Unicode.Scalar(byte)) in this position")
        default: return try readLiteral(byte, &reader, current)
        }
    }

    private func readLiteral(
        _ byte: UInt8, _ reader: inout Reader, _ current: [Variant]
    ) throws(Refusal) -> [Variant] {
        if byte == UInt8(ascii: "/") {
            // A slash at the end makes no difference to a pattern.
            for end in ["?$", "*$", "+$"] where reader.begins(end) {
                if reader.rest.count == end.utf8.count {
                    _ = reader.take(String(end.prefix(1)))
                    return current.map { variant in
                        var variant = variant
                        if variant.pattern.endsInShortest { variant.pattern.append("/") }
                        return variant
                    }
                }
            }
        }
        if "*$".utf8.contains(byte) {
            reader.note("? matches any character, where the expression has \(Unicode.Scalar(byte))")
        }
        let isOptional = reader.take("?")
        if let next = reader.rest.first, "*+{".utf8.contains(next) {
            throw Refusal(reason: "patterns cannot repeat a character")
        }
        let text = CollectionOfOne(byte)
        if isOptional, current.contains(where: { $0.pattern.canTake(text) }) {
            reader.sharesOut = true
        }
        // In the order in which an expression tries them: what comes first decides, and then what follows.
        return current.flatMap { variant in
            var with = variant
            with.pattern.append(literalPattern(text, isDecoded: reader.isDecoded))
            return isOptional ? [with, variant] : [with]
        }
    }

    /// Any number of characters of a class becomes a star.
    private func readClass(
        _ text: String, _ reader: inout Reader, _ current: [Variant]
    ) throws(Refusal) -> [Variant] {
        let isSegment = Self.excludesSlash(text)
        if let (count, isShortest) = repetition(&reader) {
            if text != ".", text != "[^/]" {
                reader.note("* matches any text, where the expression has \(text)")
            } else if !["*", "+"].contains(count) {
                reader.note("* matches a text of any length, where the expression has \(count)")
            }
            // What takes as little as it can leaves a slash at the end to what follows.
            let isShort = isShortest && !isSegment
            let mayBeEmpty = count == "*" || count.utf8.starts(with: "{0".utf8)
            let behind = reader.rest.drop { $0 == UInt8(ascii: ")") }
            let leavesSlash = isShort && behind.first == UInt8(ascii: "/")
            let isEnd = behind.isEmpty || behind.elementsEqual("$".utf8)
            var result = [Variant]()
            for variant in current {
                var with = variant
                let isFirst = variant.pattern.text.isEmpty
                if isFirst { with.begin() }
                guard !isFirst || !isSegment else {
                    if mayBeEmpty { result.append(variant) }
                    continue
                }
                let isPlaced = with.pattern.appendStar(
                    inSegment: isSegment, needsText: !mayBeEmpty && !isFirst,
                    isShortest: isShort)
                guard isPlaced else {
                    throw Refusal(reason: "patterns cannot tell apart two texts side by side")
                }
                result.append(with)
                // No path is empty. A star between two slashes takes something.
                let isWhole = isSegment && variant.pattern.endsInSlash
                let isOpen = isWhole && !(behind.first.map(Self.isPlain) ?? false)
                if mayBeEmpty, isFirst ? !isEnd : leavesSlash || isOpen { result.append(variant) }
            }
            guard !result.isEmpty else {
                throw Refusal(reason: "the expression does not begin with a slash")
            }
            return result
        }
        if reader.rest.first == UInt8(ascii: "?") {
            throw Refusal(reason: "patterns have no optional character of a class")
        }
        if text != "." { reader.note("? matches any character, where the expression has \(text)") }
        return current.map { variant in
            var variant = variant
            // The first character of a path is a slash.
            variant.pattern.append(variant.pattern.text.isEmpty && !isSegment ? "/" : "?")
            return variant
        }
    }

    /// `*`, `+` or a number in braces, and whether it takes as little as it can.
    private func repetition(_ reader: inout Reader) -> (count: String, isShortest: Bool)? {
        for sign in ["*", "+"] where reader.take(sign) { return (sign, reader.take("?")) }
        guard reader.rest.first == UInt8(ascii: "{"),
            let end = reader.rest.firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        let text = String(decoding: reader.rest[...end], as: UTF8.self)
        reader.rest = reader.rest[(end + 1)...]
        return (text, reader.take("?"))
    }

    private func readGroup(
        _ reader: inout Reader, _ current: [Variant], _ depth: Int
    ) throws(Refusal) -> [Variant] {
        let isCapturing = !reader.take("?:")
        let isAhead = ["?=", "?!", "?<=", "?<!"].contains(where: reader.begins)
        let name = isCapturing && !isAhead ? reader.takeName() : nil
        if isCapturing, reader.rest.first == UInt8(ascii: "?") {
            throw Refusal(reason: "patterns look neither ahead nor back")
        }
        guard depth < Self.groupsDepthMax else {
            throw Refusal(reason: "the expression has too many groups within groups")
        }
        if isCapturing { reader.groups += 1 }
        guard reader.groups <= Self.groupsMax else {
            throw Refusal(reason: "the expression has more than \(Self.groupsMax) groups")
        }
        let names = isCapturing ? ["\(reader.groups)"] + (name.map { [$0] } ?? []) : []
        reader.names.formUnion(names)
        var results = [[Variant]]()
        let inside = reader
        for start in current {
            reader = inside
            let found = try read(&reader, [start], depth: depth + 1)
            guard reader.take(")") else {
                throw Refusal(reason: "the expression has a ( without a )")
            }
            results.append(
                found.map { variant in
                    var variant = variant
                    let text = variant.pattern.text.utf8.dropFirst(start.pattern.text.utf8.count)
                    let value = Self.template(text, behind: start.pattern)
                    for name in names {
                        variant.groups[name] = value
                        if value == nil { variant.unusable.insert(name) }
                    }
                    return variant
                })
        }
        if let next = reader.rest.first, "*+{".utf8.contains(next) {
            throw Refusal(reason: "patterns cannot repeat a group")
        }
        let isOptional = reader.take("?")
        if Self.sharesOut(current, results, isOptional: isOptional) { reader.sharesOut = true }
        guard isOptional else { return results.flatMap(\.self) }
        // A slash at the end makes no difference, so that a path without the group comes first.
        let addsSlash = zip(current, results).contains { start, found in
            let text = start.pattern.text
            return found.contains { [text + "/", text + "/*"].contains($0.pattern.text) }
        }
        let isShortFirst = reader.isAtEnd && addsSlash
        return zip(current, results).flatMap { isShortFirst ? [$0] + $1 : $1 + [$0] }
    }

    /// The text of a group with the numbers of its stars; nil if it has a character that only a
    /// request knows.
    private static func template(_ text: Substring.UTF8View, behind start: StarPattern) -> String? {
        var (result, stars) = ("", start.stars)
        for byte in text {
            switch byte {
            case UInt8(ascii: "*"):
                stars += 1
                result += "{\(stars)}"
            case UInt8(ascii: "?"): return nil
            default: result += literalURL(CollectionOfOne(byte))
            }
        }
        return result
    }
}

extension RegexPattern.Variant {
    fileprivate mutating func openEnd() { pattern.openEnd() }

    /// Writes the slash that every path begins with, which the first star takes.
    fileprivate mutating func begin() {
        pattern.append("/")
        isOfWholePath = true
    }

    /// A group that is the whole path can stand behind a host.
    fileprivate mutating func takeWholePath() {
        guard isOfWholePath, pattern.text == "/*" else { return }
        pattern = StarPattern()
        _ = pattern.appendStar(inSegment: false, needsText: false)
        groups = groups.mapValues { $0 == "/{1}" ? "{path}" : $0 }
    }
}
