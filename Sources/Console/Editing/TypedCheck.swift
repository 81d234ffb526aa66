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
        let faults = isValid ? FormFindings() : FormFindings(answer.json)
        let warnings = FormFindings(answer.json, "warnings")
        let json = JSONText.object([
            ("errors", .array(faults.all.map(Self.json))),
            ("warnings", .array(warnings.all.map(Self.json))),
            ("url", .orNull(answer.json?["url"]?.text)),
        ])
        return ConsoleResponse(200, type: "application/json", Array(json.compact.utf8))
    }

    private static func json(_ finding: FormFindings.Finding) -> JSONText {
        .object([
            ("field", .orNull(finding.field?.rawValue)), ("detail", .string(finding.detail)),
            ("advice", .orNull(finding.advice)),
        ])
    }
}
