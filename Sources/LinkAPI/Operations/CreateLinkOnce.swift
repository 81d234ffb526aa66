import Associations
import LinkStore

/// Makes a link under a slug, unless it exists. `If-None-Match: *` is required, so that the request
/// can be repeated.
struct CreateLinkOnce: Operation {
    static let route = APIRoute(
        "createLinkOnce", "PUT", "links/{collection}/{slug}", .making,
        "Make a link under this slug, unless it exists", condition: .isNew, content: "NewLink",
        describe: atPath,
        [Answer(201, "Link", .location, .entityTag, .generation)], problems: .conflicts)

    /// The link of the content, with the collection and the slug of the path.
    private static let atPath: APIRoute.Describing = { api, written, values throws(Problem) in
        let path = [(key: "collection", value: values[0]), (key: "slug", value: values[1])]
        for (key, value) in path { try written.check(key, against: value) }
        return try api.document(written, with: path)
    }

    let call: APICall
    private let link: CheckedLink

    init(call: APICall) throws(Problem) {
        guard call.request.fields["if-none-match"] == "*" else {
            throw Problem(
                .preconditionRequired,
                "send If-None-Match: *; a link that exists is changed with PATCH")
        }
        let (name, slug) = (call.values[0], call.values[1])
        guard call.collection(name) != nil else { throw .notFound }
        let existing = try orProblem { () throws(StoreError) in
            try call.store.link(name, slug: slug)
        }
        guard existing == nil else { throw Problem(.linkExists, "\(name)/\(slug) is there") }
        self.call = call
        link = try call.checkedLink(Self.atPath)
    }

    func answer() throws(Problem) -> APIResponse { try call.create(link) }
}
