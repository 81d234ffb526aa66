/// Finds out whether a manifest takes a path, letter by letter: a deterministic automaton whose states
/// are made when they are first reached. Paths with two slashes in a row are left out, and a slash at the
/// end makes no difference, because Apple's rules see none there.
struct ManifestAutomaton {
    private let paths: ManifestPaths
    private let other: Unicode.Scalar
    private let classes: LetterClasses
    private var numbers = [State: Int32]()
    private var states = [State]()
    private var successors = [Int32]()
    private var results = [Bool?]()
    /// The elements of patterns that were tried.
    private(set) var visits = 0

    private struct State: Hashable {
        /// Whether every path is taken that begins so.
        var takesRest = false
        /// Otherwise, the patterns that can still match, in order.
        var places = [Place]()
        /// Whether the last letter is a slash, and whether the path before it is taken.
        var isSlash = false
        var isTakenBefore = false
    }

    private struct Place: Hashable {
        let pattern: Int32
        let state: AndroidPattern.State
    }

    /// - Parameter other: stands for all characters that no pattern names.
    init(_ paths: ManifestPaths, _ classes: LetterClasses, other: Unicode.Scalar) {
        (self.paths, self.other, self.classes) = (paths, other, classes)
        var first = State(takesRest: paths.takesAll)
        if !paths.takesAll {
            first.places = paths.patterns.indices.map { Place(pattern: Int32($0), state: .init()) }
        }
        _ = number(first)
    }

    /// The state before any letter.
    let start: Int32 = 0

    /// The state after another character; nil for a path that is left out.
    mutating func step(_ state: Int32, _ letterClass: Int) -> Int32? {
        let index = Int(state) * classes.count + letterClass
        if successors[index] == Self.unknown {
            let letter = classes.examples[letterClass]
            let scalar = if case .scalar(let scalar) = letter { scalar } else { other }
            let isDoubled = scalar == "/" && states[Int(state)].isSlash
            let next = isDoubled ? Self.leftOut : number(after(state, scalar))
            successors[index] = next
        }
        return successors[index] == Self.leftOut ? nil : successors[index]
    }

    /// Whether the path that was read is taken.
    mutating func takes(_ state: Int32) -> Bool {
        if let known = results[Int(state)] { return known }
        let this = states[Int(state)]
        let longer = this.isSlash ? this : after(state, "/")
        let result = isTaken(this) || this.isTakenBefore || isTaken(longer)
        results[Int(state)] = result
        return result
    }

    private func isTaken(_ state: State) -> Bool {
        state.takesRest
            || state.places.contains { paths.patterns[Int($0.pattern)].takes($0.state) }
    }

    private mutating func after(_ number: Int32, _ scalar: Unicode.Scalar) -> State {
        let state = states[Int(number)]
        var next = State(takesRest: state.takesRest)
        next.isSlash = scalar == "/"
        if state.takesRest { return next }
        next.isTakenBefore = next.isSlash && isTaken(state)
        for place in state.places {
            let pattern = paths.patterns[Int(place.pattern)]
            var after: AndroidPattern.State? = place.state
            for unit in String(scalar).utf16 {
                guard let before = after else { break }
                after = pattern.step(before, unit, &visits)
            }
            guard let after else { continue }
            if pattern.takesRest(after) {
                next.places = []
                next.takesRest = true
                next.isTakenBefore = false
                return next
            }
            next.places.append(Place(pattern: place.pattern, state: after))
        }
        return next
    }

    private mutating func number(_ state: State) -> Int32 {
        visits += 1
        if let known = numbers[state] { return known }
        let number = Int32(states.count)
        numbers[state] = number
        states.append(state)
        successors += Array(repeating: Self.unknown, count: classes.count)
        results.append(nil)
        return number
    }

    private static let unknown: Int32 = -1
    private static let leftOut: Int32 = -2
}

extension ManifestPaths {
    /// The sets of ASCII letters that some step distinguishes.
    var letters: Set<LetterSet> {
        Set(
            sets.map { set in
                LetterSet((0..<128).filter { set.contains(UInt16($0)) }.map { Letter(UInt8($0)) })
            })
    }

    /// The characters beyond ASCII that some step distinguishes from those before them.
    var scalars: Set<Unicode.Scalar> {
        var scalars = Set(patterns.flatMap { $0.text.unicodeScalars }.filter { !$0.isASCII })
        for boundary in sets.flatMap(\.boundaries) where boundary >= 0x80 {
            if let scalar = Unicode.Scalar(boundary) { scalars.insert(scalar) }
        }
        return scalars
    }

    private var sets: Set<UnitSet> {
        Set(
            patterns.flatMap(\.elements).flatMap { element -> [UnitSet] in
                switch element {
                case .run(let set, _, _): [set]
                case .until(let unit): [UnitSet(unit)]
                case .rest: []
                case .ending(let units, _): units.map { UnitSet($0) }
                }
            })
    }
}
