import Diagnostics
import Resolution

/// Tells an app the data of the link that has opened it: no more than `/_/resolve` does.
struct ReopenFirebaseLink: Operation {
    static let route = APIRoute(
        "reopenFirebaseLink", "POST", "reopenAttribution", [],
        "Tell an app what the link that opened it says", content: "FirebaseReopenRequest",
        [Answer(200, "FirebaseAttribution")])

    let call: APICall
    private let link: String

    init(call: APICall) throws(Problem) {
        let members = try ShortLinkRequest.members(
            of: call.json(), .reopenAttribution, isOpen: true)
        guard let link = members["requestedLink"] else {
            throw .firebase([FirebaseFault("requestedLink", "it is missing")])
        }
        (self.call, self.link) = (call, link)
    }

    func answer() throws(Problem) -> APIResponse {
        guard let found = call.firebaseLink(link) else {
            var problem = Problem.notFound
            problem.isMiss = true
            throw problem
        }
        return APIResponse(200, .object(found))
    }
}
