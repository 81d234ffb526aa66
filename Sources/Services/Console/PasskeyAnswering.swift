import Answering
import Console
import Diagnostics
import LinkAPI
import LinkStore
import Passkeys
import SharedStore
import Sockets
import TLS
import URISyntax

/// Answers what pages ask of passkeys: making, using and removing them. They are bound to the console's host, so the admin
/// listener has none.
struct PasskeyAnswering {
    let turn: ConsoleTurn
    let asker: StoreAsker

    /// The relying party: the host that the browser has asked for. Nil on the admin listener.
    private var party: RelyingParty? {
        turn.origin.map { RelyingParty(host: turn.head.host, origin: $0) }
    }

    private func show(_ notice: ConsoleNotice) { turn.answer(Console.notice(notice, turn.setting)) }

    // MARK: Challenges

    /// Answers the script with a challenge for one answer of an authenticator.
    /// - Parameter person: who makes a passkey; nil to use one.
    func challenge(of person: StoredPerson?) {
        guard let party else { return show(.notFound) }
        let (now, owner) = (asker.links.clock.seconds, person?.id ?? 0)
        guard let challenge = try? randomBytes(32) else { return show(.failed) }
        let begun = asker.transaction { store throws(StoreError) -> [StoredPasskey]? in
            guard try store.beginChallenge(sha256(challenge), of: owner, at: now) else {
                return nil
            }
            guard let person else { return [] }
            return try store.passkeys(of: person)
        }
        guard let begun else { return show(.storeUnavailable) }
        guard let known = begun else {
            return show(.tooMany(retryAfterSeconds: PasskeyChallenge.seconds))
        }
        var members: [(String, JSONText)] = [
            ("challenge", .string(base64URL(challenge))), ("host", .string(party.host)),
            ("seconds", .number(PasskeyChallenge.seconds)),
        ]
        if let person {
            members += [
                (
                    "user",
                    .object([
                        ("id", .string(base64URL(Self.handle(of: person)))),
                        ("name", .string(person.name)),
                    ])
                ),
                ("algorithms", .array(PasskeyAlgorithm.allCases.map { .number($0.rawValue) })),
                ("known", .array(known.map { .string(base64URL($0.id)) })),
            ]
        }
        turn.answer(Console.json(.object(members)))
    }

