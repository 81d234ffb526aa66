import LinkStore

/// Ends the sessions of a person.
struct SignOutPerson: Operation {
    static let route = APIRoute(
        "signOutPerson", "DELETE", "people/{name}/sessions", [.admin],
        "End the sessions that a person has in the console", isAboutAll: true, [Answer(204)])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        try call.changePerson("sign out") { person throws(StoreError) in
            try call.store.endSessions(of: person)
        }
    }
}
