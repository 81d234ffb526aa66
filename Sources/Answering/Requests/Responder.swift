package import HTTPMessages
package import LinkIndex
package import Memory
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
    var sites: SiteTable
    /// The site of the host that was asked for last.
    var parts: Selection<Parts>
    /// Its number; nil if several sites leave open whose request it was.
    package private(set) var siteNumber: Int? = 0

    /// The parts of a site that are answered from.
    struct Parts {
        let site: PreparedSite
        let bytes: [UInt8]
        let resources: [Representation]
        let router: Router
        let associations: PathTable
        let routes: [Route]
        let redirects: PreparedRedirects
        let hasLongLinks: Bool

        init(_ site: PreparedSite) {
            self.site = site
            bytes = site.bytes
            resources = site.resources
            router = site.router
            associations = site.router.associations
            routes = site.routes
            redirects = site.redirects
            hasLongLinks = site.linkResolver.hasLongLinks
        }
    }

    /// The port of the https listener; nil where there is none.
    let httpsPort: UInt16?
    /// The handler that answers on other threads, and the beginning of paths of sites that may be
    /// its own.
    private let handler: (any RequestHandler)?
    private let handlerPrefix: [UInt8]?
    /// The decoded path of the request at hand, and its host in lower case.
    var path: [UInt8]
    var host: [UInt8]
    /// The URL of a request for a link, which keeps its scheme, and what deciding about it needs.
    var linkText = Array("https://".utf8)
    var linkScratch = LinkScratch()
    /// The kinds of client that user agents stand for, for this and for who records requests.
    package var visitors = VisitorCache()
    /// The stored links; nil where there are none.
    let storedLinks: Published<LinkIndex?>?
    private var storedLinksSeen: UInt64 = 0
    /// The authority of the host of this number (`RequestHead.hostNumber`) over a connection with
    /// the certificate of this number.
    var knownHost = (
        number: 0, certificate: 0, authority: HostAuthority.unknown, siteNumber: Int?.none
    )

    /// The relation of a request's host to the connection that it came over.
    enum HostAuthority {
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

    /// Lets go of the stored links until one is asked for, so that none of before stay in memory.
    package mutating func releaseStoredLinks() { (linkScratch.index, storedLinksSeen) = (nil, 0) }

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
    mutating func useSite(_ number: Int?) {
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
            let number = parts.value.associations.find(text, head.path)
        {
            summary = RequestSummary(.resource(number), resource: parts.value.routes[number])
            return answer(number, head, text, fields, at: now, isAssociation: true, &summary)
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
                let answer = answerLongLink(decision, head, text, fields, client, at: now, &summary)
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
            else { return .status(.uriTooLong, isHead: isHead) }
            return .redirect(host: head.host, port: redirectPort(head, text), target: head.target)
        case .changePassword:
            summary = RequestSummary(decision, resource: .none)
            let page = parts.value.site.source.wellKnown.changePassword
            return .found(Array((page?.description ?? "/").utf8), .found)
        case .unmatched, .directory:
            summary = RequestSummary(decision, resource: .none)
            if handlerPrefix != nil, let request = handled(.site, head, text, client, &summary) {
                return .later(.handled(request), isHead: isHead)
            }
            if case .directory = decision {
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
        _ head: RequestHead, _ text: [UInt8], _ client: borrowing Client
    ) -> Bool {
        guard head.method == .get || head.method.isHead, let count = decodePath(head, text),
            case .ours = authority(of: head, text, client)
        else { return false }
        switch parts.value.router.decide(path: path, 0..<count, isSecure: true) {
        case .resource(let number): return parts.value.routes[number].isAssociation
        case .challenge: return true
        case .unmatched, .directory, .notFound, .redirectToHTTPS, .unknownHost, .changePassword:
            return false
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
        return .status(head.method == .other ? .notImplemented : .methodNotAllowed, isHead: false)
    }

    /// The request as its handler gets it; nil where there is none, or it leaves the request here.
    @inline(never)
    private mutating func handled(
        _ scope: HandledHead.Scope, _ head: RequestHead, _ text: [UInt8],
        _ client: borrowing Client, _ summary: inout RequestSummary
    ) -> HandledRequest? {
        guard let handler else { return nil }
        if case .site = scope {
            guard let handlerPrefix, text[head.path].starts(with: handlerPrefix) else { return nil }
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
            return sitemap.answer(fileRequest(isHead: isHead, at: now), fields, in: text)
                ?? answerUnmatched(head, text, fields, at: now, &summary)
        }
        guard number < parts.value.resources.count else {
            return answerFile(number, head, text, fields, at: now)
        }
        if fields.isUnconditional, isAssociation || !fields.contains(.acceptEncoding) {
            return .prepared(
                parts.value.resources[number].head,
                body: isHead ? nil : parts.value.resources[number].body)
        }
        let coding = fields.contentCoding(text, among: ContentCodings())
        guard isAssociation || coding != nil else { return .status(.notAcceptable, isHead: isHead) }
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

    /// - Parameter dependsOnVisitor: whether another visitor, or the same one at another time, would
    ///   get something else.
    func answerFile(
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
}
