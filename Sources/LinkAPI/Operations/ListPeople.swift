import Diagnostics
package import LinkStore
import URISyntax

/// Lists the people of the console.
struct ListPeople: Operation {
    static let route = APIRoute(
        "listPeople", "GET", "people", [.admin], "List the people of the console",
        isAboutAll: true, [Answer(200, "PersonList")])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        let (people, uses) = try orProblem { () throws(StoreError) in
            (try call.store.people(), try call.store.uses(at: call.now))
        }
        let all = people.map { person -> JSONText in
            let use = uses[person.id] ?? PersonUse()
            return .object(
                person.members + [
                    ("sessions", .number(use.sessions)),
                    ("seen", .orNull(use.seen.map { Timestamp(seconds: $0).description })),
                ])
        }
        return APIResponse(200, .object([("people", .array(all))]))
    }
}

extension StoredPerson {
    /// Its members in answers.
    var members: [(key: String, value: JSONText)] {
        var members: [(key: String, value: JSONText)] = [
            ("name", .string(name)), ("role", .string(role.rawValue)),
        ]
        if let collections { members.append(("collections", .strings(collections))) }
        return members + [
            ("created", .string(Timestamp(seconds: created).description)),
            ("createdBy", .string(createdBy)),
        ]
    }

    /// The rights for people who read the audit.
    package var rights: String {
        role.rawValue + (collections.map { " of \($0.joined(separator: ", "))" } ?? "")
    }
}
