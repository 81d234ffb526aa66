import LinkStore

/// One operation of the API. The table of all is what requests are found in, and what the
/// description of the API is made from.
struct Route: Sendable {
    let method: String
    /// Segments; one that begins with `{` stands for any.
    let path: [String]
    /// Of which a token needs one.
    let scopes: [TokenScope]
    /// For people.
    let summary: String
    let handle: @Sendable (LinkAPI, LinkAPI.Call) throws(Problem) -> APIResponse
    /// Nil for an operation with content and an answer of bounded size.
    var transfer: LinkAPI.Transfer?

    /// An operation that does not go through `LinkAPI.answer`.
    init(
        _ method: String, _ path: String, _ scopes: [TokenScope], _ summary: String,
        _ transfer: LinkAPI.Transfer
    ) {
        self.init(method, path, scopes, summary) { _, _ throws(Problem) in throw .notFound }
        self.transfer = transfer
    }

    init(
        _ method: String, _ path: String, _ scopes: [TokenScope], _ summary: String,
        _ handle: @escaping @Sendable (LinkAPI, LinkAPI.Call) throws(Problem) -> APIResponse
    ) {
        (self.method, self.scopes, self.summary) = (method, scopes, summary)
        self.path = path.utf8.split(separator: UInt8(ascii: "/")).map { String($0) ?? "" }
        self.handle = handle
    }

    /// What a path has in place of the variables; nil for another path.
    func values(in path: [String]) -> [String]? {
        guard path.count == self.path.count else { return nil }
        var values = [String]()
        for (own, segment) in zip(self.path, path) {
            if own.utf8.first == UInt8(ascii: "{") {
                values.append(segment)
            } else if own != segment {
                return nil
            }
        }
        return values
    }

    static let all: [Route] = [
        Route("GET", "links", [.linksRead, .linksWrite], "List links") {
            api, call throws(Problem) in
            try api.list(call)
        },
        Route("POST", "links", [.linksCreate, .linksWrite], "Make a link") {
            api, call throws(Problem) in try api.create(call)
        },
        Route("GET", "links:find", [.linksRead, .linksWrite], "Find a link by its URL or slug") {
            api, call throws(Problem) in try api.find(call)
        },
        Route("POST", "links:check", [.linksCreate, .linksWrite, .linksRead], "Check a link") {
            api, call throws(Problem) in try api.check(call)
        },
        Route(
            "PUT", "links/by-external-id/{externalId}", [.linksWrite],
            "Make or change the link that another system names"
        ) { api, call throws(Problem) in try api.upsert(call) },
        Route("PUT", "links/{collection}/{slug}", [.linksCreate, .linksWrite], "Make a link once") {
            api, call throws(Problem) in try api.createOnce(call)
        },
        Route("GET", "links/{id}", [.linksRead, .linksWrite], "Show a link") {
            api, call throws(Problem) in try api.show(call)
        },
        Route("PATCH", "links/{id}", [.linksWrite], "Change a link") {
            api, call throws(Problem) in try api.change(call)
        },
        Route("DELETE", "links/{id}", [.linksDelete], "Delete a link") {
            api, call throws(Problem) in try api.delete(call)
        },
        Route("POST", "links/{id}/aliases", [.linksWrite], "Give a link another slug") {
            api, call throws(Problem) in try api.addAlias(call)
        },
        Route(
            "GET", "links/{id}/explain", [.linksRead, .linksWrite], "Explain a link for a client"
        ) {
            api, call throws(Problem) in try api.explain(call)
        },
        Route("GET", "links/{id}/qr", [.linksRead, .linksWrite], "Draw a link's QR code") {
            api, call throws(Problem) in try api.draw(call)
        },
        Route("GET", "links/{id}/visits", [.statsRead], "Count a link's visits") {
            api, call throws(Problem) in try api.linkVisits(call)
        },
        Route("GET", "visits", [.statsRead], "Count the visits of all links") {
            api, call throws(Problem) in try api.allVisits(call)
        },
        Route("GET", "misses", [.statsRead], "List paths that are of no link") {
            api, call throws(Problem) in try api.misses(call)
        },
        Route("POST", "import", [.linksCreate, .linksWrite], "Make many links", .import),
        Route("GET", "export", [.linksRead, .linksWrite], "Get many links", .export),
        Route("GET", "tokens", [.admin], "List tokens") { api, call throws(Problem) in
            try api.listTokens(call)
        },
        Route("POST", "tokens", [.admin], "Make a token") { api, call throws(Problem) in
            try api.createToken(call)
        },
        Route("DELETE", "tokens/{id}", [.admin], "Remove a token") { api, call throws(Problem) in
            try api.removeToken(call)
        },
        Route("POST", "backup", [.admin], "Write a copy of the store beside it") {
            api, call throws(Problem) in try api.backUp(call)
        },
        Route("GET", "audit", [.auditRead], "Show what was changed") { api, call throws(Problem) in
            try api.audit(call)
        },
    ]
}
