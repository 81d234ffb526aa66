package import Diagnostics

/// The JSON Schema (draft-07) of a configuration, for editors and other programs, generated from
/// the table of keys. Relations between values are checked only by the reader.
package enum ConfigurationSchema {
    /// The text of `docs/waymark.schema.json`.
    package static var text: String {
        var writer = SchemaWriter(prefix: "#/definitions/")
        writer.define(.configuration)
        writer.defineJSON()
        let schema = JSONText.object([
            ("$schema", .string("http://json-schema.org/draft-07/schema#")),
            ("title", .string("waymark.yaml")),
            ("$ref", .string("#/definitions/\(Shape.configuration.name)")),
            ("definitions", .object(writer.definitions)),
        ])
        return schema.indented + "\n"
    }
}

/// Schemas of the content of requests to the API of stored links, from the table that reads it.
package struct RequestSchemas {
    /// The schemas by their names: `NewLink`, `LinkPatch`, `NewAlias`, `NewToken`, `NewPerson`, and
    /// those that they refer to.
    package let definitions: [(key: String, value: JSONText)]
    /// The properties of a link that answers have, too.
    package let linkProperties: [(key: String, value: JSONText)]

    /// - Parameters:
    ///   - prefix: what is before a name in a reference to a schema.
    ///   - scopes: what tokens can be for.
    ///   - roles: what people can be.
    package init(prefix: String, scopes: [String], roles: [String]) {
        var writer = SchemaWriter(prefix: prefix, isOfRequests: true)
        linkProperties = writer.properties(of: .storedLink)
        writer.nulls = .atTheTop
        writer.define(.storedLink)
        writer.nulls = .never
        writer.define(.storedAlias)
        writer.define(.storedToken(scopes: scopes))
        writer.define(.storedPerson(roles: roles))
        writer.nulls = .everywhere
        writer.define(.storedLink, as: "LinkPatch")
        definitions = writer.definitions
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
