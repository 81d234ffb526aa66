import Associations
package import HTTPMessages
package import LinkIndex
package import Memory
import Pages
import Resolution
package import SiteConfiguration
import URISyntax

/// Answers requests from prepared sites: the head of a request, the bytes that it was read from,
/// the facts of its connection and the time become an `Answer` and a `RequestSummary`, which has
/// everything that is recorded of the request. It has no
/// socket, no TLS and no clock, so that the commands that predict an answer ask the code that gives
/// it.
///
/// It belongs to one loop, and its scratch memory is used again: an association file and a redirect
/// allocate nothing. The site's parts are kept side by side, so that answering from them touches
/// no reference count.
package struct Responder: ~Copyable {
    private var sites: SiteTable
    /// The site of the host that was asked for last.
    private var parts: Selection<Parts>
    /// Its number; nil if several sites leave open whose request it was.
    package private(set) var siteNumber: Int? = 0

    /// The parts of a site that are answered from.
    private struct Parts {
        let site: PreparedSite
        let bytes: [UInt8]
        let resources: [Representation]
        let router: Router
        let routes: [Route]
        let hasLongLinks: Bool

        init(_ site: PreparedSite) {
            self.site = site
            bytes = site.bytes
            resources = site.resources
            router = site.router
            routes = site.routes
            hasLongLinks = site.linkResolver.hasLongLinks
        }
    }

    /// The port of the https listener; nil where there is none.
    private let httpsPort: UInt16?
    /// The handler that answers on other threads, and the beginning of paths of sites that may be
    /// its own.
    private let handler: (any RequestHandler)?
    private let handlerPrefix: [UInt8]?
    /// The decoded path of the request at hand, and its host in lower case.
    private var path: [UInt8]
    private var host: [UInt8]
    /// The URL of a request for a link, and what deciding about it needs.
    private var linkText = [UInt8]()
    private var linkScratch = LinkScratch()
    /// The kinds of client that user agents stand for, for this and for who records requests.
    package var visitors = VisitorCache()
    /// The stored links; nil where there are none.
    private let storedLinks: Published<LinkIndex?>?
    private var storedLinksSeen: UInt64 = 0
    /// The authority of the host of this number (`RequestHead.hostNumber`) over a connection with
    /// the certificate of this number.
    private var knownHost = (
        number: 0, certificate: 0, authority: HostAuthority.unknown, siteNumber: Int?.none
    )

    /// The connection that a request came over, as far as its answer depends on it.
    package struct Client: Sendable {
        /// Whether the client speaks TLS, with this origin or with a trusted proxy.
        package var isSecure: Bool
        /// The facts that stay the same from one request to the next, most often.
        package var past = Past()
        /// The certificate of the connection, and a number that tells it from others; nil and 0
        /// where it speaks no TLS with this origin.
        package var certificate: (any HostCoverage)?
        package var certificateNumber = 0

        /// A client of which nothing else is known.
        package init(isSecure: Bool, hasServerName: Bool = false) {
            (self.isSecure, past.hasServerName) = (isSecure, hasServerName)
        }

        /// The facts about a connection from its past.
        package struct Past: BitwiseCopyable, Sendable {
            /// Whether the client sent a server name (SNI).
            package var hasServerName = false
            /// Whether it guesses slugs of stored links, so that none is looked up for it.
            package var isGuesser = false

            package init() {}
        }
    }

    /// The relation of a request's host to the connection that it came over.
    private enum HostAuthority {
        /// One that is answered.
        case ours
        /// One that is answered, over a connection whose certificate is not for it (RFC 9110 §7.4).
        case uncovered
        case unknown
    }

    package init(
        _ sites: SiteTable, httpsPort: UInt16?, storedLinks: Published<LinkIndex?>? = nil,
        handler: (any RequestHandler)? = nil
    ) {
        self.sites = sites
        self.storedLinks = storedLinks
        self.handler = handler
        handlerPrefix = handler?.sitePrefix.map { Array($0.utf8) }
        self.httpsPort = httpsPort
        path = .init(repeating: 0, count: RequestLimits.headBytesMost)
        host = .init(repeating: 0, count: RequestLimits.headBytesMost)
        parts = Selection(sites.sites.map(Parts.init))
    }

    /// The site that answers.
    package var site: PreparedSite { parts.value.site }

    /// The links of the site, which `RequestSummary.link` numbers.
    package var links: [Link] { parts.value.site.linkResolver.links }

    /// Takes over what has been made or changed since. A link is looked up after its maker was
    /// answered, so it is found.
    package mutating func refreshStoredLinks() {
        guard let index = storedLinks?.changed(since: &storedLinksSeen) else { return }
        linkScratch.index = index
    }

    /// The slug of the stored link that was found last. It lies in memory that the next one uses
    /// again.
    package var storedSlug: ArraySlice<UInt8> { linkScratch.storedSlug }

    /// Answers from these sites from now on.
    package mutating func use(_ next: SiteTable) {
        sites = next
        parts = Selection(next.sites.map(Parts.init))
        siteNumber = 0
        knownHost.number = 0
    }

    /// A request that cannot be read is of no site, unless there is only one.
    package mutating func forgetSite() {
        if sites.sites.count > 1 { useSite(nil) }
    }

    /// - Parameter number: nil for none, whose requests get what all sites answer alike.
    private mutating func useSite(_ number: Int?) {
        siteNumber = number
        parts.select(number ?? 0)
    }

    // MARK: Deciding

    /// Decides the answer to a request.
    /// - Parameters:
    ///   - text: what the head and its fields were read from.
    ///   - now: seconds since 1970.
    ///   - summary: becomes that of the request.
    package mutating func answer(
        _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        _ client: borrowing Client, at now: Int, _ summary: inout RequestSummary
    ) -> Answer {
        let answer = decide(head, text, fields, client, at: now, &summary)
        summary.site = siteNumber
        return answer
    }

    @inline(__always)
    private mutating func decide(
        _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        _ client: borrowing Client, at now: Int, _ summary: inout RequestSummary
    ) -> Answer {
        switch head.method {
        case .get, .head: break
        default: return answerOtherMethod(head, text, client, &summary)
        }
        let authority = authority(of: head, text, client)
        if head.isPathLiteral, case .ours = authority,
            let number = parts.value.router.association(at: text, head.path)
        {
            summary = RequestSummary(.resource(number), resource: parts.value.routes[number])
            return answer(
                number, head, text, fields, at: now, isAssociation: true, &summary)
        }
        let isHead = head.method.isHead
        guard let count = decodePath(head, text) else {
            // One path of the API has a whole URL as a segment.
            if case .unknown = authority,
                let request = handled(.otherHost, head, text, client, &summary)
            {
                return .later(.handled(request), isHead: isHead)
            }
            summary = RequestSummary()
            summary.fault = .invalidPath
            return .status(.badRequest, isHead: isHead)
        }
        var decision = Decision.unknownHost
        if case .ours = authority {
            decision = parts.value.router.decide(path: path, 0..<count, isSecure: client.isSecure)
        }
        switch decision {
        case .resource(let number):
            if parts.value.hasLongLinks,
                let answer = answerLongLink(
                    decision, head, text, fields, client, at: now, &summary)
            {
                return answer
            }
            summary = RequestSummary(decision, resource: parts.value.routes[number])
            return answer(
                number, head, text, fields, at: now,
                isAssociation: parts.value.routes[number].isAssociation, &summary)
        case .challenge(let token):
            summary = RequestSummary(decision, resource: .none)
            let name = String(decoding: path[token], as: UTF8.self)
            guard parts.value.site.source.acmeWebroot != nil else {
                return keyAuthorization(name).map { .document($0, isHead: isHead) }
                    ?? .status(.notFound, isHead: isHead)
            }
            return .later(.challenge(token: name), isHead: isHead)
        case .redirectToHTTPS:
            summary = RequestSummary(decision, resource: .none)
            guard
                2 * text.escapesNeeded(in: head.target)
                    <= parts.value.site.limits.copiedBodyBytesMax
            else {
                return .status(.uriTooLong, isHead: isHead)
            }
            return .redirect(host: head.host, port: redirectPort(head, text), target: head.target)
        case .unmatched, .directory:
            summary = RequestSummary(decision, resource: .none)
            if handlerPrefix != nil, let request = handled(.site, head, text, client, &summary) {
                return .later(.handled(request), isHead: isHead)
            }
            if decision == .directory {
                return answerDirectory(head, text, fields, client, at: now, &summary)
            }
            return answerLink(head, text, fields, client, at: now, &summary)
                ?? answerUnmatched(head, text, fields, at: now, &summary)
        case .notFound:
            summary = RequestSummary(decision, resource: .none)
            classifyRefusedAssociation(count, &summary)
            return .status(.notFound, isHead: isHead)
        case .unknownHost:
            summary = RequestSummary(decision, resource: .none)
            if let request = handled(.otherHost, head, text, client, &summary) {
                return .later(.handled(request), isHead: isHead)
            }
            classifyRefusedAssociation(count, &summary)
            return .status(unknownHostStatus(head, text, client, authority), isHead: isHead)
        }
    }

    /// Whether the answer to a request must not be refused for a limit of connections. A device
    /// that does not get an association file may not ask again for days, and a certificate is not
    /// renewed without its challenge.
    package mutating func isAlwaysAnswered(
        _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        _ client: borrowing Client
    ) -> Bool {
        guard head.method == .get || head.method.isHead, let count = decodePath(head, text),
            case .ours = authority(of: head, text, client)
        else { return false }
        switch parts.value.router.decide(path: path, 0..<count, isSecure: true) {
        case .resource(let number): return parts.value.routes[number].isAssociation
        case .challenge: return true
        case .unmatched, .directory, .notFound, .redirectToHTTPS, .unknownHost: return false
        }
    }

    /// Answers a request with another method than GET and HEAD, which nothing here has. A request
    /// for a host that is not served gets that answer instead. Exceptions are OPTIONS without a
    /// host, by which load balancers ask whether a server is there, and targets that name no
    /// resource.
    private mutating func answerOtherMethod(
        _ head: RequestHead, _ text: [UInt8], _ client: borrowing Client,
        _ summary: inout RequestSummary
    ) -> Answer {
        summary = RequestSummary()
        summary.outcome = .method
        let isOptions = head.method == .options
        if !isOptions, let count = decodePath(head, text) {
            classifyRefusedAssociation(count, &summary)
        }
        let mayBeOurs =
            head.method == .other || head.method == .connect || head.isAsteriskForm
            || isOptions && head.host.isEmpty
        if !mayBeOurs {
            let authority = authority(of: head, text, client)
            guard case .ours = authority else {
                if case .unknown = authority,
                    let request = handled(.otherHost, head, text, client, &summary)
                {
                    return .later(.handled(request), isHead: false)
                }
                summary.outcome = .unknownHost
                return .status(unknownHostStatus(head, text, client, authority), isHead: false)
            }
            if let request = handled(.site, head, text, client, &summary) {
                return .later(.handled(request), isHead: false)
            }
        }
        if isOptions { return .status(.noContent, isHead: true) }
        return .status(
            head.method == .other ? .notImplemented : .methodNotAllowed, isHead: false)
    }

    /// The request as its handler gets it; nil where there is none, or it leaves the request here.
    @inline(never)
    private mutating func handled(
        _ scope: HandledHead.Scope, _ head: RequestHead, _ text: [UInt8],
        _ client: borrowing Client, _ summary: inout RequestSummary
    ) -> HandledRequest? {
        guard let handler else { return nil }
        if case .site = scope {
            guard let handlerPrefix, text[head.path].starts(with: handlerPrefix) else {
                return nil
            }
        }
        let copy = HandledHead(
            scope, head, text, isSecure: client.isSecure, isCovered: isCovered(head, text, client),
            isGuesser: client.past.isGuesser)
        guard let request = HandledRequest(copy, for: handler) else { return nil }
        summary = RequestSummary()
        summary.route = .handler
        summary.outcome = .handled
        return request
    }

    /// 421 where the client chose this server by one of its names in TLS and asks for another
    /// host, where its certificate is not for that host, or where it asks for an https resource
    /// without TLS (RFC 9110 §7.4, §15.5.20); 404 for others.
    private func unknownHostStatus(
        _ head: RequestHead, _ text: [UInt8], _ client: borrowing Client,
        _ authority: HostAuthority
    ) -> Status {
        // A request for HTTP/1.0 may name no host; nothing is served without one (RFC 9112 §3.3).
        guard !head.host.isEmpty else { return .badRequest }
        var isMisdirected = client.past.hasServerName || head.namesHTTPS(text)
        if case .uncovered = authority { isMisdirected = true }
        return isMisdirected ? .misdirectedRequest : .notFound
    }

    /// A request for an association file counts as one also where it is refused: a failure of those
    /// who read the files for devices must be seen. The path is decoded in `path`.
    private mutating func classifyRefusedAssociation(
        _ count: Int, _ summary: inout RequestSummary
    ) {
        guard let file = Router.association(named: path, 0..<count) else { return }
        summary.route = Route(file)
    }

    // MARK: Resources

    /// Answers with a resource: conditions first, then ranges (RFC 9110 §13.2.2). What is generated
    /// has one form, and an association file is sent unencoded, whatever codings a client accepts.
    private mutating func answer(
        _ number: Int, _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        at now: Int, isAssociation: Bool, _ summary: inout RequestSummary
    ) -> Answer {
        let isHead = head.method.isHead
        if case .sitemap = parts.value.routes[number] {
            let sitemap = parts.value.site.publicFiles.sitemap
            return sitemap.answer(
                fileRequest(isHead: isHead, at: now), fields, in: text)
                ?? answerUnmatched(head, text, fields, at: now, &summary)
        }
        guard number < parts.value.resources.count else {
            return answerFile(number, head, text, fields, at: now)
        }
        if fields.isUnconditional,
            isAssociation || !fields.contains(.acceptEncoding)
        {
            return .prepared(
                parts.value.resources[number].head,
                body: isHead ? nil : parts.value.resources[number].body)
        }
        let coding = fields.contentCoding(
            text, among: ContentCodings())
        guard isAssociation || coding != nil else {
            return .status(.notAcceptable, isHead: isHead)
        }
        switch fields.evaluateConditions(
            text, parts.value.resources[number].validators, in: parts.value.bytes, now: now)
        {
        case .failed: return .status(.preconditionFailed, isHead: isHead)
        case .notModified: return .prepared(parts.value.resources[number].notModified, body: nil)
        case .proceed: break
        }
        guard fields.contains(.range) else {
            return .prepared(
                parts.value.resources[number].head,
                body: isHead ? nil : parts.value.resources[number].body)
        }
        let request = fileRequest(isHead: isHead, at: now)
        let form = FileForm(parts.value.resources[number], in: parts.value.bytes)
        return form.answer(request, fields, in: text, hasRanges: true)
    }

    /// The redirect to a stored link's destination, where nothing but the path decides that it is
    /// that.
    private mutating func redirectStored(
        _ resolver: LinkResolver, _ head: RequestHead, _ text: [UInt8],
        _ fields: borrowing FieldSection, _ summary: inout RequestSummary
    ) -> Answer? {
        guard !linkScratch.isGuesser, head.isPathLiteral, head.path == head.target,
            head.port.isEmpty,
            let found = resolver.redirectStored(text, head.path, &linkScratch)
        else { return nil }
        let visitor = visitors.find(text, fields.first(.userAgent) ?? 0..<0)
        guard !visitor.isFetcher else { return nil }
        summary.visitor = visitor
        (summary.route, summary.link) = (.link, found.link)
        (summary.outcome, summary.stored) = (.redirect, found.id)
        return .found(linkScratch.location, .found)
    }

    /// - Parameter dependsOnVisitor: whether another visitor, or the same one at another time, would
    ///   get something else.
    private func answerFile(
        _ number: Int, _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        at now: Int, dependsOnVisitor: Bool = false
    ) -> Answer {
        let file = parts.value.site.publicFiles.files[number - parts.value.resources.count]
        let request = fileRequest(isHead: head.method.isHead, dependsOnVisitor, at: now)
        return file.answer(request, fields, in: text)
            ?? parts.value.site.successor(of: file, at: now)?.answer(request, fields, in: text)
            ?? .status(.serviceUnavailable, isHead: request.isHead)
    }

    private func fileRequest(
        isHead: Bool, _ dependsOnVisitor: Bool = false, at now: Int
    ) -> FileRequest {
        FileRequest(
            isHead: isHead, isForVisitor: dependsOnVisitor,
            partsBytesMax: parts.value.site.limits.partsBytesMax,
            now: now)
    }

    // MARK: Links

    /// The answer to a long link at the path of a public file, which is mostly `index.html`; nil for
    /// other requests.
    @inline(never)
    private mutating func answerLongLink(
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
    private mutating func answerDirectory(
        _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        _ client: borrowing Client, at now: Int, _ summary: inout RequestSummary
    ) -> Answer {
        let (resolver, visitor) = (parts.value.site.linkResolver, Self.visitor(text, fields))
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
    private mutating func answerLink(
        _ head: RequestHead, _ text: [UInt8], _ fields: borrowing FieldSection,
        _ client: borrowing Client, at now: Int, _ summary: inout RequestSummary
    ) -> Answer? {
        let resolver = parts.value.site.linkResolver
        guard !resolver.isEmpty else { return nil }
        if resolver.hasCollections {
            refreshStoredLinks()
            (linkScratch.isGuesser, linkScratch.isMiss) = (client.past.isGuesser, false)
            if let answer = redirectStored(resolver, head, text, fields, &summary) {
                return answer
            }
        }
        guard let url = linkURL(head, text) else { return nil }
        let visitor = Self.visitor(text, fields)
        let decision = resolver.decide(url, for: visitor, at: now, &linkScratch)
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
                offer, resolver.link(of: decision), path: url.path, visitor,
                Self.languages(url, text, fields))
            return answer(page, text, fields, isHead: isHead, at: now)
        case .summary(let offer):
            let page = parts.value.site.landing.summary(
                offer, resolver.link(of: decision), path: url.path)
            return answer(page, text, fields, isHead: isHead, at: now)
        case .notFound:
            return status(
                .notFound, dependsOnVisitor: decision.needsRevalidation, isHead: isHead)
        case .gone:
            return status(.gone, dependsOnVisitor: decision.needsRevalidation, isHead: isHead)
        case .tooLong: return .status(.uriTooLong, isHead: isHead)
        case .refused(let fault): return .document(Document(refusing: fault), isHead: isHead)
        case .debug:
            let debug = FirebaseDebug(
                url, parts.value.site.source, parts.value.router, resolver, at: now,
                stored: linkScratch.index)
            let asJSON = text[fields.first(.accept) ?? 0..<0].acceptsJSON
            return .document(Document(debug, asJSON: asJSON), isHead: isHead)
        case .fallback:
            guard decision.needsRevalidation else { return nil }
            return answerUnmatched(
                head, text, fields, at: now, dependsOnVisitor: true, &summary)
        }
    }

    /// - Parameter dependsOnVisitor: whether another visitor, or the same one at another time, would
    ///   get something else.
    private mutating func answerUnmatched(
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
            return status(
                .notFound, dependsOnVisitor: dependsOnVisitor, isHead: head.method.isHead)
        }
    }

    /// Generated pages have neither entity tag nor date: only `*` matches one (RFC 9110 §13.1.1,
    /// §13.1.2).
    private func answer(
        _ page: Document, _ text: [UInt8], _ fields: borrowing FieldSection, isHead: Bool,
        at now: Int
    ) -> Answer {
        // Conditions are for what is there (RFC 9110 §13.2.1).
        guard page.status == .ok else { return .document(page, isHead: isHead) }
        return
            switch fields.evaluateConditions(
                text, Validators(), in: [], now: now)
        {
        case .proceed: .document(page, isHead: isHead)
        case .notModified: .unchanged(page)
        case .failed: .status(.preconditionFailed, isHead: isHead)
        }
    }

    /// 404 or 410; where another visitor, or a later one, gets something, caches must not keep it
    /// for that one.
    private func status(_ status: Status, dependsOnVisitor: Bool, isHead: Bool) -> Answer {
        guard dependsOnVisitor else { return .status(status, isHead: isHead) }
        let statuses = parts.value.site.statuses
        let answer = status == .gone ? statuses.goneForVisitor : statuses.notFoundForVisitor
        return .prepared(answer.head, body: isHead ? nil : answer.body)
    }

    /// The request's URL as association rules look at it, with the host in lower case. It lies in
    /// memory that the next one uses again.
    private mutating func linkURL(
        _ head: RequestHead, _ text: [UInt8]
    ) -> LinkURL? {
        linkText.removeAll(keepingCapacity: true)
        linkText += "https://".utf8
        let start = linkText.count
        linkText += text[head.host]
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
        let end = linkText.count
        if !head.path.isEmpty { linkText += text[head.path.lowerBound..<head.target.upperBound] }
        return try? LinkURL(ofRequest: linkText, host: host, port: port, authorityEnd: end)
    }

    /// Of several User-Agent lines the first counts, as it does for the access log and the
    /// counters.
    private static func visitor(_ text: [UInt8], _ fields: borrowing FieldSection) -> Visitor {
        let field = fields.first(.userAgent) ?? 0..<0
        return Visitor(userAgent: text.span.extracting(field))
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
        return LanguageRanges(
            text[fields.only(.acceptLanguage) ?? 0..<0])
    }

    // MARK: Host and path

    /// Decodes the path into `path` and returns its length; nil for one that is refused. A target
    /// in absolute form may have none, which means the root (RFC 9112 §3.2.2).
    @inline(__always)
    private mutating func decodePath(_ head: RequestHead, _ text: [UInt8]) -> Int? {
        guard !head.path.isEmpty else {
            path[0] = UInt8(ascii: "/")
            return 1
        }
        guard !head.isPathLiteral else {
            path.copy(text, head.path, to: 0)
            return head.path.count
        }
        return try? PathDecoding.decode(text, head.path, into: &path)
    }

    /// The authority of the request's host, with or without the full stop that may end it; most
    /// requests name the host of the one before. The site that answers for the host is used from
    /// now on. An https resource is not served unless the client speaks TLS, and the certificate of
    /// its connection is for the host (RFC 9110 §7.4).
    @inline(__always)
    private mutating func authority(
        of head: RequestHead, _ text: [UInt8], _ client: borrowing Client
    ) -> HostAuthority {
        if head.hostNumber != 0, head.hostNumber == knownHost.number,
            client.certificateNumber == knownHost.certificate
        {
            if knownHost.siteNumber != siteNumber { useSite(knownHost.siteNumber) }
            return knownHost.authority
        }
        guard client.isSecure || !head.namesHTTPS(text) else { return .unknown }
        var count = head.host.count
        host.copyLowercased(text, head.host, to: 0)
        if count > 0, host[count - 1] == UInt8(ascii: ".") { count -= 1 }
        let number = sites.number(of: host, 0..<count)
        if let number, number != siteNumber { useSite(number) }
        // An unknown host gets nothing of the site that was asked for before.
        if number == nil { forgetSite() }
        var authority = number == nil ? HostAuthority.unknown : .ours
        if case .ours = authority, client.certificate?.covers(host, 0..<count) == false {
            authority = .uncovered
        }
        if head.hostNumber != 0 {
            knownHost = (head.hostNumber, client.certificateNumber, authority, siteNumber)
        }
        return authority
    }

    /// Whether the certificate of the connection, if it has one, is for the request's host.
    private func isCovered(
        _ head: RequestHead, _ text: [UInt8], _ client: borrowing Client
    ) -> Bool {
        guard let certificate = client.certificate else { return true }
        var host = text[head.host].map { $0 }
        host.copyLowercased(text, head.host, to: 0)
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        return certificate.covers(host, 0..<host.count)
    }

    /// The port that the redirect names: the configured one; else none when the client came to
    /// the standard port, where a mapping may stand in between; else the one listened on.
    private func redirectPort(_ head: RequestHead, _ text: [UInt8]) -> UInt16? {
        let cameByPort =
            !head.port.isEmpty && !text[head.port].elementsEqual("80".utf8)
        let port = parts.value.site.source.httpsPort ?? (cameByPort ? httpsPort : nil)
        return port == 443 ? nil : port
    }
}

/// The hosts that a connection may ask for, as its certificate knows them.
package protocol HostCoverage: AnyObject, Sendable {
    /// Whether clients accept the certificate for a host.
    /// - Parameter host: in lower case, without the full stop that may end it.
    func covers(_ host: [UInt8], _ range: Range<Int>) -> Bool
}
