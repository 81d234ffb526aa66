import Diagnostics

/// Writes shapes as JSON Schemas.
struct SchemaWriter {
    /// The places where null stands for a member that is not there.
    enum Nulls { case never, atTheTop, everywhere }

    /// The text before a name in a reference to a schema.
    let prefix: String
    /// Whether it is for the JSON of requests, where each value has one type, and the names of
    /// schemas begin with a capital: programs make types of them.
    var isOfRequests = false
    var nulls = Nulls.never
    private(set) var definitions = [(key: String, value: JSONText)]()

    init(prefix: String, isOfRequests: Bool = false) {
        (self.prefix, self.isOfRequests) = (prefix, isOfRequests)
    }

    /// Adds the shape and the shapes of its keys, unless they are there.
    mutating func define(_ shape: Shape, as name: String? = nil) {
        let name = name ?? self.name(of: shape)
        guard !definitions.contains(where: { $0.key == name }) else { return }
        definitions.append((name, json(shape)))
        let before = nulls
        if nulls == .atTheTop { nulls = .never }
        for key in shape.keys {
            for shape in key.kind.shapes { define(shape) }
        }
        nulls = before
    }

    /// Adds the schema of a value within a `json` value, which has neither null nor control characters.
    mutating func defineJSON() {
        let reference = JSONText.object([("$ref", .string(prefix + Self.jsonName))])
        let text = SchemaPattern.character()
        definitions.append(
            (
                Self.jsonName,
                .object([
                    ("type", .strings(["string", "number", "boolean", "array", "object"])),
                    ("pattern", .string(SchemaPattern.prose.replacing("]+$", with: "]*$"))),
                    ("items", reference), ("minProperties", .number(1)),
                    ("propertyNames", .object([("pattern", .string("^\(text)*$"))])),
                    ("additionalProperties", reference),
                ])
            ))
    }

    private static let jsonName = "json"

    private func name(of shape: Shape) -> String {
        guard isOfRequests else { return shape.name }
        let name = shape.name.prefix(1).uppercased() + shape.name.dropFirst()
        return nulls == .everywhere ? "\(name)Patch" : name
    }

    private func json(_ shape: Shape) -> JSONText {
        let required = shape.keys.filter(\.isRequired).map { JSONText.string($0.name) }
        let needs = shape.needs.map(json)
        var members: [(key: String, value: JSONText)] = [
            ("type", .string("object")), ("additionalProperties", .boolean(false)),
        ]
        // A patch has what changes.
        if nulls != .everywhere {
            if !shape.canBeEmpty { members.append(("minProperties", .number(1))) }
            if !required.isEmpty { members.append(("required", .array(required))) }
            let conditions = isOfRequests ? [] : shape.conditions
            if !(needs + conditions).isEmpty {
                members.append(("allOf", .array(needs + conditions)))
            }
        }
        members.append(("properties", .object(properties(of: shape))))
        if shape.name == Shape.configuration.name { members += needsWithoutSites }
        return .object(members)
    }

    /// Without `sites`, environments are complete themselves.
    private var needsWithoutSites: [(key: String, value: JSONText)] {
        let needs = JSONText.object([("allOf", .array(Shape.environmentNeeds.map(json)))])
        let environments = JSONText.object([("additionalProperties", needs)])
        return [
            ("if", requiring(["sites"])),
            ("else", .object([("properties", .object([("environments", environments)]))])),
        ]
    }

    private func json(_ need: Need) -> JSONText {
        .object([("anyOf", .array(need.groups.map(requiring)))])
    }

    private func requiring(_ group: [String]) -> JSONText {
        .object([("required", .strings(group))])
    }

    func properties(of shape: Shape) -> [(key: String, value: JSONText)] {
        shape.keys.map { (key: $0.name, value: json($0)) }
    }

    private func json(_ key: Key) -> JSONText {
        // Beside a text or a mapping, the limits of a list say nothing.
        let description =
            [(key: "description", value: JSONText.string(key.documentation))]
            + (key.countMax.map { [("maxItems", .number($0))] } ?? [])
            + (key.areUnique ? [("uniqueItems", .boolean(true))] : [])
        guard nulls != .never else { return .object(description + members(key.kind)) }
        var inner = self
        if nulls == .atTheTop { inner.nulls = .never }
        let choices = JSONText.array([
            .object(inner.members(key.kind)), .object([("type", .string("null"))]),
        ])
        return .object(description + [("anyOf", choices)])
    }

    private func members(_ kind: Kind) -> [(key: String, value: JSONText)] {
        switch kind {
        case .text(let format): members(format)
        case .list(let kind, let canBeEmpty):
            [("type", .string("array")), ("items", .object(members(kind)))]
                + (canBeEmpty ? [] : [("minItems", .number(1))])
        case .names(let format, let kind):
            [
                ("type", .string("object")), ("minProperties", .number(1)),
                ("propertyNames", .object(members(format))),
                ("additionalProperties", .object(members(kind))),
            ]
        // In draft-07, keys beside a reference are ignored, so the reference gets its own object.
        case .object(let shape):
            [("allOf", .array([.object([("$ref", .string(prefix + name(of: shape)))])]))]
        case .json where isOfRequests:
            [("type", .string("object")), ("minProperties", .number(1))]
        // The only one of a configuration is JSON-LD.
        case .json:
            [
                ("type", .string("object")),
                ("anyOf", .array([requiring(["@type"]), requiring(["@graph"])])),
                ("allOf", .array([.object([("$ref", .string(prefix + Self.jsonName))])])),
            ]
        case .either(let kinds): [("anyOf", .array(kinds.map { .object(members($0)) }))]
        }
    }

    private func members(_ format: Format) -> [(key: String, value: JSONText)] {
        if isOfRequests { return requestMembers(format) }
        guard format.choices.isEmpty else {
            let texts = format.choices.map(JSONText.string)
            return [("enum", .array(texts + format.choices.compactMap(plain)))]
        }
        let types = (["string"] + format.alsoKnownAs).map(JSONText.string)
        var members = [(key: "type", value: types.count == 1 ? types[0] : .array(types))]
        if let pattern = format.pattern { members.append(("pattern", .string(pattern))) }
        if let range = format.integers { members += limits(range) }
        return members + (format.canBeEmpty ? [] : [("minLength", .number(1))])
    }

    private func requestMembers(_ format: Format) -> [(key: String, value: JSONText)] {
        var members = [(key: "type", value: JSONText.string(format.json.rawValue))]
        switch format.json {
        case .boolean: break
        case .integer:
            if let range = format.integers { members += limits(range) }
        case .string where !format.choices.isEmpty:
            members.append(("enum", .strings(format.choices)))
        case .string:
            if let pattern = format.pattern { members.append(("pattern", .string(pattern))) }
            if !format.canBeEmpty { members.append(("minLength", .number(1))) }
        }
        return members
    }

    private func limits(_ range: ClosedRange<Int>) -> [(key: String, value: JSONText)] {
        [("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound))]
    }

    /// The value that YAML makes from an unquoted text, if it is not a text.
    private func plain(_ choice: String) -> JSONText? {
        if choice == "true" || choice == "false" { return .boolean(choice == "true") }
        return Int(choice).map(JSONText.number)
    }
}
