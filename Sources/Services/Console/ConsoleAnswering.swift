import Answering
import Console
import HTTPMessages
import LinkAPI
import LinkStore
import SharedStore
import Sockets
import URISyntax

/// Answers one request to the console, on its thread.
struct ConsoleAnswering {
    private let turn: ConsoleTurn
    private let asker: StoreAsker
    /// The origin whose health is shown; nil until it has started.
    private let origin: ServedOrigin?

    init(_ turn: ConsoleTurn, _ asker: StoreAsker, _ origin: ServedOrigin?) {
        (self.turn, self.asker, self.origin) = (turn, asker, origin)
    }

    func answer() {
        switch turn.gate {
        case .method:
            var response = Console.notice(.methodNotAllowed, turn.setting)
            response.fields.append(("Allow", "GET, HEAD, POST"))
            return turn.answer(response)
        case .otherOrigin: return show(.otherOrigin)
        case .tooLong:
            return show(ConsoleForm.isImport(turn.head) ? .tableTooLarge : .formTooLarge)
        case .open: break
        }
        let path = turn.head.path.utf8
        if path.elementsEqual("/console".utf8) || turn.isOnHost && path.elementsEqual("/".utf8) {
            return turn.lead(to: "/console/")
        }
        guard let segments = turn.segments else { return show(.notFound) }
        let form: ConsoleForm
        do throws(ConsoleForm.Fault) {
            form = turn.isStreamed ? ConsoleForm() : try ConsoleForm(of: turn.request)
        } catch {
            return show(error == .tooLong ? .formTooLarge : .otherForm)
        }
        switch segments.first {
        // A second spelling would pass by the rate of attempts and the log, which read the path as it is written.
        case "sign-in" where segments.count <= 2 && turn.isSignIn: signIn(segments, form)
        case "sign-in": show(.notFound)
        case "openid" where segments.count == 1 && turn.isOfProvider:
            guard turn.head.method == .get else { return show(.methodNotAllowed) }
            atProvider { $0.finish() }
        case "icon.svg" where segments.count == 1 && !isPost: turn.answer(Console.icon)
        // The log leaves out a draft by the path as it is written.
        case "page" where !turn.head.path.utf8.elementsEqual("/console/page".utf8): show(.notFound)
        case "sign-out" where segments.count == 1: signOut(form)
        default: answerPage(segments, form)
        }
    }

    private var isPost: Bool { turn.head.method == .post }
    private var passkeys: PasskeyAnswering { PasskeyAnswering(turn: turn, asker: asker) }

    private func show(_ notice: ConsoleNotice, cookie: String? = nil) {
        turn.answer(Console.notice(notice, turn.setting), cookie: cookie)
    }

    // MARK: Signing in

    /// A program that shows a preview of a link asks for its page, so that uses nothing up; the page's button does.
    private func signIn(_ segments: [String], _ form: ConsoleForm) {
        guard segments.count == 2 else { return show(.signInNeeded(path: "/console/")) }
        let secret = segments[1]
        switch secret {
        case "challenge" where isPost: return passkeys.challenge(of: nil)
        case "passkey" where isPost: return passkeys.signIn(form)
        case "openid" where isPost: return atProvider { $0.begin(next: form.next) }
        default: break
        }
        guard SignInSecret.isOne(secret) else { return show(.linkInvalid) }
        guard isPost else { return show(.signIn(action: "/console/sign-in/\(secret)")) }
        let (now, before, isSecure) = (asker.links.clock.seconds, hash, turn.isOnHost)
        let (link, session) = (SignInSecret.hash(of: secret), SignInSecret.make())
        let person = asker.transaction { store throws(StoreError) -> StoredPerson? in
            guard let person = try store.takeSignIn(link, at: now) else { return nil }
            if let before { try store.endSession(before) }
            try store.beginSession(
                SignInSecret.sessionHash(of: session, isSecure: isSecure), of: person, at: now)
            try store.add(AuditEntry(time: now, actor: person.name, action: "sign in", link: nil))
            return person
        }
        guard let person else { return show(.storeUnavailable) }
        guard person != nil else { return show(.linkInvalid) }
        turn.lead(to: "/console/", cookie: SessionCookie(isSecure: isSecure).line(session))
    }

