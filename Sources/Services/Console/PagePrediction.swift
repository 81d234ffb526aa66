import Answering
import Console
import HTTPClient
import HTTPMessages
import LinkAPI
import Memory
import Sockets

/// Answers what a client asks for without a connection, by the code that answers it over one.
struct PagePrediction {
    let links: LinkService
    let api: LinkAPI

    /// - Returns: nil for a URL that is not served here, and for what is no page.
    func page(_ question: ServedPage.Question) -> ServedPage? {
        guard let sites = links.sites, let visit = api.visit(question.url, as: question.client)
        else { return nil }
        var fields = ["User-Agent: \(visit.userAgent)", "Accept: text/html,*/*;q=0.8"]
        // Of those that the site has, so that it is no more than a name.
        if visit.languages.contains(question.language) {
            fields.append("Accept-Language: \(question.language)")
        }
        let request = FetchRequest(host: visit.host, target: visit.target, fields: fields)
        let now = question.draft?.time ?? Clock.unixSeconds
        var index = links.links.value
        if let draft = question.draft {
            guard let own = api.index(ofDraft: draft.link) else { return nil }
            index = own
        }
        var predictor = Predictor(sites, now: now, stored: index)
        let answer = FetchResponse(
            predictor.answer(request.head(isLast: false), isSecure: true, now: now))
        guard case .whole(let content) = answer.content, answer.head.value("location") == nil else {
            return nil
        }
        let port = visit.port == 443 ? "" : ":\(visit.port)"
        return ServedPage(
            type: answer.head.value("content-type") ?? "",
            policy: answer.head.value("content-security-policy") ?? "", content: content,
            origin: "https://\(visit.host)\(port)", languages: visit.languages)
    }
}
