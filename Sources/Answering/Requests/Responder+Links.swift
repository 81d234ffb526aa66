import Associations
import HTTPMessages
import Memory
import Pages
import Resolution
import SiteConfiguration

/// Requests that no file and no association file answers: those of links.
extension Responder {
    /// The answer to a long link at the path of a public file, which is mostly `index.html`; nil for
    /// other requests.
    @inline(never)
    mutating func answerLongLink(
        _ decision: Decision, _ head: RequestHead, _ text: [UInt8],
        _ fields: borrowing FieldSection, _ client: borrowing Client, at now: Int,
        _ summary: inout RequestSummary
    ) -> Answer? {
        let router = parts.value.router
        guard let url = linkURL(head, text),
            parts.value.site.linkResolver.takesOver(decision, of: router, url)
        else { return nil }
        summary = RequestSummary(.unmatched, resource: .none)
        return answerLink(head, text, fields, client, at: now, &summary)
    }

    /// Answers a path that lacks the slash at the end of a directory with a page. Links come first;
    /// else the visitor is sent to the page, as other servers of static files do.
    @inline(never)
    mutating func answerDirectory(
        _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        _ client: borrowing Client, at now: Int, _ summary: inout RequestSummary
    ) -> Answer {
        let resolver = parts.value.site.linkResolver
        let visitor = visitors.visitor(text, fields.first(.userAgent) ?? 0..<0).visitor
        guard let url = linkURL(head, text),
            case .noLink = resolver.decide(url, for: visitor, at: now, &linkScratch).reason
        else {
            return answerLink(head, text, fields, client, at: now, &summary)
                ?? answerUnmatched(head, text, fields, at: now, &summary)
        }
        let location = url.withSlash
        guard location.count <= parts.value.site.limits.copiedBodyBytesMax else {
            return .status(.uriTooLong, isHead: head.method.isHead)
        }
        (summary.route, summary.outcome) = (.file, .redirect)
        return .found(location, .permanentRedirect)
    }

    /// The answer of the web for the request's URL; nil where that is what every path gets that
    /// nothing claims.
    mutating func answerLink(
        _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        _ client: borrowing Client, at now: Int, _ summary: inout RequestSummary
    ) -> Answer? {
        if let answer = redirectFixed(head, text, fields, &summary) { return answer }
        let resolver = parts.value.site.linkResolver
        guard !resolver.isEmpty else { return nil }
        if resolver.hasCollections {
            refreshStoredLinks()
            (linkScratch.isGuesser, linkScratch.isMiss) = (client.past.isGuesser, false)
            if let answer = redirectStored(resolver, head, text, fields, &summary) { return answer }
        }
        guard let url = linkURL(head, text) else { return nil }
        let known = visitors.visitor(text, fields.first(.userAgent) ?? 0..<0)
        summary.visitor = known.kind
        let decision = resolver.decide(url, for: known.visitor, at: now, &linkScratch)
        summary.add(decision)
        if summary.stored != 0, let link = summary.link {
            summary.collection = resolver.collectionNumber(of: link) ?? 0
            summary.isMiss = linkScratch.isMiss
        }
        let isHead = head.method.isHead
        if case .notLookedUp = decision.reason, storedLinks != nil {
            // A link that is not known yet must not be taken for one that does not exist.
            return .status(.serviceUnavailable, isHead: isHead)
        }
        switch decision.answer {
        case .page(let path):
            guard let number = parts.value.router.file(at: path) else { return nil }
            return answerFile(
                number, head, text, fields, at: now, dependsOnVisitor: decision.needsRevalidation)
        case .redirect(let location, let status):
            return .found(location, status)
        case .landing(let offer)
        where offer.isGone && !text[fields.first(.accept) ?? 0..<0].acceptsHTML:
            return status(.gone, dependsOnVisitor: true, isHead: isHead)
        case .landing(let offer):
            let page = parts.value.site.landing.page(
                offer, resolver.link(of: decision), path: url.path, known.visitor,
                Self.languages(url, text, fields))
            return answer(page, text, fields, isHead: isHead, at: now)
        case .summary(let offer):
            let page = parts.value.site.landing.summary(
                offer, resolver.link(of: decision), path: url.path)
            return answer(page, text, fields, isHead: isHead, at: now)
        case .notFound:
            return status(.notFound, dependsOnVisitor: decision.needsRevalidation, isHead: isHead)
        case .gone:
            return status(.gone, dependsOnVisitor: decision.needsRevalidation, isHead: isHead)
        case .tooLong: return .status(.uriTooLong, isHead: isHead)
        case .refused(let fault):
            let page = parts.value.site.landing.document(
                refusing: fault, url.description,
                asPage: text[fields.first(.accept) ?? 0..<0].namesHTML,
                Self.languages(url, text, fields))
            return .document(page, isHead: isHead)
        case .debug:
            let debug = FirebaseDebug(
                url, parts.value.site.source, parts.value.router, resolver, at: now,
                stored: linkScratch.index)
            let asJSON = text[fields.first(.accept) ?? 0..<0].acceptsJSON
            let page = parts.value.site.landing.document(
                debug, asJSON: asJSON, Self.languages(url, text, fields))
            return .document(page, isHead: isHead)
        case .fallback:
            guard decision.needsRevalidation else { return nil }
            return answerUnmatched(head, text, fields, at: now, dependsOnVisitor: true, &summary)
        }
    }

