/// Finds out what of a manifest takes a part of a link, letter by letter: a deterministic automaton whose
/// states are made when they are first reached. Paths with two slashes in a row are left out, and so are queries
/// with empty items. Apple's rules see no slash at the end of a path, so conditions can be meant for the path with
/// or without it.
struct ManifestAutomaton {
    /// The patterns that texts are held against, each with its number.
    struct Wanted {
        /// The paths of a manifest. A slash at the end makes no difference to them.
        var paths: (number: Int, paths: ManifestPaths)?
        var conditions = [(number: Int, condition: ManifestCondition)]()

        var isEmpty: Bool { paths == nil && conditions.isEmpty }

        /// All patterns.
        var patterns: [AndroidPattern] {
            (paths?.paths.patterns ?? []) + conditions.map(\.condition.pattern)
        }
    }

    private let paths: ManifestPaths
    private let numberOfPaths: Int?
    private let conditions: [Condition]
    private let patterns: [AndroidPattern]
    private let text: PartAutomaton.Text
    private let other: Unicode.Scalar
    private let classes: LetterClasses
    private var numbers = [State: Int32]()
    private var states = [State]()
    private var successors = [Int32]()
    private var results = [Int32]()
    private var resultNumbers = [[Int]?: Int32]()
    /// The results that texts can have, each the numbers of what takes them; nil for a text that is left out.
    private(set) var found = [[Int]?]()
    /// The elements of patterns that were tried.
    private(set) var visits = 0

    /// The numbers of the condition with a pattern for a text, and of the one for its other form.
    private struct Condition {
        var number: Int?
        var ofOtherForm: Int?
    }

    private struct State: Hashable {
        /// Whether every path is taken that begins so.
        var takesRest = false
        /// Otherwise, the patterns of paths that can still match, in order.
        var places = [Place]()
        /// Whether the path before the last letter, which is a slash, is taken.
        var isTakenBefore = false
        /// The conditions that can still be met by the item that is read.
        var open = [Place]()
        /// The conditions that the path before the last slash meets, or an earlier item of the query.
        var met = [Int32]()
        var last = Last.none
    }

    /// The last letter.
    private enum Last {
        case none, slash, separator, other
    }

    private struct Place: Hashable {
        let pattern: Int32
        let state: AndroidPattern.State
    }

    /// - Parameter other: stands for all characters that no pattern names.
    init(
        _ wanted: Wanted, _ text: PartAutomaton.Text, _ classes: LetterClasses,
        other: Unicode.Scalar
    ) {
        (self.text, self.other, self.classes) = (text, other, classes)
        paths = wanted.paths?.paths ?? ManifestPaths()
        numberOfPaths = wanted.paths?.number
        (patterns, conditions) = Self.merged(wanted.conditions)
        var first = State(takesRest: paths.takesAll)
        if !paths.takesAll { first.places = Self.places(paths.patterns.count) }
        first.open = Self.places(patterns.count)
        _ = number(first)
    }

    private static func merged(
        _ wanted: [(number: Int, condition: ManifestCondition)]
    ) -> ([AndroidPattern], [Condition]) {
        var indices = [AndroidPattern: Int]()
        var (patterns, merged) = ([AndroidPattern](), [Condition]())
        for (number, condition) in wanted {
            let index = indices[condition.pattern] ?? merged.count
            if index == merged.count {
                patterns.append(condition.pattern)
                merged.append(Condition())
            }
            indices[condition.pattern] = index
            if condition.isOfOtherForm {
                merged[index].ofOtherForm = number
            } else {
                merged[index].number = number
            }
        }
        return (patterns, merged)
    }

    private static func places(_ count: Int) -> [Place] {
        (0..<count).map { Place(pattern: Int32($0), state: .init()) }
    }

    /// The state after another character; nil for a text that is left out.
    mutating func step(_ state: Int32, _ letterClass: Int) -> Int32? {
        let index = Int(state) * classes.count + letterClass
        if successors[index] == Self.unknown {
            successors[index] =
                after(states[Int(state)], classes.examples[letterClass])
                .map { number($0) } ?? Self.leftOut
        }
        return successors[index] == Self.leftOut ? nil : successors[index]
    }

    /// The result for the text that was read, as an index into `found`.
    mutating func result(_ state: Int32) -> Int32 {
        if results[Int(state)] == Self.unknown {
            let result = takers(states[Int(state)])
            let known = resultNumbers[result] ?? Int32(found.count)
            if known == found.count {
                found.append(result)
                resultNumbers[result] = known
            }
            results[Int(state)] = known
        }
        return results[Int(state)]
    }

    // MARK: Steps

    private mutating func after(_ state: State, _ letter: Letter) -> State? {
        switch letter {
        case .ampersand: return afterItem(state)
        case .scalar("/") where text == .path && state.last == .slash: return nil
        case .scalar(let scalar): return after(state, scalar)
        case .equals: return after(state, "=")
        case .other: return after(state, other)
        }
    }

