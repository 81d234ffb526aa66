internal import JSONSyntax
private import Markup

/// The page of one link: what it is, what came of it, and what was changed.
struct OneLinkPage {
    let request: ConsoleRequest
    let api: ConsoleAPI
    let id: String
    /// An alias that was refused, with the reasons.
    var refusedAlias: (slug: String, FormFindings)?
    /// The reasons for which a change was not taken back.
    var refusedUndo: FormFindings?
    /// A side of a code that was refused.
    var refusedSide: String?
    /// The reason in words of the API, where it is not the form of the number.
    var sideReason: String?
    /// The reason for which a code cannot have a picture.
    var refusedLogo: LinkCode.LogoFault?
    var status = 200

    init(_ request: ConsoleRequest, _ api: ConsoleAPI, id: String) {
        (self.request, self.api, self.id) = (request, api, id)
    }

    var response: ConsoleResponse {
        let answer = api.ask("GET", ["links", id])
        guard answer.status == 200 || answer.status == 410, let json = answer.json else {
            return request.notice(.init(answer))
        }
        let link = LinkWords(json, now: request.now)
        var frame = PageFrame(title: link.name, person: request.person, section: .links)
        frame.isRefused = status != 200
        frame.status = answer.status == 200 ? status : answer.status
        frame.back = PagePath("links", id)
        let isThere = link.state != .deleted
        let collections = isThere ? api.collections : []
        let own = json["collection"]?.text
        let visits = isThere ? LinkVisits(request, api, id: id, collections, of: own) : nil
        if visits?.fault != nil { (frame.isRefused, frame.status) = (true, 400) }
        return frame.response(request.setting) { page in
            page.write("<p class=\"back\">\(link: PagePath("links"), .allLinks)</p>\n")
            page.banner(request, of: link)
            if let refusedUndo {
                page.message(.fault) { page in
                    for finding in refusedUndo.all {
                        page.raw("<p>")
                        page.finding(finding)
                        page.raw("</p>\n")
                    }
                }
            }
            writeTop(link, collections, &page)
            guard link.state != .deleted else { return page.element("p", .deletedLead) }
            page.raw("<div class=\"columns\">\n<div>\n")
            writeFacts(link, collections, &page)
            visits?.write(&page)
            let history = api.ask("GET", ["audit"], query: [("link", id)])
            writeHistory(history, link, &page)
            page.raw("</div>\n<aside>\n")
            let hasLogo = collections.contains { one in
                one["name"]?.text == own && one["hasLogo"]?.boolean == true
            }
            if link.state != .unserved { writeCode(link, hasLogo: hasLogo, &page) }
            writeAliases(link, &page)
            if mayEdit(link) { writeEnd(link, seen: answer.fields["ETag"], history.json, &page) }
            page.raw("</aside>\n</div>\n")
        }
    }

    private func mayEdit(_ link: LinkWords) -> Bool {
        request.person.mayEdit && link.state != .unserved
    }

    private func writeTop(_ link: LinkWords, _ collections: [JSONValue], _ page: inout PageWriter) {
        page.write("<div class=\"top\">\n<h1>\(keptTogether(link.name))</h1>\n")
        page.badge(link.state)
        page.raw("</div>\n")
        guard link.state != .deleted else { return }
        guard link.state != .unserved else { return page.element("p", .unservedLead) }
        page.copied("url") { $0.value(link.url) }
        let own = collections.first { $0["name"]?.text == link.link["collection"]?.text }
        if let port = own?["httpsPort"]?.count { writePort(port, link, &page) }
        page.raw("<p class=\"buttons\">")
        if mayEdit(link) {
            page.link(PagePath("links", id, "edit"), style: "button primary edit", .edit)
            page.raw(" ")
        }
        page.link(PagePath("links", id, "preview"), style: "button", .whatWillItDo)
        if mayEdit(link) {
            page.raw(" ")
            page.link(PagePath("new").with("like", id), style: "button", .makeAnother)
        }
        page.raw("</p>\n")
    }

    /// Says where a browser finds the link on a server of another port than that of https.
    private func writePort(_ port: Int, _ link: LinkWords, _ page: inout PageWriter) {
        guard let url = link.url(port: port) else { return }
        page.raw("<p class=\"hint\">")
        page.words(.otherPort, ["port": "\(port)"])
        page.raw(" <a rel=\"noreferrer\"")
        page.attribute("href", url)
        page.raw(">")
        page.value(url)
        page.raw("</a></p>\n")
    }

    private func writeFacts(
        _ link: LinkWords, _ collections: [JSONValue], _ page: inout PageWriter
    ) {
        let form = LinkForm(link: link.link, page.setting.clock)
        page.raw("<section>\n")
        page.element("h2", .whatItIs)
        page.raw("<dl>\n")
        let fields: [LinkField] = [.collection] + LinkField.ofLink.filter { $0 != .state }
        for field in fields where !form[field].isEmpty {
            page.write("<dt>\(field.label)</dt><dd>")
            page.fieldValue(field, form[field])
            page.raw("</dd>\n")
        }
        page.write("<dt>\(.opensInApps)</dt><dd>")
        let apps = (link.link["opens"]?.elements ?? []).compactMap(\.text)
        if apps.isEmpty {
            page.words(.noApp)
        } else {
            writeApps(apps, of: link, collections, &page)
        }
        page.write("</dd>\n<dt>\(.made)</dt><dd>")
        page.value(page.moment(link.link["created"]?.text))
        page.write("</dd>\n<dt>\(.lastChanged)</dt><dd>")
        page.write("\(page.moment(link.link["updated"]?.text))</dd>\n</dl>\n</section>\n")
    }

