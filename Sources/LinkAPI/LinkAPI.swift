import Diagnostics
import JSONSyntax
private import LinkIndex
package import LinkStore
private import Resolution
package import SiteConfiguration
import TLS

/// The API of stored links. A request is let in by its head (`admit`); then it and the store become
/// an answer. It has no connection and no clock; whoever asks for an answer has the store to itself
/// meanwhile.
package final class LinkAPI: Sendable {
    package let environment: String
    let collections: [ServedCollection]
    let sites: [APISite]
    private let siteHosts: HostTable
    /// The hosts that answer it over https.
    package let hosts: Set<String>
    /// The host of the console over https; nil if it is on the admin listener alone.
    package let consoleHost: String?
    /// The field in which a trusted proxy names the person who uses the console, in lower case; nil if none does.
    package let identityField: String?
    /// The provider at which people of the console sign in; nil if there is none.
    package let openID: OpenIDSettings?
    /// Whether the countries of visits are counted.
    let countsCountries: Bool
    /// The line that belongs below countries; nil for none.
    let countryAttribution: String?
    /// The memory that stored links may have.
    let linkBytesMax: Int
    /// The bytes of links, and of their entries in the audit, that an atomic import may write.
    let atomicWrittenBytesMax: Int
    /// True if a collection has the operations of Firebase's REST API.
    let hasFirebase: Bool
    /// The rates of changes, by token.
    let rates = RequestRates<Int>(burst: 200, perSecond: 50)
    /// The rates of requests that change nothing, by token.
    let readRates = RequestRates<Int>(burst: 500, perSecond: 100)
    let zones = ZoneData()
    /// The rates of reports of apps, by network.
    let openRates = RequestRates<String>(burst: 60, perSecond: 1)
    let surveys = SurveyPlaces()

    package init(
        environment: String, sites: [APISite], hosts: Set<String> = [], consoleHost: String? = nil,
        identityField: String? = nil, openID: OpenIDSettings? = nil,
        countsCountries: Bool = false, countryAttribution: String? = nil,
        linkBytesMax: Int = .max,
        atomicWrittenBytesMax: Int = 128 * 1_048_576
    ) {
        (self.environment, self.sites, self.hosts) = (environment, sites, hosts)
        (self.consoleHost, self.identityField, self.openID) = (consoleHost, identityField, openID)
        (self.countsCountries, self.linkBytesMax) = (countsCountries, linkBytesMax)
        self.countryAttribution = countsCountries ? countryAttribution : nil
        self.atomicWrittenBytesMax = atomicWrittenBytesMax
        siteHosts = HostTable(sites.map(\.site))
        collections = ServedCollection.all(sites)
        hasFirebase = collections.contains { $0.collection.firebase.contains(.api) }
    }

    /// The site that answers for a host, which is in lower case and without port; nil where none
    /// does.
    func site(of host: String) -> APISite? { siteHosts.site(of: host).map { sites[$0] } }

    /// Whether a request makes and changes links by the same rules as with another one: those of the
    /// sites whose collections its token is for.
    package func decides(like other: LinkAPI, for admitted: AdmittedRequest) -> Bool {
        self === other
            || linkBytesMax == other.linkBytesMax
                && rules(for: admitted.actor) == other.rules(for: admitted.actor)
    }

    private func rules(for actor: Actor) -> [Site] {
        sites.map(\.site).filter { site in
            site.collections.contains { actor.mayUse(site.collectionName($0).description) }
        }
    }

    /// The program or the person that asks.
    struct Actor: Sendable {
        /// That of the token; 0 for whoever runs the origin, and below it for people.
        let number: Int
        let name: String
        let scopes: Set<TokenScope>
        /// Nil for all.
        let collections: [String]?
        /// The day on which its token was last used, -1 for none; nil where that is not noted.
        var used: Int?

        /// For messages.
        var title: String {
            number < 0 ? "the person \(quoted(name))" : "the token \(quoted(name))"
        }

        func may(_ scope: TokenScope) -> Bool { scopes.contains(.admin) || scopes.contains(scope) }
        func mayUse(_ collection: String) -> Bool { collections?.contains(collection) ?? true }
    }

    // MARK: Answering

    /// Answers a request that was let in.
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - visits: nil where none are counted.
    /// - Returns: the answer; what its `rest` or its `drawing` makes if it has one.
    package func answer(
        _ admitted: AdmittedRequest, _ store: LinkStore, at now: Int, visits: SharedVisits? = nil
    ) -> APIResponse {
        noteUse(of: admitted.actor, store, at: now)
        let call = APICall(
            api: self, request: admitted.request, store: store, actor: admitted.actor,
            milliseconds: now,
            values: admitted.values, visits: visits, preparation: admitted.preparation)
        do throws(Problem) {
            let route = admitted.route
            if route.isRepeatable, let key = call.request.fields["idempotency-key"] {
                return try answerOnce(key, call, route)
            }
            let form = HandledForm(call.request)
            // What other nodes change meanwhile is decided before or after the whole operation.
            guard store.isShared || form != nil, !route.changesNothing, !route.keepsAnswer else {
                return try route.answer(call)
            }
            return try inTransaction(store) { () throws(Problem) in
                let refusal = try orProblem { () throws(StoreError) in
                    try form?.refusal(store, call.actor, at: call.now)
                }
                if let refusal { throw refusal }
                return try route.answer(call)
            } then: { _ throws(StoreError) in
                try form?.note(store, call.actor, at: call.now)
            }
        } catch {
            return refusal(error, of: call.request)
        }
    }

    /// Notes the day on which a token was used.
    func noteUse(of actor: Actor, _ store: LinkStore, at now: Int) {
        guard let used = actor.used, used != now / 86_400_000 else { return }
        _ = try? store.transaction { _ throws(StoreError) in
            try store.noteUse(of: actor.number, day: now / 86_400_000)
        }
    }

    /// A problem in the form that the asked operation has.
    func refusal(_ problem: Problem, of request: APIRequest) -> APIResponse {
        let path = segments(request)
        let isFirebase = hasFirebase && APIRoute.firebase.contains { $0.values(in: path) != nil }
        return isFirebase ? problem.firebaseResponse : problem.response
    }

    /// The segments of a request's path. A link that is not escaped would be several, and is one.
    func segments(_ request: APIRequest) -> [String] {
        guard hasFirebase, request.path.count > 2, request.path.last == "linkStats" else {
            return request.path
        }
        return [request.path.dropLast().joined(separator: "/"), "linkStats"]
    }

    /// True if an app asks with the request what a link says, as with `/_/resolve`. A connection that
    /// guesses links is told of none.
    package func asksForLink(_ request: APIRequest) -> Bool {
        hasFirebase && request.method == "POST"
            && ["reopenAttribution", "installAttribution"].contains { request.path == [$0] }
    }

    /// True if a request asks how many visits many links have, so that the work and its answer are of all of them.
    package func asksForVisits(_ request: APIRequest) -> Bool { request.path == ["visits"] }

    /// The store cannot be asked now.
    package func unavailable(_ detail: String, for request: APIRequest) -> APIResponse {
        refusal(.store(detail), of: request)
    }

    /// There is too much to do already.
    package func busy(_ detail: String, for request: APIRequest) -> APIResponse {
        refusal(.busy(detail), of: request)
    }

    /// A request that is repeated with its key gets the answer that it got before.
    private func answerOnce(
        _ key: String, _ call: APICall, _ route: APIRoute
    ) throws(Problem) -> APIResponse {
        let (request, store, now) = (call.request, call.store, call.now)
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let asked = "\(request.path.joined(separator: "/"))?\(query)\n"
        let hash = sha256(Array(asked.utf8) + request.content)
        func repeated() throws(Problem) -> APIResponse? {
            let before = try orProblem { () throws(StoreError) in
                try store.answer(actor: call.actor.number, key: key, at: now)
            }
            return try before.map { before throws(Problem) in
                guard before.request == hash else {
                    throw Problem(.idempotencyKeyReused, "choose another key for another request")
                }
                return APIResponse(repeating: before)
            }
        }
        if let before = try repeated() { return before }
        func keep(_ response: APIResponse) throws(StoreError) {
            let fields = response.fields.map { "\($0)\t\($1)" }.joined(separator: "\n")
            let kept = RepeatedAnswer(
                request: hash, status: response.status, fields: fields,
                content: String(decoding: response.content, as: UTF8.self))
            try store.keep(
                kept, actor: call.actor.number, key: key, until: now + Self.keySeconds, at: now)
        }
        if route.keepsAnswer {
            let response = try route.answer(call)
            // A copy is also made of a store that takes no changes. There is a second one at worst.
            try? store.transaction { _ throws(StoreError) in try keep(response) }
            return response
        }
        return try inTransaction(store) { () throws(Problem) in
            // Another node may have answered it while this one waited for its turn.
            if let before = try repeated() { return before }
            return try route.answer(call)
        } then: { response throws(StoreError) in
            // Nothing was done yet.
            if response.merging == nil { try keep(response) }
        }
    }

    /// Answers in one transaction. A refusal ends it as an answer does; if a part of it has failed, all of it fails.
    private func inTransaction(
        _ store: LinkStore, _ answer: () throws(Problem) -> APIResponse,
        then end: (APIResponse) throws(StoreError) -> Void = { _ in }
    ) throws(Problem) -> APIResponse {
        let result = try orProblem { () throws(StoreError) in
            try store.transaction { _ throws(StoreError) -> Result<APIResponse, Problem> in
                let response: APIResponse
                do throws(Problem) {
                    response = try answer()
                } catch {
                    return .failure(error)
                }
                try end(response)
                return .success(response)
            }
        }
        return try result.get()
    }

    static let keySeconds = 86_400

    // MARK: Content

    static let jsonTypes = ["application/json", "application/merge-patch+json"]

    /// Refuses content of another type than these.
    func checkType(_ type: String, _ types: [String]) throws(Problem) {
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
        guard types.contains((String(essence) ?? "").lowercased()) else {
            throw Problem(.contentType, "Content-Type is \(quoted(type)), must be \(types[0])")
        }
    }

    /// Refuses encoded content (RFC 9110 §8.4); the answer says that none is accepted (§12.5.3).
    func checkCoding(_ coding: String) throws(Problem) {
        let codings = coding.utf8.split { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 }
        guard codings.contains(where: { (String($0) ?? "").lowercased() != "identity" }) else {
            return
        }
        var problem = Problem(
            .contentType,
            "Content-Encoding is \(quoted(coding)), and content is taken as it is: send it decoded, "
                + "and leave the field out")
        problem.fields["Accept-Encoding"] = "identity"
        throw problem
    }

    func json(_ content: [UInt8], takesMarks: Bool = false) throws(Problem) -> JSONValue {
        let root = try anyJSON(content, takesMarks: takesMarks)
        guard root.members != nil else {
            throw .invalid([
                PointedFault(
                    "", .wrongValue, "the content is a JSON object, not \(root.kind)",
                    advice: "write an object: {…}")
            ])
        }
        return root
    }

    /// - Parameter takesMarks: whether texts may have too many combining marks. The caller then compares them by
    ///   their bytes only.
    func anyJSON(_ content: [UInt8], takesMarks: Bool = false) throws(Problem) -> JSONValue {
        guard content.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
            var problem = Problem(.invalidJSON)
            problem.errors = [
                PointedFault(
                    "", .jsonEmpty, "the content is empty", advice: "send JSON with the request")
            ]
            throw problem
        }
        let document = JSONDocument(content, file: "the content")
        guard document.isValid, let root = document.root else {
            var problem = Problem(.invalidJSON)
            problem.errors = document.diagnostics.filter { $0.severity == .error }.map {
                let place = $0.position.map { " (line \($0.line), column \($0.column))" } ?? ""
                return PointedFault("", $0.rule, $0.message + place, advice: $0.advice)
            }
            throw problem
        }
        // Of two members with one name, the check and the store could take different ones.
        let duplicates = DuplicateMembers(in: root)
        guard duplicates.count == 0 else { throw .invalid(duplicates.faults) }
        if !takesMarks, let fault = root.faultOfMarks { throw .invalid([fault]) }
        return root
    }

    /// The console's host with the port that people use; nil if it is on the admin listener alone.
    var consoleAuthority: String? {
        let port = sites.first?.site.httpsPort ?? 443
        return consoleHost.map { port == 443 ? $0 : "\($0):\(port)" }
    }

    /// The collection of this name; a token for others does not find it.
    func collection(_ name: String, of actor: Actor) -> ServedCollection? {
        guard actor.mayUse(name) else { return nil }
        return collections.first { $0.name.description == name }
    }
}

extension APIResponse {
    /// The answer to a request that is repeated.
    fileprivate init(repeating before: RepeatedAnswer) {
        self.init(before.status)
        content = Array(before.content.utf8)
        for line in before.fields.utf8.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[String(parts[0]) ?? ""] = String(parts[1]) ?? ""
        }
    }
}
