import HTTPMessages
import Memory
import Resolution
import SiteConfiguration
import TLS
import URISyntax

extension LoopContext {
    /// Decides the answer to a request whose head was just read from `input`.
    /// - Parameter isSecure: whether the client speaks TLS, with this origin or a trusted proxy.
    mutating func answer(
        _ head: RequestHead, via listener: ListenerKind, isSecure: Bool, hasServerName: Bool
    ) -> Answer {
        let isHead = head.method.isHead
        switch head.method {
        case .get, .head: break
        default:
            return answerOtherMethod(
                head, via: listener, isSecure: isSecure, hasServerName: hasServerName)
        }
        if head.isPathLiteral, !listener.isAdmin, answersHost(head, isSecure: isSecure),
            let number = router.association(at: input.storage, head.path)
        {
            note(.resource(number))
            return answer(number, head, isAssociation: true)
        }
        guard let count = decodePath(head) else {
            log.exchange.fault = .invalidPath
            return .status(.badRequest, isHead: isHead)
        }
        if case .admin = listener {
            guard isForAdmin(head) else { return .admin(.misdirected, isHead: isHead) }
            return adminAnswer(count, head).map { .admin($0, isHead: isHead) }
                ?? .status(.notFound, isHead: isHead)
        }
        let decision =
            answersHost(head, isSecure: isSecure)
            ? router.decide(path: path, 0..<count, isSecure: isSecure) : .unknownHost
        note(decision)
        switch decision {
        case .resource(let number):
            return answer(number, head, isAssociation: routes[number].isAssociation)
        case .challenge(let token): return challengeAnswer(token, isHead: isHead)
        case .redirectToHTTPS:
            guard 2 * escapesIn(head.target) <= limits.copiedBodyBytesMax else {
                return .status(.uriTooLong, isHead: isHead)
            }
            return .redirect(host: head.host, port: redirectPort(head), target: head.target)
        case .unmatched: return answerLink(head) ?? answerUnmatched(head)
        case .notFound:
            noteRefusedAssociation(count)
            return .status(.notFound, isHead: isHead)
        case .unknownHost:
            noteRefusedAssociation(count)
            let status = unknownHostStatus(
                head, isSecure: isSecure, hasServerName: hasServerName)
            return .status(status, isHead: isHead)
        }
    }

    /// Answers a request with another method than GET and HEAD, which nothing here has. One for a
    /// host that is none of ours is told so instead, but for OPTIONS without a host, by which
    /// balancers ask whether a server is there, and for targets that are no resource's.
    private mutating func answerOtherMethod(
        _ head: RequestHead, via listener: ListenerKind, isSecure: Bool, hasServerName: Bool
    ) -> Answer {
        let isOptions = head.method == .options
        if listener.isAdmin {
            guard isForAdmin(head) else { return .admin(.misdirected, isHead: false) }
        } else {
            if !isOptions, let count = decodePath(head) { noteRefusedAssociation(count) }
            let mayBeOurs =
                head.method == .other || head.method == .connect || head.isAsteriskForm
                || isOptions && head.host.isEmpty
            guard mayBeOurs || answersHost(head, isSecure: isSecure) else {
                note(.unknownHost)
                let status = unknownHostStatus(
                    head, isSecure: isSecure, hasServerName: hasServerName)
                return .status(status, isHead: false)
            }
        }
        if isOptions { return .status(.noContent, isHead: true) }
        return .status(
            head.method == .other ? .notImplemented : .methodNotAllowed, isHead: false)
    }

    /// 421 where the client chose this server by one of its names in TLS and asks for another
    /// host, where its certificate is not for that host, or where it asks for an https resource
    /// without TLS (RFC 9110 §7.4, §15.5.20); 404 for others.
    private mutating func unknownHostStatus(
        _ head: RequestHead, isSecure: Bool, hasServerName: Bool
    ) -> Status {
        // A request for HTTP/1.0 may name no host; nothing is served without one (RFC 9112 §3.3).
        guard !head.host.isEmpty else { return .badRequest }
        let isMisdirected =
            hasServerName || head.namesHTTPS(input.storage)
            || standing(of: head, isSecure: isSecure) == .uncovered
        return isMisdirected ? .misdirectedRequest : .notFound
    }

