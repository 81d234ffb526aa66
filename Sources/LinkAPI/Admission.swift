import Diagnostics
package import LinkStore
import TLS

// Who may ask what is decided by the head of a request, from memory: before its content comes, and
// before anything that others need is taken for it.

/// The tokens of a store, by the SHA-256 of their secrets.
package struct TokenTable: Sendable {
    private let tokens: [[UInt8]: StoredToken]

    package init(_ tokens: [(hash: [UInt8], token: StoredToken)]) {
        self.tokens = Dictionary(tokens.map { ($0.hash, $0.token) }) { first, _ in first }
    }

    subscript(hash: [UInt8]) -> StoredToken? { tokens[hash] }
}

/// A request that was let in by its head. Its content may still be to come.
package struct AdmittedRequest: Sendable {
    /// A route in an object, which the copies of a request share: a route is large, and a request
    /// is copied from thread to thread.
    fileprivate final class SharedRoute: Sendable {
        let route: APIRoute
        init(_ route: APIRoute) { self.route = route }
    }

    package var request: APIRequest
    /// The import or the export that is asked for; nil for other operations.
    package let transfer: Transfer?
    var route: APIRoute { sharedRoute.route }
    fileprivate let sharedRoute: SharedRoute
    /// The values that the path has in place of the route's variables.
    let values: [String]
    let actor: LinkAPI.Actor
    /// The result of reading its content; nil where that is done with the store at hand.
    var preparation: Preparation?
    /// The SHA-256 of the token's secret.
    fileprivate let hash: [UInt8]

    /// An operation whose content or answer is longer than a buffer.
    package enum Transfer: Sendable {
        case `import`(LinkImport)
        case export(LinkExport)
    }

    /// The wait for all nodes that its client wants; nil for none, and where a wait has no meaning.
    package var wait: WaitPreference? {
        guard route.isAwaitable, let field = request.fields["prefer"] else { return nil }
        return WaitPreference(field)
    }
    /// True if it changes nothing.
    package var isReading: Bool { route.changesNothing }
    /// True if its answer is a page of a list, which can have a `Link` to the next one.
    package var isForList: Bool { route.answers.contains { $0.fields.contains(.next) } }
    /// The number of the token; 0 is whoever runs the origin.
    package var token: Int { actor.number }
}

extension AdmittedRequest {
    /// True if all that it does is in the store, so that it can be done again after its transaction was taken back.
    package var isJoinable: Bool {
        !route.changesNothing && !route.keepsAnswer && route.transfer == nil
    }
}

extension LinkAPI {
    /// Lets a request in, or answers why not.
    /// - Parameters:
    ///   - tokens: nil while they are not known, so that nobody but the holder of the local secret
    ///     is let in.
    ///   - now: milliseconds since 1970.
    ///   - localSecret: accepted on the admin listener, with every scope; nil for none.
    package func admit(
        _ request: APIRequest, _ tokens: TokenTable?, at now: Int, localSecret: String?
    ) -> Result<AdmittedRequest, APIResponse> {
        do throws(Problem) {
            return .success(try admitted(request, tokens, now, localSecret))
        } catch {
            return .failure(refusal(error, of: request))
        }
    }

    /// Lets a request of a person in, whose session was found, or answers why not.
    /// - Parameter now: milliseconds since 1970.
    package func admit(
        _ request: APIRequest, of person: StoredPerson, at now: Int
    ) -> Result<AdmittedRequest, APIResponse> {
        let actor = Actor(
            number: person.actor, name: person.name, scopes: person.role.scopes,
            collections: person.collections)
        do throws(Problem) {
            let (route, values) = try route(of: request)
            return .success(try admitted(request, route, values, now, (actor, [])))
        } catch {
            return .failure(refusal(error, of: request))
        }
    }

