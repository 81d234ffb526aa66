import LinkStore

/// Draws a link's QR code. The answer has a `drawing`, which the caller makes beside the store's
/// thread.
struct DrawLink: Operation {
    static let route = APIRoute(
        "drawLink", "GET", "links/{id}/qr", .reading, "Draw a link's QR code",
        query: [
            Parameter("format", .choice(["svg", "png", "pdf"]), "The format; svg by default."),
            Parameter(
                "size", .number(21...8_192),
                "The pixels of a PNG, at least 3 for each module; 1024 by default."),
            Parameter.side(
                of: "the picture", CodeDrawing.millimetres,
                "For SVG and PDF, 40 by default, or more if needed. With it, a PNG has 300 to 375 dots per inch."
            ),
            Parameter(
                "logo", .flag,
                "Whether the icon of the link's site is in the middle of an SVG or a PDF, whose level is H then."
            ),
        ], [Answer(200, types: ["image/svg+xml", "image/png", "application/pdf"])],
        problems: [.urlTooLong])

    let call: APICall
    private let url: String
    private let logo: CodeLogo?

    init(call: APICall) throws(Problem) {
        self.call = call
        let link = try call.link()
        let collection = try call.collection(of: link)
        url = collection.url(link.slug)
        let isWithLogo = call.request.item("logo") == "true"
        logo = isWithLogo ? collection.site.logo : nil
        guard isWithLogo else { return }
        guard logo != nil else {
            throw Problem(
                .query,
                "logo is true, and the link's site has no icon: set `site.icon`, or leave logo out")
        }
        guard call.request.item("format") != "png" else {
            throw Problem(
                .query,
                "logo is true, and a PNG cannot have a logo, because the icon is embedded and not drawn: ask for an SVG or a PDF"
            )
        }
    }

    func answer() throws(Problem) -> APIResponse {
        let (size, millimetres) = (call.request.number("size"), call.request.number("mm"))
        let form: CodeDrawing.Form
        switch call.request.item("format") {
        case "png":
            guard size == nil || millimetres == nil else {
                throw Problem(
                    .query,
                    "size and mm are both there: a PNG has pixels (size) or millimetres (mm)")
            }
            form = millimetres.map { .printed($0) } ?? .pixels(size ?? 1_024)
        case "pdf": form = .pdf(millimetres)
        default: form = .svg(millimetres)
        }
        return APIResponse(.code(CodeDrawing(url: url, form: form, logo: logo)))
    }
}
