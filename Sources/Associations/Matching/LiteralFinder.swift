/// Finds which of many literals occur in a text, in one pass (Aho & Corasick), and adds the rules
/// with these literals to the candidates.
struct LiteralFinder: Sendable {
    /// Of a longer literal, only the last bytes are searched. Candidates are checked, so a false
    /// one is harmless.
    static let bytesMax = 32
    /// The limit of the table, in entries of four bytes.
    private static let entriesMax = 1 << 22

    /// Rules whose literals did not fit into the table.
    let leftOver: [Int]
    private let classes: [UInt8]
    private let classCount: Int
    /// The next node for each node and class; `foundBit` is set if literals end there.
    private let next: [UInt32]
    /// For each node, the rules whose literals end there, as a range of `rules`, and the nearest
    /// node with shorter literals that end at the same position.
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

    /// Adds the rules of a node, and those of shorter literals. If a node was seen for this URL
    /// before, its rules and those of all nodes after it were added.
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
