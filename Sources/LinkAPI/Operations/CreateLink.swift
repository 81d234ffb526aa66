/// Makes a link.
struct CreateLink: Operation {
    static let route = APIRoute(
        "createLink", "POST", "links", .making, "Make a link", content: "NewLink",
        describe: asWritten,
        [Answer(201, "Link", .location, .entityTag, .generation)],
        problems: .conflicts + [.noFreeSlug])

    /// The link as the content of a request has it.
    static let asWritten: APIRoute.Describing = { _, json, _ throws(Problem) in json }

    let call: APICall
    private let link: CheckedLink

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try call.checkedLink(Self.asWritten)
    }

    func answer() throws(Problem) -> APIResponse { try call.create(link) }
}