    /// Does something for which a provider may be asked, on a thread that nobody else waits for.
    private func atProvider(_ work: @escaping @Sendable (OpenIDAnswering) -> Void) {
        guard let asker = try? StoreAsker(beside: asker) else { return show(.failed) }
        guard let answering = OpenIDAnswering(turn, asker) else { return show(.notFound) }
        guard turn.desk.submit({ work(answering) }) else {
            return show(.tooMany(retryAfterSeconds: 5))
        }
    }

    private func signOut(_ form: ConsoleForm) {
        // A browser that has signed out is at this address.
        guard isPost else { return turn.lead(to: "/console/") }
        let (now, hash, isEverywhere) = (
            asker.links.clock.seconds, hash, form.value("everywhere") != nil
        )
        let isDone = asker.transaction { store throws(StoreError) -> Bool in
            guard let hash, let session = try store.session(hash, at: now) else { return true }
            if isEverywhere { try store.endSessions(of: session.person) }
            try store.endSession(hash)
            try store.add(
                AuditEntry(
                    time: now, actor: session.person.name,
                    action: isEverywhere ? "sign out everywhere" : "sign out", link: nil))
            return true
        }
        // Who signs out must not be told so while the session lasts.
        guard isDone != nil else { return show(.storeUnavailable) }
        show(
            turn.identity == nil ? .signedOut : .signedInByProxy,
            cookie: SessionCookie(isSecure: turn.isOnHost).end)
    }

    private var hash: [UInt8]? { turn.sessionHash }

    // MARK: Pages

    private func answerPage(_ segments: [String], _ form: ConsoleForm) {
        let now = asker.links.clock.seconds
        if let name = turn.identity { return answerPage(segments, form, named: name, at: now) }
        guard let hash else { return showSignIn(form) }
        let found = asker.store { store throws(StoreError) -> StoredSession? in
            guard let session = try store.session(hash, at: now) else { return nil }
            store.noteUse(of: hash, session, at: now)
            return session
        }
        guard let found else { return showUnavailable(form) }
        guard let session = found else { return showSignIn(form) }
        answerPage(segments, form, of: session.person, at: now)
    }

    /// Answers a person whom a trusted proxy has signed in. There is no session, because each request
    /// names the person: after a removal, here or at the proxy, the next one is refused.
    private func answerPage(
        _ segments: [String], _ form: ConsoleForm, named name: String, at now: Int
    ) {
        let signIns = turn.signIns
        let found = asker.store { store throws(StoreError) -> StoredPerson? in
            guard let person = try store.person(named: name) else { return nil }
            if signIns.isNew(person.id, at: now) {
                let entry = AuditEntry(
                    time: now, actor: person.name, action: "sign in by a proxy", link: nil)
                // Without a database that can be written, pages go on, and it is tried again.
                let isKept: Void? = try? store.transaction { _ throws(StoreError) in
                    try store.add(entry)
                }
                if isKept != nil { signIns.note(person.id, at: now) }
            }
            return person
        }
        guard let found else { return showUnavailable(form) }
        guard let person = found else {
            return show(
                .unknownPerson(
                    name.isEmpty ? nil : String(decoding: name.utf8.prefix(64), as: UTF8.self)))
        }
        answerPage(segments, form, of: person, at: now)
    }

    private func showUnavailable(_ form: ConsoleForm) {
        let action = turn.head.path
        if isPost, turn.isStreamed {
            return ReturnedUpload(turn: turn, links: asker.links).answer(
                { .notSent(action: action, form: $0) }, without: .storeUnavailable)
        }
        show(isPost ? .notSent(action: turn.head.path, form: form.items) : .storeUnavailable)
    }

