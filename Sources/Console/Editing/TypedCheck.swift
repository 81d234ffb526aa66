private import Diagnostics
private import JSONSyntax
private import Markup

/// The findings of a form while it is filled in, and the preview beside it, as JSON for the console's script.
struct TypedCheck {
    let request: ConsoleRequest
    let api: ConsoleAPI

    var response: ConsoleResponse {
        guard let draft else { return request.notice(.notFound) }
        let preview = DraftPreview(draft, api)
        var page = PageWriter(request.setting)
        if preview.isAccepted { preview.write(&page) }
        let markup = String(decoding: page.markup.bytes, as: UTF8.self)
        return Console.json(
            .object([
                ("errors", .array(preview.findings.all.map(json))),
                ("warnings", .array(preview.warnings.all.map(json))),
                ("url", .orNull(preview.url)), ("draft", .orNull(markup.nonempty)),
            ]))
    }

    /// The link as it is typed; nil for the form of a link that is gone.
    private var draft: LinkDraft? {
        let (form, seen) = LinkForm.edited(request.form, request.setting.clock)
        guard let id = request.value("link").nonempty else { return LinkDraft(form) }
        let current = api.ask("GET", ["links", id])
        guard current.status == 200, let link = current.json else { return nil }
        return LinkDraft(form, from: seen, of: link)
    }

    private func json(_ finding: FormFindings.Finding) -> JSONText {
        var page = PageWriter(request.setting)
        page.finding(finding)
        return .object([
            ("field", .orNull(finding.field?.rawValue)),
            ("markup", .string(String(decoding: page.markup.bytes, as: UTF8.self))),
        ])
    }
}
