import Foundation
import LinkStore
import TestSupport
import Testing

@testable import LinkAPI

@Suite("The description of the API")
struct OpenAPITests {
    @Test(
        "a document is what the table of routes says",
        arguments: [("docs/openapi.json", OpenAPI.text), ("docs/api.md", APIReference.text)])
    func compare(_ name: String, _ text: String) throws {
        let path = repository(name)
        if updatesFixtures { return try Data(text.utf8).write(to: URL(filePath: path)) }
        let written = FileManager.default.contents(atPath: path) ?? Data()
        #expect(String(decoding: written, as: UTF8.self) == text)
    }

    @Test func `any token may read it, and nobody without one`() throws {
        let api = try TestAPI()
        let token = api.ask("POST", "tokens", #"{"name": "t", "scopes": ["stats.read"]}"#)["token"]
        let answer = api.ask("GET", "openapi.json", token: token)
        #expect(answer.status == 200 && answer.text == OpenAPI.text)
        #expect(answer.object["openapi"] as? String == "3.1.0")
        #expect(api.ask("GET", "openapi.json", token: "").status == 401)
    }

    @Test func `every operation has its own name, and each reference leads to a schema`() throws {
        #expect(Set(APIRoute.all.map(\.name)).count == APIRoute.all.count)
        let object = try JSONSerialization.jsonObject(with: Data(OpenAPI.text.utf8))
        let components = (object as? [String: Any])?["components"] as? [String: Any]
        let schemas = try #require(components?["schemas"] as? [String: Any])
        let references = OpenAPI.text.matches(of: /"#\/components\/schemas\/([^"]+)"/).map {
            String($0.1)
        }
        #expect(Set(references) == Set(schemas.keys))
    }

    @Test func `each operation can get what the connection answers before the API`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(OpenAPI.text.utf8))
        let paths = try #require(
            (object as? [String: Any])?["paths"] as? [String: [String: [String: Any]]])
        for (path, operations) in paths {
            for (method, operation) in operations {
                let responses = operation["responses"] as? [String: [String: Any]]
                for status in ["400", "414", "431"] {
                    let content = responses?[status]?["content"] as? [String: Any]
                    #expect(content?["text/plain"] != nil, "\(method) \(path): \(status)")
                }
                let types = responses?["431"]?["content"] as? [String: Any]
                let hasProblem = types?["application/problem+json"] != nil
                #expect(hasProblem == (operation["requestBody"] != nil), "\(method) \(path)")
            }
        }
    }

    /// Generators make one type of a schema, and leave out what they cannot make one of.
    @Test func `a schema is of one type`() throws {
        func check(_ value: Any, _ path: String) {
            if let list = value as? [Any] {
                for (index, item) in list.enumerated() { check(item, "\(path)/\(index)") }
            }
            guard let object = value as? [String: Any] else { return }
            #expect(!(object["type"] is [Any]), "\(path)")
            if let choices = object["enum"] as? [Any] {
                #expect(choices.allSatisfy { $0 is String }, "\(path)")
                #expect(object["type"] as? String == "string", "\(path)")
            }
            for (key, own) in object where key != "example" { check(own, "\(path)/\(key)") }
        }
        check(try JSONSerialization.jsonObject(with: Data(OpenAPI.text.utf8)), "")
    }

    /// What the query of a list can have, and what is said of each fault.
    @Test(
        arguments: [
            ("limit=1", nil), ("limit=200", nil), ("limit=0", "limit is \"0\", must be 1 to 200"),
            ("limit=201", "limit is \"201\", must be 1 to 200"),
            ("limit=x", "limit is \"x\", must be 1 to 200"),
            ("limit=%2B1", "limit is \"+1\", must be 1 to 200"),
            ("limit=01", "limit is \"01\", must be 1 to 200"),
            ("archived=true", nil), ("archived=false", nil),
            ("archived=yes", "archived is \"yes\", must be one of true, false, only"),
            ("state=active", nil),
            (
                "state=activ",
                "state is \"activ\", must be one of active, disabled; did you mean \"active\"?"
            ),
            ("changed-since=0", nil),
            (
                "changed-since=9223372036854775807",
                "changed-since is 9223372036854775807, and the store has reached 0: it is another "
                    + "store, or was restored; begin with GET /v1/export"
            ),
            ("changed-since=-1", "changed-since is \"-1\", must be 0 or more"),
            (
                "changed-since=9223372036854775808",
                "changed-since is \"9223372036854775808\", must be 0 or more"
            ),
            ("after=1", "after is \"1\", must be the id of a link"),
            ("q=a&tag=b", nil), ("q=a&q=b", "q is there twice; leave one out"),
            ("tags=a", "there is no parameter \"tags\"; did you mean \"tag\"?"),
        ] as [(String, String?)])
    func queriesAreChecked(_ query: String, _ detail: String?) throws {
        let answer = try TestAPI().ask("GET", "links?\(query)")
        #expect(answer.status == (detail == nil ? 200 : 400))
        #expect(answer["detail"] == detail ?? "")
    }

    @Test(arguments: APIRoute.own.map(\.name))
    func `no operation passes over a parameter that it does not have`(_ name: String) throws {
        let api = try TestAPI()
        let route = try #require(APIRoute.all.first { $0.name == name })
        let path = route.path.joined(separator: "/")
        let answer = api.ask(route.method, "\(path)?nothing=1")
        #expect(answer.status == 400 && answer["type"] == "/v1/problems/query", "\(answer.text)")
    }
}

