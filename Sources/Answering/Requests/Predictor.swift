import HTTPMessages
package import LinkIndex
import Memory

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
        storedLinks = index.map { Published($0) }
        responder = Responder(sites, httpsPort: nil, storedLinks: storedLinks)
        writer = ResponseWriter(sites, capacity: bufferBytes, now: now)
        input = RequestInput(capacity: bufferBytes, limits: sites.sites[0].limits.request)
    }

    /// Looks up stored links in this index from now on.
    package func use(_ index: LinkIndex) { storedLinks?.publish(index) }

    /// What a client gets for the bytes of one request, to the byte.
    /// - Parameters:
    ///   - isSecure: whether it comes over https.
    ///   - now: seconds since 1970.
    package mutating func answer(_ request: [UInt8], isSecure: Bool, now: Int) -> [UInt8] {
        input.buffer.removeAll()
        input.buffer.append(request, 0..<min(request.count, input.buffer.room))
        // The first response with a private key ends where that begins. Later ones are 403.
        return write(isSecure, now) ?? write(isSecure, now) ?? []
    }

    /// Nil where the content of a file cannot be sent.
    private mutating func write(_ isSecure: Bool, _ now: Int) -> [UInt8]? {
        writer.output.removeAll()
        let client = Responder.Client(isSecure: isSecure, hasServerName: isSecure)
        let answer = answer(client, at: now)
        if responder.siteNumber != writer.siteNumber {
            writer.useSite(responder.siteNumber)
        }
        let rest = writer.write(answer, .stays, isSecure: isSecure, input.buffer.storage)
        let beginning = Array(writer.output.storage[..<writer.output.count])
        return switch writer.takeBody() {
        case .bytes(let bytes): beginning + bytes[rest]
        case .file(let file, let open): file.bytes(rest, of: open).map { beginning + $0 }
        }
    }

    private mutating func answer(_ client: Responder.Client, at now: Int) -> Answer {
        do {
            guard let head = try input.reader.read(input.buffer.storage, 0..<input.buffer.count)
            else { return .status(.requestTimeout, isHead: false) }
            let answer = responder.answer(
                head, input.buffer.storage, input.reader.fields, client, at: now)
            guard case .later(let inquiry, let isHead) = answer else { return answer }
            return find(inquiry, isHead: isHead)
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
