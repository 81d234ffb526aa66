/// A pattern, compiled: literals and alternations between stars. Matching takes time in
/// proportion to the text, whatever the pattern.
struct Pattern: Sendable {
    /// Why it can never match, whatever the text; then nothing else counts.
    let fault: PatternFault?
    private let segments: [Segment]
    /// The literal text that it begins with; empty for none.
    let beginning: [UInt8]
    /// The literal texts in it that do not begin it.
    private let otherLiterals: [[UInt8]]
    private let beginsWithStar: Bool
    private let endsWithStar: Bool
    /// Whether it depends on the values taken if the nesting is deeper than a device follows.
    let mayBeTooComplex: Bool
    /// Whether a star may be followed by what stands for nothing.
    let mayEndAfterStar: Bool

    /// - Parameter text: the pattern's bytes, already normalised when it is for a path.
    init(_ text: [UInt8], folded: Bool, _ variables: inout Variables) {
        var compiler = PatternCompiler(folded: folded, countMax: text.count)
        let items = patternItems(text, variables: true, folded: folded)
        for item in items { compiler.add(item, &variables) }
        compiler.finish()
        fault = compiler.fault
        segments = compiler.segments
        beginsWithStar = compiler.beginsWithStar
        endsWithStar = compiler.endsWithStar
        let beginsLiterally = items.first?.byte != nil
        beginning = beginsLiterally ? compiler.literals[0] : []
        otherLiterals = Array(compiler.literals.dropFirst(beginsLiterally ? 1 : 0))
        mayBeTooComplex = compiler.mayBeTooComplex
        mayEndAfterStar = compiler.mayEndAfterStar
    }

    /// Every literal text in it: candidates for an index.
    var literals: [[UInt8]] { (beginning.isEmpty ? [] : [beginning]) + otherLiterals }

    func matches(_ text: Span<UInt8>, _ memory: inout MatchMemory) -> Bool {
        guard fault == nil else { return false }
        var position = 0
        for index in segments.indices {
            let anchored = index == 0 && !beginsWithStar
            if index == segments.count - 1, !endsWithStar {
                return segments[index].takesRest(
                    of: text, from: position, anchored: anchored, &memory)
            }
            let end = segments[index].earliestEnd(
                in: text, from: position, anchored: anchored, &memory)
            guard let end else { return false }
            position = end
        }
        return endsWithStar || text.isEmpty
    }
}

/// Why a pattern never matches anything.
///
/// Indirect, because each pattern has room for one and hardly any has one.
package indirect enum PatternFault: Hashable, Sendable {
    case undefinedVariable(String)
    /// `$(` without its `)`.
    case unterminatedVariable
    /// Stars and variables, more than a device follows.
    case tooComplex(depth: Int)
}

/// How deep stars and variables may nest before a device gives up.
let patternDepthMax = 64

/// Gathers the elements of a pattern into segments.
struct PatternCompiler {
    private(set) var fault: PatternFault?
    private(set) var segments = [Segment]()
    private(set) var literals = [[UInt8]]()
    private(set) var beginsWithStar = false
    private(set) var endsWithStar = false
    /// Whether what comes last may stand for nothing behind a star; not that it can.
    private(set) var mayEndAfterStar = false

    private let folded: Bool
    /// The segment being gathered: whole parts, and the run at its end.
    private var parts = [Alternation]()
    private var run = [PatternItem]()
    private var literal = [UInt8]()
    private var isFirst = true
    private var depthMin = 0
    private var depthMax = 0

    /// - Parameter countMax: of items that will be added.
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

    /// Whether it depends on the values chosen if the pattern is too deep.
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

/// One element of a pattern or of a variable's value.
enum PatternItem: Hashable {
    case byte(UInt8)
    /// `?`: exactly one scalar.
    case any
    /// `*`, or a run of them, which matches the same.
    case star(isDoubled: Bool)
    case variable(String)
    /// `$(` without a `)`.
    case unterminated

    var isStar: Bool {
        if case .star = self { true } else { false }
    }

    /// Nil for all but a literal byte.
    var byte: UInt8? {
        if case .byte(let byte) = self { byte } else { nil }
    }
}

/// The elements of a pattern's text. Runs of stars become one star, which remembers that it was
/// doubled: sources disagree on what a star behind a star matches at the end of a text.
/// - Parameter variables: false for the value of a variable, which may not name another.
/// - Parameter folded: whether literal text becomes lower case. Names of variables never do.
func patternItems(_ text: [UInt8], variables: Bool, folded: Bool) -> [PatternItem] {
    var items = [PatternItem]()
    items.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
        switch text[index] {
        case star:
            let isDoubled = items.last?.isStar == true
            if isDoubled { items.removeLast() }
            items.append(.star(isDoubled: isDoubled))
            index += 1
        case mark:
            items.append(.any)
            index += 1
        case dollar where variables && beginsVariable(text, index):
            guard let end = text[index...].firstIndex(of: UInt8(ascii: ")")) else {
                return items + [.unterminated]
            }
            items.append(.variable(String(decoding: text[(index + 2)..<end], as: UTF8.self)))
            index = end + 1
        default:
            let end =
                text[(index + 1)...].firstIndex { $0 == star || $0 == mark || $0 == dollar }
                ?? text.count
            let literal = Array(text[index..<end])
            items += (folded ? foldedBytes(literal) : literal).map { .byte($0) }
            index = end
        }
    }
    return items
}

private func beginsVariable(_ text: [UInt8], _ index: Int) -> Bool {
    index + 1 < text.count && text[index + 1] == UInt8(ascii: "(")
}

private let star = UInt8(ascii: "*")
private let mark = UInt8(ascii: "?")
private let dollar = UInt8(ascii: "$")
