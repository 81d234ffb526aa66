import Answering
import HTTPMessages

/// The check of a request's head, before its content comes.
enum ConsoleGate: Equatable, Sendable {
    case open
    /// It has another method than pages have.
    case method
    /// It would change something, and no page of the console has sent it.
    case otherOrigin
    /// Its content is longer than a form may be.
    case tooLong

    /// A browser says of each POST where it comes from: `Sec-Fetch-Site`, which no page can set, or `Origin`. What says
    /// neither is refused, too: browsers that say neither are older than what the pages need, and programs have the API.
    init(_ head: HandledHead) {
        if head.method == .get || head.method.isHead {
            self = .open
        } else if head.method == .post {
            let length = head.value(of: "content-length").flatMap { Int($0) } ?? 0
            self =
                !Self.isOwn(head)
                ? .otherOrigin : length > ConsoleForm.bytesMax(of: head) ? .tooLong : .open
        } else {
            self = .method
        }
    }

    private static func isOwn(_ head: HandledHead) -> Bool {
        let sites = head.values(of: "sec-fetch-site")
        guard sites.isEmpty else { return sites == ["same-origin"] || sites == ["none"] }
        guard let origin = head.value(of: "origin"), let host = head.value(of: "host") else {
            return false
        }
        // Of the console's host and the admin listener, no other has this name.
        let own = (head.scope == .admin ? "http://" : "https://") + host.lowercased()
        return origin.utf8.elementsEqual(own.utf8)
    }
}
