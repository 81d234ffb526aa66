import LinkStore

/// Ends the sessions of a person.
struct SignOutPerson: Operation {
    static let route = APIRoute(
        "signOutPerson", "DELETE", "people/{name}/sessions", [.admin],
        "End the sessions that a person has in the console", isAboutAll: true, [Answer(204)])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        let name = call.values[0].lowercased()
        let isDone = try orProblem { () throws(StoreError) in
            try call.store.transaction { _ throws(StoreError) in
                guard let person = try call.store.person(named: name) else { return false }
                try call.store.endSessions(of: person)
                try call.store.add(
                    AuditEntry(
                        time: call.now, actor: call.actor.name,
                        action: "sign out person \(name)", link: nil))
                return true
            }
        }
        guard isDone else { throw .notFound }
        return APIResponse(204)
    }
}
