import Answering
import Console
import LinkAPI
import LinkStore
import OpenID
import SharedStore
import SiteConfiguration
import Sockets
import URISyntax

/// Lets people sign in at the provider of the configuration. All of it runs on a thread of the provider's desk.
struct OpenIDAnswering {
    private let turn: ConsoleTurn
    private let asker: StoreAsker
    private let settings: OpenIDSettings
    private let client: ProviderClient
    /// The time until which the provider is waited for; then the store has some of it left.
    private let deadline: Int

    private static let storeMilliseconds = 2_000

    /// Nil on the admin listener, and where the configuration has no provider.
    init?(_ turn: ConsoleTurn, _ asker: StoreAsker) {
        guard let settings = turn.api.openID, let origin = turn.origin else { return nil }
        (self.turn, self.asker, self.settings) = (turn, asker, settings)
        client = ProviderClient(
            issuer: settings.issuer, id: settings.clientID,
            redirect: "\(origin)\(Self.path)")
        deadline = turn.deadline - Self.storeMilliseconds
    }

    /// The page to which the provider sends browsers back.
    static let path = "/console/openid"

    private func show(_ notice: ConsoleNotice) {
        turn.answer(Console.notice(notice, turn.setting), cookies: [AttemptCookie.end])
    }

    /// The answer is to no attempt of this browser. One that has begun since, in another tab, goes on.
    private func showInvalid() { turn.answer(Console.notice(.attemptInvalid, turn.setting)) }

    private func show(_ trouble: ProviderTrouble) {
        let finding = trouble.finding(settings)
        if turn.desk.isNews(finding) { asker.links.tell(finding) }
        switch trouble {
        case .away: show(.providerAway(settings.name))
        case .wrong(.refused): show(.providerRefused(settings.name))
        case .wrong: show(.providerWrong(settings.name))
        case .here: show(.failed)
        }
    }

    private func known() throws(ProviderTrouble) -> ProviderDesk.Known {
        try turn.desk.known(settings, until: deadline, isEnded: asker.isEnding)
    }

    // MARK: The way there

    /// Leads a browser to the provider. A form that is sent is not led there: browsers hold redirects of it to
    /// `form-action`, and a provider may lead on to hosts that nobody knows here. So a page leads.
    /// - Parameter next: the page that was asked for.
    func begin(next: String?) {
        let secret = SignInSecret.make()
        let attempt = SignInAttempt(secret, of: client)
        let known: ProviderDesk.Known
        do throws(ProviderTrouble) { known = try self.known() } catch { return show(error) }
        let now = asker.links.clock.seconds
        let isBegun = asker.transaction { store throws(StoreError) in
            try store.beginAttempt(attempt.hash, at: now)
        }
        guard let isBegun else { return show(.storeUnavailable) }
        guard isBegun else {
            return show(.tooMany(retryAfterSeconds: PasskeyChallenge.attemptSeconds))
        }
        let url = attempt.location(known.metadata, scopes: settings.scopes)
        turn.answer(
            Console.notice(.leadingOn(to: url, settings.name), turn.setting),
            cookies: [AttemptCookie.line(secret, next)])
    }

    // MARK: The way back

    /// The attempt of this browser that the provider's answer is one to, and the page that was asked for; nil if there is none. It
    /// costs nothing to find.
    private func attempt(_ answer: AuthorizationAnswer?) -> (SignInAttempt, next: String?)? {
        guard let cookie = turn.cookie(AttemptCookie.name).flatMap(AttemptCookie.read) else {
            return nil
        }
        let attempt = SignInAttempt(cookie.secret, of: client)
        return answer?.isAnswer(to: attempt) == true ? (attempt, cookie.next) : nil
    }

    /// Signs a person in whom the provider has sent back. What it says is used once, on all nodes together.
    func finish() {
        let answer = try? AuthorizationAnswer(queryItems(turn.head.query ?? ""))
        guard let answer, let (attempt, next) = attempt(answer) else { return showInvalid() }
        let now = asker.links.clock.seconds
        let isTaken = asker.transaction { store throws(StoreError) in
            try store.takeAttempt(attempt.hash, at: now)
        }
        guard let isTaken else { return show(.storeUnavailable) }
        guard isTaken else { return show(.attemptInvalid) }
        do throws(ProviderTrouble) {
            admit(try person(answer, attempt), next ?? "/console/")
        } catch {
            show(error)
        }
    }

    /// The person whom the provider's tokens are about.
    private func person(
        _ answer: AuthorizationAnswer, _ attempt: SignInAttempt
    ) throws(ProviderTrouble) -> ProviderPerson {
        let known = try known()
        let requests = ProviderRequests(http: known.http, deadline: deadline)
        let secret: String
        do throws(SecretFileFault) {
            secret = try readSecret(settings.secret)
        } catch {
            throw .here("the file of `client-secret` \(error.reason)")
        }
        let code = try orWrong { () throws(OpenIDFault) in try answer.code(known.metadata) }
        let tokens = try requests.tokens(
            known.metadata,
            client.tokenRequest(
                known.metadata, code: code, verifier: attempt.verifier, secret: secret))
        let token = try token(tokens, attempt, known)
        var person = ProviderPerson(token, issuer: settings.issuer)
        if person.groups(settings.groupsClaim) == nil, let url = known.metadata.userInfo,
            let accessToken = tokens.accessToken
        {
            let info = try requests.userInfo(url, accessToken)
            try orWrong { () throws(OpenIDFault) in try person.add(userInfo: info) }
        }
        return person
    }

