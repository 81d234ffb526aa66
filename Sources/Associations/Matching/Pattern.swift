/// A compiled pattern: literals and alternations between stars. The time to match is proportional
/// to the text, whatever the pattern.
struct Pattern: Sendable {
    /// The reason why the pattern never matches; nil if it can match.
    let fault: PatternFault?
    private let segments: [Segment]
    /// The literal text at its beginning; empty if there is none.
    let beginning: [UInt8]
    /// The literal texts after the beginning.
    private let otherLiterals: [[UInt8]]
    private let beginsWithStar: Bool
    private let endsWithStar: Bool
    /// Whether it depends on the chosen values if the nesting is deeper than a device follows.
    let mayBeTooComplex: Bool
    /// Whether the pattern can match nothing after a star at the end.
    let mayEndAfterStar: Bool

    /// - Parameter text: the pattern's bytes, which are normalized already if it is for a path.
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

    /// All its literal texts, from which the index chooses.
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

/// The reason why a pattern never matches.
///
/// It is indirect because each pattern has room for a fault, but few have one.
package indirect enum PatternFault: Hashable, Sendable {
    case undefinedVariable(String)
    /// `$(` without its `)`.
    case unterminatedVariable
    /// There are more stars and variables than a device follows.
    case tooComplex(depth: Int)
}

/// The nesting of stars and variables after which a device stops.
let patternDepthMax = 64

/// One element of a pattern or of a variable's value.
enum PatternItem: Hashable {
    case byte(UInt8)
    /// `?`: exactly one scalar.
    case any
    /// `*`, or several in a row, which match the same.
    case star(isDoubled: Bool)
    case variable(String)
    /// `$(` without a `)`.
    case unterminated

    var isStar: Bool {
        if case .star = self { true } else { false }
    }

    /// The byte of a literal; nil for other elements.
    var byte: UInt8? {
        if case .byte(let byte) = self { byte } else { nil }
    }
}

/// The elements of a pattern's text. Several stars in a row become one star, with a mark, because
/// sources disagree on what the second star matches at the end of a text.
/// - Parameter variables: false for the value of a variable, which cannot name another one.
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
