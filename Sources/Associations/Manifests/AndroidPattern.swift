/// A pattern of an intent filter as Android's `PatternMatcher` reads it, which never goes back: what an
/// element has taken, it keeps. So a pattern is a deterministic automaton over UTF-16 code units.
package struct AndroidPattern: Hashable, Sendable {
    /// The attribute that has the pattern, without the part of the link that it is for.
    package enum Kind: Sendable {
        case literal, prefix, suffix, simple, advanced

        /// The kind of an attribute such as `pathPrefix` or `queryPattern`; nil for other attributes.
        package init?(attribute: String) {
            for part in ["path", "query", "fragment"] where attribute.utf8.starts(with: part.utf8) {
                switch String(attribute.utf8.dropFirst(part.utf8.count)) {
                case "": self = .literal
                case "Prefix": self = .prefix
                case "Suffix": self = .suffix
                case "Pattern": self = .simple
                case "AdvancedPattern": self = .advanced
                default: return nil
                }
                return
            }
            return nil
        }
    }

    package let kind: Kind
    package let text: String
    let elements: [Element]
    /// The first element from which on every element can be empty.
    private let optionalFrom: Int

    /// - Throws: the reason why Android refuses the pattern, or why it is not read here.
    package init(_ kind: Kind, _ text: String) throws(AndroidPatternFault) {
        (self.kind, self.text) = (kind, text)
        let units = Array(text.utf16)
        guard units.count <= Self.unitsMax else { throw .tooLong(units.count) }
        let elements: [Element]
        switch kind {
        case .literal: elements = units.map(Element.one)
        case .prefix: elements = units.map(Element.one) + [.rest]
        case .suffix: elements = [.ending(units, borders: bordersOfBeginnings(units))]
        case .simple: elements = Self.simple(units)
        case .advanced:
            var reader = AdvancedPatternReader(units)
            elements = try reader.elements()
        }
        self.elements = elements
        optionalFrom = elements.count - elements.reversed().prefix(while: \.canBeEmpty).count
    }

    /// A longer pattern is not read. Links that an app can be meant for are shorter.
    package static let unitsMax = 4_096

    /// One step of the automaton.
    enum Element: Hashable, Sendable {
        /// As many units of the set as there are, up to `most`.
        case run(UnitSet, least: Int, most: Int)
        /// Everything up to the first unit of this value, with it.
        case until(UInt16)
        /// Everything.
        case rest
        /// Everything, if it ends with these units.
        case ending([UInt16], borders: [Int])

        static func one(_ unit: UInt16) -> Element { .run(UnitSet(unit), least: 1, most: 1) }
    }

    /// The position in the pattern after some text.
    struct State: Hashable, Sendable {
        /// The element; their number if all are done.
        var element: Int32 = 0
        /// The units that it has taken, as far as they matter.
        var count: Int32 = 0
    }

    // MARK: Facts for people

    /// The character that a star repeats, where people mean any text.
    /// - Parameter onlySlash: whether only a slash counts, because other characters are repeated on purpose.
    package func starredCharacter(onlySlash: Bool) -> String? {
        let unit = elements.lazy.compactMap { element -> UInt16? in
            guard case .run(let set, 0, .max) = element, let unit = set.only else { return nil }
            return !onlySlash || unit == UInt16(UInt8(ascii: "/")) ? unit : nil
        }.first
        return unit.map { String(decoding: [$0], as: UTF16.self) }
    }

    /// Whether a dot with a backslash stands for any character in `pathPattern`, because it is not the end of a
    /// `.*`.
    package var hasEscapedDotForAny: Bool {
        guard kind == .simple else { return false }
        var units = Array(text.utf16)[...]
        var isAfterAnyText = false
        while let unit = units.popFirst() {
            let isEscaped = unit == backslash
            let this = isEscaped ? units.popFirst() : unit
            if isEscaped, this == dot, !isAfterAnyText, units.first != star { return true }
            isAfterAnyText = !isEscaped && this == dot && units.first == star
            if units.first == star { units.removeFirst() }
        }
        return false
    }

    // MARK: Reading

    /// The elements of `pathPattern`. A dot after a backslash stands for any character, as one without:
    /// Android compares only its value.
    private static func simple(_ units: [UInt16]) -> [Element] {
        func unit(_ index: Int) -> UInt16 { index < units.count ? units[index] : 0 }
        var (elements, index) = ([Element](), 0)
        while index < units.count {
            let isEscaped = units[index] == backslash
            if isEscaped { index += 1 }
            let this = unit(index)
            index += 1
            if unit(index) != star || index >= units.count {
                elements.append(this == dot ? .run(.all, least: 1, most: 1) : .one(this))
            } else if isEscaped || this != dot {
                elements.append(.run(UnitSet(this), least: 0, most: .max))
                index += 1
            } else {
                guard index + 1 < units.count else { return elements + [.rest] }
                index += unit(index + 1) == backslash ? 2 : 1
                elements.append(.until(unit(index)))
                index += 1
            }
        }
        return elements
    }

    // MARK: Matching

    /// Whether it takes the whole text.
    package func matches(_ text: some Sequence<UInt16>) -> Bool {
        var work = 0
        return matches(text, &work)
    }

    /// The same.
    /// - Parameter work: grows by the elements that were tried.
    func matches(_ text: some Sequence<UInt16>, _ work: inout Int) -> Bool {
        work += 1
        var state = State()
        for unit in text {
            guard let next = step(state, unit, &work) else { return false }
            state = next
        }
        return takes(state)
    }

    /// The state after one more unit; nil if nothing that follows can match.
    /// - Parameter work: grows by the elements that were tried, and by the ranges of their sets.
    func step(_ state: State, _ unit: UInt16, _ work: inout Int) -> State? {
        var (index, count) = (Int(state.element), Int(state.count))
        while index < elements.count {
            work += 1
            switch elements[index] {
            case .rest: return State(element: Int32(index))
            case .until(let last): return State(element: Int32(unit == last ? index + 1 : index))
            case .ending(let units, let borders):
                while count > 0, count == units.count || units[count] != unit {
                    count = borders[count - 1]
                    work += 1
                }
                if count < units.count, units[count] == unit { count += 1 }
                return State(count: Int32(count))
            case .run(let set, let least, let most):
                work += set.additionalWork
                if count < most, set.contains(unit) {
                    if count + 1 == most { return State(element: Int32(index + 1)) }
                    let known = most == .max ? min(count + 1, max(least, 1)) : count + 1
                    return State(element: Int32(index), count: Int32(known))
                }
                guard count >= least else { return nil }
                (index, count) = (index + 1, 0)
            }
        }
        return nil
    }

    /// Whether the text that has led to the state matches.
    func takes(_ state: State) -> Bool {
        let (index, count) = (Int(state.element), Int(state.count))
        guard index < elements.count else { return true }
        switch elements[index] {
        case .rest: return true
        case .until: return false
        case .ending(let units, _): return count == units.count
        case .run(_, let least, _):
            if kind == .advanced { return count >= least && index + 1 >= optionalFrom }
            // At the end of the text, Android skips no star that it has not begun.
            return least == 0 && count > 0
                && (index + 1 == elements.count || elements[index + 1] == .rest)
        }
    }

    /// Whether every text matches that continues the one of the state.
    func takesRest(_ state: State) -> Bool {
        let index = Int(state.element)
        return index < elements.count && elements[index] == .rest
    }
}

extension AndroidPattern.Element {
    fileprivate var canBeEmpty: Bool {
        switch self {
        case .run(_, let least, _): least <= 0
        case .rest, .until, .ending: false
        }
    }
}

/// The reason why a pattern has no meaning, or is not read.
package enum AndroidPatternFault: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong(Int)
    /// Android refuses it; `PatternMatcher` would say this.
    case refused(String)

    package var description: String {
        switch self {
        case .tooLong(let units):
            "has \(units) characters, may have \(AndroidPattern.unitsMax)"
        case .refused(let reason): "is refused by Android: \(reason)"
        }
    }
}

let backslash = UInt16(UInt8(ascii: "\\"))
private let star = UInt16(UInt8(ascii: "*"))
private let dot = UInt16(UInt8(ascii: "."))
