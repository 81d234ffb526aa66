/// The texts that distinguish some patterns for one part of URLs: a shortest text for each set of
/// patterns that one text can match together.
///
/// A text is read as URLs write it, and each rule compares it as written or decoded. So two
/// automata read it in parallel, one for each kind of rule. Their states decide everything that can
/// follow, so a search through all pairs of states finds every such set.
struct PatternSpace {
    private(set) var samples = [Sample]()
    /// Whether every such set was found.
    private(set) var isComplete = true
    /// The work: tokens, and nodes of the automata.
    private(set) var steps = 0

    struct Sample {
        let text: [UInt8]
        /// The numbers of the patterns, counted from 0 in the given order.
        let patterns: Set<Int>
    }

    /// One of the patterns that texts are held against.
    enum Pattern: Hashable {
        /// The pattern of a rule, and the file whose variables it names.
        case rule(PatternAutomaton.Source, file: Int)
        /// The paths of a manifest, of which there is at most one, and conditions of its groups. Only usual links
        /// are then searched: what needs no escape has none, no two slashes follow each other, and a query has
        /// neither semicolons nor empty items.
        case manifest(ManifestPaths)
        case condition(ManifestCondition)

        fileprivate var isForQuery: Bool {
            if case .rule(let source, _) = self { source.part == .query } else { false }
        }

        /// The characters beyond ASCII whose escapes it has.
        fileprivate var escapedScalars: [Unicode.Scalar] {
            guard case .rule(let source, _) = self, source.percentEncoded else { return [] }
            let text = androidText(String(decoding: source.text, as: UTF8.self)) ?? []
            return String(decoding: text, as: UTF16.self).unicodeScalars.filter { !$0.isASCII }
        }
    }

    private let stepsLimit: Int
    private let text: PartAutomaton.Text
    private let tokens: [LinkToken]
    /// For each token, the steps that the tokens before it take together, and those of all.
    private let stepsBefore: [Int]
    private let decodedClasses: LetterClasses
    private let beyondASCII: [Int]
    private var written: PartAutomaton
    private var decoded: PartAutomaton
    private var manifest: ManifestAutomaton?
    private var partialScalars = [PartialScalar()]
    private var outcomes = [ByteAfter: Outcome]()

    /// - Parameters:
    ///   - part: for a query, `patterns` can also be for its items.
    ///   - variables: those of each file.
    ///   - stepsMax: the number of steps that are left for all spaces.
    init(
        _ patterns: [Pattern], _ part: PatternAutomaton.Part, _ variables: inout [Variables],
        stepsMax: Int = .max
    ) {
        stepsLimit = stepsMax
        let isOfItems = part == .query && !patterns.contains(where: \.isForQuery)
        text =
            switch part {
            case .path: .path
            case .query, .item: isOfItems ? .item : .query
            case .fragment: .fragment
            }
        var (written, decoded) = (PatternAutomaton(), PatternAutomaton())
        var wanted = ManifestAutomaton.Wanted()
        for (number, pattern) in patterns.enumerated() {
            switch pattern {
            case .rule(let source, let file) where source.percentEncoded:
                written.add(source, number: number, &variables[file])
            case .rule(let source, let file):
                decoded.add(source, number: number, &variables[file])
            case .manifest(let paths): wanted.paths = (number, paths)
            case .condition(let condition): wanted.conditions.append((number, condition))
            }
        }
        let scalars = written.letters.union(decoded.letters).flatMap(\.scalars)
        // An escape in a pattern that is compared as written is that of a character, too.
        let escaped = patterns.flatMap(\.escapedScalars)
        let isUsual = !wanted.isEmpty
        let ofManifest = isUsual ? wanted.patterns.scalars.union(escaped) : []
        let named = Set(scalars).union(ofManifest).sorted()
        let singles: [Letter] =
            switch text {
            case .path: [Letter(UInt8(ascii: "/")), Letter(UInt8(ascii: "*"))]
            case .query, .item: [.equals, .ampersand]
            case .fragment: []
            }
        let singlesOfManifest = isUsual ? ofManifest.map(Letter.scalar) + [.other] : []
        let classes = [
            LetterClasses(written.letters, scalars: named, singles: singles),
            LetterClasses(
                decoded.letters.union(wanted.patterns.letters), scalars: named,
                singles: singles + singlesOfManifest),
        ]
        let known = LinkTokens(
            text, written: written.nodes.isEmpty ? nil : classes[0],
            decoded: decoded.nodes.isEmpty && !isUsual ? nil : classes[1], scalars: named,
            isUsual: isUsual)
        tokens = known.all
        stepsBefore = tokens.reduce(into: [0]) { sums, token in
            // Beside a manifest, each character beyond ASCII is a token of several letters.
            sums.append((sums.last ?? 0) + (isUsual ? max(1, token.written.count) : 1))
        }
        if isUsual { manifest = ManifestAutomaton(wanted, text, classes[1], other: known.unnamed) }
        decodedClasses = classes[1]
        beyondASCII = classes[1].beyondASCII.sorted()
        self.written = PartAutomaton(written, classes[0], text)
        self.decoded = PartAutomaton(decoded, classes[1], text)
        let texts = search()
        steps += visits
        if text == .item {
            combine(texts)
        } else {
            samples = texts.map { Sample(text: $0.text, patterns: Set($0.result.matching)) }
        }
    }

