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

    /// A block in it that is open: the place of its heading, how many parentheses are around it, and its step.
    private typealias Block = (heading: Range<Int>, depth: Int, step: Int?)

    /// - Parameter tokens: those behind its brace.
    init(_ heading: [GradleToken], _ tokens: [GradleToken]) {
        steps = [Step(condition: VariantCondition(heading[...]), outer: nil, switchesOff: false)]
        var open = [Block]()
        // The beginning of a statement, and the parentheses that are open in it.
        var (start, depth, index) = (0, 0, 0)
        while index < tokens.count {
            switch tokens[index] {
            case .symbol(UInt8(ascii: "{")):
                open.append((start..<index, depth, nil))
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
                guard let (condition, end) = Self.setter(in: tokens, at: index, from: start) else {
                    break
                }
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
                let own =
                    block.depth > 0 ? VariantCondition() : VariantCondition(tokens[block.heading])
                steps.append(Step(condition: own, outer: outer, switchesOff: false))
                open[place].step = steps.count - 1
            }
            outer = open[place].step ?? outer
        }
        steps.append(Step(condition: condition, outer: outer, switchesOff: true))
    }

    /// The condition of the statement by which a token switches a variant off, and the end of the statement; nil if it does not.
    private static func setter(
        in tokens: [GradleToken], at index: Int, from start: Int
    ) -> (condition: VariantCondition, end: Int)? {
        guard let setter = tokens[index].filterSetter,
            index == 0 || tokens[index - 1] != .symbol(UInt8(ascii: "."))
        else { return nil }
        let end = end(ofStatementIn: tokens, from: index + 1)
        let value = tokens[(index + 1)..<end].filter {
            $0 != .newline && !"=()".utf8.map(GradleToken.symbol).contains($0)
        }
        guard let first = value.first else { return nil }
        // One that another statement switches off may be switched on again.
        if value.count == 1, first.isWord(setter.on) { return nil }
        if value.count == 1, first.isWord(setter.off) {
            return (VariantCondition(tokens[start..<index]), end)
        }
        let isCondition = setter.off == "true"
        return (isCondition ? VariantCondition(tokens[start..<end]) : VariantCondition(), end)
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
    fileprivate var filterSetter: (off: String, on: String)? {
        let parts = parts
        // `it.androidTest.enable` is of tests.
        guard (1...2).contains(parts.count), let name = parts.last,
            parts.count == 1 || !testBuilders.contains(parts[0])
        else { return nil }
        if ["ignore", "setIgnore"].contains(name) { return ("true", "false") }
        let isOfVariant = ["enable", "enabled", "setEnable", "setEnabled"].contains(name)
        return isOfVariant ? ("false", "true") : nil
    }
}

/// The signs behind which a value goes on in the next line.
private let continuing = "=|&,+".utf8.map(GradleToken.symbol)
private let minus = GradleToken.symbol(UInt8(ascii: "-"))
private let testBuilders: Set = ["androidTest", "unitTest", "hostTests", "deviceTests"]
