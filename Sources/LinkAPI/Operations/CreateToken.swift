import Compression
import Diagnostics
import LinkStore
import SiteConfiguration
import TLS
import URISyntax

/// Makes a token, whose secret is shown once.
struct CreateToken: Operation {
    static let route = APIRoute(
        "createToken", "POST", "tokens", [.admin], "Make a token", content: "NewToken",
        isAboutAll: true, showsSecret: true,
        [Answer(201, "TokenWithSecret", .location)])

    let call: APICall
    private let description: TokenDescription

    init(call: APICall) throws(Problem) {
        self.call = call
        let scopes = TokenScope.allCases.map(\.rawValue)
        let (description, found) = try TokenDescription.read(call.json(), scopes: scopes)
        var faults = found.map(PointedFault.init)
        for (index, name) in (description?.collections ?? []).enumerated()
        where call.collection(name) == nil {
            faults.append(
                PointedFault(
                    "/collections/\(index)", .unknownName, "there is no collection \(quoted(name))",
                    advice: call.api.advice(on: call.api.collections)))
        }
        var named = Set<String>()
        for (index, name) in (description?.collections ?? []).enumerated()
        where !named.insert(name).inserted {
            faults.append(
                PointedFault(
                    "/collections/\(index)", .wrongValue, "\(quoted(name)) is there twice",
                    advice: "keep one of them"))
        }
        if let name = description?.name, StoredPerson.isProvider(name) {
            faults.append(
                PointedFault(
                    "/name", .wrongValue,
                    "\(quoted(name)) is a URL, and a provider's people are made by one",
                    advice: "choose another name"))
        }
        if let expires = description?.expires, expires.seconds <= call.now {
            faults.append(
                PointedFault(
                    "/expires", .wrongValue, "\(expires) is over",
                    advice: "write a later time, or none"))
        }
        guard let description, faults.isEmpty else { throw .invalid(faults) }
        self.description = description
    }

    func answer() throws(Problem) -> APIResponse {
        let secret = TokenSecret.make()
        let token = StoredToken(
            name: description.name, ending: String(secret.utf8.suffix(4)) ?? "",
            scopes: Set(description.scopes.compactMap(TokenScope.init)),
            collections: description.collections, created: call.now, createdBy: call.actor.name,
            expires: description.expires?.seconds)
        let made = try call.transaction { _ throws(StoreError) -> StoredToken? in
            guard try call.store.person(named: token.name.lowercased()) == nil else { return nil }
            let made = try call.store.add(token, hash: sha256(Array(secret.utf8)))
            try call.note("token \(token.name)")
            return made
        }
        guard let made else {
            throw .invalid([
                PointedFault(
                    "/name", .wrongValue,
                    "a person has the name \(quoted(token.name)), and the audit names both",
                    advice: "choose another name")
            ])
        }
        // The only time that the secret is shown.
        return APIResponse(
            201, .object(made.members + [("token", .string(secret))]),
            fields: ["Location": "/v1/tokens/\(made.id)", "Cache-Control": "no-store"])
    }
}

/// The secret of a token: what it is, 256 bits by chance, and a check that finds mistyped ones.
package enum TokenSecret {
    package static func make() -> String {
        var random = SystemRandomNumberGenerator()
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
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
