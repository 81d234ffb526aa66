import QRCodes

/// The QR code of a link, which is still to be drawn. This takes up to a second, and no store.
package struct CodeDrawing: Equatable, Sendable {
    let url: String
    /// The side of a PNG; nil for an SVG.
    let pixels: Int?

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
        guard let pixels else {
            (response.type, response.content) = ("image/svg+xml", picture.svg(millimetres: 40))
            return response
        }
        guard pixels >= picture.side, let png = picture.png(pixels: pixels) else {
            throw Problem(
                .query,
                "size is \(pixels), must be at least the \(picture.side) modules of the code")
        }
        (response.type, response.content) = ("image/png", png)
        return response
    }
}
