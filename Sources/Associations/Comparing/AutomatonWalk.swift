/// Steps of an automaton, for all letters of an alphabet at once.
struct AutomatonWalk {
    /// The number of nodes that were visited.
    private(set) var visits = 0
    /// For each node, the classes of letters that leave it, and their targets.
    private var moves = [[(letterClass: Int, target: Int32)]]()
    /// For each node, itself and all nodes that it jumps to, without those that have neither moves
    /// nor a role.
    private var closures = [[Int32]]()
    /// The round in which a node was last added to a state.
    private var marks: [UInt32]
    private var round: UInt32 = 0
    private var targets: [[Int32]]

    init(_ automaton: PatternAutomaton, _ classes: LetterClasses) {
        targets = Array(repeating: [], count: classes.count)
        marks = Array(repeating: 0, count: automaton.nodes.count)
        var members = [LetterSet: [Int]]()
        for letters in automaton.letters { members[letters] = classes.members(of: letters) }
        for node in automaton.nodes {
            moves.append(
                node.edges.flatMap { edge in
                    (members[edge.letters] ?? []).map { ($0, edge.target) }
                })
        }
        for node in automaton.nodes.indices {
            let all = jumped(from: Int32(node), automaton)
            closures.append(
                all.filter { target in
                    !moves[Int(target)].isEmpty || automaton.nodes[Int(target)].role != nil
                })
        }
    }

    /// The targets of each class of letters, in order.
    /// - Parameter more: additional targets of some classes.
    mutating func step(_ nodes: [Int32], adding more: [Int: [Int32]]) -> [[Int32]] {
        for node in nodes {
            for move in moves[Int(node)] { targets[move.letterClass].append(move.target) }
        }
        for (letterClass, nodes) in more { targets[letterClass] += nodes }
        return targets.indices.map { letterClass in
            let reached = closure(targets[letterClass])
            targets[letterClass].removeAll(keepingCapacity: true)
            return reached
        }
    }

    /// The nodes and all nodes that they jump to, in order.
    mutating func closure(_ nodes: [Int32]) -> [Int32] {
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
