internal import Diagnostics
internal import JSONSyntax
private import Markup
private import URISyntax

/// The tokens with which programs use the API.
struct TokensPage {
    let request: ConsoleRequest
    let api: ConsoleAPI
    private var faults = FieldFaults()
    /// Whether the form was sent before, and has made its token then.
    private var wasMade = false
    /// Whether the token that was to be revoked is not there any more.
    private var isGone = false
    private var status = 200
    /// The id of a token that is revoked when somebody says so twice.
    private var doubted: String?
    /// The secret of a token that was made; it is shown once.
    private var secret: String?

    /// The scopes of tokens, as the API names them.
    private static let scopes: [(name: String, text: ConsoleText)] = [
        ("links.read", .scopeRead), ("links.create", .scopeCreate), ("links.write", .scopeWrite),
        ("links.delete", .scopeDelete), ("stats.read", .scopeStats), ("audit.read", .scopeAudit),
        ("admin", .scopeAdmin),
    ]

    init(_ request: ConsoleRequest, _ api: ConsoleAPI) { (self.request, self.api) = (request, api) }

    var response: ConsoleResponse {
        let answer = api.ask("GET", ["tokens"])
        // A secret that was made is shown once, also where the list cannot be read then.
        guard answer.isSuccess || secret != nil else { return Console.refusal(answer, of: request) }
        var frame = ServerPage(request: request, tab: .tokens)
        frame.status = status
        frame.hasEditor = answer.isSuccess
        frame.isRefused = !faults.isEmpty
        return frame.response { page in
            faults.write(&page)
            writeQuestion(answer.json?["tokens"]?.elements ?? [], &page)
            if wasMade { page.message(.warning, .tokenWasMade) }
            if isGone { page.message(.warning, .tokenIsGone) }
            if let secret { page.secret(secret, .tokenLead) }
            guard answer.isSuccess else { return }
            writeTable(answer.json?["tokens"]?.elements ?? [], &page)
            writeForm(&page)
        }
    }

    mutating func make() -> ConsoleResponse {
        if request.isShowing { return response }
        let action = "token \(request.value("name").trimmed)"
        if FormMark.isDone(action, request, api) { return madeBefore() }
        var members: [(key: String, value: JSONText)] = [
            ("name", .string(request.value("name").trimmed)),
            ("scopes", .strings(request.values("scope"))),
        ]
        let collections = request.values("collection")
        if !collections.isEmpty { members.append(("collections", .strings(collections))) }
        let expires = request.value("expires").trimmed
        if !expires.isEmpty {
            let end = TypedTime.written(expires, isEnd: true, request.setting.clock)
            members.append(("expires", .string(end)))
        }
        let answer = api.ask(
            "POST", ["tokens"], .object(members), fields: FormMark.fields(action, request))
        if answer.isSuccess {
            secret = answer.json?["token"]?.text
        } else if FormMark.wasHandled(FormFindings(answer.json)) {
            return madeBefore()
        } else {
            guard [400, 409, 422].contains(answer.status) else {
                return Console.refusal(answer, of: request)
            }
            faults = FieldFaults(answer.json)
            status = answer.status
        }
        return response
    }

    private mutating func madeBefore() -> ConsoleResponse {
        (wasMade, status) = (true, 409)
        return response
    }

    /// Revokes a token, which nothing brings back, so it is asked about first.
    mutating func revoke(_ id: String) -> ConsoleResponse {
        if request.value("sure").isEmpty {
            let list = api.ask("GET", ["tokens"])
            let tokens = list.json?["tokens"]?.elements ?? []
            isGone = list.isSuccess && Self.token(id, of: tokens) == nil
            (doubted, status) = (id, isGone ? 404 : 409)
            return response
        }
        let answer = api.ask("DELETE", ["tokens", id])
        if answer.status == 404 {
            (isGone, status) = (true, 404)
            return response
        }
        guard answer.isSuccess else { return Console.refusal(answer, of: request) }
        return .other(
            PagePath("tokens").with("done", "token-removed").text(below: request.setting.base))
    }

