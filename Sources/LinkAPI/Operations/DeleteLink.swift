import LinkStore

/// Deletes a link, whose slug stays taken.
struct DeleteLink: Operation {
    static let route = APIRoute(
        "deleteLink", "DELETE", "links/{id}", [.linksDelete],
        "Delete a link; its slug stays taken", condition: .match,
        [Answer(204, nil, .generation)])

    let call: APICall
    private let link: StoredLink
    private let expected: Int?

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try call.editedLink()
        expected = try call.expectedGeneration(of: link)
    }

    func answer() throws(Problem) -> APIResponse {
        let after = try call.edit(link, "delete") { generation throws(StoreError) in
            try call.store.delete(link.id, expected: expected, at: call.now, generation: generation)
        }
        return APIResponse(204, fields: ["Waymark-Generation": "\(after.generation)"])
    }
}
