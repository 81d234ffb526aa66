import Diagnostics

/// Makes a short link as Firebase Dynamic Links did.
struct CreateFirebaseShortLink: ShortLinkOperation {
    static let form = FirebaseForm.shortLink
    static let route = APIRoute(
        "createFirebaseShortLink", "POST", "shortLinks", .making,
        "Make a short link as Firebase Dynamic Links did; the same parameters give the same link",
        content: "FirebaseShortLinkRequest",
        [Answer(200, "FirebaseShortLink")], problems: .firebaseConflicts)

    let call: APICall
    private let described: DescribedShortLink

    init(call: APICall) throws(Problem) {
        (self.call, described) = (call, try call.describedShortLink(Self.form))
    }

    func answer() throws(Problem) -> APIResponse {
        let made = try FirebaseShortLink(call, described)
        return APIResponse(200, .object([("shortLink", .string(made.url))] + made.others))
    }
}
