import Associations
import Diagnostics
import LinkStore
import SiteConfiguration

/// Makes a link under a slug, unless it exists. `If-None-Match: *` makes the request one that can be
/// repeated.
struct CreateLinkOnce: Operation {
    static let route = APIRoute(
        "createLinkOnce", "PUT", "links/{collection}/{slug}", .making,
        "Make a link under this slug, unless it exists", condition: .isNew, content: "NewLink",
        describe: atPath,
        [Answer(201, "Link", .location, .entityTag, .generation)], problems: .conflicts)

    /// The link of the content, with the collection and the slug of the path.
    private static let atPath: APIRoute.Describing = { api, written, values throws(Problem) in
        let (name, slug) = (values[0], values[1])
        let members = (written.members ?? []).map { ($0.key, $0.value.written) }
        for (key, value) in [("collection", name), ("slug", slug)] {
            guard let own = written[key]?.text, own != value else { continue }
            throw .invalid([
                PointedFault(
                    "/\(key)", .wrongValue,
                    "\(quoted(own)) differs from \(quoted(value)) of the path",
                    advice: "leave it out")
            ])
        }
        let all = members.filter { $0.0 != "collection" && $0.0 != "slug" }
        return try api.document(
            .object(
                all.map { (key: $0.0, value: $0.1) } + [
                    ("collection", .string(name)), ("slug", .string(slug)),
                ]))
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
