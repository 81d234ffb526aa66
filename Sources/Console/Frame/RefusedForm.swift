private import Markup

/// The page for a form of a link that cannot be saved any more. What was typed is on it.
struct RefusedForm {
    /// The reason for which it cannot.
    enum Reason {
        /// The role of the person does not allow it.
        case role
        /// The link was deleted for good.
        case gone
        /// The collection of the link is not in the configuration.
        case unserved
    }

    let request: ConsoleRequest
    let reason: Reason

    private var words: (title: ConsoleText, lead: ConsoleText, status: Int) {
        switch reason {
        case .role: (.notAllowed, .notAllowedLead, 403)
        case .gone: (.goneMeanwhile, .goneMeanwhileLead, 404)
        case .unserved: (.unservedMeanwhile, .unservedMeanwhileLead, 409)
        }
    }

    var response: ConsoleResponse {
        let typed = request.form.compactMap { item in
            item.value.isEmpty ? nil : LinkField(rawValue: item.name).map { ($0, item.value) }
        }
        guard !typed.isEmpty else {
            return Console.notice(
                reason == .role ? .notAllowed : .notFound, request.setting, person: request.person)
        }
        let (title, lead, status) = words
        var frame = PageFrame(title: title(request.setting.language), person: request.person)
        frame.status = status
        return frame.response(request.setting) { page in
            page.raw("<div class=\"notice\">\n")
            page.element("h1", title)
            page.element("p", lead)
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
