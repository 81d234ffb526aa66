private import URISyntax

/// Several patterns as one nondeterministic automaton, which reads a part of a URL as it is
/// written. It serves to find texts that tell patterns apart, and the matcher has the last word on
/// each of them: what systems do in corners (a star with nothing after it) is not repeated here.
struct PatternAutomaton {
    private(set) var nodes = [Node]()
    /// Of the patterns, those that something can match.
    private(set) var starts = [Int32]()
    /// The pattern that ends at a node.
    private(set) var patternEnding = [Int32: Int]()
    private var patternCount = 0

    struct Node {
        var edges = [Edge]()
        var jumps = [Int32]()
    }

    struct Edge {
        let bytes: ByteSet
        let target: Int32
    }

    /// A pattern, and how its rule wants the text to be read.
    struct Source: Hashable {
        let text: [UInt8]
        let isPath: Bool
        let caseSensitive: Bool
        let percentEncoded: Bool
    }

    /// - Returns: the pattern's number.
    mutating func add(_ source: Source, _ variables: Variables) -> Int {
        var bytes = [UInt8]()
        TextVariant.written.write(source.text.span, isPath: source.isPath, into: &bytes)
        let items = patternItems(bytes, variables: true, folded: !source.caseSensitive)
        let start = node()
        if let end = append(items, from: start, source, variables) {
            starts.append(start)
            patternEnding[end] = patternCount
        }
        patternCount += 1
        return patternCount - 1
    }

    private mutating func node() -> Int32 {
        nodes.append(Node())
        return Int32(nodes.count - 1)
    }

    /// - Returns: where the items end; nil when they can match nothing.
    private mutating func append(
        _ items: [PatternItem], from start: Int32, _ source: Source, _ variables: Variables
    ) -> Int32? {
        var place = start
        for (index, item) in items.enumerated() {
            switch item {
            case .star(isDoubled: true) where index == items.count - 1:
                // At the very end two stars want a character.
                place = append(Self.anything, from: place)
                nodes[Int(place)].edges.append(Edge(bytes: Self.anything, target: place))
            case .byte(let byte): place = append(byte, from: place, source)
            case .any:
                // Escapes that are one character in any place: no slash, which may be one of two,
                // and nothing of several bytes.
                place = append(
                    Self.anything, escaping: ByteSet(" !'(),:;@".utf8), from: place, source)
            case .star:
                let loop = node()
                nodes[Int(place)].jumps.append(loop)
                nodes[Int(loop)].edges.append(Edge(bytes: Self.anything, target: loop))
                place = loop
            case .variable(let name):
                guard let end = append(variable: name, from: place, source, variables) else {
                    return nil
                }
                place = end
            case .unterminated: return nil
            }
        }
        return place
    }

    private mutating func append(_ bytes: ByteSet, from place: Int32) -> Int32 {
        let end = node()
        nodes[Int(place)].edges.append(Edge(bytes: bytes, target: end))
        return end
    }

    /// A literal byte as URLs write it.
    private mutating func append(_ byte: UInt8, from place: Int32, _ source: Source) -> Int32 {
        var bytes = ByteSet([byte])
        if !source.caseSensitive, (0x61...0x7A).contains(byte) { bytes.insert(byte & 0xDF) }
        return append(bytes, escaping: bytes, from: place, source)
    }

    /// One of some bytes. A rule that decodes is met by an escape too, in either letter case, and
    /// by the byte itself where a URL may hold it. Nobody escapes what is never to be (RFC 3986
    /// §2.3).
    private mutating func append(
        _ bytes: ByteSet, escaping escapable: ByteSet, from place: Int32, _ source: Source
    ) -> Int32 {
        let escaped = escapable.bytes.filter { !$0.isUnreserved }
        guard !source.percentEncoded, !escaped.isEmpty else { return append(bytes, from: place) }
        let end = append(
            bytes.subtracting(ByteSet(escaped).subtracting(Self.unescaped)), from: place)
        let percent = append(ByteSet("%".utf8), from: place)
        for digit in Set(escaped.map { $0 >> 4 }).sorted() {
            let between = append(hexDigits([digit]), from: percent)
            let second = hexDigits(escaped.filter { $0 >> 4 == digit }.map { $0 & 15 })
            nodes[Int(between)].edges.append(Edge(bytes: second, target: end))
        }
        return end
    }

    private mutating func append(
        variable name: String, from place: Int32, _ source: Source, _ variables: Variables
    ) -> Int32? {
        switch variables.meaning(of: name) {
        case .oneCharacter(let set): return append(ByteSet(set), from: place)
        case .texts(let values): return append(values, from: place, source, variables)
        case nil: return nil
        }
    }

    /// Values that begin alike share their nodes: there are hundreds of them.
    private mutating func append(
        _ values: [[UInt8]], from place: Int32, _ source: Source, _ variables: Variables
    ) -> Int32 {
        let (root, end) = (node(), node())
        nodes[Int(place)].jumps.append(root)
        var branches: [[PatternItem]: Int32] = [[]: root]
        for value in values {
            let items = patternItems(value, variables: false, folded: !source.caseSensitive)
            let shared = items.prefix { $0 != .any && !$0.isStar }
            var place = root
            for length in shared.indices.map({ $0 + 1 }) {
                let beginning = Array(items[..<length])
                if let known = branches[beginning] {
                    place = known
                } else if let next = append([items[length - 1]], from: place, source, variables) {
                    place = next
                    branches[beginning] = next
                }
            }
            guard let last = append(Array(items[shared.count...]), from: place, source, variables)
            else { continue }
            nodes[Int(last)].jumps.append(end)
        }
        return end
    }

    /// What may stand in a URL without an escape, and is a wildcard of no pattern.
    static let unescaped = ByteSet(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$'(),;:@".utf8)
    private static let anything = unescaped.union(ByteSet("%=&+".utf8)).union(
        ByteSet(0x80...0xFF))
}

/// The digits of these values as escapes write them.
private func hexDigits(_ values: [UInt8]) -> ByteSet {
    ByteSet(values.flatMap { [$0.hexDigit, $0.hexDigit | 0x20] })
}