    /// The refusal of a request that was let in some time ago; nil if it still would be: its token may
    /// have been removed, or have expired, while its content came.
    package func refusalMeanwhile(
        of admitted: AdmittedRequest, _ tokens: TokenTable?, at now: Int
    ) -> APIResponse? {
        guard admitted.actor.number > 0 else { return nil }
        guard let token = tokens?[admitted.hash], token.id == admitted.actor.number else {
            return refusal(Self.unknownToken, of: admitted.request)
        }
        return Self.expiry(of: token, now / 1_000).map { refusal($0, of: admitted.request) }
    }

    /// The answer to a request of a token that has too many under way.
    package func tooManyUnderWay(_ most: Int, for request: APIRequest) -> APIResponse {
        refusal(
            .tooMany(
                "the token has \(most) requests of this kind under way, and may have no more",
                retryAfter: 1), of: request)
    }

    private func admitted(
        _ request: APIRequest, _ tokens: TokenTable?, _ now: Int, _ localSecret: String?
    ) throws(Problem) -> AdmittedRequest {
        let (route, values) = try route(of: request)
        let found = try actor(
            of: request, tokens, now / 1_000, localSecret, mayUseQuery: route.isFirebase)
        return try admitted(request, route, values, now, found)
    }

    private func admitted(
        _ request: APIRequest, _ route: APIRoute, _ values: [String], _ now: Int,
        _ found: (Actor, hash: [UInt8])
    ) throws(Problem) -> AdmittedRequest {
        let (actor, hash) = found
        guard route.scopes.isEmpty || route.scopes.contains(where: actor.may) else {
            throw Problem(
                .scopeMissing, "\(actor.title) has not the scope \(route.scopes[0].rawValue)")
        }
        guard !route.isAboutAll || actor.collections == nil else {
            throw Problem(
                .collectionNotAllowed,
                "\(actor.title) is for some collections, and this is about all")
        }
        // The local token is for whoever runs the origin, and the console's pages have a rate of their own.
        if actor.number > 0 { try takeRate(of: route, actor, now) }
        try route.check(request.query)
        if route.content != nil || route.transfer == .import {
            try checkCoding(request.fields["content-encoding"] ?? "")
        }
        if route.content != nil {
            try checkType(request.fields["content-type"] ?? "", Self.jsonTypes)
        }
        if let key = request.fields["idempotency-key"] {
            try route.check(idempotencyKey: key, isRepeated: request.hasSeveralKeys)
        }
        let transfer: AdmittedRequest.Transfer?
        switch route.transfer {
        case .import: transfer = .import(try LinkImport(self, request, actor))
        case .export: transfer = .export(LinkExport(self, request, actor))
        case nil: transfer = nil
        }
        return AdmittedRequest(
            request: request, transfer: transfer,
            sharedRoute: AdmittedRequest.SharedRoute(route), values: values, actor: actor,
            hash: hash)
    }

    /// The operation that is asked for, and what the path has in place of its variables.
    private func route(of request: APIRequest) throws(Problem) -> (APIRoute, [String]) {
        let routes = hasFirebase ? APIRoute.all : APIRoute.own
        let path = segments(request)
        let found = routes.compactMap { route in route.values(in: path).map { (route, $0) } }
        guard !found.isEmpty else {
            throw Problem(
                .notFound,
                "there is no operation at \(quoted("/v1/" + path.joined(separator: "/"))); "
                    + "GET /v1/openapi.json describes all")
        }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let match = found.first(where: { $0.0.method == method }) else {
            throw .methodNotAllowed(
                found.flatMap { $0.0.method == "GET" ? ["GET", "HEAD"] : [$0.0.method] })
        }
        return match
    }

    private func takeRate(of route: APIRoute, _ actor: Actor, _ now: Int) throws(Problem) {
        let isReading = route.changesNothing
        let rates = isReading ? readRates : rates
        guard let seconds = rates.take(actor.number, at: now) else { return }
        throw .tooMany(
            isReading
                ? "a token may read \(rates.burst) times at once and \(rates.perSecond) times a "
                    + "second; all links are in one answer: GET /v1/export"
                : "a token may make \(rates.burst) changes at once and \(rates.perSecond) a "
                    + "second; many links go into one request: POST /v1/import",
            retryAfter: seconds)
    }

