import LinkStore

/// Removes a person from the console, whose sessions end.
struct RemovePerson: Operation {
    static let route = APIRoute(
        "removePerson", "DELETE", "people/{name}", [.admin],
        "Remove a person from the console, and end their sessions", isAboutAll: true,
        [Answer(204)])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        try call.changePerson("remove") { person throws(StoreError) in
            try call.store.remove(person)
        }
    }
}
