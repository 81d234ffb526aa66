import Diagnostics
import LinkStore
import URISyntax

/// Makes a short link as Firebase Dynamic Links did, with a name, which lists show.
struct CreateFirebaseManagedShortLink: ShortLinkOperation {
    static let form = FirebaseForm.managedShortLink
    static let route = APIRoute(
        "createFirebaseManagedShortLink", "POST", "managedShortLinks:create", .making,
        "The same with a name, which becomes the note of the link",
        content: "FirebaseManagedShortLinkRequest",
        [Answer(200, "FirebaseManagedShortLink")], problems: .firebaseConflicts)

    let call: APICall
    private let described: DescribedShortLink

    init(call: APICall) throws(Problem) {
        (self.call, described) = (call, try call.describedShortLink(Self.form))
    }

    func answer() throws(Problem) -> APIResponse {
        let made = try FirebaseShortLink(call, described)
        let managed = JSONText.object([
            ("link", .string(made.url)),
            ("info", FirebaseForm.info(made.request.values, domain: made.request.prefix)),
            ("linkName", .string(made.link.content.note ?? "")),
            ("creationTime", .string(Timestamp(seconds: made.link.created).description)),
            ("visibility", .string(made.link.content.isArchived ? "ARCHIVED" : "UNARCHIVED")),
        ])
        return APIResponse(200, .object([("managedShortLink", managed)] + made.others))
    }
}