    /// The person as authenticators know them: a number that says nothing of them.
    private static func handle(of person: StoredPerson) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: person.id >> (56 - 8 * $0)) }
    }

    // MARK: Signing in

    /// Signs a person in with a passkey. All refusals have one answer.
    func signIn(_ form: ConsoleForm) {
        guard let party else { return show(.notFound) }
        func bytes(_ name: String) -> [UInt8]? { form.value(name).flatMap(base64URLDecoded) }
        guard let id = bytes("id"), let client = bytes("client"), let data = bytes("data"),
            let signature = bytes("signature"), let challenge = RelyingParty.challenge(in: client)
        else { return show(.passkeyInvalid) }
        let answer = PasskeyAnswer(
            clientData: client, authenticatorData: data, signature: signature,
            userHandle: bytes("user").flatMap { $0.isEmpty ? nil : $0 })
        let (now, session, before) = (
            asker.links.clock.seconds, SignInSecret.make(), turn.sessionHash
        )
        let person = asker.transaction { store throws(StoreError) -> StoredPerson? in
            guard try store.takeChallenge(sha256(challenge), of: 0, at: now),
                let (passkey, person) = try store.passkey(id),
                let counter = Self.counter(of: answer, passkey, person, challenge: challenge, party)
            else { return nil }
            try store.noteUse(of: passkey, counter: counter, at: now)
            if let before { try store.endSession(before) }
            try store.beginSession(
                SignInSecret.sessionHash(of: session, isSecure: true), of: person, at: now)
            try store.add(
                AuditEntry(
                    time: now, actor: person.name, action: "sign in with passkey \(passkey.name)",
                    link: nil))
            return person
        }
        guard let person else { return show(.storeUnavailable) }
        guard person != nil else { return show(.passkeyInvalid) }
        let next = form.next
        turn.lead(to: next ?? "/console/", cookie: SessionCookie(isSecure: true).line(session))
    }

    /// The counter of an answer that is right; nil of another.
    private static func counter(
        of answer: PasskeyAnswer, _ passkey: StoredPasskey, _ person: StoredPerson,
        challenge: [UInt8], _ party: RelyingParty
    ) -> Int? {
        guard let key = try? PasskeyKey(cose: passkey.key) else { return nil }
        return try? party.check(
            answer, of: Passkey(id: passkey.id, key: key, counter: passkey.counter),
            challenge: challenge, person: handle(of: person))
    }

    // MARK: The page of a person's passkeys

    /// Answers a request for the person's own passkeys.
    func answer(
        _ segments: [String], _ form: ConsoleForm, isPost: Bool, of person: StoredPerson,
        _ shown: ConsolePerson
    ) {
        // A browser makes none for the admin listener, and whom a proxy or a provider has signed in would have a way in
        // that outlives their word.
        guard turn.isOnHost, turn.identity == nil, !person.isOfProvider else {
            return isPost
                ? show(.notAllowed)
                : turn.answer(Console.passkeys(nil, shown, turn.setting))
        }
        switch (segments.dropFirst().first, isPost) {
        case (nil, false):
            let isRemoved = queryItems(turn.head.query ?? "").contains { $0 == ("done", "removed") }
            list(person, shown) { PasskeyView($0, isRemoved ? .removed : nil, mayAdd: $1) }
        case (nil, true): add(form, person, shown)
        case ("challenge", true): challenge(of: person)
        case ("remove", true): remove(form, person, shown)
        default: show(.notFound)
        }
    }

    /// - Parameter view: the page with these passkeys, and whether there may be another one.
    private func list(
        _ person: StoredPerson, _ shown: ConsolePerson,
        _ view: ([ListedPasskey], _ mayAdd: Bool) -> PasskeyView
    ) {
        let found = asker.store { store throws(StoreError) in try store.passkeys(of: person) }
        guard let found else { return show(.storeUnavailable) }
        let listed = found.map {
            ListedPasskey(id: base64URL($0.id), name: $0.name, created: $0.created, used: $0.used)
        }
        let mayAdd = listed.count < StoredPasskey.countMax
        turn.answer(Console.passkeys(view(listed, mayAdd), shown, turn.setting))
    }

    private func add(_ form: ConsoleForm, _ person: StoredPerson, _ shown: ConsolePerson) {
        guard let party else { return show(.notFound) }
        func bytes(_ name: String) -> [UInt8]? { form.value(name).flatMap(base64URLDecoded) }
        let name = withoutBlanks(form.value("name") ?? "")
        func refuse(_ outcome: PasskeyOutcome) {
            list(person, shown) { PasskeyView($0, outcome, typed: name, mayAdd: $1) }
        }
        guard !name.isEmpty else { return refuse(.nameless) }
        guard name.utf8.count <= StoredPasskey.nameBytesMax else { return refuse(.nameTooLong) }
        guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return refuse(.nameWithControls)
        }
        guard let client = bytes("client"), let attestation = bytes("attestation"),
            let challenge = RelyingParty.challenge(in: client),
            let passkey = try? party.register(
                clientData: client, attestation: attestation, challenge: challenge)
        else { return refuse(.refused) }
        let now = asker.links.clock.seconds
        let stored = StoredPasskey(
            id: passkey.id, person: person.id, key: passkey.key.cose, counter: passkey.counter,
            name: name, created: now)
        let outcome = asker.transaction { store throws(StoreError) -> PasskeyOutcome in
            guard try store.takeChallenge(sha256(challenge), of: person.id, at: now) else {
                return .refused
            }
            guard try store.add(stored) else {
                let count = try store.passkeys(of: person).count
                return count < StoredPasskey.countMax ? .known : .full
            }
            try note("add passkey \(stored.name)", of: person, store, at: now)
            return .added
        }
        guard let outcome else { return show(.storeUnavailable) }
        guard outcome == .added else { return refuse(outcome) }
        list(person, shown) { PasskeyView($0, outcome, mayAdd: $1) }
    }

    private func remove(_ form: ConsoleForm, _ person: StoredPerson, _ shown: ConsolePerson) {
        guard let id = form.value("id").flatMap(base64URLDecoded) else { return show(.notFound) }
        let (now, isSure) = (asker.links.clock.seconds, form.value("sure") != nil)
        let removal = asker.transaction { store throws(StoreError) -> Removal in
            // Without the last one, somebody else has to let them in. Asked here, two requests at once do not remove both.
            if !isSure {
                let found = try store.passkeys(of: person)
                if found.count == 1, found[0].id == id { return .doubted }
            }
            guard let passkey = try store.removePasskey(id, of: person) else { return .unknown }
            try note("remove passkey \(passkey.name)", of: person, store, at: now)
            return .done
        }
        switch removal {
        case nil: show(.storeUnavailable)
        case .doubted:
            list(person, shown) { PasskeyView($0, doubted: base64URL(id), mayAdd: $1) }
        // Loading the page anew sends nothing again.
        case .unknown: turn.lead(to: "/console/passkeys")
        case .done: turn.lead(to: "/console/passkeys?done=removed")
        }
    }

    /// What became of a passkey that was to be removed.
    private enum Removal {
        case doubted, unknown, done
    }

    private func note(
        _ action: String, of person: StoredPerson, _ store: LinkStore, at now: Int
    ) throws(StoreError) {
        try store.add(AuditEntry(time: now, actor: person.name, action: action, link: nil))
    }
}
