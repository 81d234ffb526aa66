package import Answering
import ClientAddress
import HTTPMessages
import LinkAPI
import LinkIndex
import LinkStore
import Memory
import Sockets
import Synchronization
import URISyntax

// The API of stored links: a handler of the admin listener, which answers on the store's thread.

extension LinkService: RequestHandler {
    /// The API is not on the hosts of links; what apps ask is.
    package var sitePrefix: String? { "/_/" }

    package func route(_ head: HandledHead) -> HandledRoute? {
        if case .site = head.scope { return routeOfApps(head) }
        guard head.path.utf8.starts(with: "/v1/".utf8), isAsked(by: head) else { return nil }
        if let path = APIRequest.segments(head.path),
            let transfer = LinkAPI.transfer(method: head.method.name, path: path)
        {
            return route(transfer, head)
        }
        return HandledRoute(.whole(bytesMax: Self.contentBytesMax))
    }

    /// What apps ask is answered from memory, at once.
    private func routeOfApps(_ head: HandledHead) -> HandledRoute? {
        guard let api else { return nil }
        if head.path == "/_/opens", head.method == .post {
            return HandledRoute(.whole(bytesMax: Self.contentBytesMax)) { [self] request in
                countOpens(request, api)
            }
        }
        guard head.path == "/_/resolve", head.method == .get || head.method.isHead else {
            return nil
        }
        return HandledRoute(.whole(bytesMax: Self.contentBytesMax)) { [self] request in
            guard !request.isCancelled else { return }
            resolve(request, api)
        }
    }

    /// For a network that has asked for too many unknown links, nothing is looked up in the store.
    private func resolve(_ request: HandledRequest, _ api: LinkAPI) {
        let network = network(of: request)
        let isGuesser = isGuesser(network)
        let query = request.head.query ?? ""
        let response = api.resolve(
            queryItems(query), ifNoneMatch: request.head.value(of: "if-none-match"),
            in: isGuesser ? links.value.map { _ in LinkIndex() } : links.value,
            at: Clock.unixSeconds)
        if response.status == 404, !isGuesser { noteMiss(network, Array(query.utf8)) }
        request.answer(response)
    }

    private func network(of request: HandledRequest) -> IPAddress {
        IPAddress(request.client)?.network(v6Bits: 64) ?? IPAddress(high: 0, low: 0)
    }

    private func isGuesser(_ network: IPAddress) -> Bool {
        guesses.withLock { $0.isOver(network, at: Clock.monotonicMilliseconds) }
    }

    /// Notes that a network has asked for a link that does not exist.
    private func noteMiss(_ network: IPAddress, _ asked: [UInt8]) {
        let slug = keyedHash(0, asked.span)
        _ = guesses.withLock { $0.note(network, slug: slug, at: Clock.monotonicMilliseconds) }
    }

    private func countOpens(_ request: HandledRequest, _ api: LinkAPI) {
        guard !request.isCancelled else { return }
        var content = [UInt8]()
        while case .piece(let bytes) = request.takeContent() { content += bytes }
        let network = IPAddress(request.client)?.network(v6Bits: 64)
        let (response, opens) = api.readOpens(
            content, type: request.head.value(of: "content-type"),
            isSecure: request.head.isSecure, from: network.map { "\($0)" } ?? request.client,
            in: links.value,
            at: Clock.unixMilliseconds)
        visits.add(opens)
        request.answer(response)
    }

    private func isAsked(by head: HandledHead) -> Bool {
        switch head.scope {
        case .admin: true
        // A token is not for everybody on the way.
        case .otherHost: head.isSecure && api?.hosts.contains(head.host) == true
        case .site: false
        }
    }

    /// How much content a request can have.
    private static let contentBytesMax = 65_536