    private func actor(
        of request: APIRequest, _ tokens: TokenTable?, _ now: Int, _ localSecret: String?,
        mayUseQuery: Bool
    ) throws(Problem) -> (Actor, hash: [UInt8]) {
        let field = request.fields["authorization"] ?? ""
        let secret: String
        if let token = bearerToken(field) {
            secret = token
        } else if field.isEmpty, mayUseQuery, let key = request.item("key"), !key.isEmpty {
            secret = key
        } else {
            throw Self.unauthorized("send the header field Authorization: Bearer with a token")
        }
        let hash = sha256(Array(secret.utf8))
        if let localSecret, areEqual(hash, sha256(Array(localSecret.utf8))) {
            // Whoever has it may know why it is refused.
            guard request.isLocal else {
                throw Self.unauthorized(
                    "the token in STORE.token (of a database, links.token) is for the admin listener alone; "
                        + "`waymark tokens create` makes one for this host")
            }
            return (Actor(number: 0, name: "local", scopes: [.admin], collections: nil), hash)
        }
        guard let tokens else { throw .store("the tokens are not read yet") }
        guard let token = tokens[hash] else { throw Self.unknownToken }
        if let expiry = Self.expiry(of: token, now) { throw expiry }
        let actor = Actor(
            number: token.id, name: token.name, scopes: token.scopes,
            collections: token.collections, used: token.used ?? -1)
        return (actor, hash)
    }

    private static let unknownToken = unauthorized(
        "the token is not known; it may have been removed")

    /// The refusal of a token that has expired; nil of another one.
    private static func expiry(of token: StoredToken, _ now: Int) -> Problem? {
        guard let expires = token.expires, expires <= now else { return nil }
        return unauthorized("the token \(quoted(token.name)) has expired")
    }

    private static func unauthorized(_ detail: String) -> Problem {
        var problem = Problem(.unauthorized, detail)
        problem.fields["WWW-Authenticate"] = "Bearer"
        return problem
    }
}

/// The token of `Authorization: Bearer`, which follows one or more spaces (RFC 9110 §11.4); nil for
/// another field.
private func bearerToken(_ field: String) -> String? {
    let bytes = Array(field.utf8)
    let scheme = bytes.prefix { $0 != 0x20 }
    let token = bytes[scheme.endIndex...].drop { $0 == 0x20 }
    guard String(decoding: scheme, as: UTF8.self).lowercased() == "bearer", !token.isEmpty else {
        return nil
    }
    return String(decoding: token, as: UTF8.self)
}

/// In a time that does not depend on where they differ.
private func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}

// MARK: - For who has the store at hand

extension LinkAPI {
    /// Lets a request in and answers it, the parts of its answer that need no store included.
    package func answer(
        _ request: APIRequest, _ store: LinkStore, at now: Int, localSecret: String?,
        visits: SharedVisits? = nil
    ) -> APIResponse {
        switch admit(request, store, at: now, localSecret: localSecret) {
        case .failure(let response): return response
        case .success(let admitted):
            let response = answer(admitted, store, at: now, visits: visits)
            return response.drawing?.response ?? response
        }
    }

    /// Lets a request in, or answers why not.
    package func admit(
        _ request: APIRequest, _ store: LinkStore, at now: Int, localSecret: String?
    ) -> Result<AdmittedRequest, APIResponse> {
        do throws(StoreError) {
            let tokens = TokenTable(try store.tokensByHash())
            return admit(request, tokens, at: now, localSecret: localSecret)
        } catch {
            return .failure(unavailable(error.words.fact, for: request))
        }
    }
}
