/// Finds the patterns that match a text, letter by letter: a deterministic automaton whose states
/// are made when they are first reached.
struct PartAutomaton {
    private let automaton: PatternAutomaton
    private let classes: LetterClasses
    private let text: Text
    private let slash: Int
    private let star: Int
    private var walk: AutomatonWalk
    private var numbers = [State: Int32]()
    private var states = [State]()
    /// For each node, whether every letter leads back to it and nowhere else.
    private let isConstant: [Bool]
    /// For each item of a query, whether its pattern matches a missing item.
    private var isNullable = [Bool]()
    /// The successor of each state by class of letters; `unknown` until it is computed.
    private var successors = [Int32]()
    private var results = [Int32]()
    private var resultNumbers = [Result: Int32]()
    /// The results that texts can have; `result(_:)` returns an index into them.
    private(set) var found = [Result]()

    /// The text that the automaton reads.
    enum Text {
        case path, query, fragment
        /// One item of a query.
        case item
    }

    /// The result for a text.
    struct Result: Hashable {
        /// The patterns that match it, in order.
        var matching = [Int]()
        /// For an item, the patterns whose name matches and whose value does not.
        var failing = [Int]()
    }

    private struct State: Hashable {
        let nodes: [Int32]
        /// For a path, the kind of its last letter, on which normalization depends.
        let last: Last
    }

    private enum Last {
        case slash, star, other
    }

    /// - Parameter classes: of the automaton's letters. In a path, slash and star have classes of
    ///   their own; in a query, the separators do.
    init(_ automaton: PatternAutomaton, _ classes: LetterClasses, _ text: Text) {
        (self.automaton, self.classes, self.text) = (automaton, classes, text)
        slash = classes.number(of: Letter(UInt8(ascii: "/")))
        star = classes.number(of: Letter(UInt8(ascii: "*")))
        walk = AutomatonWalk(automaton, classes)
        let separators: Set<Int> =
            switch text {
            case .path, .fragment: [classes.equals, classes.ampersand]
            case .item: [classes.ampersand]
            case .query: []
            }
        let all = Set(0..<classes.count).subtracting(separators)
        isConstant = automaton.nodes.indices.map { node in
            let edges = automaton.nodes[node].edges
            guard edges.count == 1, edges[0].target == node else { return false }
            return all.isSubset(of: classes.members(of: edges[0].letters))
        }
        for item in automaton.items.indices {
            isNullable.append(
                walk.closure([automaton.items[item].value]).contains { node in
                    automaton.nodes[Int(node)].role == .valueEnd(item: item)
                })
        }
        let names = automaton.items.map(\.name)
        _ = number(walk.closure(automaton.starts + names), .other)
    }

    /// The number of nodes that were visited.
    var visits: Int { walk.visits }
    /// The state before any letter.
    let start: Int32 = 0

    /// Patterns for query items that match a missing item.
    var matchingNothing: [Int] {
        automaton.items.indices.filter { isNullable[$0] }.map { automaton.items[$0].pattern }
    }

    /// The state after another letter of the class.
    mutating func step(_ state: Int32, _ letterClass: Int) -> Int32 {
        let index = Int(state) * classes.count
        if successors[index] == Self.unknown { findSuccessors(state) }
        return successors[index + letterClass]
    }

    /// The result for the text that was read, as an index into `found`.
    mutating func result(_ state: Int32) -> Int32 {
        let index = Int(state)
        if results[index] == Self.unknown {
            let result = end(state)
            let known = resultNumbers[result] ?? Int32(found.count)
            if known == found.count {
                found.append(result)
                resultNumbers[result] = known
            }
            results[index] = known
        }
        return results[index]
    }

    /// Whether the result is the same whatever follows.
    func isConstant(_ state: Int32) -> Bool {
        states[Int(state)].nodes.allSatisfy { isConstant[Int($0)] }
    }

    private mutating func number(_ nodes: [Int32], _ last: Last) -> Int32 {
        let isAlike = text != .path || nodes.allSatisfy { isConstant[Int($0)] }
        let state = State(nodes: nodes, last: isAlike ? .other : last)
        if let known = numbers[state] { return known }
        let number = Int32(states.count)
        numbers[state] = number
        states.append(state)
        successors += Array(repeating: Self.unknown, count: classes.count)
        results.append(Self.unknown)
        return number
    }

    private mutating func findSuccessors(_ number: Int32) {
        let state = states[Int(number)]
        var separated = [Int: [Int32]]()
        if text == .query || text == .item {
            separated[classes.equals] = values(after: state.nodes)
        }
        if text == .query {
            separated[classes.ampersand] = itemEnd(state.nodes) + automaton.items.map(\.name)
        }
        let nodes = walk.step(state.nodes, adding: separated)
        for letterClass in nodes.indices {
            let last: Last = letterClass == slash ? .slash : letterClass == star ? .star : .other
            // Several slashes or stars in a row count as one in a path.
            let isRun = text == .path && last != .other && last == state.last
            successors[Int(number) * classes.count + letterClass] =
                isRun ? number : self.number(withoutFailed(nodes[letterClass]), last)
        }
    }

    private mutating func end(_ state: Int32) -> Result {
        var nodes = states[Int(state)].nodes
        switch text {
        case .path where states[Int(state)].last == .other:
            // The slash that normalization adds.
            nodes = states[Int(step(state, slash))].nodes
        case .query, .item: nodes = walk.closure(nodes + itemEnd(nodes))
        default: break
        }
        let roles = Set(nodes.compactMap { automaton.nodes[Int($0)].role })
        var result = Result()
        for case .end(let pattern) in roles { result.matching.append(pattern) }
        for (index, item) in automaton.items.enumerated() {
            if roles.contains(.failed(item: index)) {
                result.failing.append(item.pattern)
            } else if roles.contains(.matched(item: index)) || (text == .query && isNullable[index])
            {
                result.matching.append(item.pattern)
            }
        }
        result.matching.sort()
        return result
    }

    private static let unknown: Int32 = -1

    // MARK: Items of a query

    /// The nodes at which values begin after the names that were read.
    private func values(after nodes: [Int32]) -> [Int32] {
        nodes.flatMap { node -> [Int32] in
            guard case .name(let item)? = automaton.nodes[Int(node)].role else { return [] }
            return [automaton.items[item].value, automaton.items[item].isThere]
        }
    }

    /// The results for each name after another item.
    private func itemEnd(_ nodes: [Int32]) -> [Int32] {
        let roles = Set(nodes.compactMap { automaton.nodes[Int($0)].role })
        return automaton.items.indices.compactMap { item in
            let holds: Bool
            if roles.contains(.value(item: item)) {
                holds = roles.contains(.valueEnd(item: item))
            } else if roles.contains(.name(item: item)) {
                holds = isNullable[item]
            } else {
                return nil
            }
            guard holds else { return automaton.items[item].failed }
            // A pattern that matches nothing also matches a missing item.
            return isNullable[item] ? nil : automaton.items[item].matched
        }
    }

    /// One failing item of a name is enough, so the other nodes of this name are dropped.
    private func withoutFailed(_ nodes: [Int32]) -> [Int32] {
        guard text == .query else { return nodes }
        let failed = automaton.items.filter { nodes.contains($0.failed) }
        guard !failed.isEmpty else { return nodes }
        return nodes.filter { node in
            // The nodes of an item are adjacent.
            !failed.contains { $0.value <= node && node < $0.failed }
        }
    }
}
