private import URISyntax

extension RuleText {
    /// What the stars of the rule's path took of a link that the rule matches, one text for each
    /// star, percent-encoded as the link writes it; nil for a link that it does not match. A star
    /// takes as little as it can, the last one what is left. The slash that normalisation puts
    /// after a path belongs to none.
    /// - Parameter variables: those of the rule's file.
    package func starTexts(
        in url: LinkURL, variables: [SubstitutionVariable] = []
    ) -> [String]? {
        guard let path else { return [] }
        let variant = TextVariant(decoded: !percentEncoded, folded: !caseSensitive)
        var pattern = [UInt8]()
        TextVariant.written.write(Array(path.utf8).span, isPath: true, into: &pattern)
        // Of text that is taken the letters stay as they are: folding happens in comparing.
        var text = [UInt8]()
        TextVariant(decoded: variant.isDecoded, folded: false)
            .write(Array(url.path.utf8).span, isPath: true, into: &text)
        var search = StarSearch(
            text: text, folded: variant.isFolded, variables: Variables(variables))
        let items = patternItems(pattern, variables: true, folded: variant.isFolded)
        guard let taken = search.taken(items[...], from: 0) else { return nil }
        let endsInSlash = url.path.utf8.last == UInt8(ascii: "/")
        return taken.map { range in
            let isAtEnd = range.upperBound == text.count && !endsInSlash && !range.isEmpty
            return escaped(text[range.lowerBound..<(range.upperBound - (isAtEnd ? 1 : 0))])
        }
    }
}

/// Finds what stars take by trying, and remembers from where nothing was found: time grows with
/// the product of pattern and text at most. A star that found nothing from one place finds nothing
/// from a later one, whose ends are among those that were tried.
private struct StarSearch {
    let text: [UInt8]
    let folded: Bool
    let variables: Variables
    private var failed = Set<Int>()
    private var starFailed = [Int: Int]()

    init(text: [UInt8], folded: Bool, variables: Variables) {
        (self.text, self.folded, self.variables) = (text, folded, variables)
    }

    /// For each star of `items` its place in the text, when they match from `start` to the end.
    mutating func taken(_ items: ArraySlice<PatternItem>, from start: Int) -> [Range<Int>]? {
        // Literals are a loop: the stack is as deep as a pattern has stars and variables.
        var (items, start) = (items, start)
        while let item = items.first, !item.isStar, !item.isVariable {
            guard let end = ends(of: item, from: start).first else { return nil }
            (items, start) = (items.dropFirst(), end)
        }
        guard let item = items.first else { return start == text.count ? [] : nil }
        let rest = items.dropFirst()
        if item.isStar { return taken(byStar: items.startIndex, rest, from: start) }
        let position = items.startIndex * (text.count + 1) + start
        guard !failed.contains(position) else { return nil }
        for end in ends(of: item, from: start) {
            if let more = taken(rest, from: end) { return more }
        }
        failed.insert(position)
        return nil
    }

    private mutating func taken(
        byStar star: Int, _ rest: ArraySlice<PatternItem>, from start: Int
    ) -> [Range<Int>]? {
        guard start < starFailed[star] ?? .max else { return nil }
        for end in start...text.count where canBegin(rest, at: end) {
            if let more = taken(rest, from: end) { return [start..<end] + more }
        }
        starFailed[star] = start
        return nil
    }

    /// Spares most places a look at what follows.
    private func canBegin(_ items: ArraySlice<PatternItem>, at start: Int) -> Bool {
        guard case .byte(let byte)? = items.first else {
            return !items.isEmpty || start == text.count
        }
        return start < text.count && (text[start] == byte || folded)
    }

    private func ends(of item: PatternItem, from start: Int) -> [Int] {
        switch item {
        case .byte(let byte):
            guard start < text.count else { return [] }
            let found = text[start]
            let isSame =
                found == byte || (folded && (0x41...0x5A).contains(found) && found | 0x20 == byte)
            return isSame ? [start + 1] : []
        case .any: return start < text.count ? [scalarEnd(start)] : []
        case .star: return Array(start...text.count)
        case .variable(let name): return variableEnds(name, from: start)
        case .unterminated: return []
        }
    }

    private func scalarEnd(_ start: Int) -> Int {
        var end = start + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    private func variableEnds(_ name: String, from start: Int) -> [Int] {
        switch variables.meaning(of: name) {
        case .oneCharacter(let set):
            return start < text.count && set.contains(text[start]) ? [start + 1] : []
        case .texts(let values):
            let reached = values.flatMap { value in
                patternItems(value, variables: false, folded: folded)
                    .reduce([start]) { positions, item in
                        Set(positions.flatMap { ends(of: item, from: $0) }).sorted()
                    }
            }
            return Set(reached).sorted()
        case nil: return []
        }
    }
}

extension PatternItem {
    fileprivate var isVariable: Bool {
        if case .variable = self { true } else { false }
    }
}

/// Text of a path with what a path may not hold percent-encoded (RFC 3986 §3.3).
private func escaped(_ text: ArraySlice<UInt8>) -> String {
    text.percentEncoded { $0.isUnreserved || "/!$'(),;:@*&=+%".utf8.contains($0) }
}