    // MARK: Searching

    /// The state of the search. It decides what can follow.
    private struct State: Hashable {
        var written: Int32
        var decoded: Int32
        /// The scalar that the last bytes can become: index into `partialScalars`; 0 if complete.
        var pending: Int32 = 0
        /// The state of `decoded` if the partial scalar is never completed.
        var unlessCompleted: Int32 = 0
        var manifest: Int32 = 0

        /// The state of the decoded text at its end.
        var end: Int32 { pending > 0 ? unlessCompleted : decoded }

        /// In two steps instead of four, because a search spends most of its time here.
        func hash(into hasher: inout Hasher) {
            hasher.combine(Int64(written) << 32 | Int64(decoded))
            hasher.combine(Int64(pending) << 32 | Int64(unlessCompleted) ^ Int64(manifest) << 16)
        }
    }

    /// The text ends in a percent sign, or in a percent sign and a digit, that begin no escape.
    private static let percent: Int32 = -1
    private static let percentAndDigit: Int32 = -2

    private struct ByteAfter: Hashable {
        let scalar: Int32
        let byte: UInt8
    }

    private enum Outcome {
        case begun(Int32)
        case completed(letterClass: Int)
        case invalid
    }

    /// A state, and the token that led to it. The text is the tokens in reverse order.
    private struct Step {
        let state: State
        let previous: Int32
        let token: Int32
    }

    private struct Found: Hashable {
        let written: Int32
        let decoded: Int32
        let ofManifest: Int32
    }

    /// The nodes of automata that were visited.
    private var visits: Int { written.visits + decoded.visits + (manifest?.visits ?? 0) }

    /// Prefers links that people would write.
    /// - Returns: a text for each result.
    private mutating func search() -> [(text: [UInt8], result: PartAutomaton.Result)] {
        var texts = [(text: [UInt8], result: PartAutomaton.Result)]()
        var found = Set<Found>()
        var queue = [Step(state: first, previous: -1, token: -1)]
        var known: Set<State> = [first]
        for habit in LinkToken.Habit.allCases {
            let older = habit == .common ? 0 : queue.count
            let wanted =
                tokens.prefix { $0.habit < habit }.count..<tokens.prefix { $0.habit <= habit }.count
            var next = 0
            while next < queue.count {
                let state = queue[next].state
                let isOlder = next < older
                if !isOlder, let result = result(of: state, &found) {
                    texts.append((text(queue, next), result))
                }
                // Tokens are ordered by habit. A state that was left before only needs the later
                // ones.
                let indices = (isOlder ? wanted.lowerBound : 0)..<wanted.upperBound
                var last = state
                for index in indices {
                    guard let after = step(state, tokens[index]), after != last else { continue }
                    last = after
                    guard known.insert(after).inserted else { continue }
                    queue.append(Step(state: after, previous: Int32(next), token: Int32(index)))
                }
                steps += stepsBefore[indices.upperBound] - stepsBefore[indices.lowerBound]
                guard queue.count < Self.statesMax, steps < Self.stepsMax,
                    visits < Self.visitsMax, steps + visits < stepsLimit
                else {
                    isComplete = false
                    return texts
                }
                next += 1
            }
        }
        return texts
    }

    /// The result for the text of a state; nil if another text has the same, or if it is left out.
    private mutating func result(
        of state: State, _ found: inout Set<Found>
    ) -> PartAutomaton.Result? {
        let here = Found(
            written: written.result(state.written), decoded: decoded.result(state.end),
            ofManifest: manifest?.result(state.manifest) ?? 0)
        guard found.insert(here).inserted else { return nil }
        let takers = manifest == nil ? [] : manifest?.found[Int(here.ofManifest)]
        guard let takers else { return nil }
        let one = written.found[Int(here.written)]
        let other = decoded.found[Int(here.decoded)]
        return .init(
            matching: one.matching + other.matching + takers, failing: one.failing + other.failing)
    }

    /// A path begins with a slash; an empty path is the same.
    private var first: State {
        mutating get {
            let start = State(written: written.start, decoded: decoded.start)
            guard text == .path else { return start }
            let slash = tokens.first { $0.text == [UInt8(ascii: "/")] }
            return slash.flatMap { step(start, $0) } ?? start
        }
    }

