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

    /// Nodes that a text leads to, in order, and how the slashes of a path stand.
    private struct State: Hashable {
        let nodes: [Int32]
        let slashes: PathSlashes
    }

    /// Patterns that a text matches. One whose slashes are fewer once it is decoded stands for no
    /// other.
    private struct Found: Hashable {
        let patterns: Set<Int>
        let areDoubled: Bool
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
        var found = Set<Found>()
        var queue = [Step]()
        func enqueue(_ state: State, from previous: Int, by byte: UInt8) {
            guard known.insert(state).inserted else { return }
            queue.append(Step(state: state, previous: previous, byte: byte))
        }
        enqueue(State(nodes: walk.start, slashes: PathSlashes()), from: -1, by: 0)
        var next = 0
        while next < queue.count {
            guard queue.count < Self.statesMax, walk.visits < Self.visitsMax else {
                isComplete = false
                return
            }
            let state = queue[next].state
            if !isPath || state.slashes.areAtEnd {
                let patterns = Set(state.nodes.compactMap { automaton.patternEnding[$0] })
                let areDoubled = state.slashes.areDoubled
                if found.insert(Found(patterns: patterns, areDoubled: areDoubled)).inserted {
                    samples.append(Sample(text: text(queue, next), patterns: patterns))
                }
            }
            walk.step(state.nodes) { symbol, nodes in
                let byte = alphabet[symbol]
                var slashes = state.slashes
                guard !isPath || (slashes.append(byte) && (next > 0 || slashes.areAtEnd)) else {
                    return
                }
                enqueue(State(nodes: nodes, slashes: slashes), from: next, by: byte)
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

/// How slashes stand in a path. As it is written, a normalised one has no two in a row; once it is
/// decoded, it may.
private struct PathSlashes: Hashable {
    /// Whether the path ends in one, as it is written.
    private(set) var areAtEnd = false
    /// Whether two are in a row once the path is decoded.
    private(set) var areDoubled = false
    /// Whether the last character is one, escaped or not; before an escape that has begun.
    private var isLast = false
    /// How much of `%2F` the path ends in.
    private var escapeBytes = 0

    /// - Returns: false where that would be a second slash in a row.
    mutating func append(_ byte: UInt8) -> Bool {
        let isSlash = byte == UInt8(ascii: "/")
        if isSlash && areAtEnd { return false }
        areAtEnd = isSlash
        if byte == UInt8(ascii: "%") {
            escapeBytes = 1
        } else if escapeBytes == 1 && byte == UInt8(ascii: "2") {
            escapeBytes = 2
        } else {
            let isEscaped = escapeBytes == 2 && byte | 0x20 == UInt8(ascii: "f")
            escapeBytes = 0
            areDoubled = areDoubled || (isLast && (isSlash || isEscaped))
            isLast = isSlash || isEscaped
        }
        return true
    }
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