    /// Answers with a prepared resource: conditions first, then ranges (RFC 9110 §13.2.2).
    ///
    /// An association file is sent as it is, whatever codings a client says it takes.
    mutating func answer(
        _ number: Int, _ head: RequestHead, isAssociation: Bool = false
    ) -> Answer {
        let isHead = head.method.isHead
        // Most requests ask for nothing but the resource, and most resources have one form.
        if reader.fields.isUnconditional,
            isAssociation
                || resources[number].gzip == nil && !reader.fields.contains(.acceptEncoding)
        {
            return .prepared(
                resources[number].identity.head,
                body: isHead ? nil : resources[number].identity.body)
        }
        let coding = reader.fields.contentCoding(
            input.storage, hasGzip: resources[number].gzip != nil)
        guard let form = isAssociation ? .identity : coding else {
            return .status(.notAcceptable, isHead: isHead)
        }
        let validators = form.of(resources[number]).validators
        switch reader.fields.evaluateConditions(
            input.storage, validators, in: bytes, now: unixSeconds)
        {
        case .failed: return .status(.preconditionFailed, isHead: isHead)
        case .notModified: return .prepared(form.of(resources[number]).notModified, body: nil)
        case .proceed: break
        }
        let whole = resources[number].identity
        if case .identity = form, !isHead {
            switch reader.fields.requestedRange(
                input.storage, of: whole.body.count, whole.validators, in: bytes, now: unixSeconds)
            {
            case .whole: break
            case .part(let range): return .part(resource: number, range: range, isHead: isHead)
            case .parts(let ranges):
                guard ranges.reduce(0, { $0 + $1.count }) <= limits.partsBytesMax else { break }
                return .parts(resource: number, ranges)
            case .notSatisfiable: return .noPart(of: whole.body.count)
            }
        }
        let representation = form.of(resources[number])
        return .prepared(representation.head, body: isHead ? nil : representation.body)
    }

    /// - Parameter dependsOnVisitor: whether another visitor would get something else.
    mutating func answerUnmatched(_ head: RequestHead, dependsOnVisitor: Bool = false) -> Answer {
        noteUnmatched()
        switch dependsOnVisitor ? snapshot.visitorFallback : snapshot.fallback {
        case .resource(let number): return answer(number, head)
        case .answer(let answer):
            return .prepared(answer.head, body: head.method.isHead ? nil : answer.body)
        case .notFound:
            return notFound(dependsOnVisitor: dependsOnVisitor, isHead: head.method.isHead)
        }
    }

    /// Decodes the path into `path` and returns its length; nil for one that is refused. A target
    /// in absolute form may have none, which means the root (RFC 9112 §3.2.2).
    @inline(__always)
    mutating func decodePath(_ head: RequestHead) -> Int? {
        guard !head.path.isEmpty else {
            path[0] = UInt8(ascii: "/")
            return 1
        }
        guard !head.isPathLiteral else {
            path.copy(input.storage, head.path, to: 0)
            return head.path.count
        }
        return PathDecoding.decode(input.storage, head.path, into: &path)
    }

    /// Whether the request's host is one that is answered over this connection.
    @inline(__always)
    mutating func answersHost(_ head: RequestHead, isSecure: Bool) -> Bool {
        standing(of: head, isSecure: isSecure) == .ours
    }

    /// What the request's host is, with or without the full stop that may end it; most requests
    /// name the host of the one before. An https resource is nobody's here unless the client speaks
    /// TLS, and the certificate of its connection is for the host (RFC 9110 §7.4).
    @inline(__always)
    private mutating func standing(of head: RequestHead, isSecure: Bool) -> HostStanding {
        if head.hostNumber != 0, head.hostNumber == decidedHost.number,
            certificateNumber == decidedHost.certificate
        {
            return decidedHost.standing
        }
        guard isSecure || !head.namesHTTPS(input.storage) else { return .stranger }
        var count = head.host.count
        host.copyLowercased(input.storage, head.host, to: 0)
        if count > 0, host[count - 1] == UInt8(ascii: ".") { count -= 1 }
        var standing = router.answers(host: host, 0..<count) ? HostStanding.ours : .stranger
        if case .ours = standing, certificate?.names.cover(host, 0..<count) == false {
            standing = .uncovered
        }
        if head.hostNumber != 0 {
            decidedHost = (head.hostNumber, certificateNumber, standing)
        }
        return standing
    }

    /// The port that the redirect names: the configured one; else none when the client came to
    /// the standard port, where a mapping may stand in between; else the one listened on.
    private func redirectPort(_ head: RequestHead) -> UInt16? {
        let cameByPort = !head.port.isEmpty && !isPort80(head.port)
        let port = snapshot.environment.httpsPort ?? (cameByPort ? httpsPort : nil)
        return port == 443 ? nil : port
    }

    private func isPort80(_ digits: Range<Int>) -> Bool {
        digits.count == 2 && input.storage[digits.lowerBound] == UInt8(ascii: "8")
            && input.storage[digits.lowerBound + 1] == UInt8(ascii: "0")
    }
}

extension ContentCoding {
    /// The form of a resource that this is.
    fileprivate func of(_ resource: PreparedResource) -> Representation {
        if case .gzip = self { resource.gzip ?? resource.identity } else { resource.identity }
    }
}
