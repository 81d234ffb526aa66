internal import Diagnostics
internal import JSONSyntax
private import URISyntax

/// Making a link and changing one, by forms.
struct LinkEditing {
    let request: ConsoleRequest
    let api: ConsoleAPI

    private var clock: SiteClock { request.setting.clock }

    // MARK: A new link

    /// The empty form; fields that the query names are filled in.
    func newLink() -> ConsoleResponse {
        var form = LinkForm(request.query, clock)
        if let id = request.item("like"), let link = api.ask("GET", ["links", id]).json {
            form = LinkForm(link: link, clock)
            for field in [LinkField.slug, .state] { form[field] = "" }
        }
        if form[.collection].isEmpty {
            let answer = api.ask("GET", ["collections"])
            let all = answer.json?["collections"]?.elements ?? []
            if answer.status == 503 { return other(answer) }
            // A form that nobody can send would be filled in for nothing.
            if answer.isSuccess, all.isEmpty { return request.notice(.noCollection) }
            form[.collection] = all.first?["name"]?.text ?? ""
        }
        var page = page(form)
        page.preview = preview(of: page)
        return page.response
    }

    func create() -> ConsoleResponse {
        let form = LinkForm(request.form, clock)
        var page = page(form)
        if request.isShowing { return shown(page) }
        if let foreign { return foreign }
        guard request.value("do") != "check" else { return checked(&page, LinkDraft(form)) }
        let json = form.json
        let answer = api.ask(
            "POST", ["links"], json, fields: ["idempotency-key": FormKey(request).key(of: json)])
        guard answer.isSuccess, let id = answer.json?["id"]?.text else {
            return refused(&page, answer)
        }
        let start = answer.json?["from"]?.text.flatMap { try? Timestamp($0) }
        let isForLater = start.map { $0.seconds > request.now } ?? false
        return .other(
            PagePath("links", id).with("done", isForLater ? "created-for-later" : "created")
                .text(below: request.setting.base))
    }

    /// The answer to a form whose button no page has.
    private var foreign: ConsoleResponse? {
        request.isForeign("do", ["save", "check"])
            ? request.notice(.foreignChoice) : nil
    }

    // MARK: A link that exists

    func editLink(_ id: String) -> ConsoleResponse {
        let answer = api.ask("GET", ["links", id])
        guard answer.status == 200, let link = answer.json else { return other(answer) }
        // The page of a link whose collection is gone says so, and that nothing of it can be changed.
        guard LinkWords(link, now: request.now).state != .unserved else {
            return .other(PagePath("links", id).text(below: request.setting.base))
        }
        let form = LinkForm(link: link, clock)
        var page = page(form)
        page.edited = (link, answer.fields["ETag"] ?? "", form)
        if let number = request.item("undo") { takeBack(number, of: id, &page) }
        page.preview = DraftPreview(LinkDraft(page.form, from: form, of: link), api)
        return page.response
    }

    /// Puts what a change has replaced into the form, from where it is saved like any other text.
    private func takeBack(_ number: String, of id: String, _ page: inout LinkFormPage) {
        let audit = api.ask("GET", ["audit"], query: [("link", id)]).json?["entries"]?.elements
        let entry = audit?.first { $0["number"]?.written.compact.isScalarwise(number) == true }
        guard let entry, let (old, new, changed) = LinkHistory.changes(entry, clock) else { return }
        let fields = LinkHistory.ofForm(changed, entry)
        page.newer = fields.filter { field in
            ![old, new].contains { $0[field].isScalarwise(page.form[field]) }
        }
        for field in fields { page.form[field] = old[field] }
        page.isTakenBack = true
    }

    func change(_ id: String) -> ConsoleResponse {
        let current = api.ask("GET", ["links", id])
        guard current.status == 200, let link = current.json else { return lost(current) }
        let (form, seen) = LinkForm.edited(request.form, clock)
        let tag = request.value("tag")
        var page = page(form)
        page.edited = (link, tag, seen)
        if request.isShowing { return shown(page) }
        if let foreign { return foreign }
        guard LinkWords(link, now: request.now).state != .unserved else {
            return RefusedForm(request: request, reason: .unserved).response
        }
        guard tag == current.fields["ETag"] ?? "" else { return conflict(&page, current) }
        if request.value("do") == "check" {
            return checked(&page, LinkDraft(form, from: seen, of: link))
        }
        let patch = LinkPatch(form, from: seen, of: link)
        guard !patch.isEmpty else { return done(id, "unchanged") }
        let answer = api.ask("PATCH", ["links", id], patch.json, fields: ["if-match": tag])
        if answer.status == 412 { return conflict(&page, api.ask("GET", ["links", id])) }
        if [404, 410].contains(answer.status) { return lost(answer) }
        return answer.isSuccess ? done(id, "changed") : refused(&page, answer)
    }

