package import Diagnostics

/// The pages of the console. It has no thread, no socket and no clock, and knows the store only through the operations of
/// the API, so that a page can show and change what its person could with a token, and nothing else.
package enum Console {
    /// Answers a request of a person who has a session.
    package static func answer(_ request: ConsoleRequest, _ api: ConsoleAPI) -> ConsoleResponse {
        switch request.method {
        case .get: page(request, api)
        case .post: change(request, api)
        }
    }

    /// An answer for a script of the console.
    package static func json(_ value: JSONText) -> ConsoleResponse {
        ConsoleResponse(200, type: "application/json", Array(value.compact.utf8))
    }

    /// The picture of the console in the tab of a browser, for which nobody has to be signed in.
    package static var icon: ConsoleResponse {
        var response = ConsoleResponse(200, type: "image/svg+xml", Array(ConsoleAssets.icon.utf8))
        response.fields.removeAll { $0.name == "Cache-Control" }
        response.fields.append(("Cache-Control", "max-age=86400"))
        return response
    }

    /// The most bytes of a path to which a page leads: all fields of an answer together have 8,192.
    static let pathBytesMax = 6_000

    /// A page that needs no session.
    package static func notice(
        _ notice: ConsoleNotice, _ setting: ConsoleSetting, person: ConsolePerson? = nil
    ) -> ConsoleResponse {
        NoticePage(notice: notice, person: person).response(setting)
    }

    /// Whether a text that a form or a request has is a path of the console, with nothing that a field cannot have.
    package static func isOwn(_ path: String, _ base: String) -> Bool {
        path.utf8.count <= pathBytesMax && path.utf8.starts(with: base.utf8)
            && path.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// The page for an answer of the API that leaves nothing to be shown. A form that could not be sent is on it.
    static func refusal(
        _ answer: ConsoleAPI.Answer, of request: ConsoleRequest
    ) -> ConsoleResponse {
        var shown = ConsoleNotice(answer)
        if answer.status == 503, request.method == .post {
            let action = PagePath(request.path).text(below: request.setting.base)
            shown = .notSent(action: action, form: request.form)
        }
        return request.notice(shown)
    }

    private static func page(_ request: ConsoleRequest, _ api: ConsoleAPI) -> ConsoleResponse {
        let path = request.path
        if let form = page(ofForm: path) {
            return .other(form.text(below: request.setting.base))
        }
        switch path.first ?? "" {
        case "" where path.isEmpty: return OverviewPage(request, api).response
        case "links" where path.count == 1: return LinksPage(request, api).response
        case "links.csv" where path.count == 1:
            return LinkTable(request: request, api: api).response
        case "links" where path.count == 2: return OneLinkPage(request, api, id: path[1]).response
        case "links" where path.count == 3:
            return page(of: path[1], path[2], request, api)
        case "codes" where path.count == 1: return CodesPage(request, api).response
        case "codes.pdf" where path.count == 1: return CodesPage(request, api).file
        case "new" where path.count == 1:
            guard request.person.mayEdit else {
                return notice(.notAllowed, request.setting, person: request.person)
            }
            return LinkEditing(request: request, api: api).newLink()
        case "import" where path.count == 1:
            guard request.person.mayEdit else {
                return notice(.notAllowed, request.setting, person: request.person)
            }
            return ImportPage(request, api).form
        case "preview" where path.count == 1:
            return PreviewPage(request: request, api: api).response
        case "page" where path.count == 1:
            return FramedPage(request: request, api: api).response
        case "visits" where path.count == 1:
            return VisitsPage(request, api).response
        case "visits.csv" where path.count == 1:
            return VisitsPage(request, api).table
        case "misses" where path.count == 1:
            return MissesPage(request: request, api: api).response
        case "misses.csv" where path.count == 1:
            return DownloadedTable(request: request, api: api).misses
        case "help" where path.count == 1: return HelpPage(request: request).response
        case "help" where path == ComponentsPage.path:
            return ComponentsPage(request: request, api: api).response
        // The script asks before it sends a long table.
        case "session" where path.count == 1: return json(.object([]))
        case let name where path.count == 1: return page(name, request, api)
        default: return notice(.notFound, request.setting, person: request.person)
        }
    }

    /// The page with the form that is sent to a path. A browser asks for such a path when its address is opened again after the form was
    /// refused.
    private static func page(ofForm path: [String]) -> PagePath? {
        switch path.first ?? "" {
        case "links" where path == ["links", "selected"]: PagePath("links")
        case "links" where path.count == 3 && LinkButtons.names.contains(path[2]):
            PagePath("links", path[1])
        case "people" where path.count == 3 && PeoplePage.deeds.contains(path[2]):
            PagePath("people")
        case "tokens" where path.count == 3 && path[2] == "remove": PagePath("tokens")
        case "language" where path.count == 1: PagePath()
        default: nil
        }
    }

    /// A page about the server and those who use it.
    private static func page(
        _ name: String, _ request: ConsoleRequest, _ api: ConsoleAPI
    ) -> ConsoleResponse {
        switch name {
        case "collections": CollectionsPage(request: request, api: api).response
        case "audit": AuditPage(request: request, api: api).response
        case "people": PeoplePage(request, api).response
        case "tokens": TokensPage(request, api).response
        case "health": HealthPage(request: request, api: api).response
        default: notice(.notFound, request.setting, person: request.person)
        }
    }

    /// A page of one link.
    private static func page(
        of id: String, _ name: String, _ request: ConsoleRequest, _ api: ConsoleAPI
    ) -> ConsoleResponse {
        switch name {
        case "edit":
            request.person.mayEdit
                ? LinkEditing(request: request, api: api).editLink(id)
                : notice(.notAllowed, request.setting, person: request.person)
        case "erase":
            request.person.mayEdit
                ? ErasePage(request: request, api: api, id: id).response
                : notice(.notAllowed, request.setting, person: request.person)
        case "preview": PreviewPage(request: request, api: api, id: id).response
        case "code.svg": LinkCode(request: request, api: api, id: id).picture
        case "code": LinkCode(request: request, api: api, id: id).file
        case "visits.csv": DownloadedTable(request: request, api: api).visits(ofLink: id)
        default: notice(.notFound, request.setting, person: request.person)
        }
    }

    private static func change(_ request: ConsoleRequest, _ api: ConsoleAPI) -> ConsoleResponse {
        guard !request.isForeign("language", ConsoleLanguage.allCases.map(\.rawValue)) else {
            return notice(.foreignChoice, request.setting, person: request.person)
        }
        guard request.path != ["language"] else { return ConsoleLanguage.choose(request) }
        // The buttons there are to be looked at, and do nothing.
        guard request.path != ComponentsPage.path else {
            return ComponentsPage(request: request, api: api).response
        }
        guard let language = ConsoleLanguage(rawValue: request.value("language")) else {
            return changed(request, api)
        }
        var request = request
        request.setting.language = language
        var response = changed(request, api)
        response.fields.append(language.field(request.setting))
        return response
    }

    private static func changed(_ request: ConsoleRequest, _ api: ConsoleAPI) -> ConsoleResponse {
        let path = request.path
        switch path.first ?? "" {
        // The API would refuse each of them, too.
        case _ where !request.person.mayEdit:
            return RefusedForm(request: request, reason: .role).response
        case "new" where path.count == 1: return LinkEditing(request: request, api: api).create()
        case "import" where path.count == 1: return ImportPage(request, api).answer
        case "check" where path.count == 1: return TypedCheck(request: request, api: api).response
        case "links" where path.count == 2 && path[1] == "selected":
            return SelectedLinks(request: request, api: api).change()
        case "links" where path.count == 3 && path[2] == "edit":
            return LinkEditing(request: request, api: api).change(path[1])
        case "links" where path.count == 3:
            return LinkButtons(request: request, api: api, id: path[1]).answer(path[2])
        case "people" where path.count == 1:
            var page = PeoplePage(request, api)
            return page.invite()
        case "people" where path.count == 3:
            var page = PeoplePage(request, api)
            return page.change(path[1], path[2])
        case "tokens" where path.count == 1:
            var page = TokensPage(request, api)
            return page.make()
        case "tokens" where path.count == 3 && path[2] == "remove":
            var page = TokensPage(request, api)
            return page.revoke(path[1])
        default: return notice(.notFound, request.setting, person: request.person)
        }
    }
}
