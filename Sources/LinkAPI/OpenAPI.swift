import Diagnostics
import LinkStore

/// The description of the API for programs (OpenAPI 3.1), made from the table of routes.
enum OpenAPI {
    private typealias Members = [(key: String, value: JSONText)]

    /// The text of `docs/openapi.json`.
    static let text: String = {
        let document = JSONText.object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string("Waymark: stored links")), ("version", .string("1")),
                    ("description", .string(introduction)),
                ])
            ),
            ("servers", .array([.object([("url", .string("/"))])])),
            ("paths", .object(paths)),
            (
                "components",
                .object([
                    ("schemas", .object(Schemas.all)),
                    (
                        "securitySchemes",
                        .object([
                            (
                                "token",
                                .object([
                                    ("type", .string("http")), ("scheme", .string("bearer")),
                                    ("description", .string(security)),
                                ])
                            ),
                            (
                                "key",
                                .object([
                                    ("type", .string("apiKey")), ("in", .string("query")),
                                    ("name", .string("key")),
                                    ("description", .string(querySecurity)),
                                ])
                            ),
                        ])
                    ),
                ])
            ),
        ])
        return document.formatted
    }()

    /// The same as bytes, which all answers share: they are many, and may wait for their clients.
    static let content = Array(text.utf8)

    private static let introduction =
        "Links that are made while the origin runs; docs/smart-links.md explains them. Answers may "
        + "get more members, and refusals more types: x-problems has those of today. GET can be "
        + "HEAD."
    private static let security =
        "A token that POST /v1/tokens has made. The names are the scopes of which it needs one; "
        + "with the scope admin, it may do everything."

    private static let querySecurity =
        "The same token, for programs that were written for Firebase."

    private static var paths: Members {
        var paths = [(key: String, value: Members)]()
        for route in APIRoute.all {
            let path = "/v1/" + route.path.joined(separator: "/")
            let operation = (key: route.method.lowercased(), value: json(route))
            if let index = paths.firstIndex(where: { $0.key == path }) {
                paths[index].value.append(operation)
            } else {
                paths.append((path, [operation]))
            }
        }
        return paths.map { ($0.key, .object($0.value)) }
    }

    private static func json(_ route: APIRoute) -> JSONText {
        var members: Members = [
            ("operationId", .string(route.name)), ("summary", .string(route.summary)),
        ]
        let parameters = parameters(of: route)
        if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
        let content = content(of: route)
        if !content.isEmpty {
            let body = JSONText.object([
                ("required", .boolean(true)), ("content", .object(content)),
            ])
            members.append(("requestBody", body))
        }
        let needs = route.scopes.isEmpty ? [[]] : route.scopes.map { [$0.rawValue] }
        let schemes = route.isFirebase ? ["token", "key"] : ["token"]
        let security = schemes.flatMap { scheme in
            needs.map { JSONText.object([(scheme, .strings($0))]) }
        }
        members += [
            ("responses", .object(responses(of: route))), ("security", .array(security)),
        ]
        return .object(members)
    }

    // MARK: Requests

    private static func parameters(of route: APIRoute) -> [JSONText] {
        let variables = route.path.filter(APIRoute.isVariable).map { segment in
            let name = String(segment.dropFirst().dropLast())
            let (schema, summary, example) = variable(name)
            return parameter(name, in: "path", true, schema, summary, example)
        }
        let query = route.query.map {
            parameter($0.name, in: "query", false, $0.schema, $0.summary)
        }
        return variables + query + fields(of: route)
    }

    private static func variable(
        _ name: String
    ) -> (schema: JSONText, summary: String, example: String?) {
        switch name {
        case "id": (Schemas.id, "The id of the link.", nil)
        case "token": (Schemas.number, "The id of the token.", nil)
        case "externalId": (Schemas.text, "Another system's name for the link.", "crm-1")
        case "shortLink":
            (Schemas.text, "The URL of the link.", "https://go.example.com/links/spring")
        case "slug": (Schemas.text, "What the collection's star stands for.", "spring")
        default: (Schemas.text, "The collection of the link.", "short")
        }
    }

    private static func fields(of route: APIRoute) -> [JSONText] {
        var fields = [JSONText]()
        switch route.condition {
        case .match:
            fields.append(
                field(
                    "If-Match", true,
                    "The ETag of the link that was seen; or *, to change it in any state.", "*"))
        case .isNew: fields.append(field("If-None-Match", true, "*", "*"))
        case .hasChanged:
            fields.append(
                field("If-None-Match", false, "The ETag of the link that was seen; 304 for it."))
        case nil: break
        }
        if route.isRepeatable {
            fields.append(
                field(
                    "Idempotency-Key", false,
                    "1 to 255 bytes. A request that is repeated with it within 24 hours gets the "
                        + "first answer; a refusal is not kept."))
        }
        if route.isAwaitable {
            fields.append(
                field(
                    "Prefer", false,
                    "wait=N: the answer comes when all nodes answer with the change, or after N seconds, at most "
                        + "\(WaitPreference.secondsMax).", "wait=5"))
        }
        return fields
    }

    private static func field(
        _ name: String, _ isRequired: Bool, _ summary: String, _ example: String? = nil
    ) -> JSONText {
        parameter(name, in: "header", isRequired, Schemas.text, summary, example)
    }

    private static func parameter(
        _ name: String, in place: String, _ isRequired: Bool, _ schema: JSONText,
        _ summary: String, _ example: String? = nil
    ) -> JSONText {
        .object(
            [
                ("name", .string(name)), ("in", .string(place)),
                ("required", .boolean(isRequired)), ("description", .string(summary)),
                ("schema", schema),
            ] + (example.map { [("example", .string($0))] } ?? []))
    }

    private static func content(of route: APIRoute) -> Members {
        if let name = route.content {
            return [("application/json", schema(of: name, isExemplified: true))]
        }
        guard case .import = route.transfer else { return [] }
        let (lines, table) = Schemas.importExamples
        // A generator with one type for both takes the last one.
        return [("text/csv", table), ("application/x-ndjson", lines)].map { type, text in
            (type, .object([("schema", Schemas.bytes), ("example", .string(text))]))
        }
    }

    // MARK: Answers

    private static func responses(of route: APIRoute) -> Members {
        let statuses = Set(route.answers.map(\.status) + route.problems.map(route.status(of:)))
        var all = statuses.map { status in
            var answer = route.answers.first { $0.status == status }
            if route.isAwaitable { answer?.fields += [.applied, .nodes] }
            let problems = route.problems.filter { route.status(of: $0) == status }
            return (status, json(answer, problems, ofFirebase: route.isFirebase))
        }
        if route.content != nil, route.isFirebase {
            all += inPlace.map { ($0.status, problem($0)) }
        }
        let hasContent = !content(of: route).isEmpty
        all += beforeAPI.map { status, words in
            let kind = ProblemKind.trailersTooLarge
            return (status, plain(words, or: kind.status == status && hasContent ? kind : nil))
        }
        return all.sorted { $0.0 < $1.0 }.map { (key: "\($0.0)", value: $0.1) }
    }

    /// - Parameter problems: what else has the status of the answer.
    private static func json(
        _ answer: APIRoute.Answer?, _ problems: [ProblemKind], ofFirebase isFirebase: Bool
    ) -> JSONText {
        let titles = (answer.map { [words($0.status)] } ?? []) + problems.map { "\($0.title)." }
        var members: Members = [("description", .string(titles.joined(separator: " ")))]
        if let answer, !answer.fields.isEmpty {
            let fields = answer.fields.map {
                (
                    key: $0.rawValue,
                    value: JSONText.object([
                        ("description", .string($0.summary)), ("schema", Schemas.text),
                    ])
                )
            }
            members.append(("headers", .object(fields)))
        }
        var content = Members()
        if let answer, answer.hasContent {
            content = answer.types.map { type in
                let schema = type == "application/json" ? answer.schema : nil
                return (
                    type, schema.map { Self.schema(of: $0) } ?? .object([("schema", Schemas.bytes)])
                )
            }
        }
        if !problems.isEmpty {
            content.append(
                isFirebase
                    ? ("application/json", schema(of: "FirebaseError"))
                    : ("application/problem+json", schema(of: "Problem")))
            // A request that is malformed as such does not reach the API.
            if problems.contains(.invalidPath) {
                content.append(("text/plain", .object([("schema", Schemas.text)])))
            }
        }
        if !content.isEmpty { members.append(("content", .object(content))) }
        if !problems.isEmpty, !isFirebase {
            members.append(("x-problems", .strings(problems.map(\.type))))
        }
        if let links = answer.map(links(from:)), !links.isEmpty {
            members.append(("links", .object(links)))
        }
        return .object(members)
    }

    private static func words(_ status: Int) -> String {
        switch status {
        case 201: "It was made."
        case 204: "It was done."
        case 304: "The link is as it was seen."
        case 410: "The link was deleted."
        default: "The answer."
        }
    }

    /// The operations that can come next for a link or a token that was made.
    private static func links(from answer: APIRoute.Answer) -> Members {
        guard answer.status == 201 else { return [] }
        let variable: String
        switch answer.schema {
        case "Link": variable = "id"
        case "TokenWithSecret": variable = "token"
        default: return []
        }
        return APIRoute.all.filter { $0.path.contains("{\(variable)}") }.map { route in
            var parameters: Members = [(variable, .string("$response.body#/id"))]
            if case .match = route.condition {
                parameters.append(("header.If-Match", .string("$response.header.ETag")))
            }
            return (
                route.name,
                .object([
                    ("operationId", .string(route.name)), ("parameters", .object(parameters)),
                ])
            )
        }
    }

    /// The connection answers these, before the content is whole; all have one form.
    private static let inPlace = [ProblemKind.contentStalled, .contentTooLarge]

    /// The statuses that any request can get from the connection, which does not pass it on to the API.
    private static let beforeAPI = [
        (status: 414, words: "The address of the request is too long."),
        (status: 431, words: "The fields of the request are too large."),
    ]

    private static func plain(_ words: String, or kind: ProblemKind?) -> JSONText {
        let problem = kind.map { _ in ("application/problem+json", schema(of: "Problem")) }
        let text = ("text/plain", JSONText.object([("schema", Schemas.text)]))
        let titles = [words] + (kind.map { ["\($0.title)."] } ?? [])
        var members: Members = [
            ("description", .string(titles.joined(separator: " "))),
            ("content", .object([problem, text].compactMap(\.self))),
        ]
        if let kind { members.append(("x-problems", .strings([kind.type]))) }
        return .object(members)
    }

    private static func problem(_ kind: ProblemKind) -> JSONText {
        .object([
            ("description", .string("\(kind.title).")),
            ("content", .object([("application/problem+json", schema(of: "Problem"))])),
        ])
    }

    private static func schema(of name: String, isExemplified: Bool = false) -> JSONText {
        let example = isExemplified ? Schemas.example(of: name).map { ("example", $0) } : nil
        return .object([("schema", Schemas.reference(name))] + [example].compactMap(\.self))
    }
}
