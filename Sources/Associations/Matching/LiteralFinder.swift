/// Finds which of many literals occur in a text, in one pass (Aho & Corasick), and adds the
/// rules that wait for them.
struct LiteralFinder: Sendable {
    /// Literals that are longer are known by their last bytes; a false candidate does no harm.
    static let bytesMax = 32
    /// No more table than this, in entries of four bytes, however large the file.
    private static let entriesMax = 1 << 22

    /// Rules for whose literals there was no room.
    let leftOver: [Int]
    private let classes: [UInt8]
    private let classCount: Int
    /// For each node and class the next node; `foundBit` is set when literals end there.
    private let next: [UInt32]
    /// For each node the rules whose literal ends there, as a range of `rules`, and the nearest
    /// node on the way to the root where others do.
    private let ends: [End]
    private let rules: [Int]

    private struct End: Sendable {
        var start: Int32 = 0
        var count: Int32 = 0
        var shorter: UInt32 = 0
    }

    init(_ literals: [Int: ArraySlice<UInt8>]) {
        var trie = LiteralTrie(entriesMax: Self.entriesMax)
        trie.classify(literals.values)
        var leftOver = [Int]()
        var waiting = [[Int]](repeating: [], count: 1)
        for (rule, literal) in literals.sorted(by: { $0.key < $1.key }) {
            guard let node = trie.insert(literal) else {
                leftOver.append(rule)
                continue
            }
            while waiting.count <= node { waiting.append([]) }
            waiting[node].append(rule)
        }
        while waiting.count < trie.count { waiting.append([]) }
        self.leftOver = leftOver
        classes = trie.classes
        classCount = trie.classCount
        var (ends, rules) = ([End](), [Int]())
        for own in waiting {
            ends.append(End(start: Int32(rules.count), count: Int32(own.count)))
            rules += own
        }
        for (node, fallback) in trie.connect() {
            ends[node].shorter =
                ends[fallback].count > 0 ? UInt32(fallback) : ends[fallback].shorter
        }
        self.ends = ends
        self.rules = rules
        next = trie.next.map { node in
            let end = ends[Int(node)]
            return end.count > 0 || end.shorter > 0 ? node | Self.foundBit : node
        }
    }

    func find(in text: Span<UInt8>, _ scratch: inout MatchScratch) {
        scratch.begin(nodes: ends.count)
        let next = next.span
        let classes = classes.span
        var node = 0
        for index in text.indices {
            let step = next[node * classCount + Int(classes[Int(text[index])])]
            node = Int(step & ~Self.foundBit)
            if step & Self.foundBit != 0 { mark(node, &scratch) }
        }
    }

    /// A node that has been seen for this URL has been dealt with, and so have those after it.
    private func mark(_ node: Int, _ scratch: inout MatchScratch) {
        var node = node
        while node > 0, scratch.see(node) {
            let end = ends[node]
            scratch.memory.steps &+= Int(end.count)
            for index in Int(end.start)..<Int(end.start + end.count) {
                scratch.candidates.insert(rules[index])
            }
            node = Int(end.shorter)
        }
    }

    private static let foundBit: UInt32 = 1 << 31
}

/// The tree of all literals while it grows.
private struct LiteralTrie {
    let entriesMax: Int
    private(set) var classes = [UInt8](repeating: 0, count: 256)
    private(set) var classCount = 1
    private(set) var next = [UInt32]()
    var count: Int { next.count / classCount }

    init(entriesMax: Int) { self.entriesMax = entriesMax }

    /// A class for each byte that occurs, and one for all others.
    mutating func classify(_ literals: some Sequence<ArraySlice<UInt8>>) {
        for byte in Set(literals.joined()).sorted() {
            classes[Int(byte)] = UInt8(truncatingIfNeeded: classCount)
            classCount += 1
        }
        next = .init(repeating: 0, count: classCount)
    }

    /// The node at the literal's end, or nil when there is no room for it.
    mutating func insert(_ literal: ArraySlice<UInt8>) -> Int? {
        guard next.count + literal.count * classCount <= entriesMax else { return nil }
        var node = 0
        for byte in literal {
            let entry = node * classCount + Int(classes[Int(byte)])
            if next[entry] == 0 {
                next[entry] = UInt32(count)
                next += [UInt32](repeating: 0, count: classCount)
            }
            node = Int(next[entry])
        }
        return node
    }

    /// Fills in where to go when a literal does not go on.
    /// - Returns: all nodes but the root, the shallow first, each with the one that it falls
    ///   back to.
    mutating func connect() -> [(node: Int, fallback: Int)] {
        var order = [(node: Int, fallback: Int)]()
        for child in next[..<classCount] where child != 0 { order.append((Int(child), 0)) }
        var index = 0
        while index < order.count {
            let (node, fallback) = order[index]
            for number in 0..<classCount {
                let entry = node * classCount + number
                let other = next[fallback * classCount + number]
                if next[entry] == 0 {
                    next[entry] = other
                } else {
                    order.append((Int(next[entry]), Int(other)))
                }
            }
            index += 1
        }
        return order
    }
}
