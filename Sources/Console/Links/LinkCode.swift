/// The code of a link, as a picture that the API draws.
struct LinkCode {
    let request: ConsoleRequest
    let api: ConsoleAPI
    let id: String
    let isPNG: Bool

    var response: ConsoleResponse {
        let format = isPNG ? "png" : "svg"
        let answer = api.ask("GET", ["links", id, "qr"], query: [("format", format)])
        guard answer.isSuccess else {
            return Console.notice(.init(answer), request.setting, person: request.person)
        }
        var fields = [(name: String, value: String)]()
        if request.item("download") != nil {
            fields.append(("Content-Disposition", "attachment; filename=\"code.\(format)\""))
        }
        return ConsoleResponse(
            200, type: isPNG ? "image/png" : "image/svg+xml", fields: fields, answer.content)
    }
}