    package func advance(_ request: HandledRequest) {
        guard !request.isCancelled else { return }
        guard var asked = APIRequest(request.head) else {
            return request.answer(APIResponse.invalidPath)
        }
        while case .piece(let bytes) = request.takeContent() { asked.content += bytes }
        let asksForLink = api?.asksForLink(asked) ?? false
        let network = network(of: request)
        asked.isGuess = asksForLink && isGuesser(network)
        let (api, whole, secret, visits) = (self.api, asked, secret, visits.visits)
        let isTaken = submit { store in
            let response =
                switch (store, api) {
                case (.success(let store), let api?):
                    api.answer(
                        whole, store, at: Clock.unixMilliseconds, localSecret: secret,
                        visits: visits)
                case (.failure(let error), let api?):
                    api.unavailable(error.words.fact, for: whole)
                case (_, nil): APIResponse.unavailable("the configuration has no store any more")
                }
            return { [self] in
                if response.isMiss, !whole.isGuess { noteMiss(network, whole.content) }
                finish(response, request)
            }
        }
        if !isTaken {
            request.answer(api?.unavailable(Self.busy, for: whole) ?? .unavailable(Self.busy))
        }
    }

    /// Gives an answer, or goes on with it after what others want of the store.
    private func finish(_ response: APIResponse, _ request: HandledRequest) {
        guard let rest = response.rest else { return request.answer(response) }
        guard !request.isCancelled else { return }
        let isTaken = submit { store in
            let response =
                switch store {
                case .success(let store): rest.next(store)
                case .failure(let error): APIResponse.unavailable(error.words.fact)
                }
            return { [self] in finish(response, request) }
        }
        if !isTaken { request.answer(.unavailable(Self.busy)) }
    }

    private static let busy = "too many requests wait for the store"
}

extension HandledRequest {
    func answer(_ response: APIResponse) {
        let own = response.fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let cache = response.fields["Cache-Control"] == nil ? ["Cache-Control: no-store"] : []
        let type = response.content.isEmpty ? [] : ["Content-Type: \(response.type)"]
        answer(
            Status(rawValue: response.status) ?? .internalServerError,
            type + cache + ["X-Content-Type-Options: nosniff"] + own, response.content)
    }
}

extension APIRequest {
    /// The segments of a path after `/v1`; nil for a path that can be understood in two ways.
    fileprivate static func segments(_ text: String) -> [String]? {
        if let own = segmentsOfFirebase(text) { return own }
        let written = Array(text.utf8)
        var path = [UInt8](repeating: 0, count: written.count)
        guard let count = try? PathDecoding.decode(written, 0..<written.count, into: &path) else {
            return nil
        }
        return path[4..<count].split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The segments of `/v1/https%3A%2F%2Fgo.example.com%2FAbCd/linkStats`: the only path with a
    /// whole URL as a segment, so it is split before it is decoded. Nil for another one.
    private static func segmentsOfFirebase(_ text: String) -> [String]? {
        let parts = text.utf8.dropFirst("/v1/".utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].elementsEqual("linkStats".utf8) else { return nil }
        // A plus sign stands for itself in a path.
        let escaped = String(decoding: parts[0], as: UTF8.self).replacing("+", with: "%2B")
        let link = queryItems("x=\(escaped)").first?.value ?? ""
        let isURL = link.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return link.isEmpty || !isURL ? nil : [link, "linkStats"]
    }

    /// Nil for a path that can be understood in two ways.
    init?(_ head: HandledHead) {
        guard let segments = Self.segments(head.path) else { return nil }
        var fields = [String: String]()
        for name in [
            "authorization", "content-type", "if-match", "if-none-match",
            "idempotency-key", "accept",
        ] {
            // A field that is repeated is one list (RFC 9110 §5.3).
            let values = head.values(of: name)
            if !values.isEmpty { fields[name] = values.joined(separator: ", ") }
        }
        self.init(
            method: head.method.name, path: segments,
            query: queryItems(head.query ?? ""),
            fields: fields)
        isLocal = head.scope == .admin
    }
}

extension Method {
    fileprivate var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .options: "OPTIONS"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        case .other: "?"
        }
    }
}