    private mutating func after(_ state: State, _ scalar: Unicode.Scalar) -> State {
        let isSlash = text == .path && scalar == "/"
        var next = State(takesRest: state.takesRest, last: isSlash ? .slash : .other)
        if !state.takesRest {
            next.isTakenBefore = isSlash && isTaken(state)
            next.places = places(state.places, of: paths.patterns, after: scalar)
            if next.places.contains(where: takesRest) {
                (next.places, next.isTakenBefore, next.takesRest) = ([], false, true)
            }
        }
        next.open = places(state.open, of: patterns, after: scalar)
        next.met = text == .path ? (isSlash ? met(state) : []) : state.met
        return next
    }

    /// The state after the separator of a query; nil if the item is empty.
    private func afterItem(_ state: State) -> State? {
        guard state.last == .other else { return nil }
        var next = State(takesRest: state.takesRest, last: .separator)
        next.open = Self.places(patterns.count)
        next.met = Set(state.met).union(met(state)).sorted()
        return next
    }

    private mutating func places(
        _ places: [Place], of patterns: [AndroidPattern], after scalar: Unicode.Scalar
    ) -> [Place] {
        let units = Array(String(scalar).utf16)
        var after = [Place]()
        for place in places {
            var state: AndroidPattern.State? = place.state
            for unit in units {
                guard let before = state else { break }
                state = patterns[Int(place.pattern)].step(before, unit, &visits)
            }
            if let state { after.append(Place(pattern: place.pattern, state: state)) }
        }
        return after
    }

    private func takesRest(_ place: Place) -> Bool {
        paths.patterns[Int(place.pattern)].takesRest(place.state)
    }

    // MARK: Results

    private func isTaken(_ state: State) -> Bool {
        state.takesRest
            || state.places.contains { paths.patterns[Int($0.pattern)].takes($0.state) }
    }

    /// The conditions that the text of a state meets, or its last item.
    private func met(_ state: State) -> [Int32] {
        // A part that a link does not have meets none, and an empty path is one.
        guard state.last != .none || text == .path else { return [] }
        return state.open.filter { patterns[Int($0.pattern)].takes($0.state) }
            .map(\.pattern)
    }

    /// The numbers of what takes a text; nil for a text that is left out.
    private mutating func takers(_ state: State) -> [Int]? {
        guard text == .path else {
            guard state.last != .separator else { return nil }
            return Set(state.met).union(met(state)).compactMap { conditions[Int($0)].number }
                .sorted()
        }
        let longer = state.last == .slash ? nil : after(state, "/")
        var takers = met(state).compactMap { conditions[Int($0)].number }
        takers += (longer.map(met) ?? state.met).compactMap { conditions[Int($0)].ofOtherForm }
        if let numberOfPaths,
            isTaken(state) || state.isTakenBefore || longer.map(isTaken) == true
        {
            takers.append(numberOfPaths)
        }
        return takers.sorted()
    }

    private mutating func number(_ state: State) -> Int32 {
        visits += 1 + state.open.count
        if let known = numbers[state] { return known }
        let number = Int32(states.count)
        numbers[state] = number
        states.append(state)
        successors += Array(repeating: Self.unknown, count: classes.count)
        results.append(Self.unknown)
        return number
    }

    private static let unknown: Int32 = -1
    private static let leftOut: Int32 = -2
}

/// A pattern that a part of a link is held against by itself.
struct ManifestCondition: Hashable {
    let part: ManifestFilter.Group.Part
    let pattern: AndroidPattern
    /// Whether the path is meant without the slash at its end, or with one if it has none.
    var isOfOtherForm = false
}

extension [AndroidPattern] {
    /// The sets of ASCII letters that some step distinguishes.
    var letters: Set<LetterSet> {
        Set(
            sets.map { set in
                LetterSet((0..<128).filter { set.contains(UInt16($0)) }.map { Letter(UInt8($0)) })
            })
    }

    /// The characters beyond ASCII that some step distinguishes from those before them.
    var scalars: Set<Unicode.Scalar> {
        var scalars = Set(flatMap { $0.text.unicodeScalars }.filter { !$0.isASCII })
        for boundary in sets.flatMap(\.boundaries) where boundary >= 0x80 {
            if let scalar = Unicode.Scalar(boundary) { scalars.insert(scalar) }
        }
        return scalars
    }

    private var sets: Set<UnitSet> {
        Set(
            flatMap(\.elements).flatMap { element -> [UnitSet] in
                switch element {
                case .run(let set, _, _): [set]
                case .until(let unit): [UnitSet(unit)]
                case .rest: []
                case .ending(let units, _): units.map { UnitSet($0) }
                }
            })
    }
}
