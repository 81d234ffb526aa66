import Associations
import Compression
import Diagnostics
import LinkIndex
import LinkStore
import QRCodes
import Resolution
import SiteConfiguration
import TLS
import URISyntax

// What links do, their codes, tokens, and the audit.

extension LinkAPI {
    // MARK: What a link does

    func explain(_ call: Call) throws(Problem) -> APIResponse {
        let link = try link(call)
        guard let collection = collection(link.collection, call),
            let url = try? LinkURL(collection.url(link.slug))
        else { throw .notFound }
        let name = call.request.item("as") ?? "desktop-chrome"
        let agent = VisitorProfile.userAgent(of: name) ?? ""
        let site = collection.site
        let explanation = RequestExplanation(
            url, Visitor(userAgent: agent), site.site, site.router, site.resolver, at: call.now,
            stored: call.store.index)
        return APIResponse(
            200,
            .object(
                [
                    ("url", .string(collection.url(link.slug))), ("as", .string(name)),
                    ("opens", .strings(collection.apps(opening: link.slug))),
                ] + explanation.json))
    }

    // MARK: Tokens

    func listTokens(_ call: Call) throws(Problem) -> APIResponse {
        let tokens = try orProblem { () throws(StoreError) in try call.store.tokens() }
        return APIResponse(200, .object([("tokens", .array(tokens.map(\.json)))]))
    }

    func createToken(_ call: Call) throws(Problem) -> APIResponse {
        let scopes = TokenScope.allCases.map(\.rawValue)
        let (description, found) = try TokenDescription.read(json(call), scopes: scopes)
        var faults = found.map(PointedFault.init)
        for (index, name) in (description?.collections ?? []).enumerated()
        where collection(name, call) == nil {
            faults.append(
                PointedFault(
                    "/collections/\(index)", .unknownName, "there is no collection \(quoted(name))",
                    advice: advice(on: collections)))
        }
        var named = Set<String>()
        for (index, name) in (description?.collections ?? []).enumerated()
        where !named.insert(name).inserted {
            faults.append(
                PointedFault(
                    "/collections/\(index)", .wrongValue, "\(quoted(name)) is there twice",
                    advice: "keep one of them"))
        }
        if let expires = description?.expires, expires.seconds <= call.now {
            faults.append(
                PointedFault(
                    "/expires", .wrongValue, "\(expires) is over",
                    advice: "write a later time, or none"))
        }
        guard let description, faults.isEmpty else { throw .invalid(faults) }
        let secret = TokenSecret.make()
        let token = StoredToken(
            name: description.name, ending: String(secret.utf8.suffix(4)) ?? "",
            scopes: Set(description.scopes.compactMap(TokenScope.init)),
            collections: description.collections, created: call.now, createdBy: call.actor.name,
            expires: description.expires?.seconds)
        let made = try orProblem { () throws(StoreError) in
            try call.store.transaction { _ throws(StoreError) in
                let made = try call.store.add(token, hash: sha256(Array(secret.utf8)))
                try call.store.add(
                    AuditEntry(
                        time: call.now, actor: call.actor.name, action: "token \(token.name)",
                        link: nil))
                return made
            }
        }
        guard case .object(let members) = made.json else { throw .notFound }
        // The only time that the secret is shown.
        return APIResponse(
            201, .object(members + [("token", .string(secret))]),
            fields: ["Location": "/v1/tokens/\(made.id)", "Cache-Control": "no-store"])
    }

    func removeToken(_ call: Call) throws(Problem) -> APIResponse {
        guard let id = Int(call.values[0]) else { throw .notFound }
        let isRemoved = try orProblem { () throws(StoreError) in
            try call.store.transaction { _ throws(StoreError) in
                let isRemoved = try call.store.removeToken(id)
                if isRemoved {
                    try call.store.add(
                        AuditEntry(
                            time: call.now, actor: call.actor.name, action: "remove token \(id)",
                            link: nil))
                }
                return isRemoved
            }
        }
        guard isRemoved else { throw .notFound }
        return APIResponse(204)
    }

    // MARK: Audit