    /// - Returns: nil if the token would be read as part of another one.
    private mutating func step(_ state: State, _ token: LinkToken) -> State? {
        if manifest != nil { return stepBeside(state, token) }
        var after = State(written: state.written, decoded: state.end)
        for letterClass in token.written {
            after.written = written.step(after.written, letterClass)
        }
        switch token.decoded {
        case .letter(let letterClass):
            if token.isHexDigit, state.pending == Self.percentAndDigit { return nil }
            if token.isHexDigit, state.pending == Self.percent {
                after.pending = Self.percentAndDigit
            }
            if let letterClass { after.decoded = decoded.step(after.decoded, letterClass) }
        case .percent(let letterClass):
            after.decoded = decoded.step(after.decoded, letterClass)
            after.pending = Self.percent
        case .byte(let byte, let classes):
            let outcome = state.pending > 0 ? self.outcome(state.pending, byte) : .invalid
            if case .completed(let letterClass) = outcome {
                after.decoded = decoded.step(state.decoded, letterClass)
                return after
            }
            after.unlessCompleted = after.decoded
            for letterClass in classes {
                after.unlessCompleted = decoded.step(after.unlessCompleted, letterClass)
            }
            if case .begun(let number) = outcome {
                after.pending = number
                after.decoded = state.decoded
            } else if case .begun(let number) = self.outcome(0, byte) {
                after.pending = number
            }
            if after.pending == 0 || !isDecisive(after) {
                after.decoded = after.unlessCompleted
                after.unlessCompleted = 0
                after.pending = 0
            }
        }
        return after
    }

    /// The step in a usual link, which a manifest reads, too.
    private mutating func stepBeside(_ state: State, _ token: LinkToken) -> State? {
        var after = state
        for letterClass in token.written {
            after.written = written.step(after.written, letterClass)
        }
        guard case .letter(let letterClass?) = token.decoded,
            let next = manifest?.step(state.manifest, letterClass)
        else { return nil }
        after.manifest = next
        after.decoded = decoded.step(state.decoded, letterClass)
        return after
    }

    /// Whether it makes a difference if the partial scalar is completed.
    private mutating func isDecisive(_ state: State) -> Bool {
        guard decoded.isConstant(state.unlessCompleted) else { return true }
        for letterClass in beyondASCII
        where decoded.step(state.decoded, letterClass) != state.unlessCompleted { return true }
        return false
    }

    private mutating func outcome(_ number: Int32, _ byte: UInt8) -> Outcome {
        let position = ByteAfter(scalar: number, byte: byte)
        if let known = outcomes[position] { return known }
        let outcome: Outcome
        switch partialScalars[Int(number)].appending(byte) {
        case .begun(let scalar):
            let known = partialScalars.firstIndex(of: scalar) ?? partialScalars.count
            if known == partialScalars.count { partialScalars.append(scalar) }
            outcome = .begun(Int32(known))
        case .completed(let scalar):
            outcome = .completed(letterClass: decodedClasses.number(of: .scalar(scalar)))
        case .invalid: outcome = .invalid
        }
        outcomes[position] = outcome
        return outcome
    }

    private func text(_ steps: [Step], _ last: Int) -> [UInt8] {
        var reversed = [[UInt8]]()
        var index = last
        while index > 0 {
            reversed.append(tokens[Int(steps[index].token)].text)
            index = Int(steps[index].previous)
        }
        return (self.text == .path ? Array("/".utf8) : []) + reversed.reversed().joined()
    }

    // MARK: Items of a query

    /// Makes queries from items. Their order makes no difference.
    private mutating func combine(_ texts: [(text: [UInt8], result: PartAutomaton.Result)]) {
        let items = texts.filter { !$0.result.matching.isEmpty || !$0.result.failing.isEmpty }
        let always = Set(written.matchingNothing + decoded.matchingNothing)
        var queue = [Query()]
        var known: Set<[Set<Int>]> = [[[], []]]
        var found = Set<Set<Int>>()
        var (next, work) = (0, 0)
        defer { steps += work }
        while next < queue.count {
            let query = queue[next]
            let patterns = query.matching.union(always).subtracting(query.failing)
            if found.insert(patterns).inserted {
                let text = query.items.map { items[$0].text }.joined(separator: "&".utf8)
                samples.append(Sample(text: Array(text), patterns: patterns))
            }
            guard queue.count < Self.queriesMax, work < Self.visitsMax, steps + work < stepsLimit
            else {
                isComplete = false
                return
            }
            for (index, item) in items.enumerated() {
                var longer = query
                longer.items.append(index)
                longer.failing.formUnion(item.result.failing)
                longer.matching.formUnion(item.result.matching)
                longer.matching.subtract(longer.failing)
                longer.matching.subtract(always)
                work += Self.stepsOfQuery + longer.matching.count + longer.failing.count
                guard known.insert([longer.matching, longer.failing]).inserted else { continue }
                queue.append(longer)
            }
            next += 1
        }
    }

    private struct Query {
        var items = [Int]()
        var matching = Set<Int>()
        var failing = Set<Int>()
    }

    private static let queriesMax = 10_000
    private static let stepsOfQuery = 8
    private static let statesMax = 30_000
    private static let stepsMax = 6_000_000
    /// Visits of nodes in all steps; this takes less than a second.
    private static let visitsMax = 20_000_000
}
