import Associations
import HTTPMessages
import Memory
import Pages
import Resolution
import SiteConfiguration
import URISyntax

// What the web shows for links: asked only where neither an association file nor a public file
// claims the path.

extension LoopContext {
    /// What the web shows for the request's URL; nil where that is what every path gets that
    /// nothing claims.
    mutating func answerLink(_ head: RequestHead) -> Answer? {
        let resolver = snapshot.linkResolver
        guard !resolver.isEmpty, let url = linkURL(head) else { return nil }
        let decision = resolver.decide(url, for: visitor, &linkScratch)
        note(decision)
        let isHead = head.method == .head
        switch decision.answer {
        case .page(let path):
            guard let number = router.resource(at: path) else { return nil }
            let own = decision.dependsOnVisitor ? snapshot.visitorPages[number] : nil
            return answer(own ?? number, head)
        case .redirect(let location):
            guard location.count <= limits.copiedBodyBytesMax else {
                return .status(.uriTooLong, isHead: isHead)
            }
            return .found(location)
        case .landing(let offer):
            let link = decision.link.map { resolver.links[$0] }
            let page = snapshot.landing.page(
                offer, link, path: url.path, visitor, languages(url))
            return answer(page, isHead: isHead)
        case .summary(let offer):
            let link = decision.link.map { resolver.links[$0] }
            return answer(
                snapshot.landing.summary(offer, link, path: url.path), isHead: isHead)
        case .notFound:
            return notFound(dependsOnVisitor: decision.dependsOnVisitor, isHead: isHead)
        case .fallback:
            guard decision.dependsOnVisitor else { return nil }
            return answerUnmatched(head, dependsOnVisitor: true)
        }
    }

    /// Generated pages have neither entity tag nor date: `*` alone is a name of theirs (RFC 9110
    /// §13.1.1, §13.1.2).
    private func answer(_ page: Document, isHead: Bool) -> Answer {
        switch reader.fields.evaluateConditions(
            input.storage, Validators(), in: [], now: unixSeconds)
        {
        case .proceed: .document(page, isHead: isHead)
        case .notModified: .unchanged(page)
        case .failed: .status(.preconditionFailed, isHead: isHead)
        }
    }

    /// 404; where another visitor gets something, caches must not keep it for that one.
    mutating func notFound(dependsOnVisitor: Bool, isHead: Bool) -> Answer {
        guard dependsOnVisitor else { return .status(.notFound, isHead: isHead) }
        let answer = statuses.notFoundForVisitor
        return .prepared(answer.head, body: isHead ? nil : answer.body)
    }

    /// The request's URL as association rules look at it, with the host in lower case. It lies in
    /// memory that the next one uses again.
    private mutating func linkURL(_ head: RequestHead) -> LinkURL? {
        let rest =
            head.path.isEmpty
            ? head.target.upperBound..<head.target.upperBound
            : head.path.lowerBound..<head.target.upperBound
        linkText.removeAll(keepingCapacity: true)
        linkText += "https://".utf8
        for index in head.host {
            linkText.append(input.storage[index].foldedToLowerCase)
        }
        if linkText.last == UInt8(ascii: ".") { linkText.removeLast() }
        if !head.port.isEmpty {
            linkText.append(UInt8(ascii: ":"))
            linkText += input.storage[head.port]
        }
        linkText += input.storage[rest]
        return try? LinkURL(utf8: linkText)
    }

    /// Of several lines the first counts, as it does for the access log and the counters.
    private var visitor: Visitor {
        let field = reader.fields.first(.userAgent) ?? 0..<0
        return Visitor(userAgent: input.storage.span.extracting(field))
    }

    /// What the visitor reads: `lang` of the query says it better than the browser.
    private func languages(_ url: LinkURL) -> LanguageRanges {
        let query = Array((url.query ?? "").utf8)
        let asked = query.split(separator: UInt8(ascii: "&")).first {
            $0.starts(with: "lang=".utf8)
        }
        if let asked { return LanguageRanges(asked.dropFirst("lang=".utf8.count)) }
        return LanguageRanges(input.storage[reader.fields.only(.acceptLanguage) ?? 0..<0])
    }
}
