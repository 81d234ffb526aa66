import JSONSyntax
import LinkStore

/// Changes members of a link.
struct ChangeLink: Operation {
    static let route = APIRoute(
        "changeLink", "PATCH", "links/{id}", [.linksWrite],
        "Change members of a link; null removes one (RFC 7396)", condition: .match,
        content: "LinkPatch",
        [Answer(200, "Link", .entityTag, .generation)], problems: .conflicts)

    let call: APICall
    private let link: StoredLink
    private let expected: Int?
    private let patch: JSONValue

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try call.editedLink()
        expected = try call.expectedGeneration(of: link)
        patch = try call.patch()
    }

    func answer() throws(Problem) -> APIResponse {
        try call.change(link, patch, expected: expected)
    }
}
