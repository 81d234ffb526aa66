internal import Diagnostics
internal import JSONSyntax
private import Markup
private import URISyntax

/// The people of the console: who they are, what they may do, and the links with which they sign in.
struct PeoplePage {
    let request: ConsoleRequest
    let api: ConsoleAPI
    private var faults = FieldFaults()
    private var status = 200
    /// The answer that has a sign-in link; it is shown once.
    private var invitation: JSONValue?
    private var question: Question?
    /// The people before a change.
    private var people = [JSONValue]()
    /// The name of somebody for whom the form has made a link before, when it was sent first.
    private var invitedBefore: String?
    /// The name in the form, if that person was removed meanwhile.
    private var missing: String?

    /// A change that somebody has to say twice.
    private struct Question {
        /// The path that the change is sent to.
        let path: PagePath
        let text: ConsoleText
        var values = [String: String]()
        let button: ConsoleText
        /// The name of the person who keeps their rights with the other button; nil without one.
        var keeps: String?
    }

    init(_ request: ConsoleRequest, _ api: ConsoleAPI) { (self.request, self.api) = (request, api) }

    var response: ConsoleResponse {
        let answer = api.ask("GET", ["people"])
        // A link that was made is shown once, also where the list cannot be read then.
        guard answer.isSuccess || invitation != nil else {
            return Console.refusal(answer, of: request)
        }
        let people = answer.json?["people"]?.elements ?? []
        var frame = ServerPage(request: request, tab: .people)
        frame.status = status
        frame.hasEditor = answer.isSuccess
        frame.isRefused = !faults.isEmpty
        let mark = FormMark(api)
        return frame.response { page in
            faults.write(&page)
            writeQuestion(mark, &page)
            if let invitedBefore { page.message(.warning, .linkWasMade, ["name": invitedBefore]) }
            if let missing { page.message(.warning, .personIsGone, ["name": missing]) }
            writeInvitation(&page)
            guard answer.isSuccess else { return }
            writeTable(people, mark, &page)
            writeForm(people, mark, &page)
        }
    }

    // MARK: Changes

    /// Makes a sign-in link, for somebody new or with other rights.
    mutating func invite() -> ConsoleResponse {
        if request.isShowing { return response }
        if let refusal = readPeople() { return refusal }
        let (name, role) = (request.value("name").trimmed, request.value("role"))
        let collections = request.values("collection")
        if request.value("sure").isEmpty, let asked = doubt(name, role, collections) {
            (question, status) = (asked, 409)
            return response
        }
        var members: [(key: String, value: JSONText)] = [("name", .string(name))]
        if !role.isEmpty { members.append(("role", .string(role))) }
        if !collections.isEmpty { members.append(("collections", .strings(collections))) }
        return makeLink(for: name, members)
    }

    /// The time for which an invitation is; the API has no longer one.
    private static let invitationSeconds = 3 * 86_400

    private mutating func makeLink(
        for name: String, _ members: [(key: String, value: JSONText)]
    ) -> ConsoleResponse {
        let action = "sign-in link for \(name.lowercased())"
        if FormMark.isDone(action, request, api) { return madeBefore(for: name) }
        var members = members
        // Somebody else gets it by mail or in a chat; one's own is used at once.
        if !name.lowercased().isScalarwise(request.person.name.lowercased()) {
            let end = Timestamp(seconds: request.storeNow + Self.invitationSeconds)
            members.append(("expires", .string(end.description)))
        }
        let answer = api.ask(
            "POST", ["people"], .object(members), fields: FormMark.fields(action, request))
        if answer.isSuccess {
            invitation = answer.json
        } else if FormMark.wasHandled(FormFindings(answer.json)) {
            return madeBefore(for: name)
        } else {
            guard [400, 409, 422].contains(answer.status) else {
                return Console.refusal(answer, of: request)
            }
            faults = FieldFaults(answer.json)
            status = answer.status
        }
        return response
    }

    private mutating func madeBefore(for name: String) -> ConsoleResponse {
        (invitedBefore, status) = (name, 409)
        return response
    }