    private func conflict(
        _ page: inout LinkFormPage, _ current: ConsoleAPI.Answer
    ) -> ConsoleResponse {
        guard current.status == 200, let link = current.json, let edited = page.edited else {
            return lost(current)
        }
        let theirs = LinkForm(link: link, clock)
        let actor = lastActor(of: link)
        // The same form was sent before, as by a double click.
        let isOwn = actor?.isScalarwise(request.person.name) == true
        if isOwn, request.value("do") != "check", let id = link["id"]?.text,
            LinkPatch.isSame(page.form, theirs, of: link)
        {
            return done(id, "changed")
        }
        page.conflict = EditConflict(&page.form, from: edited.seen, to: theirs, by: actor)
        page.edited = (link, current.fields["ETag"] ?? "", theirs)
        page.status = 409
        page.preview = preview(of: page)
        return page.response
    }

    /// The preview of the link as the form is filled in; nil for an empty form, for which the API has none.
    private func preview(of page: LinkFormPage) -> DraftPreview? {
        if let edited = page.edited {
            return DraftPreview(LinkDraft(page.form, from: edited.seen, of: edited.link), api)
        }
        return page.form[.destination].isEmpty ? nil : DraftPreview(LinkDraft(page.form), api)
    }

    private func lastActor(of link: JSONValue) -> String? {
        guard let id = link["id"]?.text else { return nil }
        let audit = api.ask("GET", ["audit"], query: [("link", id)])
        return audit.json?["entries"]?.elements?.first?["actor"]?.text
    }

    // MARK: Answers

    private func page(_ form: LinkForm) -> LinkFormPage {
        LinkFormPage(request: request, api: api, form: form)
    }

    private func done(_ id: String, _ what: String) -> ConsoleResponse {
        .other(PagePath("links", id).with("done", what).text(below: request.setting.base))
    }

    /// The form again, with what the link would do, or the reasons against it.
    private func checked(_ page: inout LinkFormPage, _ draft: LinkDraft) -> ConsoleResponse {
        let preview = DraftPreview(draft, api)
        guard preview.isAccepted || [409, 422].contains(preview.refusal.status) else {
            return refused(&page, preview.refusal)
        }
        page.preview = preview
        (page.findings, page.warnings) = (preview.findings, preview.warnings)
        page.isChecked = preview.isAccepted
        return page.response
    }

    /// The form again, with everything that was typed, and the reasons.
    private func refused(
        _ page: inout LinkFormPage, _ answer: ConsoleAPI.Answer
    ) -> ConsoleResponse {
        // The page would lack the collections, which are in the same store.
        if answer.status == 503 { return other(answer) }
        page.findings = FormFindings(answer.json)
        page.status = answer.status
        return page.response
    }

    /// The form as it was sent, in another language.
    private func shown(_ page: LinkFormPage) -> ConsoleResponse {
        // Its collections are in the same store.
        if page.edited == nil {
            let answer = api.ask("GET", ["collections"])
            if !answer.isSuccess { return other(answer) }
        }
        var page = page
        page.preview = preview(of: page)
        return page.response
    }

    /// The page for a change of a link that is not there.
    private func lost(_ answer: ConsoleAPI.Answer) -> ConsoleResponse {
        [404, 410].contains(answer.status)
            ? RefusedForm(request: request, reason: .gone).response : other(answer)
    }

    private func other(_ answer: ConsoleAPI.Answer) -> ConsoleResponse {
        Console.refusal(answer, of: request)
    }
}

extension ConsoleNotice {
    /// The notice for an answer of the API that leaves nothing to be shown.
    init(_ answer: ConsoleAPI.Answer) {
        switch answer.status {
        case 403: self = .notAllowed
        case 429: self = .tooMany(retryAfterSeconds: 1)
        case 503: self = .storeUnavailable
        case 500: self = .failed
        default: self = .notFound
        }
    }
}
