/// A block that may switch variants off, with the conditions of its selector, of the blocks in it, and of the statements that
/// switch a variant off.
struct VariantFilter {
    private var steps: [Step]

    /// A condition, which is asked where the one around it holds.
    private struct Step {
        let condition: VariantCondition
        /// The number of the step around it; nil for the selector.
        let outer: Int?
        let switchesOff: Bool
    }

    /// A block in it that is open: the place of its heading, how many parentheses are around it, its step, and whether it
    /// may be of another thing than the variant.
    private typealias Block = (heading: Range<Int>, depth: Int, step: Int?, isOfOther: Bool)

    /// The words that are about the variant.
    private var words: VariantWords

    /// - Parameters:
    ///   - heading: that of the block, from its own word.
    ///   - tokens: those behind its brace.
    ///   - hidden: the members of the variant whose names something else has.
    init(_ heading: [GradleToken], _ tokens: [GradleToken], _ hidden: Set<String>) {
        words = VariantWords(heading, hidden)
        steps = [
            Step(
                condition: VariantCondition(heading.dropFirst(), words), outer: nil,
                switchesOff: false)
        ]
        words.takeParameters(of: tokens[...])
        var open = [Block]()
        // The beginning of a statement, and the parentheses that are open in it.
        var (start, depth, index) = (0, 0, 0)
        while index < tokens.count {
            switch tokens[index] {
            case .symbol(UInt8(ascii: "{")):
                let isOfOther =
                    open.last?.isOfOther == true || isOfOther(tokens[start..<index], depth)
                open.append((start..<index, depth, nil, isOfOther))
                if depth > 0 || !tokens[start..<index].isOfIf {
                    words.takeParameters(of: tokens[(index + 1)...])
                }
                (start, depth) = (index + 1, 0)
            case .symbol(UInt8(ascii: "}")):
                // Behind a block in parentheses, the statement goes on.
                let block = open.popLast()
                let isInside = block.map { $0.depth > 0 } ?? false
                start = isInside ? block?.heading.lowerBound ?? index : index + 1
                depth = isInside ? block?.depth ?? 0 : 0
            case .newline where depth <= 0 && Array(tokens[start..<index]).goesOn: break
            case .newline where depth <= 0, .symbol(UInt8(ascii: ";")) where depth <= 0:
                (start, depth) = (index + 1, 0)
            case .symbol(UInt8(ascii: ">")) where depth <= 0 && tokens[..<index].last == minus:
                // Before it are the names of values.
                start = index + 1
            default:
                depth += tokens[index].nesting
                guard let (known, end) = setter(in: tokens, at: index, from: start) else { break }
                let condition = open.last?.isOfOther == true ? VariantCondition() : known
                add(condition, in: &open, tokens)
                (start, index) = (end, end - 1)
            }
            index += 1
        }
    }

    /// Whether a statement in it switches variants off.
    var switchesOff: Bool { steps.contains(where: \.switchesOff) }

    /// Whether it may switch off the release of a flavour.
    func mayHold(for flavor: String, _ names: inout VariantNames) -> Bool {
        var holding = [Bool]()
        for step in steps {
            let holds =
                step.outer.map { holding[$0] } != false
                && step.condition.mayHold(for: flavor, &names)
            if holds, step.switchesOff { return true }
            holding.append(holds)
        }
        return false
    }

    /// Adds the condition of a statement, behind those of the blocks around it.
    private mutating func add(
        _ condition: VariantCondition, in open: inout [Block], _ tokens: [GradleToken]
    ) {
        var outer = 0
        for place in open.indices {
            let block = open[place]
            if block.step == nil {
                // A block in parentheses is of a call, whatever is asked around it.
                let isOpen = block.depth > 0 || place > 0 && open[place - 1].isOfOther
                let own =
                    isOpen ? VariantCondition() : VariantCondition(tokens[block.heading], words)
                steps.append(Step(condition: own, outer: outer, switchesOff: false))
                open[place].step = steps.count - 1
            }
            outer = open[place].step ?? outer
        }
        steps.append(Step(condition: condition, outer: outer, switchesOff: true))
    }

