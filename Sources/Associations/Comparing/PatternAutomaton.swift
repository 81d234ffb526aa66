/// The patterns for one part of a URL as one nondeterministic automaton. It reads the part letter
/// by letter in the form that the matcher compares: normalized, and decoded for rules that decode.
struct PatternAutomaton {
    private(set) var nodes = [Node]()
    /// The nodes at which patterns for the whole part begin.
    private(set) var starts = [Int32]()
    /// Patterns for query items, each with its name.
    private(set) var items = [Item]()

    struct Node {
        var edges = [Edge]()
        var jumps = [Int32]()
        var role: Role?
        var isStar = false
        /// Whether a star or a variable begins here.
        var beginsElement = false
    }

    struct Edge {
        let letters: LetterSet
        let target: Int32
    }

    /// The meaning of a node that was reached.
    enum Role: Hashable {
        /// The pattern with this number matches the text that was read.
        case end(pattern: Int)
        /// The name of this item has been read.
        case name(item: Int)
        /// An item with this name has begun its value, or its value matches so far.
        case value(item: Int)
        case valueEnd(item: Int)
        /// An earlier item with this name matched, or did not.
        case matched(item: Int)
        case failed(item: Int)
    }

    struct Item {
        /// The pattern's number.
        let pattern: Int
        let name: Int32
        let value: Int32
        /// Remembers that there is an item with this name.
        let isThere: Int32
        let matched: Int32
        let failed: Int32
    }

    /// A pattern, and the form of the text that its rule compares.
    struct Source: Hashable {
        let part: Part
        let text: [UInt8]
        let caseSensitive: Bool
        let percentEncoded: Bool
    }

    enum Part: Hashable {
        case path, query, fragment
        case item(name: [UInt8])
    }

    /// Every letter that occurs in a pattern.
    var letters: Set<LetterSet> { Set(nodes.flatMap { $0.edges.map(\.letters) }) }

    /// Adds a pattern; a pattern that can never match is left out.
    mutating func add(_ source: Source, number: Int, _ variables: inout Variables) {
        let isPath = source.part == .path
        var bytes = [UInt8]()
        TextVariant.written.write(source.text.span, isPath: isPath, into: &bytes)
        let folded = !source.caseSensitive
        guard Pattern(bytes, folded: folded, &variables).fault == nil else { return }
        let start = node()
        let writer = Writer(part: source.part, folded: folded)
        let elements = patternItems(bytes, variables: true, folded: folded)
        let end = append(elements, from: start, writer, variables)
        guard case .item(let name) = source.part else {
            starts.append(start)
            nodes[Int(end)].role = .end(pattern: number)
            return
        }
        nodes[Int(end)].role = .valueEnd(item: items.count)
        addItem(name, value: start, number: number)
    }

