// A member is a pair of key and value, which the compiler does not compare by itself.

extension JSONText: Hashable {
    public static func == (left: JSONText, right: JSONText) -> Bool {
        switch (left, right) {
        case (.string(let one), .string(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.numeral(let one), .numeral(let other)): one == other
        case (.boolean(let one), .boolean(let other)): one == other
        case (.null, .null): true
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one.elementsEqual(other, by: ==)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text), .numeral(let text): hasher.combine(text)
        case .number(let number): hasher.combine(number)
        case .boolean(let flag): hasher.combine(flag)
        case .null: hasher.combine(0)
        case .array(let elements): hasher.combine(elements)
        case .object(let members):
            for member in members {
                hasher.combine(member.key)
                hasher.combine(member.value)
            }
        }
    }
}
