/// The texts that some patterns tell apart: for each set of patterns that one text can match
/// together, the shortest such text.
struct PatternSpace {
    private(set) var samples = [Sample]()
    /// Whether every such set was found.
    private(set) var isComplete = true

    struct Sample {
        let text: [UInt8]
        let patterns: Set<Int>
    }

    private let automaton: PatternAutomaton
    private let isPath: Bool
    /// One byte for all those that no pattern tells apart.
    private let alphabet: [UInt8]

    /// - Parameter excluded: bytes that cannot stand in this part of a URL.
    init(_ automaton: PatternAutomaton, isPath: Bool, excluding excluded: ByteSet) {
        self.automaton = automaton
        self.isPath = isPath
        alphabet = representatives(automaton, isPath: isPath, excluding: excluded)
        search()
    }

    /// Nodes that a text leads to, in order, and whether the text ends in a slash: normalised paths
    /// have no two in a row.
    private struct State: Hashable {
        let nodes: [Int32]
        let endsInSlash: Bool
    }

    private mutating func search() {
        var known = Set<State>()
        var found = Set<Set<Int>>()
        var queue = [(state: State, text: [UInt8])]()
        func enqueue(_ state: State, _ text: [UInt8]) {
            if known.insert(state).inserted { queue.append((state, text)) }
        }
        let start = State(nodes: closure(automaton.starts), endsInSlash: false)
        enqueue(start, [])
        var next = 0
        while next < queue.count {
            guard queue.count < Self.statesMax else {
                isComplete = false
                return
            }
            let (state, text) = queue[next]
            next += 1
            if !isPath || state.endsInSlash {
                let patterns = Set(state.nodes.compactMap { automaton.patternEnding[$0] })
                if found.insert(patterns).inserted {
                    samples.append(Sample(text: text, patterns: patterns))
                }
            }
            for byte in alphabet where isPossible(byte, behind: state, text) {
                let state = State(
                    nodes: step(state.nodes, byte), endsInSlash: byte == UInt8(ascii: "/"))
                enqueue(state, text + [byte])
            }
        }
    }

    private func isPossible(_ byte: UInt8, behind state: State, _ text: [UInt8]) -> Bool {
        guard isPath else { return true }
        let isSlash = byte == UInt8(ascii: "/")
        return text.isEmpty ? isSlash : !(isSlash && state.endsInSlash)
    }

    private func step(_ nodes: [Int32], _ byte: UInt8) -> [Int32] {
        var targets = [Int32]()
        for node in nodes {
            for edge in automaton.nodes[Int(node)].edges where edge.bytes.contains(byte) {
                targets.append(edge.target)
            }
        }
        return closure(targets)
    }

    /// The nodes and all that they jump to, in order.
    private func closure(_ nodes: [Int32]) -> [Int32] {
        var seen = Set(nodes)
        var waiting = nodes
        while let node = waiting.popLast() {
            for target in automaton.nodes[Int(node)].jumps where seen.insert(target).inserted {
                waiting.append(target)
            }
        }
        return seen.sorted()
    }

    private static let statesMax = 30_000
}

/// Of the bytes that every edge treats alike, the one that people like best to read.
private func representatives(
    _ automaton: PatternAutomaton, isPath: Bool, excluding excluded: ByteSet
) -> [UInt8] {
    // Normalisation tells a slash from all others, even where no pattern does.
    var sets: Set<ByteSet> = isPath ? [ByteSet("/".utf8)] : []
    for node in automaton.nodes { sets.formUnion(node.edges.map(\.bytes)) }
    let ordered = sets.map { $0 }
    let legible = Array(
        "xyzwvutsrqponmlkjihgfedcba1234567890XYZWVUTSRQPONMLKJIHGFEDCBA-_.~/!$'(),;:@".utf8)
    let others = ordered.reduce(ByteSet([])) { $0.union($1) }
        .subtracting(PatternAutomaton.unescaped).bytes
    let singles = sets.filter { $0.bytes.count <= 2 }.reduce(ByteSet([])) { $0.union($1) }
    var classes = Set<[Bool]>()
    var bytes = [UInt8]()
    // Percent signs and bytes of other letters stand only where a pattern has them.
    for byte in legible + others.filter(singles.contains) where !excluded.contains(byte) {
        if classes.insert(ordered.map { $0.contains(byte) }).inserted { bytes.append(byte) }
    }
    return bytes
}
