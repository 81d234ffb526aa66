package import Answering
import ClientAddress
import HTTPMessages
import LinkAPI
import LinkStore
import Memory
import SharedStore
import SiteConfiguration
import Sockets
import Synchronization
import URISyntax

// The API of stored links: a handler of the admin listener, which answers on the store's thread.

extension LinkService: RequestHandler {
    /// The clock of the store.
    var clock: StoreClock { fleet.clock }

    /// The API is not on the hosts of links; what apps ask is.
    package var sitePrefix: String? { "/_/" }

    /// Admits or refuses a request by its head: its token, its operation and its scope are checked
    /// before content, a thread or a place in a queue is taken.
    package func route(_ head: HandledHead) -> HandledRoute? {
        if case .site = head.scope { return routeOfApps(head) }
        let isOfAPI = head.path.utf8.starts(with: "/v1/".utf8)
        // A host of the API has nothing else; the admin listener has.
        guard isOfAPI || head.scope != .admin, isAsked(by: head) else { return nil }
        guard head.isCovered else { return refusing(.misdirected) }
        guard isOfAPI else { return refusing(.noOperation) }
        guard let api else { return refusing(.unavailable(Self.noStore)) }
        guard let asked = APIRequest(head) else { return refusing(.invalidPath) }
        let tokens = tokens.value
        if tokens == nil, asked.isLocal, case .closed(let error) = state {
            return refusing(api.unavailable(error.words.fact, for: asked))
        }
        switch api.admit(asked, tokens, at: clock.milliseconds, localSecret: secret) {
        case .failure(let response): return refusing(response)
        case .success(let admitted): return route(admitted, api)
        }
    }

    private func route(_ admitted: AdmittedRequest, _ api: LinkAPI) -> HandledRoute {
        guard memory.hasRoom else {
            return refusing(api.busy(noMemory("a request"), for: admitted.request))
        }
        switch admitted.transfer {
        case .import(let options):
            return withPlace(imports, admitted, api) { place in
                let work = ImportThread(self, api, admitted, options, place)
                return HandledRoute(
                    .streamed(bytesMax: nil), answersStalls: true, problemTypes: Self.types,
                    advance: work.advance)
            }
        case .export(let export):
            return withPlace(exports, admitted, api) { place in
                let work = ExportFlow(self, api, admitted, export, place)
                return HandledRoute(
                    .whole(bytesMax: 0), problemTypes: Self.types, advance: work.advance)
            }
        case nil:
            return withPlace(requests, admitted, api) { place in
                HandledRoute(
                    .whole(bytesMax: Self.contentBytesMax), problemTypes: Self.types
                ) { [self] request in
                    take(AskedRequest(request, admitted, api, place))
                }
            }
        }
    }

    private static let types = APIResponse.typesInPlaceOfOperations

    private func withPlace(
        _ places: TokenPlaces, _ admitted: AdmittedRequest, _ api: LinkAPI,
        _ body: (TokenPlaces.Place) -> HandledRoute
    ) -> HandledRoute {
        switch places.take(admitted.token) {
        case .success(let place): body(place)
        case .failure(.ofToken):
            refusing(api.tooManyUnderWay(places.perToken, for: admitted.request))
        case .failure(.ofAll):
            refusing(
                api.busy(
                    "\(places.all) requests of this kind are under way, and there can be no more",
                    for: admitted.request))
        }
    }

    private func refusing(_ response: APIResponse) -> HandledRoute { .refusing(response) }

    /// Answers what apps ask from memory, at once.
    private func routeOfApps(_ head: HandledHead) -> HandledRoute? {
        guard let api else { return nil }
        return AppQuestions(api: api, index: { [self] in links.value }, report: countOpens)
            .route(head)
    }