    func audit(_ call: Call) throws(Problem) -> APIResponse {
        let link = call.request.item("link").flatMap { LinkID($0) }
        let before = call.request.number("before")
        if call.actor.collections != nil {
            guard let link else {
                throw Problem(
                    .collectionNotAllowed,
                    "the token \(quoted(call.actor.name)) is for some collections; ask for the "
                        + "changes of each link, with link=ID")
            }
            let shown = try orProblem { () throws(StoreError) in try call.store.link(link) }
            guard let shown, call.actor.mayUse(shown.collection) else { throw .notFound }
        }
        let entries = try orProblem { () throws(StoreError) in
            guard let link else { return try call.store.audit(before: before, limit: 100) }
            return try call.store.audit(of: link, before: before, limit: 100)
        }
        let shown = try link.flatMap { link throws(Problem) in
            try orProblem { () throws(StoreError) in try call.store.link(link) }
        }
        let written = boundedList(entries) { number, entry in
            .object([
                ("number", .number(number)),
                ("time", .string(Timestamp(seconds: entry.time).description)),
                ("actor", .string(entry.actor)), ("action", .string(entry.action)),
                ("link", .orNull(entry.link?.description)),
                ("before", Self.written(entry.before)),
                (
                    "after",
                    // What a link was made with that was never changed since.
                    entry.made != nil && entry.after == nil
                        ? shown.map { json(of: $0) } ?? .null : Self.written(entry.after)
                ),
            ])
        }
        var response = APIResponse(200, .object([("entries", .array(written))]))
        if entries.count == 100 || written.count < entries.count,
            let last = entries.prefix(written.count).last
        {
            response.fields["Link"] =
                "</v1/audit?before=\(last.number)\(link.map { "&link=\($0)" } ?? "")>; rel=\"next\""
        }
        return response
    }

    private static func written(_ text: String?) -> JSONText {
        text.flatMap { JSONDocument(Array($0.utf8), file: "").root?.written } ?? .null
    }

    // MARK: Backup

    /// A copy beside the store, named after the time: whoever may write there can keep it.
    func backUp(_ call: Call) throws(Problem) -> APIResponse {
        let digits = Timestamp(seconds: call.now).description.utf8.dropLast()
            .filter { $0.isDigit || $0.isLetter }
        let path = StoreBackup.freePath(
            "\(call.store.path).\(String(decoding: digits, as: UTF8.self))",
            milliseconds: call.milliseconds % 1_000)
        let backup = try orProblem { () throws(StoreError) in
            try StoreBackup(of: call.store, call.visits, to: path)
        }
        let hasVisits = call.visits != nil && backup.visitsError == nil
        return APIResponse(
            201,
            .object([
                ("path", .string(path)),
                ("visits", .orNull(hasVisits ? path + ".visits" : nil)),
                ("generation", .number(call.store.index.generation)),
                ("slugs", .number(call.store.index.count)),
            ]))
    }

    // MARK: Codes

    /// The code is drawn by whoever asked for it: the store's thread has other work.
    func draw(_ call: Call) throws(Problem) -> APIResponse {
        let link = try link(call)
        guard let collection = collection(link.collection, call) else { throw .notFound }
        var response = APIResponse(200)
        response.drawing = CodeDrawing(
            url: collection.url(link.slug),
            pixels: call.request.item("format") == "png"
                ? call.request.number("size") ?? 1_024 : nil)
        return response
    }
}

extension StoredToken {
    fileprivate var json: JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("id", .number(id)), ("name", .string(name)), ("ending", .string(ending)),
            ("scopes", .strings(scopes.map(\.rawValue).sorted())),
        ]
        if let collections { members.append(("collections", .strings(collections))) }
        members.append(("created", .string(Timestamp(seconds: created).description)))
        members.append(("createdBy", .string(createdBy)))
        members.append(("expires", .orNull(expires.map { Timestamp(seconds: $0).description })))
        members.append(
            (
                "used",
                .orNull(
                    used.map { Timestamp(seconds: min(max($0, 0), 2_932_896) * 86_400).description }
                )
            ))
        return .object(members)
    }
}

/// The secret of a token: what it is, 256 bits by chance, and a check that finds mistyped ones.
package enum TokenSecret {
    package static func make() -> String {
        var random = SystemRandomNumberGenerator()
        let letters = Array(
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        let body = (0..<43).map { _ in letters[Int.random(in: letters.indices, using: &random)] }
        var check = Int(crc32(of: body))
        var end = [UInt8]()
        for _ in 0..<6 {
            end.append(letters[check % 62])
            check /= 62
        }
        return "wmk_" + String(decoding: body + end, as: UTF8.self)
    }
}