extension TestAPI {
    /// Whether the description has such an answer to a request.
    func isDescribed(_ response: APIResponse, to method: String, _ path: [String]) -> Bool {
        let found = APIRoute.all.filter { $0.values(in: path) != nil }
        guard let route = found.first(where: { $0.method == method }) else {
            return [404, 405].contains(response.status)
        }
        let kind = response["type"].split(separator: "/").last.flatMap {
            ProblemKind(rawValue: String($0))
        }
        if let kind {
            return route.problems.contains(kind) && kind.status == response.status
                && response.type == "application/problem+json"
        }
        if route.isFirebase, response.object["error"] != nil {
            return route.problems.contains { route.status(of: $0) == response.status }
        }
        guard let answer = route.answers.first(where: { $0.status == response.status }) else {
            return false
        }
        let own = ["Cache-Control"]
        return Set(response.fields.keys).subtracting(own).isSubset(
            of: answer.fields.map(\.rawValue))
            && (response.content.isEmpty
                ? answer.schema == nil : answer.types.contains(response.type))
    }
}

/// Whether documents are written instead of compared.
private let updatesFixtures = ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1"

/// `docs/api.md`.
enum APIReference {
    static var text: String {
        """
        # The API of stored links

        *Reference, generated: `Tests/LinkAPITests` writes it, and [openapi.json](openapi.json), from the table of the API's routes.*

        [Smart links](smart-links.md#the-api) explains the API. The origin serves its description (OpenAPI 3.1) at
        `GET /v1/openapi.json`.

        ## Operations

        \(operations)
        A token needs one of the scopes; a token with `admin` may do everything. An operation with `If-Match` needs the `ETag` of
        the link that you have seen, or `*`. An operation with `If-None-Match: *` needs that field. Each `POST` with JSON accepts
        `Idempotency-Key`. Each change of a link below `/v1/links/` accepts `Prefer: wait=N`; an import does not.

        The operations whose names contain `Firebase` exist if a collection has `firebase: api`
        ([links of Firebase](firebase.md#the-rest-api)). They have no `Idempotency-Key`, and accept the token as `key` in the
        query. They ignore unknown parameters, and their refusals have the form of Google's APIs.

        ## Parameters

        These are the parameters of the query. A parameter that is not listed here, or is given twice, is refused.

        \(parameters)
        ## Problems

        A refusal is `application/problem+json` (RFC 9457). Its `type` is `/v1/problems/` followed by the name. `errors` lists the
        faults of the content, at most 100, and `detail` says how many others there are. In an answer of
        `checkLink`, the last error says it.

        The connection itself answers a request that it cannot pass on to the API, as `text/plain`: 400 if the request is
        malformed, 414 if its address is too long, 431 if its fields are too large
        ([limits](configuration.md#limits)).

        \(problems)
        """
    }

    private static var operations: String {
        table(
            ["request", "name", "scopes", "what it does", "answers"],
            APIRoute.all.map { route in
                let condition =
                    switch route.condition {
                    case .match: " with `If-Match`"
                    case .isNew: " with `If-None-Match: *`"
                    case .hasChanged, nil: ""
                    }
                let problems = Set(route.problems.map(route.status(of:)))
                    .subtracting(route.answers.map(\.status)).sorted()
                return [
                    "`\(route.method) /v1/\(route.path.joined(separator: "/"))`" + condition,
                    "`\(route.name)`",
                    route.scopes.isEmpty
                        ? "any" : route.scopes.map { "`\($0.rawValue)`" }.joined(separator: ", "),
                    route.summary,
                    route.answers.map { "**\($0.status)**" }.joined(separator: " ") + " "
                        + problems.map(String.init).joined(separator: " "),
                ]
            })
    }

    private static var parameters: String {
        table(
            ["operation", "parameter", "values", "meaning"],
            APIRoute.all.flatMap { route in
                route.query.map { parameter in
                    [
                        "`\(route.name)`", "`\(parameter.name)`", words(parameter.form),
                        parameter.summary,
                    ]
                }
            })
    }

    private static func words(_ form: Parameter.Form) -> String {
        switch form {
        case .text: "text"
        case .flag: "`true`, `false`"
        case .choice(let choices) where choices.contains("iphone-safari"):
            "a client, as in `waymark explain`"
        case .names: "clients, as in `waymark explain`, with commas between them"
        case .choices(let choices):
            "one or two of " + choices.map { "`\($0)`" }.joined(separator: ", ")
        case .choice(let choices): choices.map { "`\($0)`" }.joined(separator: ", ")
        case .number(let range) where range.upperBound == .max: "\(range.lowerBound) or more"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .link: "the id of a link"
        case .links(let most): "ids of links with commas between them, at most \(most)"
        case .host: "the name of a host"
        }
    }

    private static var problems: String {
        table(
            ["status", "name", "title"],
            ProblemKind.allCases.map { ["\($0.status)", "`\($0.rawValue)`", $0.title] })
    }

    private static func table(_ headings: [String], _ rows: [[String]]) -> String {
        ([headings, headings.map { _ in "---" }] + rows)
            .map { "| \($0.joined(separator: " | ")) |\n" }.joined()
            .replacingOccurrences(of: "| --- ", with: "|---")
            .replacingOccurrences(of: "|--- |", with: "|---|")
    }
}
