import Diagnostics
import LinkStore
import URISyntax

/// Makes a short link as Firebase Dynamic Links did, with a name, which lists show.
struct CreateFirebaseManagedShortLink: Operation {
    static let route = APIRoute(
        "createFirebaseManagedShortLink", "POST", "managedShortLinks:create", .making,
        "The same with a name, which becomes the note of the link",
        content: "FirebaseManagedShortLinkRequest",
        [Answer(200, "FirebaseManagedShortLink")], problems: .firebaseConflicts)

    let call: APICall
    private let request: ShortLinkRequest

    init(call: APICall) throws(Problem) {
        (self.call, request) = (call, try ShortLinkRequest(call, .managedShortLink))
    }

    func answer() throws(Problem) -> APIResponse {
        let made = try FirebaseShortLink(call, request)
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
