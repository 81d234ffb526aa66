import HTTPMessages
package import LinkIndex
package import Memory

/// Answers requests without a connection, by the code that answers them over one.
package struct Predictor: ~Copyable {
    private var responder: Responder
    private var writer: ResponseWriter
    private var input: RequestInput
    /// Nil where none are looked up.
    private let storedLinks: Published<LinkIndex?>?

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - index: the stored links; nil if none are looked up.
    package init(_ sites: SiteTable, now: Int, stored index: LinkIndex? = nil) {
        self.init(sites, now: now, storedLinks: index.map { Published($0) }, handler: nil)
    }

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - storedLinks: nil if none are looked up.
    ///   - handler: answers some requests before its functions return; nil for none.
    package init(
        _ sites: SiteTable, now: Int, storedLinks: Published<LinkIndex?>?,
        handler: (any RequestHandler)?
    ) {
        self.storedLinks = storedLinks
        responder = Responder(sites, httpsPort: nil, storedLinks: storedLinks, handler: handler)
        writer = ResponseWriter(sites, capacity: bufferBytes, now: now)
        input = RequestInput(capacity: bufferBytes, limits: sites.sites[0].limits.request)
    }

    /// Looks up stored links in this index from now on.
    package func use(_ index: LinkIndex) { storedLinks?.publish(index) }

    /// The answer to the bytes of one request, to the byte.
    /// - Parameters:
    ///   - isSecure: whether it comes over https.
    ///   - hasServerName: whether the client has named the host in TLS; nil if every client does
    ///     that speaks TLS.
    ///   - now: seconds since 1970.
    package mutating func answer(
        _ request: [UInt8], isSecure: Bool, hasServerName: Bool? = nil, now: Int
    ) -> [UInt8] {
        input.buffer.removeAll()
        input.buffer.append(request, 0..<min(request.count, input.buffer.room))
        let client = Responder.Client(isSecure: isSecure, hasServerName: hasServerName ?? isSecure)
        // The first response with a private key ends where that begins. Later ones are 403.
        return write(client, now) ?? write(client, now) ?? []
    }

    /// Nil where the content of a file cannot be sent.
    private mutating func write(_ client: Responder.Client, _ now: Int) -> [UInt8]? {
        writer.output.removeAll()
        let answer = answer(client, at: now)
        if responder.siteNumber != writer.siteNumber { writer.useSite(responder.siteNumber) }
        if case .later(.handled(let request), let isHead) = answer {
            return writeHandled(request, isHead: isHead, isSecure: client.isSecure)
        }
        let rest = writer.write(answer, .stays, isSecure: client.isSecure, input.buffer.storage)
        let beginning = written
        return switch writer.takeBody() {
        case .bytes(let bytes), .generated(let bytes): beginning + bytes[rest]
        case .file(let file, let open): file.bytes(rest, of: open).map { beginning + $0 }
        }
    }

    private var written: [UInt8] { Array(writer.output.storage[..<writer.output.count]) }

    /// Nil where the handler does not answer at once.
    private mutating func writeHandled(
        _ request: HandledRequest, isHead: Bool, isSecure: Bool
    ) -> [UInt8]? {
        request.start(of: "") {}
        _ = request.receive([], isLast: true)
        guard case .head(let status, let fields, let length) = request.takeOutput() else {
            return nil
        }
        writer.writeHandled(
            status, fields, length: length, isChunked: false, .stays, isSecure: isSecure)
        guard !isHead, case .piece(let content) = request.takeOutput() else { return written }
        return written + content
    }

    private mutating func answer(_ client: Responder.Client, at now: Int) -> Answer {
        do {
            guard let head = try input.reader.read(input.buffer.storage, 0..<input.buffer.count)
            else { return .status(.requestTimeout, isHead: false) }
            var summary = RequestSummary()
            let answer = responder.answer(
                head, input.buffer.storage, input.reader.fields, client, at: now, &summary)
            guard case .later(.challenge(let token), let isHead) = answer else { return answer }
            return find(.challenge(token: token), isHead: isHead)
        } catch {
            responder.forgetSite()
            return .status(error.status, isHead: input.reader.method.isHead)
        }
    }

    private func find(_ inquiry: Inquiry, isHead: Bool) -> Answer {
        do {
            return .document(try responder.find(inquiry), isHead: isHead)
        } catch {
            return .status(Status(of: error), isHead: isHead)
        }
    }
}

/// More than any head with a copied body, of a request or a response.
private let bufferBytes = 1 << 16
