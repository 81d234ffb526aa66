private import Diagnostics

/// The JSON Schema (draft-07) of a configuration, for editors and other programs, generated from
/// the table of keys. Relations between values are checked only by the reader.
package enum ConfigurationSchema {
    /// The text of `docs/waymark.schema.json`.
    package static var text: String {
        var definitions = [(key: String, value: JSONText)]()
        var known = Set<String>()
        define(.configuration, &definitions, &known)
        let schema = JSONText.object([
            ("$schema", .string("http://json-schema.org/draft-07/schema#")),
            ("title", .string("waymark.yaml")),
            ("$ref", .string("#/definitions/\(Shape.configuration.name)")),
            ("definitions", .object(definitions)),
        ])
        return schema.indented + "\n"
    }

    /// Adds the shape and the shapes of its keys, unless they are there.
    private static func define(
        _ shape: Shape, _ definitions: inout [(key: String, value: JSONText)],
        _ known: inout Set<String>
    ) {
        guard known.insert(shape.name).inserted else { return }
        definitions.append((shape.name, json(shape)))
        for key in shape.keys {
            for shape in key.kind.shapes { define(shape, &definitions, &known) }
        }
    }

    private static func json(_ shape: Shape) -> JSONText {
        let required = shape.keys.filter(\.isRequired).map { JSONText.string($0.name) }
        let needs = shape.needs.map(json)
        var members: [(key: String, value: JSONText)] = [
            ("type", .string("object")), ("additionalProperties", .boolean(false)),
        ]
        if !shape.canBeEmpty { members.append(("minProperties", .number(1))) }
        if !required.isEmpty { members.append(("required", .array(required))) }
        if !needs.isEmpty { members.append(("allOf", .array(needs))) }
        let properties = shape.keys.map { (key: $0.name, value: json($0)) }
        members.append(("properties", .object(properties)))
        if shape.name == Shape.configuration.name { members += needsWithoutSites }
        return .object(members)
    }

    /// Without `sites`, environments are complete themselves.
    private static var needsWithoutSites: [(key: String, value: JSONText)] {
        let needs = JSONText.object([("allOf", .array(Shape.environmentNeeds.map(json)))])
        let environments = JSONText.object([("additionalProperties", needs)])
        return [
            ("if", requiring(["sites"])),
            ("else", .object([("properties", .object([("environments", environments)]))])),
        ]
    }

    private static func json(_ need: Need) -> JSONText {
        .object([("anyOf", .array(need.groups.map(requiring)))])
    }

    private static func requiring(_ group: [String]) -> JSONText {
        .object([("required", .strings(group))])
    }

    private static func json(_ key: Key) -> JSONText {
        .object([("description", .string(key.documentation))] + members(key.kind))
    }

    private static func members(_ kind: Kind) -> [(key: String, value: JSONText)] {
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
            [("allOf", .array([.object([("$ref", .string("#/definitions/\(shape.name)"))])]))]
        case .json: [("type", .string("object")), ("minProperties", .number(1))]
        case .either(let kinds): [("anyOf", .array(kinds.map { .object(members($0)) }))]
        }
    }

    private static func members(_ format: Format) -> [(key: String, value: JSONText)] {
        guard format.choices.isEmpty else {
            let texts = format.choices.map(JSONText.string)
            return [("enum", .array(texts + format.choices.compactMap(plain)))]
        }
        let types = (["string"] + format.alsoKnownAs).map(JSONText.string)
        var members = [(key: "type", value: types.count == 1 ? types[0] : .array(types))]
        if let pattern = format.pattern { members.append(("pattern", .string(pattern))) }
        if let range = format.integers {
            members += [
                ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)),
            ]
        }
        return members + (format.canBeEmpty ? [] : [("minLength", .number(1))])
    }

    /// The value that YAML makes from an unquoted text, if it is not a text.
    private static func plain(_ choice: String) -> JSONText? {
        if choice == "true" || choice == "false" { return .boolean(choice == "true") }
        return Int(choice).map(JSONText.number)
    }
}

extension Kind {
    var shapes: [Shape] {
        switch self {
        case .text, .json: []
        case .list(let kind, _), .names(_, let kind): kind.shapes
        case .object(let shape): [shape]
        case .either(let kinds): kinds.flatMap(\.shapes)
        }
    }
}
