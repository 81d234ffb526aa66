private import Diagnostics
private import JSONSyntax

/// The changes of a link that a button does.
struct LinkButtons {
    let request: ConsoleRequest
    let api: ConsoleAPI
    let id: String

    /// Those that have no page of their own.
    static let names = ["delete", "restore", "disable", "enable", "aliases", "undo"]

    func answer(_ name: String) -> ConsoleResponse {
        switch name {
        case "delete": delete()
        case "restore": restore()
        case "disable": turn("disabled", "disabled")
        case "enable": turn("active", "enabled")
        case "erase": erase()
        case "aliases": addAlias()
        case "undo": takeBack()
        default: request.notice(.notFound)
        }
    }

    /// Brings a link back, as far as its deletion has taken it away, if it still is as the page of the form has shown it.
    private func restore() -> ConsoleResponse {
        let (was, tag) = (request.value("was"), request.value("tag"))
        let state = JSONText.string(was == "disabled" ? "disabled" : "active")
        return patch(
            (was == "archived" ? [] : [("archived", .null)]) + [("state", state)], "restored",
            tag: tag.isEmpty ? "*" : tag)
    }

    /// Switches a link on or off. The page of one in the archive has no such button.
    private func turn(_ state: String, _ deed: String) -> ConsoleResponse {
        let current = api.ask("GET", ["links", id])
        guard current.status == 200, let link = current.json else { return other(current) }
        guard link["archived"]?.boolean != true else { return done("changed-meanwhile") }
        return patch([("state", .string(state))], deed, tag: current.fields["ETag"] ?? "*")
    }

    /// Takes a link out of use and out of lists, which can be undone. The API's own deletion cannot.
    private func delete() -> ConsoleResponse {
        let current = api.ask("GET", ["links", id])
        guard current.status == 200, let json = current.json else { return other(current) }
        let link = LinkWords(json, now: request.now)
        guard !link.isArchived || !link.isDisabled else { return done("unchanged") }
        let answer = api.ask(
            "PATCH", ["links", id],
            .object([("archived", .boolean(true)), ("state", .string("disabled"))]),
            fields: ["if-match": "*"])
        guard answer.isSuccess else { return other(answer) }
        let path = PagePath("links").with("done", "deleted").with("link", id)
            .with("was", link.isArchived ? "archived" : json["state"]?.text)
            .with("seen", answer.fields["ETag"])
        return .other(path.text(below: request.setting.base))
    }

    private func erase() -> ConsoleResponse {
        // A form without the answer to the question is asked.
        guard !request.value("sure").isEmpty else {
            return ErasePage(request: request, api: api, id: id, status: 409).response
        }
        let answer = api.ask("DELETE", ["links", id], fields: ["if-match": request.value("tag")])
        if answer.status == 412 { return done("changed-meanwhile") }
        guard answer.isSuccess else { return other(answer) }
        return .other(PagePath("links").with("done", "erased").text(below: request.setting.base))
    }

    private func addAlias() -> ConsoleResponse {
        let slug = request.value("slug")
        let answer = api.ask(
            "POST", ["links", id, "aliases"], .object([("slug", .string(slug.trimmed))]))
        if answer.isSuccess { return done("alias") }
        guard [400, 409, 422].contains(answer.status) else { return other(answer) }
        // The link has it already, as after a double click.
        let aliases = api.ask("GET", ["links", id]).json?["aliases"]?.elements ?? []
        if aliases.contains(where: { $0.text?.isScalarwise(slug.trimmed) == true }) {
            return done("unchanged")
        }
        var page = OneLinkPage(request, api, id: id)
        page.refusedAlias = (slug, FormFindings(answer.json))
        page.status = answer.status
        return page.response
    }

    /// Takes back what a change has made of members for which the form has no field, if the link still has it.
    private func takeBack() -> ConsoleResponse {
        let current = api.ask("GET", ["links", id])
        guard current.status == 200, let link = current.json else { return other(current) }
        let audit = api.ask("GET", ["audit"], query: [("link", id)]).json?["entries"]?.elements
        let number = request.value("number")
        let entry = audit?.first { $0["number"]?.written.compact.isScalarwise(number) == true }
        let fields = entry.flatMap { LinkHistory.changes($0, request.setting.clock)?.fields } ?? []
        let members = entry.map { OtherMember.changed(by: $0, besides: fields) } ?? []
        guard !members.isEmpty, members.allSatisfy({ $0.isCurrent(in: link) }) else {
            // The same form was sent before, as by a double click.
            let isDone = !members.isEmpty && members.allSatisfy { $0.isTakenBack(in: link) }
            return done(isDone ? "changed" : "changed-meanwhile")
        }
        let answer = api.ask(
            "PATCH", ["links", id], OtherMember.patch(members),
            fields: ["if-match": current.fields["ETag"] ?? "*"])
        if answer.status == 412 {
            let link = api.ask("GET", ["links", id]).json
            let isDone = link.map { link in members.allSatisfy { $0.isTakenBack(in: link) } }
            return done(isDone == true ? "changed" : "changed-meanwhile")
        }
        guard [400, 409, 422].contains(answer.status) else {
            return answer.isSuccess ? done("changed") : other(answer)
        }
        var page = OneLinkPage(request, api, id: id)
        (page.refusedUndo, page.status) = (FormFindings(answer.json), answer.status)
        return page.response
    }

    private func patch(
        _ members: [(key: String, value: JSONText)], _ deed: String, tag: String
    ) -> ConsoleResponse {
        let answer = api.ask("PATCH", ["links", id], .object(members), fields: ["if-match": tag])
        guard answer.status == 412 else { return answer.isSuccess ? done(deed) : other(answer) }
        // The same form was sent before, or somebody else has done the same.
        let link = api.ask("GET", ["links", id]).json
        let isDone = members.allSatisfy { key, value in
            key == "archived"
                ? link?[key]?.boolean != true
                : JSONText.string(link?[key]?.text ?? "").compact == value.compact
        }
        return done(isDone ? deed : "changed-meanwhile")
    }

    private func done(_ deed: String) -> ConsoleResponse {
        .other(PagePath("links", id).with("done", deed).text(below: request.setting.base))
    }

    private func other(_ answer: ConsoleAPI.Answer) -> ConsoleResponse {
        // The link or its collection is gone meanwhile, which the page of the link says.
        if [404, 410, 422].contains(answer.status) {
            var page = OneLinkPage(request, api, id: id)
            page.status = answer.status
            return page.response
        }
        return Console.refusal(answer, of: request)
    }
}
