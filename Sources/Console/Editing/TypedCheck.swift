private import Diagnostics
private import JSONSyntax

/// The findings of a form while it is filled in, as JSON for the console's script.
struct TypedCheck {
    let request: ConsoleRequest
    let api: ConsoleAPI

    var response: ConsoleResponse {
        let form = LinkForm(request.form)
        let answer = api.ask("POST", ["links:check"], form.json)
        let isValid = answer.isSuccess && answer.json?["isValid"]?.boolean == true
        var faults = isValid ? FormFindings() : FormFindings(answer.json)
        // The form of a link that exists has its tag.
        if !request.value("tag").isEmpty {
            faults.keep(of: form.changes(from: LinkForm(request.form, prefix: "was.")))
        }
        let warnings = FormFindings(answer.json, "warnings")
        let json = JSONText.object([
            ("errors", .array(faults.all.map(json))),
            ("warnings", .array(warnings.all.map(json))),
            ("url", .orNull(answer.json?["url"]?.text)),
        ])
        return ConsoleResponse(200, type: "application/json", Array(json.compact.utf8))
    }

    private func json(_ finding: FormFindings.Finding) -> JSONText {
        if let own = finding.own(request.setting.language) {
            return .object([
                ("field", .orNull(finding.field?.rawValue)), ("detail", .string(own)),
                ("advice", .null),
            ])
        }
        let lead = finding.lead(request.setting.language)
        return .object([
            ("field", .orNull(finding.field?.rawValue)),
            ("detail", .string([lead, finding.detail].compactMap { $0 }.joined(separator: " "))),
            ("advice", .orNull(finding.advice)),
        ])
    }
}
