import Associations
import HTTPMessages
import Memory
import Pages
import Resolution
import SiteConfiguration
import URISyntax

// What the web shows for links: asked only where neither an association file nor a public file
// claims the path.

extension Bench {
    /// The answer of the link that claims the request's URL; nil where none does.
    mutating func answerLink(_ head: RequestHead) -> Answer? {
        let resolver = snapshot.linkResolver
        guard !resolver.isEmpty, let url = linkURL(head) else { return nil }
        guard let found = resolver.resolve(url, for: Visitor(userAgent: userAgent)) else {
            return nil
        }
        note(found)
        let isHead = head.method == .head
        switch found.answer {
        case .page(let path):
            let own = found.dependsOnVisitor ? snapshot.visitorPages[path] : nil
            return (own ?? router.resource(at: path)).map { answer($0, head) }
        case .redirect(let location):
            let bytes = Array(location.utf8)
            // A path of visible ASCII went into a URL of the configuration: it can end no line.
            let isSafe = bytes.allSatisfy { (0x21...0x7E).contains($0) }
            guard isSafe, bytes.count <= limits.copiedBodyBytesMax else {
                return .status(.uriTooLong, isHead: isHead)
            }
            return .found(bytes)
        case .summary(let destination):
            let page = summary(found, url, destination)
            guard page.count <= limits.copiedBodyBytesMax else {
                return .status(.uriTooLong, isHead: isHead)
            }
            return .document(page, isHead: isHead)
        case .notFound: return .status(.notFound, isHead: isHead)
        }
    }

    /// The request's URL as association rules look at it, with the host in lower case.
    private func linkURL(_ head: RequestHead) -> LinkURL? {
        let rest =
            head.path.isEmpty
            ? head.target.upperBound..<head.target.upperBound
            : head.path.lowerBound..<head.target.upperBound
        let host = input.storage[head.host].map { $0.isUpperCaseLetter ? $0 | 0x20 : $0 }
        return try? LinkURL(utf8: Array("https://".utf8) + host + input.storage[rest])
    }

    private var userAgent: ArraySlice<UInt8> {
        reader.fields.only(.userAgent).map { input.storage[$0] } ?? []
    }

    /// Without query and fragment: what counts visits there is nobody else's matter.
    private func summary(
        _ found: LinkResolution, _ url: LinkURL, _ destination: String?
    ) -> [UInt8] {
        let model = snapshot.presenter.model(
            found.link, path: url.path,
            language: snapshot.environment.presentation.languages[0])
        return SummaryPage(model, destination: destination).html
    }
}