    private func token(
        _ tokens: TokenAnswer, _ attempt: SignInAttempt, _ known: ProviderDesk.Known
    ) throws(ProviderTrouble) -> IDToken {
        func read(_ keys: KeySet) throws(OpenIDFault) -> IDToken {
            try IDToken(
                tokens.idToken, by: keys, for: attempt, of: client, accessToken: tokens.accessToken,
                at: Clock.unixSeconds)
        }
        do throws(OpenIDFault) {
            return try read(known.keys)
        } catch {
            guard error == .unknownKey else { throw .wrong(error) }
            let keys = try turn.desk.keys(after: known, until: deadline)
            return try orWrong { () throws(OpenIDFault) in try read(keys) }
        }
    }

    // MARK: The session

    private enum Outcome: Sendable {
        case signedIn, noRole
        /// Somebody who was not made by this provider has the name.
        case taken(String)
    }

    /// Begins a session of a person, who is made if they are new, with the role that their groups have now.
    private func admit(_ person: ProviderPerson, _ next: String) {
        let role = settings.role(of: person.groups(settings.groupsClaim) ?? [])
        let (now, session, before) = (
            asker.links.clock.seconds, SignInSecret.make(), turn.sessionHash
        )
        let (name, ending, issuer) = (person.name, person.ending, settings.issuer)
        let outcome = asker.transaction { store throws(StoreError) -> Outcome in
            let people = try store.people()
            let known = people.first { $0.isOf(issuer, ending) }
            func note(_ actor: String, _ action: String) throws(StoreError) {
                try store.add(AuditEntry(time: now, actor: actor, action: action, link: nil))
            }
            guard let role, let granted = PersonRole(rawValue: role.role) else {
                guard let known else { return .noRole }
                // What the groups gave them, they have no more.
                try store.endSessions(of: known)
                try note(known.name, "sign in with OpenID without a role")
                return .noRole
            }
            var stored =
                known
                ?? StoredPerson(
                    name: name, role: granted, collections: nil, created: now, createdBy: issuer)
            (stored.role, stored.collections) = (granted, role.collections)
            if known == nil, try store.isTaken(name, people) { return .taken(name) }
            if stored != known {
                try store.put(stored)
                try note(
                    issuer,
                    "\(known == nil ? "add" : "change") person \(stored.name): \(stored.rights)")
            }
            if let before { try store.endSession(before) }
            try store.beginSession(
                SignInSecret.sessionHash(of: session, isSecure: true), of: stored, at: now)
            try note(stored.name, "sign in with OpenID")
            return .signedIn
        }
        switch outcome {
        case nil: show(.storeUnavailable)
        case .noRole: show(.noRole(settings.name))
        case .taken(let name):
            show(.here("somebody else in the console has the name \(name)"))
        case .signedIn:
            // The browser was led here by another site, so it would send no strict cookie after a redirect. A page of the
            // console leads on.
            turn.answer(
                Console.notice(.signedIn(to: next), turn.setting),
                cookies: [SessionCookie(isSecure: true).line(session), AttemptCookie.end])
        }
    }
}

/// The cookie with the secret of an attempt to sign in at a provider. The answer comes with a page that another site leads
/// to, so it cannot be as strict as that of sessions; it is of no use to anybody without the provider's answer.
enum AttemptCookie {
    static let name = "__Host-waymark-openid"

    /// - Parameter next: the page that was asked for. One that is longer than cookies may be is left out.
    static func line(_ secret: String, _ next: String?) -> String {
        let page = next.flatMap { $0.utf8.count <= nextBytesMax ? base64URL(Array($0.utf8)) : nil }
        return
            "\(name)=\(secret)\(page.map { ".\($0)" } ?? ""); Max-Age=\(PasskeyChallenge.attemptSeconds); \(attributes)"
    }

    private static let nextBytesMax = 2_000

    /// Reads a cookie's value; nil if it is none.
    static func read(_ value: String) -> (secret: String, next: String?)? {
        let parts = value.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1)
        guard let secret = parts.first.flatMap({ String($0) }), SignInSecret.isOne(secret) else {
            return nil
        }
        let page = parts.dropFirst().first.flatMap { String($0) }.flatMap(base64URLDecoded)
            .map { String(decoding: $0, as: UTF8.self) }
        return (secret, page.flatMap { Console.isOwn($0, "/console/") ? $0 : nil })
    }

    /// Removes it.
    static let end = "\(name)=; Max-Age=0; \(attributes)"

    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax"
}

extension LinkStore {
    /// Whether a token or a person has a name, which the audit shows.
    fileprivate func isTaken(_ name: String, _ people: [StoredPerson]) throws(StoreError) -> Bool {
        let tokens = try tokens()
        return people.contains { $0.name.utf8.elementsEqual(name.utf8) }
            || tokens.contains { $0.name.lowercased().utf8.elementsEqual(name.utf8) }
    }
}

extension StoredPerson {
    /// Whether it was made by a sign-in of the identity with this ending at this provider. Nobody else is made by an issuer,
    /// so no identity takes over a person whom somebody has added.
    fileprivate func isOf(_ issuer: String, _ ending: String) -> Bool {
        createdBy.utf8.elementsEqual(issuer.utf8)
            && name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
}

/// Makes a fault of a document the reason for which nobody is signed in.
private func orWrong<Value>(
    _ body: () throws(OpenIDFault) -> Value
) throws(ProviderTrouble) -> Value {
    do throws(OpenIDFault) { return try body() } catch { throw .wrong(error) }
}
