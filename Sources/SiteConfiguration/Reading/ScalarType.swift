package import Diagnostics

/// The types that a scalar of a format can have in JSON.
enum ScalarType: String, Sendable {
    case string, boolean, integer
}

extension Value {
    /// The type that a scalar in JSON lacks by its format, and the advice; nil if it has it.
    func typeFault(_ format: Format) -> (wanted: String, advice: String)? {
        guard let text else { return nil }
        let isBoolean = isPlain && (text == "true" || text == "false")
        let written: String
        switch format.json {
        case .string:
            guard isPlain else { return nil }
            let kind = isBoolean ? "" : "the number "
            return ("a text, not \(kind)\(text)", "write it in quotes")
        case .boolean:
            guard !isBoolean else { return nil }
            written = "true or false"
        case .integer:
            guard !isPlain || isBoolean else { return nil }
            written = "a number"
        }
        return (
            "\(written), not \(isPlain ? text : "the text \(quoted(text))")",
            isPlain ? "write \(written)" : "write \(written), without quotes"
        )
    }
}

extension Value {
    /// Whether YAML and JSON make a boolean of it where the format has none: `true` as a host. Numbers are
    /// read as they are written, because identifiers can look like one.
    func isForeignBoolean(_ format: Format) -> Bool {
        guard isPlain, let text, format.choices.isEmpty, !format.alsoKnownAs.contains("boolean")
        else { return false }
        return ["true", "True", "TRUE", "false", "False", "FALSE"].contains(text)
    }
}

extension LinkDescription {
    /// A link with the types that its members have in JSON. Tables have only texts, and links that
    /// are kept in a store may have a text where requests have another type.
    package static func typed(_ json: JSONText) -> JSONText { Shape.storedLink.typed(json) }
}

extension Shape {
    fileprivate func typed(_ json: JSONText) -> JSONText {
        guard case .object(let members) = json else { return json }
        return .object(
            members.map { member in
                let kind = keys.first { $0.name == member.key }?.kind
                return (member.key, kind?.typed(member.value) ?? member.value)
            })
    }
}

extension Kind {
    fileprivate func typed(_ json: JSONText) -> JSONText {
        switch (self, json) {
        case (.object(let shape), .object): return shape.typed(json)
        case (.names(_, let kind), .object(let members)):
            return .object(members.map { ($0.key, kind.typed($0.value)) })
        case (.list(let kind, _), .array(let items)): return .array(items.map(kind.typed))
        case (.either(let kinds), _): return kinds.reduce(json) { $1.typed($0) }
        case (.text(let format), _): return format.typed(json)
        default: return json
        }
    }
}

extension Format {
    fileprivate func typed(_ value: JSONText) -> JSONText {
        switch (json, value) {
        case (.boolean, .string("true")), (.boolean, .string("TRUE")): .boolean(true)
        case (.boolean, .string("false")), (.boolean, .string("FALSE")): .boolean(false)
        case (.integer, .string(let text)): Int(text).map(JSONText.number) ?? value
        case (.string, .boolean(let flag)): .string(flag ? "true" : "false")
        case (.string, .number(let number)): .string("\(number)")
        case (.string, .numeral(let digits)): .string(digits)
        default: value
        }
    }
}
