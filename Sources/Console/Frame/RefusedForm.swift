private import Markup

/// The page for a form that the role of its person does not allow any more. What was typed is on it.
struct RefusedForm {
    let request: ConsoleRequest

    var response: ConsoleResponse {
        let typed = request.form.compactMap { item in
            item.value.isEmpty ? nil : LinkField(rawValue: item.name).map { ($0, item.value) }
        }
        guard !typed.isEmpty else {
            return Console.notice(.notAllowed, request.setting, person: request.person)
        }
        var frame = PageFrame(
            title: ConsoleText.notAllowed(request.setting.language), person: request.person)
        frame.status = 403
        return frame.response(request.setting) { page in
            page.raw("<div class=\"notice\">\n")
            page.element("h1", .notAllowed)
            page.element("p", .notAllowedLead)
            page.element("h2", .wasTyped)
            page.raw("<dl>\n")
            for (field, value) in typed {
                page.element("dt", field.label)
                page.element("dd", value: value)
            }
            page.raw("</dl>\n</div>\n")
        }
    }
}
