/// A rule, or a group of conditions of a manifest, whose patterns are numbers.
struct NumberedRule {
    /// The patterns that the path has to match.
    var paths = [Int]()
    /// The patterns of the query or its items, and of the fragment.
    var query = [Int]()
    var fragment = [Int]()
    /// For a part of a manifest that takes links, its number.
    var takes: Int?

    /// Whether the path alone decides.
    var isPathAlone: Bool { query.isEmpty && fragment.isEmpty }

    /// Whether query and fragment match if these patterns do.
    func holds(_ matched: Set<Int>) -> Bool {
        query.allSatisfy(matched.contains) && fragment.allSatisfy(matched.contains)
    }
}

/// Rules of which the first that matches decides.
struct NumberedRules {
    let all: [NumberedRule]
    /// The rules by the first pattern of their paths.
    private var byPath = [Int: [Int]]()
    private var withoutPath = [Int]()

    init(_ rules: [NumberedRule]) {
        all = rules
        for (index, rule) in rules.enumerated() {
            if let path = rule.paths.first {
                byPath[path, default: []].append(index)
            } else {
                withoutPath.append(index)
            }
        }
    }

    /// The rules that can decide if these patterns match a path: all up to the first that compares
    /// nothing else.
    func candidates(_ matched: Set<Int>) -> [Int] {
        let first = (matched.flatMap { byPath[$0] ?? [] } + withoutPath).sorted()
        let matching = first.filter { all[$0].paths.dropFirst().allSatisfy(matched.contains) }
        let last = matching.firstIndex { all[$0].isPathAlone }
        return Array(matching[..<(last.map { $0 + 1 } ?? matching.count)])
    }
}
