/// Describes the API (OpenAPI 3.1).
struct Describe: Operation {
    static let route = APIRoute(
        "describe", "GET", "openapi.json", [], "Describe the API (OpenAPI 3.1)",
        [Answer(200, "Description")])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        var response = APIResponse(200)
        response.content = OpenAPI.content
        return response
    }
}
