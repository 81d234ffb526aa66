import Diagnostics
import LinkStore
import URISyntax

/// Lists tokens, without their secrets.
struct ListTokens: Operation {
    static let route = APIRoute(
        "listTokens", "GET", "tokens", [.admin], "List tokens, without their secrets",
        isAboutAll: true, [Answer(200, "TokenList")])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        let tokens = try orProblem { () throws(StoreError) in try call.store.tokens() }
        return APIResponse(200, .object([("tokens", .array(tokens.map { .object($0.members) }))]))
    }
}

extension StoredToken {
    /// Its members in answers.
    var members: [(key: String, value: JSONText)] {
        var members: [(key: String, value: JSONText)] = [
            ("id", .number(id)), ("name", .string(name)), ("ending", .string(ending)),
            ("scopes", .strings(scopes.map(\.rawValue).sorted())),
        ]
        if let collections { members.append(("collections", .strings(collections))) }
        members.append(("created", .string(Timestamp(seconds: created).description)))
        members.append(("createdBy", .string(createdBy)))
        members.append(("expires", .orNull(expires.map { Timestamp(seconds: $0).description })))
        members.append(
            (
                "used",
                .orNull(
                    used.map { Timestamp(seconds: min(max($0, 0), 2_932_896) * 86_400).description }
                )
            ))
        return members
    }
}
