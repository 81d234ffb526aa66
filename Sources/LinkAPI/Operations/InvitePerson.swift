import Diagnostics
import LinkStore
import SiteConfiguration
import TLS
import URISyntax

/// Makes a sign-in link for a person, who is made if there is none of the name, and gets other rights if some are given.
/// The link's secret is shown once.
struct InvitePerson: Operation {
    static let route = APIRoute(
        "invitePerson", "POST", "people", [.admin],
        "Make a link with which a person signs in to the console, once", content: "NewPerson",
        isAboutAll: true, showsSecret: true, [Answer(201, "SignInLink")])

    let call: APICall
    private let description: PersonDescription

    init(call: APICall) throws(Problem) {
        self.call = call
        let roles = PersonRole.allCases.map(\.rawValue)
        let (description, found) = try PersonDescription.read(call.json(), roles: roles)
        var faults = found.map(PointedFault.init)
        var named = Set<String>()
        for (index, name) in (description?.collections ?? []).enumerated() {
            let pointer = "/collections/\(index)"
            if call.collection(name) == nil {
                faults.append(
                    PointedFault(
                        pointer, .unknownName, "there is no collection \(quoted(name))",
                        advice: call.api.advice(on: call.api.collections)))
            } else if !named.insert(name).inserted {
                faults.append(
                    PointedFault(
                        pointer, .wrongValue, "\(quoted(name)) is there twice",
                        advice: "keep one of them"))
            }
        }
        if let expires = description?.expires {
            let last = call.now + SignInSecret.secondsMax
            if expires.seconds <= call.now {
                faults.append(
                    PointedFault(
                        "/expires", .wrongValue, "\(expires) is over",
                        advice: "choose a time that is to come"))
            } else if expires.seconds > last {
                faults.append(
                    PointedFault(
                        "/expires", .wrongValue, "\(expires) is more than three days ahead",
                        advice: "choose a time until \(Timestamp(seconds: last))"))
            }
        }
        guard let description, faults.isEmpty else { throw .invalid(faults) }
        self.description = description
    }

    func answer() throws(Problem) -> APIResponse {
        let secret = SignInSecret.make()
        let expires = description.expires?.seconds ?? call.now + SignInSecret.seconds
        let invited = try call.transaction { _ throws(StoreError) in
            try invite(SignInSecret.hash(of: secret), until: expires)
        }
        guard let (person, isNew) = invited else {
            throw .invalid([
                PointedFault(
                    "/name", .wrongValue,
                    "a token has the name \(quoted(description.name)), and the audit names both",
                    advice: "choose another name")
            ])
        }
        // The only time that the secret is shown.
        return APIResponse(
            201,
            .object(
                person.members + [
                    ("isNew", .boolean(isNew)), ("path", .string("/console/sign-in/\(secret)")),
                    ("host", .orNull(call.api.consoleAuthority)),
                    ("expires", .string(Timestamp(seconds: expires).description)),
                ]), fields: ["Cache-Control": "no-store"])
    }

    /// Keeps the person and a link.
    /// - Returns: the person, and whether they are new; nil if they would be, and a token has the name.
    private func invite(
        _ link: [UInt8], until end: Int
    ) throws(StoreError) -> (StoredPerson, Bool)? {
        let before = try call.store.person(named: description.name)
        if before == nil {
            let tokens = try call.store.tokens()
            if tokens.contains(where: { $0.name.lowercased() == description.name.lowercased() }) {
                return nil
            }
        }
        let person = person(after: before)
        if person != before { try keep(person, isNew: before == nil) }
        try call.store.addSignIn(link, of: person, until: end)
        try call.note("sign-in link for \(person.name)")
        return (person, before == nil)
    }

    /// The person with the rights that are asked for.
    private func person(after before: StoredPerson?) -> StoredPerson {
        let role = description.role.flatMap(PersonRole.init)
        guard var person = before else {
            return StoredPerson(
                name: description.name, role: role ?? .viewer,
                collections: description.collections, created: call.now,
                createdBy: call.actor.name)
        }
        person.role = role ?? person.role
        person.collections = description.collections ?? person.collections
        return person
    }

    private func keep(_ person: StoredPerson, isNew: Bool) throws(StoreError) {
        try call.store.put(person)
        try call.note("\(isNew ? "add" : "change") person \(person.name): \(person.rights)")
    }
}

/// The secrets of sign-in links and of sessions: 256 bits by chance. The store has their SHA-256.
package enum SignInSecret {
    /// A link is for so long, unless another end is asked for.
    package static let seconds = 600
    /// An invitation waits until somebody has read their mail, and not much longer.
    package static let secondsMax = 3 * 86_400

    /// 43 letters, digits, `-` and `_` (base64url, RFC 4648 §5).
    package static func make() -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var random = SystemRandomNumberGenerator()
        let text = (0..<count).map { _ in letters[Int.random(in: 0..<64, using: &random)] }
        return String(decoding: text, as: UTF8.self)
    }

    private static let count = 43

    /// Whether a text can be one, so that the store is asked.
    package static func isOne(_ text: String) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x2D
                    || byte == 0x5F
            }
    }

    /// The hash by which a link is found.
    package static func hash(of secret: String) -> [UInt8] { sha256(Array("link:\(secret)".utf8)) }

    /// The hash by which a session is found. A cookie of the admin listener is none of the console's host, nor the other
    /// way.
    package static func sessionHash(of secret: String, isSecure: Bool) -> [UInt8] {
        sha256(Array("\(isSecure ? "host" : "admin"):\(secret)".utf8))
    }
}