    /// The names of the apps, with the systems on which one opens the link.
    private func writeApps(
        _ ids: [String], of link: LinkWords, _ collections: [JSONValue], _ page: inout PageWriter
    ) {
        let own = collections.first { $0["name"]?.text == link.link["collection"]?.text }
        let names = own?["apps"]?.elements?.compactMap(\.text) ?? []
        page.value((names.isEmpty ? ids : names).joined(separator: ", "))
        guard !names.isEmpty else { return }
        let systems = [PreviewClient.all[0], PreviewClient.all[2]].filter { $0.opens(ids) }
            .map { page.filled($0.label) }
        page.value(" (\(systems.joined(separator: ", ")))")
    }

    private func writeHistory(
        _ answer: ConsoleAPI.Answer, _ link: LinkWords, _ page: inout PageWriter
    ) {
        page.raw("<section>\n")
        page.element("h2", .history)
        if answer.isSuccess {
            LinkHistory(answer.json, of: link, mayEdit: mayEdit(link)).write(&page)
        } else {
            page.hint(.historyUnavailable)
        }
        page.raw("</section>\n")
    }

    private func writeAliases(_ link: LinkWords, _ page: inout PageWriter) {
        let aliases = (link.link["aliases"]?.elements ?? []).compactMap(\.text)
        guard mayEdit(link) || !aliases.isEmpty else { return }
        page.raw("<section>\n")
        page.element("h2", .aliases)
        page.hint(.aliasesHint)
        if !aliases.isEmpty {
            page.raw("<ul>\n")
            for alias in aliases { page.element("li", value: alias) }
            page.raw("</ul>\n")
        }
        if mayEdit(link) {
            page.form(PagePath("links", id, "aliases"), style: "alias")
            page.write("<label for=\"slug\">\(.newAlias)</label>\n")
            if refusedAlias != nil {
                page.raw("<div id=\"errors\" tabindex=\"-1\" role=\"alert\">\n")
            }
            for finding in refusedAlias?.1.all ?? [] {
                page.raw("<p class=\"fault\">")
                page.finding(finding)
                page.raw("</p>\n")
            }
            if refusedAlias != nil { page.raw("</div>\n") }
            page.raw(
                "<input id=\"slug\" name=\"slug\" autocapitalize=\"none\" autocomplete=\"off\"")
            page.attribute("value", refusedAlias?.slug ?? "")
            if refusedAlias != nil { page.pointToFaults() }
            page.write("> <button>\(.add)</button></form>\n")
        }
        page.raw("</section>\n")
    }

    /// Taking the link out of use, in the ways that there are for its state.
    private func writeEnd(
        _ link: LinkWords, seen tag: String?, _ audit: JSONValue?, _ page: inout PageWriter
    ) {
        page.raw("<section class=\"end\">\n")
        page.element("h2", .takeOut)
        if link.isArchived {
            // A link that works stays so. Where it is not known any more what another one was, it stays as it is, too.
            let was =
                link.isDisabled ? LinkHistory.stateBeforeArchive(audit) ?? "disabled" : "active"
            page.button(
                PagePath("links", id, "restore"), .restore,
                hidden: [("was", was), ("tag", tag ?? "")])
            page.raw("<p>")
            page.link(PagePath("links", id, "erase"), style: "button danger", .eraseForGood)
            page.raw("</p>\n")
            page.hint(.eraseHint)
        } else {
            page.button(
                PagePath("links", id, link.isDisabled ? "enable" : "disable"),
                link.isDisabled ? .enable : .disable)
            page.hint(.disableHint)
            page.button(PagePath("links", id, "delete"), .delete, style: "danger")
            page.hint(.deleteHint)
        }
        page.raw("</section>\n")
    }
}

extension PageWriter {
    /// The value of a field before or after a change, where an empty one is a word, too.
    mutating func changedValue(_ field: LinkField, _ text: String) {
        if text.isEmpty, field != .state { words(.emptyField) } else { fieldValue(field, text) }
    }

    /// A value of a member without a field.
    /// - Parameter isFlag: whether it is yes or no.
    mutating func foundValue(_ text: String, isFlag: Bool) {
        if text.isEmpty {
            words(.emptyField)
        } else if isFlag {
            words(text == "true" ? .yes : .no)
        } else {
            value(text)
        }
    }

    /// The value of a field in words.
    mutating func fieldValue(_ field: LinkField, _ text: String) {
        switch (field.isAction, text) {
        case (true, "landing"): words(.actionLanding)
        case (true, "store"): words(.actionStore)
        case (true, "gone"): words(.actionGone)
        case (true, "not-found"): words(.actionNotFound)
        case _ where field == .from || field == .until:
            value(moment(TypedTime.written(text, isEnd: field == .until, setting.clock)))
        case _ where field == .state: words(text == "disabled" ? .disabled : .active)
        default: value(text)
        }
    }
}
