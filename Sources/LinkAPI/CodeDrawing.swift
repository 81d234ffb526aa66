import QRCodes

/// The QR code of a link, which is still to be drawn. This takes up to a second, and no store.
package struct CodeDrawing: Equatable, Sendable {
    let url: String
    let form: Form

    /// The format of a code, with its side.
    enum Form: Equatable, Sendable {
        /// A PNG for screens.
        case pixels(Int)
        /// In millimetres: a PNG for print, an SVG, and a PDF of one page.
        case printed(Int), svg(Int), pdf(Int)
    }

    /// The sides in millimetres that a picture may have with its margin.
    static let millimetres = 10...500
    static let usualMillimetres = 40
    /// 300 dots per inch, in metres.
    private static let dotsPerMetre = 11_811

    /// Draws the code.
    package var response: APIResponse {
        do throws(Problem) {
            return try draw()
        } catch {
            return error.response
        }
    }

    private func draw() throws(Problem) -> APIResponse {
        guard let code = QRCode(Array(url.utf8), .medium) else { throw Problem(.urlTooLong) }
        let picture = QRPicture(code, margin: QRCode.marginModules, label: url)
        var response = APIResponse(200)
        switch form {
        case .svg(let side):
            (response.type, response.content) = ("image/svg+xml", picture.svg(millimetres: side))
        case .pdf(let side):
            guard let pdf = picture.pdf(millimetres: side) else { throw Self.noMemory }
            (response.type, response.content) = ("application/pdf", pdf)
        case .pixels(let side):
            guard side >= picture.side else {
                throw Problem(
                    .query,
                    "size is \(side), must be at least the \(picture.side) modules of the code")
            }
            guard let png = picture.png(pixels: side) else { throw Self.noMemory }
            (response.type, response.content) = ("image/png", png)
        case .printed(let side):
            let pixels = side * Self.dotsPerMetre / 1_000
            guard pixels >= picture.side else {
                throw Problem(
                    .query,
                    "mm is \(side), which has \(pixels) dots for the \(picture.side) modules of the code"
                )
            }
            guard let png = picture.png(pixels: pixels, dotsPerMetre: Self.dotsPerMetre) else {
                throw Self.noMemory
            }
            (response.type, response.content) = ("image/png", png)
        }
        return response
    }

    private static var noMemory: Problem { .store("there is no memory for the picture") }
}
