package import Diagnostics

/// A request to the API, without the connection that it came over.
package struct APIRequest: Sendable {
    package var method: String
    /// The segments of the path after `/v1`, decoded.
    package var path: [String]
    /// The items of the query, decoded, in their order.
    package var query: [(name: String, value: String)]
    /// Values of fields, by lower-case names.
    package var fields: [String: String]
    package var content: [UInt8]
    /// Whether it came over the admin listener.
    package var isLocal = true

    package init(
        method: String, path: [String], query: [(name: String, value: String)] = [],
        fields: [String: String] = [:], content: [UInt8] = []
    ) {
        (self.method, self.path, self.query) = (method, path, query)
        (self.fields, self.content) = (fields, content)
    }

    /// The value of the query's first item of this name.
    func item(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// An answer of the API; an error where it refuses what else would begin.
package struct APIResponse: Error, Equatable {
    package var status: Int
    package var type = "application/json"
    /// Fields besides those of every response, by their names.
    package var fields = [String: String]()
    package var content = [UInt8]()

    package init(_ status: Int, _ json: JSONText? = nil, fields: [String: String] = [:]) {
        (self.status, self.fields) = (status, fields)
        if let json { content = Array((json.compact + "\n").utf8) }
    }
}

extension APIResponse {
    /// The store cannot be asked now.
    package static func unavailable(_ detail: String) -> APIResponse {
        Problem.store(detail).response
    }

    /// The content is more than the request may have.
    package static func tooLarge(_ bytesMax: Int) -> APIResponse {
        Problem(
            413, "content-too-large", "The content is too large",
            "an atomic import has at most \(bytesMax) bytes; without atomic=true there is no limit"
        ).response
    }
}

/// Why a request is refused (RFC 9457).
struct Problem: Error, Sendable {
    var status: Int
    /// The kebab-case name of the kind.
    var kind: String
    var title: String
    var detail: String?
    /// Everything that is wrong with the content.
    var errors = [PointedFault]()
    var fields = [String: String]()

    init(_ status: Int, _ kind: String, _ title: String, _ detail: String? = nil) {
        (self.status, self.kind, self.title, self.detail) = (status, kind, title, detail)
    }

    var response: APIResponse {
        var response = APIResponse(status, json, fields: fields)
        response.type = "application/problem+json"
        return response
    }

    var json: JSONText {
        var members: [(key: String, value: JSONText)] = [
            // Relative to the API, where a person can read about it.
            ("type", .string("/v1/problems/\(kind)")), ("title", .string(title)),
            ("status", .number(status)),
        ]
        if let detail { members.append(("detail", .string(detail))) }
        if !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
        return .object(members)
    }

    /// The content has these faults.
    static func invalid(_ errors: [PointedFault]) -> Problem {
        let isTaken = errors.contains { $0.rule == .slugTaken || $0.rule == .externalIDTaken }
        var problem =
            isTaken
            ? Problem(409, "\(errors[0].rule)", "Conflict with another link")
            : Problem(422, "invalid-link", "The link cannot be made")
        problem.errors = errors
        return problem
    }

    static func store(_ detail: String) -> Problem {
        var problem = Problem(503, "store-unavailable", "The store cannot be used now", detail)
        problem.fields["Retry-After"] = "5"
        return problem
    }

    static let notFound = Problem(404, "not-found", "There is no such resource")
}

/// A fault at a JSON Pointer of the content.
struct PointedFault: Hashable, Sendable {
    let pointer: String
    let rule: RuleName
    let detail: String
    var advice: String?

    init(_ pointer: String, _ rule: RuleName, _ detail: String, advice: String? = nil) {
        (self.pointer, self.rule, self.detail, self.advice) = (pointer, rule, detail, advice)
    }

    var json: JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("pointer", .string(pointer)), ("rule", .string(rule.rawValue)),
            ("detail", .string(detail)),
        ]
        if let advice { members.append(("advice", .string(advice))) }
        return .object(members)
    }
}
