import Diagnostics

extension Parameter {
    var schema: JSONText {
        switch form {
        case .text, .host: Schemas.text
        case .flag: Schemas.boolean
        case .choice(let choices):
            Schemas.choice(choices)
        case .choices(let choices):
            .object([
                ("type", .string("string")),
                (
                    "pattern",
                    .string(
                        "^(\(choices.joined(separator: "|")))(,(\(choices.joined(separator: "|"))))?$"
                    )
                ),
            ])
        case .names(let names):
            .object([
                ("type", .string("string")),
                (
                    "pattern",
                    .string(
                        "^(\(names.joined(separator: "|")))(,(\(names.joined(separator: "|"))))*$")
                ),
            ])
        case .number(let range):
            .object(
                [("type", .string("integer")), ("minimum", .number(range.lowerBound))]
                    + (range.upperBound == .max ? [] : [("maximum", .number(range.upperBound))]))
        case .link: Schemas.id
        case .links(let most):
            .object([
                ("type", .string("string")),
                ("pattern", .string("^[0-9A-Fa-f-]{36}(,[0-9A-Fa-f-]{36}){0,\(most - 1)}$")),
            ])
        }
    }
}