    private mutating func addItem(_ name: [UInt8], value: Int32, number: Int) {
        let index = items.count
        let start = node()
        var end = start
        for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
            end = append(LetterSet([.scalar(scalar)]), from: end)
        }
        // A separate node, because a name may be empty.
        let named = node()
        nodes[Int(end)].jumps.append(named)
        nodes[Int(named)].role = .name(item: index)
        items.append(
            Item(
                pattern: number, name: start, value: value,
                isThere: lasting(.value(item: index), LetterSet.anything.inserting(.equals)),
                matched: lasting(.matched(item: index), Self.everything),
                failed: lasting(.failed(item: index), Self.everything)))
    }

    /// A node that stays active over these letters.
    private mutating func lasting(_ role: Role, _ letters: LetterSet) -> Int32 {
        let position = node()
        nodes[Int(position)].role = role
        nodes[Int(position)].edges.append(Edge(letters: letters, target: position))
        return position
    }

    private mutating func node() -> Int32 {
        nodes.append(Node())
        return Int32(nodes.count - 1)
    }

    private static let everything = LetterSet.anything.inserting(.equals, .ampersand)

    // MARK: Elements

    /// The letters that the characters of a pattern stand for, in one part and for one rule.
    private struct Writer {
        let part: Part
        let folded: Bool

        /// The separators of a query are letters in a pattern for the whole query. In the value of
        /// an item, only `=` is.
        var anything: LetterSet {
            switch part {
            case .path, .fragment: LetterSet.anything
            case .query: everything
            case .item: LetterSet.anything.inserting(.equals)
            }
        }

        func letters(_ scalar: Unicode.Scalar) -> LetterSet {
            let letters = folded ? LetterSet(foldingInto: scalar) : LetterSet([.scalar(scalar)])
            return switch (scalar, part) {
            case ("=", .query), ("=", .item): letters.inserting(.equals)
            case ("&", .query): letters.inserting(.ampersand)
            default: letters
            }
        }

        func letters(oneOf bytes: [UInt8]) -> LetterSet {
            var letters = LetterSet()
            for byte in folded ? foldedBytes(bytes) : bytes {
                letters.formUnion(self.letters(Unicode.Scalar(byte)))
            }
            return letters
        }
    }

    /// - Returns: the nodes at which the items end.
    private mutating func append(
        _ items: [PatternItem], from start: Int32, _ writer: Writer, _ variables: Variables
    ) -> Int32 {
        var position = start
        for element in items.elements {
            switch element {
            case .scalar(let scalar): position = append(writer.letters(scalar), from: position)
            case .any: position = append(writer.anything, from: position)
            case .star(let isDoubled):
                for _ in 0..<(isDoubled ? 2 : 1) {
                    let loop = node()
                    nodes[Int(position)].jumps.append(loop)
                    nodes[Int(loop)].edges.append(Edge(letters: writer.anything, target: loop))
                    nodes[Int(loop)].isStar = true
                    nodes[Int(loop)].beginsElement = true
                    position = loop
                }
            case .variable(let name):
                position = append(variable: name, from: position, writer, variables)
            }
        }
        return position
    }

    private mutating func append(_ letters: LetterSet, from position: Int32) -> Int32 {
        let end = node()
        nodes[Int(position)].edges.append(Edge(letters: letters, target: end))
        return end
    }

    private mutating func append(
        variable name: String, from position: Int32, _ writer: Writer, _ variables: Variables
    ) -> Int32 {
        switch variables.meaning(of: name) {
        case .oneCharacter(let set): append(writer.letters(oneOf: set), from: position)
        case .texts(let values): append(values, from: position, writer, variables)
        // Its pattern never matches, and was left out.
        case nil: node()
        }
    }

    /// Values with the same beginning share nodes, because there are hundreds of values.
    private mutating func append(
        _ values: [[UInt8]], from position: Int32, _ writer: Writer, _ variables: Variables
    ) -> Int32 {
        let (root, end) = (node(), node())
        nodes[Int(position)].jumps.append(root)
        nodes[Int(root)].beginsElement = true
        var branches = [Branch: Int32]()
        for value in values {
            let items = patternItems(value, variables: false, folded: writer.folded)
            let shared = items.prefix { $0 != .any && !$0.isStar }
            var position = root
            for case .scalar(let scalar) in Array(shared).elements {
                let branch = Branch(position: position, scalar: scalar)
                let next = branches[branch] ?? append(writer.letters(scalar), from: position)
                branches[branch] = next
                position = next
            }
            let rest = Array(items[shared.count...])
            nodes[Int(append(rest, from: position, writer, variables))].jumps.append(end)
        }
        return end
    }

    private struct Branch: Hashable {
        let position: Int32
        let scalar: Unicode.Scalar
    }
}

/// An element of a pattern, with its text in scalars.
private enum PatternElement {
    case scalar(Unicode.Scalar)
    case any
    case star(isDoubled: Bool)
    case variable(String)
}

extension [PatternItem] {
    fileprivate var elements: [PatternElement] {
        var elements = [PatternElement]()
        var text = [UInt8]()
        func endText() {
            elements += String(decoding: text, as: UTF8.self).unicodeScalars.map { .scalar($0) }
            text.removeAll()
        }
        for item in self {
            if case .byte(let byte) = item {
                text.append(byte)
                continue
            }
            endText()
            switch item {
            case .any: elements.append(.any)
            case .star(let isDoubled): elements.append(.star(isDoubled: isDoubled))
            case .variable(let name): elements.append(.variable(name))
            // Its pattern never matches, and was left out.
            case .byte, .unterminated: break
            }
        }
        endText()
        return elements
    }
}

extension PatternAutomaton {
    /// Whether every match of the only pattern ends with a star, after which the rest of the
    /// pattern matches nothing. This is true for `a**` and `a`, and false for `a**` and `ab`.
    func endsBehindStar(_ text: some Sequence<UInt8>) -> Bool {
        var positions = Set(starts)
        for scalar in String(decoding: Array(text), as: UTF8.self).unicodeScalars {
            let edges = all(from: positions).flatMap { nodes[Int($0)].edges }
            positions = Set(edges.filter { $0.letters.contains(.scalar(scalar)) }.map(\.target))
        }
        return !reachesEnd(from: positions)
    }

    private func all(from positions: Set<Int32>) -> Set<Int32> {
        var seen = positions
        var waiting = Array(positions)
        while let node = waiting.popLast() {
            for target in nodes[Int(node)].jumps where seen.insert(target).inserted {
                waiting.append(target)
            }
        }
        return seen
    }

    /// Whether the end of the pattern can be reached without leaving a star for a later element.
    private func reachesEnd(from positions: Set<Int32>) -> Bool {
        var seen = Set<Passage>()
        var waiting = positions.map { Passage(node: $0, isBehindStar: false) }
        while let passage = waiting.popLast() {
            let node = nodes[Int(passage.node)]
            if case .end? = node.role { return true }
            let isBehindStar = passage.isBehindStar || node.isStar
            for target in node.jumps where !isBehindStar || !nodes[Int(target)].beginsElement {
                let next = Passage(node: target, isBehindStar: isBehindStar)
                if seen.insert(next).inserted { waiting.append(next) }
            }
        }
        return false
    }

    private struct Passage: Hashable {
        let node: Int32
        let isBehindStar: Bool
    }
}