    /// - Parameter dependsOnVisitor: whether another visitor, or the same one at another time, would
    ///   get something else.
    mutating func answerUnmatched(
        _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection, at now: Int,
        dependsOnVisitor: Bool = false, _ summary: inout RequestSummary
    ) -> Answer {
        summary.outcome = parts.value.site.unmatchedOutcome
        switch dependsOnVisitor ? parts.value.site.visitorFallback : parts.value.site.fallback {
        case .file(let number):
            return answerFile(
                number, head, text, fields, at: now, dependsOnVisitor: dependsOnVisitor)
        case .answer(let answer):
            return .prepared(answer.head, body: head.method.isHead ? nil : answer.body)
        case .notFound:
            return status(.notFound, dependsOnVisitor: dependsOnVisitor, isHead: head.method.isHead)
        }
    }

    /// Generated pages have neither entity tag nor date: only `*` matches one (RFC 9110 §13.1.1,
    /// §13.1.2).
    func answer(
        _ page: Document, _ text: [UInt8], _ fields: borrowing FieldSection, isHead: Bool,
        at now: Int
    ) -> Answer {
        // Conditions are for what is there (RFC 9110 §13.2.1).
        guard page.status == .ok else { return .document(page, isHead: isHead) }
        return
            switch fields.evaluateConditions(text, Validators(), in: [], now: now)
        {
        case .proceed: .document(page, isHead: isHead)
        case .notModified: .unchanged(page)
        case .failed: .status(.preconditionFailed, isHead: isHead)
        }
    }

    /// 404 or 410; where another visitor, or a later one, gets something, caches must not keep it
    /// for that one.
    func status(_ status: Status, dependsOnVisitor: Bool, isHead: Bool) -> Answer {
        guard dependsOnVisitor else { return .status(status, isHead: isHead) }
        let statuses = parts.value.site.statuses
        let answer = status == .gone ? statuses.goneForVisitor : statuses.notFoundForVisitor
        return .prepared(answer.head, body: isHead ? nil : answer.body)
    }

    /// The request's URL as association rules look at it, with the host in lower case. It lies in
    /// memory that the next one uses again.
    private mutating func linkURL(_ head: RequestHead, _ text: [UInt8]) -> LinkURL? {
        let start = "https://".utf8.count
        linkText.replaceSubrange(start..., with: text[head.host])
        linkText.copyLowercased(text, head.host, to: start)
        if linkText.last == UInt8(ascii: ".") { linkText.removeLast() }
        let host = start..<linkText.count
        var port: UInt16?
        // The default port is none (RFC 9110 §4.2.3).
        if !head.port.isEmpty, !text[head.port].elementsEqual("443".utf8) {
            linkText.append(UInt8(ascii: ":"))
            linkText += text[head.port]
            port = UInt16(String(decoding: text[head.port], as: UTF8.self))
            guard port != nil else { return nil }
        }
        var (path, query) = (linkText.count..<linkText.count, Range<Int>?.none)
        if !head.path.isEmpty {
            path = linkText.count..<linkText.count + head.path.count
            linkText += text[head.path.lowerBound..<head.target.upperBound]
            if head.path.upperBound < head.target.upperBound {
                query = path.upperBound + 1..<linkText.count
            }
        }
        return LinkURL(ofRequest: linkText, host: host, port: port, path: path, query: query)
    }

    /// The languages of the visitor: `lang` of the query states them better than the browser.
    private static func languages(
        _ url: LinkURL, _ text: [UInt8], _ fields: borrowing FieldSection
    ) -> LanguageRanges {
        let query = Array((url.query ?? "").utf8)
        let asked = query.split(separator: UInt8(ascii: "&")).first {
            $0.starts(with: "lang=".utf8)
        }
        if let asked { return LanguageRanges(asked.dropFirst("lang=".utf8.count)) }
        return LanguageRanges(text[fields.only(.acceptLanguage) ?? 0..<0])
    }

    /// The redirect that a path alone decides.
    private mutating func redirectFixed(
        _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        _ summary: inout RequestSummary
    ) -> Answer? {
        guard head.hasPathAlone, let found = parts.value.redirects.find(text, head.path) else {
            return nil
        }
        let visitor = visitors.find(text, fields.first(.userAgent) ?? 0..<0)
        guard !visitor.isFetcher else { return nil }
        summary.visitor = visitor
        (summary.route, summary.link, summary.outcome) = (.link, found.link, .redirect)
        return .fixed(found.location, found.status)
    }

    /// The redirect to a stored link's destination, where nothing but the path decides that it is
    /// that.
    private mutating func redirectStored(
        _ resolver: LinkResolver, _ head: RequestHead, _ text: [UInt8],
        _ fields: borrowing FieldSection, _ summary: inout RequestSummary
    ) -> Answer? {
        guard !linkScratch.isGuesser, head.hasPathAlone,
            let found = resolver.redirectStored(text, head.path, &linkScratch)
        else { return nil }
        let visitor = visitors.find(text, fields.first(.userAgent) ?? 0..<0)
        guard !visitor.isFetcher else { return nil }
        summary.visitor = visitor
        (summary.route, summary.link) = (.link, found.link)
        (summary.outcome, summary.stored) = (.redirect, found.id)
        return .found(linkScratch.location, .found)
    }
}

extension RequestHead {
    /// Whether its URL has nothing that links look at but a path, which is written without escapes.
    fileprivate var hasPathAlone: Bool { isPathLiteral && path == target && port.isEmpty }
}