    private static func token(_ id: String, of tokens: [JSONValue]) -> JSONValue? {
        tokens.first { $0["id"]?.count.map { "\($0)".isScalarwise(id) } == true }
    }

    private func writeQuestion(_ tokens: [JSONValue], _ page: inout PageWriter) {
        guard let doubted, let token = Self.token(doubted, of: tokens) else { return }
        page.message(.fault) { page in
            page.element(
                "p", .revokeQuestion,
                [
                    "name": token["name"]?.text ?? "", "ending": token["ending"]?.text ?? "",
                    "used": Self.lastUse(of: token) ?? page.filled(.never),
                ])
            page.button(
                PagePath("tokens", doubted, "remove"), .revokeForGood, style: "danger",
                hidden: [("sure", "1")])
        }
    }

    /// A day is kept, and no time.
    private static func lastUse(of token: JSONValue) -> String? {
        token["used"]?.text.map { String(decoding: $0.utf8.prefix(10), as: UTF8.self) }
    }

    private func writeTable(_ tokens: [JSONValue], _ page: inout PageWriter) {
        guard !tokens.isEmpty else {
            return page.empty(.noTokenYet) { $0.element("p", .noTokenYetLead) }
        }
        page.table(
            .tokens,
            [
                .text(.tokenName), .text(.scopes), .text(.collections), .text(.lastUsed),
                .text(.expires), .deeds,
            ]
        ) { page in
            for token in tokens { write(token, &page) }
        }
    }

    private func write(_ token: JSONValue, _ page: inout PageWriter) {
        let name = token["name"]?.text ?? ""
        page.raw("<tr><th scope=\"row\">")
        page.value(name)
        page.raw(" <span class=\"quiet\">…")
        page.value(token["ending"]?.text ?? "")
        page.raw("</span></th>")
        page.cellStart(.scopes)
        let scopes = token["scopes"]?.elements?.compactMap(\.text) ?? []
        page.write("\(scopes.joined(separator: ", "))</td>")
        page.cellStart(.collections)
        page.scope(token["collections"])
        page.raw("</td>")
        page.cell(.lastUsed, Self.lastUse(of: token) ?? page.filled(.never))
        page.cellStart(.expires)
        writeEnd(of: token, &page)
        page.raw("</td><td class=\"buttons\">")
        let id = token["id"]?.count.map { "\($0)" } ?? ""
        page.button(PagePath("tokens", id, "remove"), .revoke, style: "danger", of: name)
        page.raw("</td></tr>\n")
    }

    /// Writes when a token ends, and of one that has ended that it has.
    private func writeEnd(of token: JSONValue, _ page: inout PageWriter) {
        guard let end = token["expires"]?.text else { return page.words(.never) }
        page.value(page.moment(end))
        guard let time = try? Timestamp(end), time.seconds <= request.storeNow else { return }
        page.write(" <span class=\"state unwell\">\(.tokenEnded)</span>")
    }

    private func writeForm(_ page: inout PageWriter) {
        let isTyped = request.method == .post && secret == nil
        page.raw("<form method=\"post\" id=\"editor\" class=\"editor\"")
        page.attribute("action", PagePath("tokens").text(below: page.setting.base))
        page.raw(">\n")
        for (name, value) in FormMark(api).items { page.hidden(name, value) }
        page.element("h2", .newToken)
        page.hint(.newTokenLead)
        page.textField(
            FormField("name", .tokenName, .tokenNameHint, faults: faults[.name]),
            isTyped ? request.value("name") : "")
        let choices = Self.scopes.map { scope in
            (value: scope.name, text: "\(page.filled(scope.text)) (\(scope.name))")
        }
        page.boxes(
            FormField("scope", .scopes, faults: faults[.scope]), choices,
            chosen: isTyped ? request.values("scope") : [])
        page.collectionBoxes(
            api, .tokenCollectionsHint, faults,
            chosen: isTyped ? request.values("collection") : [])
        page.textField(
            FormField("expires", .expires, .expiresHint, faults: faults[.expires]),
            isTyped ? request.value("expires") : "")
        page.raw("<div class=\"actions\"><button class=\"primary\">")
        page.words(.makeToken)
        page.raw("</button></div>\n</form>\n")
    }
}
