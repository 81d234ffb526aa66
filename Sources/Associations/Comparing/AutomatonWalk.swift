/// Steps of an automaton, all bytes of an alphabet at once.
struct AutomatonWalk {
    /// How many nodes were looked at.
    private(set) var visits = 0
    /// Where every text begins.
    private(set) var start = [Int32]()
    /// For each node, the symbols that lead on and to where.
    private var moves = [[(symbol: Int, target: Int32)]]()
    /// For each node, itself and all that it jumps to, as far as they lead on or end a pattern.
    private var closures = [[Int32]]()
    /// The round in which a node was last put into a state.
    private var marks: [UInt32]
    private var round: UInt32 = 0
    private var targets: [[Int32]]

    /// - Parameter alphabet: one byte for each symbol.
    init(_ automaton: PatternAutomaton, _ alphabet: [UInt8]) {
        targets = Array(repeating: [], count: alphabet.count)
        marks = Array(repeating: 0, count: automaton.nodes.count)
        for node in automaton.nodes {
            moves.append(
                node.edges.flatMap { edge in
                    alphabet.indices.filter { edge.bytes.contains(alphabet[$0]) }
                        .map { ($0, edge.target) }
                })
        }
        for node in automaton.nodes.indices {
            let all = jumped(from: Int32(node), automaton)
            closures.append(
                all.filter { target in
                    !moves[Int(target)].isEmpty || automaton.patternEnding[target] != nil
                })
        }
        start = closure(automaton.starts)
    }

    /// Calls `body` for each symbol with the nodes that it leads to, in order.
    mutating func step(_ nodes: [Int32], _ body: (_ symbol: Int, _ nodes: [Int32]) -> Void) {
        for node in nodes {
            for move in moves[Int(node)] { targets[move.symbol].append(move.target) }
        }
        for symbol in targets.indices {
            body(symbol, closure(targets[symbol]))
            targets[symbol].removeAll(keepingCapacity: true)
        }
    }

    private mutating func closure(_ nodes: [Int32]) -> [Int32] {
        round += 1
        var result = [Int32]()
        for node in nodes {
            visits += closures[Int(node)].count + 1
            for target in closures[Int(node)] where marks[Int(target)] != round {
                marks[Int(target)] = round
                result.append(target)
            }
        }
        return result.sorted()
    }

    private func jumped(from node: Int32, _ automaton: PatternAutomaton) -> [Int32] {
        var seen: Set<Int32> = [node]
        var waiting = [node]
        while let node = waiting.popLast() {
            for target in automaton.nodes[Int(node)].jumps where seen.insert(target).inserted {
                waiting.append(target)
            }
        }
        return seen.sorted()
    }
}
