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
