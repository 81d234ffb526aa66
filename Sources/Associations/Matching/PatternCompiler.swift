/// Collects the elements of a pattern into segments.
struct PatternCompiler {
    private(set) var fault: PatternFault?
    private(set) var segments = [Segment]()
    private(set) var literals = [[UInt8]]()
    private(set) var beginsWithStar = false
    private(set) var endsWithStar = false
    /// Whether the last element comes after a star, and is one that can match nothing.
    private(set) var mayEndAfterStar = false

    private let folded: Bool
    /// The current segment: complete parts, and the run at its end.
    private var parts = [Alternation]()
    private var run = [PatternItem]()
    private var literal = [UInt8]()
    private var isFirst = true
    private var depthMin = 0
    private var depthMax = 0

    /// - Parameter countMax: the maximum number of items.
    init(folded: Bool, countMax: Int) {
        self.folded = folded
        run.reserveCapacity(countMax)
    }

    mutating func add(_ item: PatternItem, _ variables: inout Variables) {
        endsWithStar = false
        mayEndAfterStar = false
        switch item {
        case .byte(let byte):
            run.append(item)
            literal.append(byte)
        case .any:
            endLiteral()
            run.append(item)
        case .star(let isDoubled):
            endSegment()
            if isFirst { beginsWithStar = true }
            endsWithStar = true
            mayEndAfterStar = isDoubled || depthMax > 0
            depthMin += 1
            depthMax += 1
        case .variable(let name): add(variable: name, &variables)
        case .unterminated: fault = fault ?? .unterminatedVariable
        }
        isFirst = false
    }

    private mutating func add(variable name: String, _ variables: inout Variables) {
        guard let alternation = variables.alternation(name, folded: folded) else {
            fault = fault ?? .undefinedVariable(name)
            return
        }
        endRun()
        parts.append(alternation)
        depthMin += 1 + (alternation.starsMin == .max ? 0 : alternation.starsMin)
        mayEndAfterStar = depthMax + alternation.starsMax > 0
        depthMax += 1 + alternation.starsMax
    }

    mutating func finish() {
        endSegment()
        if depthMin > patternDepthMax { fault = fault ?? .tooComplex(depth: depthMin) }
    }

    /// Whether it depends on the chosen values if the pattern is too deep.
    var mayBeTooComplex: Bool { depthMax > patternDepthMax && depthMin <= patternDepthMax }

    private mutating func endSegment() {
        if parts.isEmpty, !run.isEmpty, run.count == literal.count {
            let isAnchored = segments.isEmpty && !beginsWithStar
            segments.append(.literal(Literal(literal, isAnchored: isAnchored)))
            endLiteral()
            run = []
            return
        }
        endRun()
        if !parts.isEmpty { segments.append(.sequence(parts)) }
        parts = []
    }

    private mutating func endRun() {
        endLiteral()
        if !run.isEmpty { parts.append(Alternation(AlternationBuilder([run]))) }
        run = []
    }

    private mutating func endLiteral() {
        if !literal.isEmpty { literals.append(literal) }
        literal = []
    }
}