    /// The question before an invitation that would change the rights of a person; nil for one that changes none.
    private func doubt(_ name: String, _ role: String, _ collections: [String]) -> Question? {
        // Whoever has some collections alone gives nobody rights.
        let keepsAll = role == "admin" && collections.isEmpty
        if !keepsAll, isLastAdmin(name) {
            return Question(path: PagePath("people"), text: .lastAdminRole, button: .doItAnyway)
        }
        guard let person = person(name), let before = person["role"]?.text,
            let own = person["name"]?.text
        else { return nil }
        let scope = person["collections"]?.elements?.compactMap(\.text) ?? []
        let after = collections.isEmpty ? scope : collections
        guard !role.isEmpty, role != before || Set(after) != Set(scope) else { return nil }
        return Question(
            path: PagePath("people"), text: .rightsQuestion,
            values: ["name": own, "before": rights(before, scope), "after": rights(role, after)],
            button: .changeRights, keeps: own)
    }

    private func rights(_ role: String, _ collections: [String]) -> String {
        let name = ConsoleRole(rawValue: role)?.text(request.setting.language) ?? role
        return collections.isEmpty ? name : "\(name) (\(collections.joined(separator: ", ")))"
    }

    /// Reads the people before a change, because their rights decide whether the page asks again.
    /// - Returns: the answer to the request where the store is away; otherwise nil.
    private mutating func readPeople() -> ConsoleResponse? {
        let answer = api.ask("GET", ["people"])
        people = answer.json?["people"]?.elements ?? []
        return answer.status == 503 ? Console.refusal(answer, of: request) : nil
    }

    /// The deeds of the buttons beside a person.
    static let deeds = ["link", "remove", "sign-out"]

    mutating func change(_ name: String, _ deed: String) -> ConsoleResponse {
        guard Self.deeds.contains(deed) else { return request.notice(.notFound) }
        if let refusal = readPeople() { return refusal }
        guard let person = person(name) else { return gone(name) }
        // The person has rights already, and keeps them.
        if deed == "link" { return makeLink(for: name, [("name", .string(name))]) }
        let isRemoval = deed == "remove"
        if isRemoval, request.value("sure").isEmpty {
            (question, status) = (removal(of: person), 409)
            return response
        }
        let path = isRemoval ? ["people", name] : ["people", name, "sessions"]
        let answer = api.ask("DELETE", path)
        if answer.status == 404 { return gone(name) }
        guard answer.isSuccess else { return Console.refusal(answer, of: request) }
        let done = PagePath("people").with("done", isRemoval ? "person-removed" : "signed-out")
        return .other(done.text(below: request.setting.base))
    }

    /// The list, which says that somebody is not in it: another page or another person has removed them.
    private mutating func gone(_ name: String) -> ConsoleResponse {
        (missing, status) = (name, 404)
        return response
    }

    /// The question before somebody is removed: their rights and passkeys are gone then.
    private func removal(of person: JSONValue) -> Question {
        let name = person["name"]?.text ?? ""
        let path = PagePath("people", name, "remove")
        if isLastAdmin(name) {
            return Question(path: path, text: .lastAdminRemoval, button: .doItAnyway)
        }
        let page = PageWriter(request.setting)
        let scope = person["collections"]?.elements?.compactMap(\.text) ?? []
        return Question(
            path: path, text: .removalQuestion,
            values: [
                "name": name, "role": rights(person["role"]?.text ?? "", scope),
                "seen": person["seen"]?.text.map { page.moment($0) } ?? page.filled(.notSignedIn),
            ], button: .removeForGood)
    }

    /// Somebody of the list.
    private func person(_ name: String) -> JSONValue? {
        people.first { person in
            guard let own = person["name"]?.text else { return false }
            return own.isScalarwise(name) || own.isScalarwise(name.lowercased())
        }
    }

    /// Whether somebody is the only one who may do everything.
    private func isLastAdmin(_ name: String) -> Bool {
        let admins = people.filter { $0["role"]?.text == "admin" && $0["collections"] == nil }
            .compactMap { $0["name"]?.text }
        return admins.count == 1 && admins[0].isScalarwise(name.lowercased())
    }

    // MARK: Parts

    private func writeQuestion(_ mark: FormMark, _ page: inout PageWriter) {
        guard let question else { return }
        page.message(.fault) { page in
            page.element("p", question.text, question.values)
            page.raw("<div class=\"buttons\">\n")
            if let name = question.keeps {
                page.button(PagePath("people", name, "link"), .keepRights, hidden: mark.items)
            }
            page.button(
                question.path, question.button, style: "danger",
                hidden: request.form.map { ($0.name, $0.value) } + [("sure", "1")])
            page.raw("</div>\n")
        }
    }