    /// The condition of the statement by which a token switches a variant off, and the end of the statement; nil if it does not.
    private func setter(
        in tokens: [GradleToken], at index: Int, from start: Int
    ) -> (condition: VariantCondition, end: Int)? {
        if words.handOn(tokens, at: index) { return (VariantCondition(), index + 1) }
        guard let setter = tokens[index].filterSetter else { return nil }
        if index > 0, tokens[index - 1] == .symbol(UInt8(ascii: ".")) {
            // `(v as VariantBuilder).enable`, but not `it.hostTests["a"]?.enable`.
            let isOfTests = tokens[start..<index].contains(where: \.isOfTests)
            return isOfTests ? nil : (VariantCondition(), index + 1)
        }
        guard tokens[index].parts.count == 1 || words.begin(tokens[index]) else {
            return (VariantCondition(), index + 1)
        }
        let end = Self.end(ofStatementIn: tokens, from: index + 1)
        let value = tokens[(index + 1)..<end].filter {
            $0 != .newline && !"=()".utf8.map(GradleToken.symbol).contains($0)
        }
        guard let first = value.first else { return nil }
        // One that another statement switches off may be switched on again.
        if value.count == 1, first.isWord(setter.on) { return nil }
        if value.count == 1, first.isWord(setter.off) {
            return (VariantCondition(tokens[start..<index], words), end)
        }
        let isCondition = setter.off == "true"
        return (
            isCondition ? VariantCondition(tokens[start..<end], words) : VariantCondition(), end
        )
    }

    /// Whether the block behind a heading may be of another thing than the variant, so that names in it are of that. It is not
    /// behind a condition.
    private func isOfOther(_ heading: ArraySlice<GradleToken>, _ depth: Int) -> Bool {
        (depth > 0 || !heading.isOfIf) && !words.areAll(of: heading)
    }

    /// The place behind what is left of a statement, with its blocks.
    private static func end(ofStatementIn tokens: [GradleToken], from start: Int) -> Int {
        var depth = 0
        return tokens[start...].indices.first { index in
            switch tokens[index] {
            case .newline: return depth == 0 && !continuing.contains(tokens[index - 1])
            case .symbol(UInt8(ascii: ";")): return depth == 0
            case .symbol(UInt8(ascii: "{")): depth += 1
            case .symbol(UInt8(ascii: "}")): depth -= 1
            case let token: depth += token.nesting
            }
            return depth < 0
        } ?? tokens.count
    }
}

extension GradleToken {
    /// The value with which a setter of a variant switches it off, and the other one; nil for another word.
    var filterSetter: (off: String, on: String)? {
        // `it::enable.set(false)`.
        var name = parts.last == "set" ? parts.dropLast().last : parts.last
        // `setProperty("ignore", true)`.
        if case .text(let text?) = self { name = text }
        // `it.androidTest.enable` is of tests.
        guard let name, !isOfTests else { return nil }
        if ["ignore", "setIgnore", "isIgnore"].contains(name) { return ("true", "false") }
        let isOfVariant = ["enable", "enabled", "setEnable", "setEnabled", "isEnabled"].contains(
            name)
        return isOfVariant ? ("false", "true") : nil
    }

    /// Whether it is about the tests of a variant.
    fileprivate var isOfTests: Bool { parts.contains(where: testBuilders.contains) }
}

extension ArraySlice<GradleToken> {
    /// Whether it begins with `if` or `else`.
    fileprivate var isOfIf: Bool { ["if", "else"].contains { first?.isWord($0) == true } }
}

/// The signs behind which a value goes on in the next line.
private let continuing = "=|&,+".utf8.map(GradleToken.symbol)
private let testBuilders: Set = ["androidTest", "unitTest", "hostTests", "deviceTests"]
