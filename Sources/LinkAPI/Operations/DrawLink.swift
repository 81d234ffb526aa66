import LinkStore

/// Draws a link's QR code. The answer has a `drawing`, which the caller makes beside the store's
/// thread.
struct DrawLink: Operation {
    static let route = APIRoute(
        "drawLink", "GET", "links/{id}/qr", .reading, "Draw a link's QR code",
        query: [
            Parameter("format", .choice(["svg", "png"]), "The format; svg by default."),
            Parameter("size", .number(21...8_192), "The pixels of a PNG; 1024 by default."),
        ], [Answer(200, types: ["image/svg+xml", "image/png"])], problems: [.urlTooLong])

    let call: APICall
    private let url: String

    init(call: APICall) throws(Problem) {
        self.call = call
        let link = try call.link()
        url = try call.collection(of: link).url(link.slug)
    }

    func answer() throws(Problem) -> APIResponse {
        var response = APIResponse(200)
        response.drawing = CodeDrawing(
            url: url,
            pixels: call.request.item("format") == "png"
                ? call.request.number("size") ?? 1_024 : nil)
        return response
    }
}