    private func writeInvitation(_ page: inout PageWriter) {
        guard let path = invitation?["path"]?.text else { return }
        // Without a host of its own, the console is where this page is.
        let url = invitation?["host"]?.text.map { "https://\($0)\(path)" } ?? path
        page.secret(
            url, .invitationLead,
            [
                "name": invitation?["name"]?.text ?? "",
                "end": page.moment(invitation?["expires"]?.text),
            ], href: url)
    }

    private func writeTable(_ people: [JSONValue], _ mark: FormMark, _ page: inout PageWriter) {
        guard !people.isEmpty else { return page.hint(.nobodyYet) }
        page.table(
            .members,
            [.text(.personName), .text(.role), .text(.collections), .text(.lastSeen), .deeds]
        ) { page in
            for person in people { write(person, mark, &page) }
        }
    }

    private func write(_ person: JSONValue, _ mark: FormMark, _ page: inout PageWriter) {
        let name = person["name"]?.text ?? ""
        page.raw("<tr><th scope=\"row\">")
        page.link(PagePath("people").with("name", name), style: "name") { $0.value(name) }
        page.raw("</th>")
        page.cellStart(.role)
        let role = person["role"]?.text.flatMap(ConsoleRole.init)
        if let role { page.words(role.text) }
        page.raw("</td>")
        page.cellStart(.collections)
        page.scope(person["collections"])
        page.raw("</td>")
        page.cellStart(.lastSeen)
        let sessions = person["sessions"]?.count ?? 0
        page.value(person["seen"]?.text.map { page.moment($0) } ?? page.filled(.notSignedIn))
        if sessions > 0 { page.write(" \(.sessionCount, ["count": "\(sessions)"])") }
        page.raw("</td><td class=\"buttons\">")
        page.button(PagePath("people", name, "link"), .newSignInLink, of: name, hidden: mark.items)
        if sessions > 0 {
            page.button(PagePath("people", name, "sign-out"), .signOutEverywhere, of: name)
        }
        page.button(PagePath("people", name, "remove"), .removePerson, style: "danger", of: name)
        page.raw("</td></tr>\n")
    }

    private func writeForm(_ people: [JSONValue], _ mark: FormMark, _ page: inout PageWriter) {
        let typed = request.method == .post && request.path.count == 1 && invitation == nil
        let name = typed ? request.value("name") : request.item("name") ?? ""
        let known = people.first { $0["name"]?.text?.isScalarwise(name) == true }
        let role = typed ? request.value("role") : known?["role"]?.text ?? "viewer"
        let chosen =
            typed
            ? request.values("collection")
            : known?["collections"]?.elements?.compactMap(\.text) ?? []
        page.raw("<form method=\"post\" id=\"editor\" class=\"editor\"")
        page.attribute("action", PagePath("people").text(below: page.setting.base))
        page.raw(">\n")
        for (name, value) in mark.items { page.hidden(name, value) }
        page.element("h2", .invite)
        page.hint(.inviteLead)
        page.textField(FormField("name", .personName, .personNameHint, faults: faults[.name]), name)
        page.choiceField(
            FormField("role", .role, .roleHint, faults: faults[.role]),
            ConsoleRole.allCases.map { ($0.rawValue, page.filled($0.text)) }, chosen: role)
        page.collectionBoxes(api, .personCollectionsHint, faults, chosen: chosen)
        page.raw("<div class=\"actions\"><button class=\"primary\">")
        page.words(.makeInvitation)
        page.raw("</button></div>\n</form>\n")
    }
}

extension PageWriter {
    /// The collections that somebody or something is for.
    mutating func scope(_ collections: JSONValue?) {
        guard let names = collections?.elements?.compactMap(\.text) else {
            return words(.allOfThem)
        }
        value(names.joined(separator: ", "))
    }

    /// The collections to choose from, where there are several.
    mutating func collectionBoxes(
        _ api: ConsoleAPI, _ hint: ConsoleText, _ faults: FieldFaults, chosen: [String]
    ) {
        let all = api.collections
        let names = all.compactMap { $0["name"]?.text }
        guard names.count > 1 || !chosen.isEmpty else { return }
        // One that the configuration has no more stays to be seen.
        let gone = chosen.filter { name in !names.contains { $0.isScalarwise(name) } }
        boxes(
            FormField("collection", .collections, hint, faults: faults[.collection]),
            (names + gone).map { ($0, $0) }, chosen: chosen)
    }
}
