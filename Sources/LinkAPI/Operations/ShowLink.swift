import LinkStore

/// Shows a link.
struct ShowLink: Operation {
    static let route = APIRoute(
        "showLink", "GET", "links/{id}", .reading, "Show a link", condition: .hasChanged, .ofLink)

    let call: APICall

    func answer() throws(Problem) -> APIResponse { try call.show(call.link()) }
}

extension APICall {
    /// The answer that shows a link.
    func show(_ link: StoredLink) -> APIResponse {
        let tag = link.entityTag
        // Conditions are for answers of 200 (RFC 9110 §13.2.1).
        if link.deleted != nil {
            return APIResponse(410, api.json(of: link), fields: ["ETag": tag])
        }
        if let field = request.fields["if-none-match"], field == "*" || field.namesWeakly(tag) {
            return APIResponse(304, fields: ["ETag": tag])
        }
        return APIResponse(200, api.json(of: link), fields: ["ETag": tag])
    }
}
