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

    /// A state, and the step that found it: whoever reads them backwards has the shortest text.
    private struct Step {
        let state: State
        let previous: Int
        let byte: UInt8
    }

    private mutating func search() {
        var walk = AutomatonWalk(automaton, alphabet)
        var known = Set<State>()
        var found = Set<Set<Int>>()
        var queue = [Step]()
        func enqueue(_ state: State, from previous: Int, by byte: UInt8) {
            guard known.insert(state).inserted else { return }
            queue.append(Step(state: state, previous: previous, byte: byte))
        }
        enqueue(State(nodes: walk.start, endsInSlash: false), from: -1, by: 0)
        var next = 0
        while next < queue.count {
            guard queue.count < Self.statesMax, walk.visits < Self.visitsMax else {
                isComplete = false
                return
            }
            let state = queue[next].state
            if !isPath || state.endsInSlash {
                let patterns = Set(state.nodes.compactMap { automaton.patternEnding[$0] })
                if found.insert(patterns).inserted {
                    samples.append(Sample(text: text(queue, next), patterns: patterns))
                }
            }
            walk.step(state.nodes) { symbol, nodes in
                let byte = alphabet[symbol]
                let isSlash = byte == UInt8(ascii: "/")
                guard !isPath || (next == 0 ? isSlash : !(isSlash && state.endsInSlash)) else {
                    return
                }
                enqueue(State(nodes: nodes, endsInSlash: isSlash), from: next, by: byte)
            }
            next += 1
        }
    }

    private func text(_ steps: [Step], _ last: Int) -> [UInt8] {
        var text = [UInt8]()
        var index = last
        while index > 0 {
            text.append(steps[index].byte)
            index = steps[index].previous
        }
        return text.reversed()
    }

    private static let statesMax = 30_000
    /// Of nodes, in all steps: less than a second.
    private static let visitsMax = 20_000_000
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
