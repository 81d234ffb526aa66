/// The tree of all literals while it is built.
struct LiteralTrie {
    let entriesMax: Int
    private(set) var classes = [UInt8](repeating: 0, count: 256)
    private(set) var classCount = 1
    private(set) var next = [UInt32]()
    var count: Int { next.count / classCount }

    init(entriesMax: Int) { self.entriesMax = entriesMax }

    /// A class for each byte that occurs in a literal, and one for all other bytes.
    mutating func classify(_ literals: some Sequence<ArraySlice<UInt8>>) {
        for byte in Set(literals.joined()).sorted() {
            classes[Int(byte)] = UInt8(truncatingIfNeeded: classCount)
            classCount += 1
        }
        next = .init(repeating: 0, count: classCount)
    }

    /// The node at the end of the literal; nil if it does not fit into the table.
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

    /// Adds the transitions for bytes that continue no literal.
    /// - Returns: all nodes except the root, those near the root first, each with its fallback.
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
