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