    private func answerPage(
        _ segments: [String], _ form: ConsoleForm, of person: StoredPerson, at now: Int
    ) {
        let shown = ConsolePerson(
            person.name, ConsoleRole(rawValue: person.role.rawValue) ?? .viewer,
            isOfProxy: turn.identity != nil, isForAll: person.collections == nil)
        if segments.first == "passkeys" {
            return passkeys.answer(segments, form, isPost: isPost, of: person, shown)
        }
        let transfer = ConsoleTransfer(turn: turn, links: asker.links, person: person)
        if ConsoleForm.isImport(turn.head), shown.role != .viewer {
            return transfer.importForm(turn.isStreamed ? nil : form, shown)
        }
        if segments == ["export.csv"], !isPost { return transfer.export() }
        var request = ConsoleRequest(
            isPost ? .post : .get, segments, query: queryItems(turn.head.query ?? ""),
            form: form.items, person: shown, setting: turn.setting, now: Clock.unixSeconds)
        request.storeNow = now
        request.isTopLevel = turn.head.value(of: "sec-fetch-dest") == "document"
        let pages = PagePrediction(links: asker.links, api: turn.api)
        turn.answer(
            Console.answer(
                request,
                ConsoleAPI({ ask($0, of: person) }, page: pages.page) {
                    health(for: person, request.now)
                }))
    }

    /// The health of the server, for who may do everything.
    private func health(for person: StoredPerson, _ now: Int) -> ServerHealth? {
        guard person.role == .admin, person.collections == nil, let origin else { return nil }
        return ServerHealth(of: origin, asker.links, at: now)
    }

    /// Answers a request without a session. A form that was typed is on the page, to be sent again.
    private func showSignIn(_ form: ConsoleForm) {
        let path = turn.head.path
        if isPost, turn.isStreamed {
            return ReturnedUpload(turn: turn, links: asker.links).answer(
                { .sessionEnded(action: path, form: $0) }, without: .signInNeeded(path: path))
        }
        if isPost { return show(.sessionEnded(action: path, form: form.items)) }
        // A browser keeps the cookie back from what another site has caused (`SameSite=Strict`), and says so.
        let isLed = ["cross-site", "same-site"].contains(turn.head.value(of: "sec-fetch-site"))
        show(isLed && hash == nil ? .ledHere(path: path) : .signInNeeded(path: path))
    }

    private func ask(
        _ question: ConsoleAPI.Question, of person: StoredPerson
    ) -> ConsoleAPI.Answer {
        ConsoleAPI.Answer(asker.answer(APIRequest(question), of: person, turn.api))
    }
}

extension APIRequest {
    /// A question of a page.
    init(_ question: ConsoleAPI.Question) {
        var fields = question.fields
        if question.content != nil { fields["content-type"] = question.type }
        self.init(
            method: question.method, path: question.path, query: question.query, fields: fields,
            content: question.content ?? [])
    }
}

extension ConsoleAPI.Answer {
    init(_ response: APIResponse) {
        self.init(
            status: response.status, type: response.type, fields: response.fields,
            content: response.content)
    }
}

/// The cookie that has the secret of a session. Browsers send it with no request that another site causes
/// (`SameSite=Strict`), and no script reads it.
struct SessionCookie {
    let isSecure: Bool

    /// Browsers take a cookie with this beginning from its host alone, over https alone. The admin listener is plain
    /// HTTP on this machine.
    var name: String { isSecure ? "__Host-waymark" : "waymark-console" }

    func line(_ secret: String) -> String { "\(name)=\(secret); \(attributes)" }

    /// Removes it.
    var end: String { "\(name)=; Max-Age=0; \(attributes)" }

    private var attributes: String {
        isSecure
            ? "Path=/; Secure; HttpOnly; SameSite=Strict"
            : "Path=/console/; HttpOnly; SameSite=Strict"
    }
}
