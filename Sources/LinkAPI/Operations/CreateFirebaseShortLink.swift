import Diagnostics

/// Makes a short link as Firebase Dynamic Links did.
struct CreateFirebaseShortLink: Operation {
    static let route = APIRoute(
        "createFirebaseShortLink", "POST", "shortLinks", .making,
        "Make a short link as Firebase Dynamic Links did; the same for the same parameters",
        content: "FirebaseShortLinkRequest",
        [Answer(200, "FirebaseShortLink")], problems: .firebaseConflicts)

    let call: APICall
    private let request: ShortLinkRequest

    init(call: APICall) throws(Problem) {
        (self.call, request) = (call, try ShortLinkRequest(call, .shortLink))
    }

    func answer() throws(Problem) -> APIResponse {
        let made = try FirebaseShortLink(call, request)
        return APIResponse(200, .object([("shortLink", .string(made.url))] + made.others))
    }
}