    private func countOpens(_ request: HandledRequest, _ api: LinkAPI) {
        var content = [UInt8]()
        while case .piece(let bytes) = request.takeContent() { content += bytes }
        let network = IPAddress(request.client)?.network(v6Bits: 64)
        let (response, opens) = api.readOpens(
            content, from: network.map { "\($0)" } ?? request.client, in: links.value,
            at: Clock.unixMilliseconds, on: request.head.host)
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

    private static let contentBytesMax = AppQuestions.contentBytesMax
    /// The memory that content takes at most until its answer is known: copies of its texts, and its values as they are read,
    /// merged into a link, and checked.
    static func memoryBytes(of content: [UInt8]) -> Int {
        content.count * 8 + jsonValueCountMax(content) * 256
    }

    /// Claims the memory that an answer takes until it is complete; the API and the console ask here.
    /// - Throws: the answer where there is no memory.
    func claimAnswer(
        to admitted: AdmittedRequest, _ api: LinkAPI
    ) throws(APIResponse) -> WorkMemory.Claim {
        let isOfVisits = api.asksForVisits(admitted.request)
        let claim =
            isOfVisits
            ? memory.claim(forWork: WorkMemory.visitsBytes)
            : memory.claimShare(isForList: admitted.isForList)
        if let claim { return claim }
        let what = isOfVisits ? "a question about visits" : "a request"
        throw api.busy(noMemory(what), for: admitted.request)
    }

    /// A request that was let in, on its way to its answer.
    private struct AskedRequest: Sendable {
        let request: HandledRequest
        var admitted: AdmittedRequest
        let api: LinkAPI
        let place: TokenPlaces.Place
        /// The memory of its content, from when that is read, and of its answer, from when the store has begun with it; until the
        /// answer is known.
        var (content, room): (WorkMemory.Claim?, WorkMemory.Claim?)

        init(
            _ request: HandledRequest, _ admitted: AdmittedRequest, _ api: LinkAPI,
            _ place: TokenPlaces.Place
        ) {
            (self.request, self.admitted, self.api, self.place) = (request, admitted, api, place)
        }

        /// A client that has a short answer may ask again at once. A long one waits in memory until
        /// its client has taken it, and keeps its place until then.
        func answer(_ response: APIResponse) {
            if response.content.count <= Self.shortBytesMax { place.giveBack() }
            request.answer(response)
        }

        func answerBusy(_ reason: String = LinkService.busy) {
            answer(api.busy(reason, for: admitted.request))
        }

        private static let shortBytesMax = 16_384
    }

    /// Takes a request that was let in, when its content has come.
    private func take(_ asked: AskedRequest) {
        guard !asked.request.isCancelled else { return }
        var asked = asked
        while case .piece(let bytes) = asked.request.takeContent() {
            asked.admitted.request.content += bytes
        }
        asked.admitted.request.isGuess =
            asked.request.head.isGuesser && asked.api.asksForLink(asked.admitted.request)
        guard asked.admitted.hasContent else { return ask(asked) }
        prepare(asked) { [clock] in $0.prepare(&$1, at: clock.seconds) }
    }

    /// Works on the content beside the store's thread, and asks the store then.
    private func prepare(
        _ asked: AskedRequest,
        _ work: @escaping @Sendable (LinkAPI, inout AdmittedRequest) -> Void
    ) {
        let isTaken = preparations.submit(for: asked.admitted.token) { [self] in
            var asked = asked
            let bytes = Self.memoryBytes(of: asked.admitted.request.content)
            asked.content = asked.content ?? memory.claim(forWork: bytes)
            guard asked.content != nil else { return asked.answerBusy(noMemory("a request")) }
            work(asked.api, &asked.admitted)
            ask(asked)
        }
        if !isTaken { asked.answerBusy(busy(preparations)) }
    }

    /// The token may have been removed while the content came, and was read.
    private func ask(_ asked: AskedRequest) {
        let refusal = asked.api.refusalMeanwhile(
            of: asked.admitted, tokens.value, at: clock.milliseconds)
        if let refusal { return asked.answer(refusal) }
        let (visits, clock) = (visits.visits, clock)
        submit(asked) { store in
            let response = asked.api.answer(
                asked.admitted, store, at: clock.milliseconds, visits: visits)
            if response.isMiss {
                asked.request.noteMiss(ofSlug: keyedHash(0, asked.admitted.request.content.span))
            }
            return response
        }
    }

    /// Lets the store's thread make a part of an answer, and goes on with that after what others want
    /// of the store.
    private func submit(
        _ asked: AskedRequest, _ body: @escaping @Sendable (LinkStore) -> APIResponse
    ) {
        let isTaken = submit(isJoinable: asked.admitted.isJoinable) { [self] store in
            // What was to be changed is changed also for a client that has left, but not for one that
            // was told to try again.
            let isDropped = asked.admitted.isReading && asked.request.isCancelled
            if isDropped || asked.request.isRefused { return {} }
            // Who has waited for others is told of what is done now.
            if !asked.admitted.isReading { asked.request.goOn() }
            var asked = asked
            do throws(APIResponse) {
                if asked.room == nil {
                    asked.room = try claimAnswer(to: asked.admitted, asked.api)
                }
            } catch {
                return { [asked] in asked.answer(error) }
            }
            let response =
                switch store {
                case .success
                where !asked.admitted.isReading && !decides(like: asked.api, for: asked.admitted):
                    asked.api.unavailable(Self.otherRules, for: asked.admitted.request)
                case .success(let store): body(store)
                case .failure(let error):
                    asked.api.unavailable(error.words.fact, for: asked.admitted.request)
                }
            return { [self, asked] in finish(response, asked) }
        }
        if !isTaken { asked.answerBusy() }
    }

    private func finish(_ response: APIResponse, _ asked: AskedRequest) {
        if let rest = response.rest { return submit(asked) { rest.next($0) } }
        if let link = response.merging {
            return prepare(asked) { [clock] in $0.merge(&$1, into: link, at: clock.seconds) }
        }
        guard let drawing = response.drawing else { return answer(response, asked) }
        let isTaken = sideWork.submit(for: asked.admitted.token) { [self] in
            guard !asked.request.isCancelled else { return }
            answer(draw(drawing, for: asked.admitted.request, asked.api), asked)
        }
        if !isTaken { asked.answerBusy(busy(sideWork)) }
    }

    /// Draws codes if there is memory for them.
    func draw(_ drawing: DrawnCodes, for request: APIRequest, _ api: LinkAPI) -> APIResponse {
        guard let claim = memory.claim(forWork: drawing.memoryBytes) else {
            return api.busy(noMemory("a code"), for: request)
        }
        return withExtendedLifetime(claim) { drawing.response }
    }

    /// Answers now, or when all nodes have the change.
    private func answer(_ response: APIResponse, _ asked: AskedRequest) {
        asked.content?.end()
        asked.room?.end(answering: response.content.count)
        guard let wait = asked.admitted.wait, 200..<300 ~= response.status else {
            return asked.answer(response)
        }
        guard isShared else { return asked.answer(response.awaited(wait, (having: 1, all: 1))) }
        // Its time begins anew, so that the wait is not taken for work that does not end.
        asked.request.goOn()
        letWait(for: generation ?? 0, seconds: wait.seconds) { nodes in
            asked.answer(response.awaited(wait, nodes))
        }
    }

    static let busy = "too many requests wait for the store"
    private static let noStore = "the configuration has no store any more"
    static let otherRules =
        "the configuration was replaced while the request was under way; send it again"

    /// Whether links are still made and changed as this API does it. A reload may have replaced it
    /// since a request began, whose content can come for as long as its client wants.
    func decides(like api: LinkAPI, for admitted: AdmittedRequest) -> Bool {
        self.api?.decides(like: api, for: admitted) == true
    }
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
    private static func segments(_ text: String) -> [String]? {
        if let own = segmentsOfFirebase(text) ?? segmentsOfExternalID(text) { return own }
        let written = Array(text.utf8)
        var path = [UInt8](repeating: 0, count: written.count)
        guard let count = try? PathDecoding.decode(written, 0..<written.count, into: &path) else {
            return nil
        }
        return path[4..<count].split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map {
            // Segments are compared with the names of operations.
            String(decoding: $0, as: UTF8.self).comparable
        }
    }

    /// The segments of `/v1/https%3A%2F%2Fgo.example.com%2FAbCd/linkStats`: the only path with a
    /// whole URL as a segment, so it is split before it is decoded. Nil for another one.
    private static func segmentsOfFirebase(_ text: String) -> [String]? {
        let parts = text.utf8.dropFirst("/v1/".utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].elementsEqual("linkStats".utf8) else { return nil }
        let link = percentDecoded(ArraySlice(parts[0]))
        let isURL = link.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
        return link.isEmpty || !isURL || link.hasTooManyMarks ? nil : [link, "linkStats"]
    }

    /// The segments of `/v1/links/by-external-id/order%2F7`: another system's name can have any
    /// character. Nil for another path.
    private static func segmentsOfExternalID(_ text: String) -> [String]? {
        let start = ["links", "by-external-id"]
        let parts = text.utf8.dropFirst("/v1/".utf8.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, zip(parts, start).allSatisfy({ $0.elementsEqual($1.utf8) })
        else { return nil }
        guard !hasMalformedEscape(parts[2]) else { return nil }
        let name = percentDecoded(ArraySlice(parts[2]))
        // Bytes that are not UTF-8 would be replaced.
        let isText = name.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}"
        }
        guard !name.isEmpty, isText else { return nil }
        // A link may have a name with too many marks.
        let isLonger = name.utf8.count > LinkDescription.externalIDBytesMax
        return start + [isLonger ? name.comparable : name]
    }

    /// Nil for a path that can be understood in two ways.
    init?(_ head: HandledHead) {
        guard let segments = Self.segments(head.path) else { return nil }
        var fields = [String: String]()
        for name in [
            "authorization", "content-type", "if-match", "if-none-match",
            "idempotency-key", "accept", "content-length", "content-encoding", "prefer",
        ] {
            // A field that is repeated is one list (RFC 9110 §5.3).
            let values = head.values(of: name)
            if !values.isEmpty { fields[name] = values.joined(separator: ", ").comparable }
        }
        self.init(
            method: head.method.name, path: segments,
            query: queryItems(head.query ?? ""),
            fields: fields)
        isLocal = head.scope == .admin
        hasSeveralKeys = head.values(of: "idempotency-key").count > 1
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
