@testable import Associations

/// Android's way to match a pattern with a path, character by character with an index into each, after
/// `PatternMatcher` of Android 15: obviously the same as there, and nothing like an automaton.
struct AndroidPatternReference {
    let pattern: [UInt16]

    init(_ pattern: String) { self.pattern = Array(pattern.utf16) }

    private func at(_ index: Int) -> UInt16 { index < pattern.count ? pattern[index] : 0 }

    /// Whether a pattern of any kind takes a text.
    static func takes(_ text: String, _ pattern: AndroidPattern) -> Bool {
        let reference = AndroidPatternReference(pattern.text)
        return switch pattern.kind {
        case .literal: text == pattern.text
        case .prefix: text.hasPrefix(pattern.text)
        case .suffix: text.hasSuffix(pattern.text)
        case .simple: reference.simple(Array(text.utf16))
        case .advanced: reference.advanced(Array(text.utf16)) == true
        }
    }

    // MARK: pathPattern

    func simple(_ path: [UInt16]) -> Bool {
        let (patternEnd, pathEnd) = (pattern.count, path.count)
        if patternEnd == 0 { return pathEnd == 0 }
        var (p, m) = (0, 0)
        while p < patternEnd, m < pathEnd {
            var character = at(p)
            p += 1
            let isEscaped = character == code("\\")
            if isEscaped {
                character = at(p)
                p += 1
            }
            guard p < patternEnd, at(p) == code("*") else {
                if character != code("."), path[m] != character { return false }
                m += 1
                continue
            }
            if !isEscaped, character == code(".") {
                if p >= patternEnd - 1 { return true }
                p += 1
                if at(p) == code("\\") { p += 1 }
                let wanted = at(p)
                while m < pathEnd, path[m] != wanted { m += 1 }
                if m == pathEnd { return false }
                m += 1
            } else {
                while m < pathEnd, path[m] == character { m += 1 }
            }
            p += 1
        }
        if p >= patternEnd, m >= pathEnd { return true }
        return p == patternEnd - 2 && at(p) == code(".") && at(p + 1) == code("*")
    }

    // MARK: pathAdvancedPattern

    /// What Android stores of a pattern: characters, and these.
    private enum Mark {
        static let set = -1
        static let inverseSet = -2
        static let setEnd = -3
        static let any = -4
        static let range = -5
        static let rangeEnd = -6
        static let star = -7
        static let plus = -8

        static func isModifier(_ number: Int?) -> Bool {
            number.map { [range, rangeEnd, star, plus].contains($0) } ?? true
        }
    }

    /// Nil for a pattern that Android refuses.
    func stored() -> [Int]? {
        var (stored, p) = ([Int](), 0)
        var (inSet, inRange, inClass) = (false, false, false)
        while p < pattern.count {
            if stored.count > 2_045 { return nil }
            var character = at(p)
            var isAdded = false
            switch character {
            case code("["):
                if !inSet {
                    guard p + 1 < pattern.count else { return nil }
                    let isInverse = at(p + 1) == code("^")
                    stored.append(isInverse ? Mark.inverseSet : Mark.set)
                    p += isInverse ? 2 : 1
                    inSet = true
                    continue
                }
                isAdded = true
            case code("]"):
                if inSet {
                    if stored.last == Mark.set || stored.last == Mark.inverseSet { return nil }
                    stored.append(Mark.setEnd)
                    (inSet, inClass) = (false, false)
                    p += 1
                    continue
                }
                isAdded = true
            case code("{") where !inSet:
                if Mark.isModifier(stored.last) { return nil }
                stored.append(Mark.range)
                p += 1
                inRange = true
            case code("}") where inRange:
                stored.append(Mark.rangeEnd)
                inRange = false
                p += 1
                continue
            case code("*") where !inSet, code("+") where !inSet:
                if Mark.isModifier(stored.last) { return nil }
                stored.append(character == code("*") ? Mark.star : Mark.plus)
            case code(".") where !inSet: stored.append(Mark.any)
            case code("\\"):
                guard p + 1 < pattern.count else { return nil }
                p += 1
                character = at(p)
                isAdded = true
            case code("}"): break
            default: isAdded = true
            }
            if inSet {
                if inClass {
                    stored.append(Int(character))
                    inClass = false
                } else if p + 2 < pattern.count, at(p + 1) == code("-"), at(p + 2) != code("]") {
                    inClass = true
                    stored.append(Int(character))
                    p += 1
                } else {
                    stored += [Int(character), Int(character)]
                }
            } else if inRange {
                guard let end = pattern[p...].firstIndex(of: code("}")),
                    let range = range(String(decoding: pattern[p..<end], as: UTF16.self))
                else { return nil }
                stored += range
                p = end
                continue
            } else if isAdded {
                stored.append(Int(character))
            }
            p += 1
        }
        return inSet ? nil : stored
    }

    private func range(_ text: String) -> [Int]? {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let least = Int32(parts[0]) else { return nil }
        guard parts.count > 1 else { return [Int(least), Int(least)] }
        guard let most = parts[1].isEmpty ? Int32.max : Int32(parts[1]), least <= most else {
            return nil
        }
        return [Int(least), Int(most)]
    }

    func advanced(_ path: [UInt16]) -> Bool? {
        guard let stored = stored() else { return nil }
        var (p, m) = (0, 0)
        while p < stored.count {
            let token = stored[p]
            var content = p..<(p + 1)
            p += 1
            if token == Mark.set || token == Mark.inverseSet {
                let start = p
                while p < stored.count, stored[p] != Mark.setEnd { p += 1 }
                content = start..<p
                p += 1
            }
            var (least, most) = (1, 1)
            switch p < stored.count ? stored[p] : 0 {
            case Mark.star:
                (least, most) = (0, .max)
                p += 1
            case Mark.plus:
                most = .max
                p += 1
            case Mark.range:
                (least, most) = (stored[p + 1], stored[p + 2])
                p += 4
            default: break
            }
            var count = 0
            while count < most, m + count < path.count,
                fits(Int(path[m + count]), token, stored[content])
            {
                count += 1
            }
            if count < least { return false }
            m += count
        }
        return m >= path.count
    }

    private func fits(_ unit: Int, _ token: Int, _ content: ArraySlice<Int>) -> Bool {
        func isInSet() -> Bool {
            stride(from: content.startIndex, to: content.endIndex - 1, by: 2).contains {
                content[$0] <= unit && unit <= content[$0 + 1]
            }
        }
        return switch token {
        case Mark.any: true
        case Mark.set: isInSet()
        case Mark.inverseSet: !isInSet()
        default: unit == token
        }
    }
}

private func code(_ character: Unicode.Scalar) -> UInt16 { UInt16(character.value) }
