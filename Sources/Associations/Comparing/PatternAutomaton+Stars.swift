extension PatternAutomaton {
    /// Whether a text that the only pattern matches ends where a star does, with something behind
    /// the star that stands for nothing; in `a**` and `a` it does, in `a**` and `ab` it need not.
    func endsBehindStar(_ text: some Sequence<UInt8>) -> Bool {
        var positions = Set(starts)
        for scalar in String(decoding: Array(text), as: UTF8.self).unicodeScalars {
            let edges = all(from: positions).flatMap { nodes[Int($0)].edges }
            positions = Set(
                edges.filter { $0.letters.contains(.scalar(scalar)) }.map(\.target))
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

    /// Whether the pattern's end is reached without leaving a star for an element behind it.
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
