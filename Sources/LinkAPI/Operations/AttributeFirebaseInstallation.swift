import Diagnostics

/// Tells an app the data of the link that it has found on the clipboard. Without a link it tells
/// nothing: devices are not compared.
struct AttributeFirebaseInstallation: Operation {
    static let route = APIRoute(
        "attributeFirebaseInstallation", "POST", "installAttribution", [],
        "Tell an app what a link on the clipboard says; devices are not compared",
        content: "FirebaseInstallationRequest",
        [Answer(200, "FirebaseAttribution")])

    let call: APICall
    private let link: String?

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try ShortLinkRequest.members(
            of: call.json(), .installAttribution, isOpen: true)["uniqueMatchLinkToCheck"]
    }

    func answer() throws(Problem) -> APIResponse {
        guard let link, let found = call.firebaseLink(link) else {
            var response = APIResponse(
                200,
                .object([
                    (
                        "matchMessage",
                        .string("no link was found on the clipboard, and devices are not compared")
                    )
                ]))
            response.isMiss = link != nil
            return response
        }
        return APIResponse(
            200,
            .object(
                found + [
                    ("requestedLink", .string(link)), ("attributionConfidence", .string("UNIQUE")),
                    ("matchMessage", .string("the link of the clipboard")),
                ]))
    }
}
