import LinkStore

/// Removes a person from the console, whose sessions end.
struct RemovePerson: Operation {
    static let route = APIRoute(
        "removePerson", "DELETE", "people/{name}", [.admin],
        "Remove a person from the console, and end their sessions", isAboutAll: true,
        [Answer(204)])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        let name = call.values[0].lowercased()
        let isRemoved = try orProblem { () throws(StoreError) in
            try call.store.transaction { _ throws(StoreError) in
                guard let person = try call.store.person(named: name) else { return false }
                try call.store.remove(person)
                try call.store.add(
                    AuditEntry(
                        time: call.now, actor: call.actor.name, action: "remove person \(name)",
                        link: nil))
                return true
            }
        }
        guard isRemoved else { throw .notFound }
        return APIResponse(204)
    }
}
