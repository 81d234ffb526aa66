import QRCodes

/// The QR code of a link, which is still to be drawn. This takes up to a second, and no store.
package struct CodeDrawing: Equatable, Sendable {
    let url: String
    let form: Form
    /// The picture in the middle; nil for none.
    var logo: CodeLogo?

    /// The format of a code, with its side.
    enum Form: Equatable, Sendable {
        /// A PNG for screens.
        case pixels(Int)
        /// In millimetres: a PNG for print, an SVG, and a PDF of one page; nil for as many as is usual.
        case printed(Int), svg(Int?), pdf(Int?)
    }

    /// The sides in millimetres that a picture may have with its margin.
    static let millimetres = 10...500
    private static let usualMillimetres = 40
    /// 300 dots per inch, in metres: as many as a printer has, or more.
    private static let dotsPerMetreMin = 11_811

    /// The bytes that drawing it takes at most, beside what every request may take: the pixels of a PNG, and as many compressed;
    /// the logo, which is written in base64, and copies of both.
    var memoryBytes: Int {
        let pixels =
            switch form {
            case .svg, .pdf: 0
            case .pixels(let side): side
            case .printed(let millimetres):
                millimetres * Self.dotsPerMetreMin / 1_000 + Self.modulesMax
            }
        return pixels * pixels / 4 + (logo?.bytes ?? 0) * 6
    }

    /// More than the modules of a side with its margin.
    private static let modulesMax = 256

    /// - Returns: the type and the bytes of the picture.
    func draw() throws(Problem) -> (type: String, content: [UInt8]?) {
        let level: QRLevel = logo == nil ? .medium : .high
        guard let code = QRCode(Array(url.utf8), level) else { throw Problem(.urlTooLong) }
        let picture = QRPicture(
            code, margin: QRCode.marginModules, label: url, logo: try logo?.placed(on: code))
        switch form {
        case .svg(let asked):
            let side = try Self.checked(asked, picture)
            return ("image/svg+xml", picture.svg(millimetres: side))
        case .pdf(let asked):
            if let obstacle = logo?.obstacleToPDF() { throw Problem(.query, obstacle) }
            let side = try Self.checked(asked, picture)
            return ("application/pdf", picture.pdf(millimetres: side))
        case .pixels(let side):
            guard side >= picture.pixelsMin else {
                throw Problem(
                    .query,
                    "size is \(side), must be at least \(picture.pixelsMin): phones do not read a code whose modules, "
                        + "\(picture.side) a side, have less than \(QRPicture.modulePixelsMin) pixels"
                )
            }
            return ("image/png", picture.png(pixels: side))
        case .printed(let asked):
            let side = try Self.checked(asked, picture)
            // Modules are whole pixels, and the density is the one with which they have the side that was asked for.
            let dots = side * Self.dotsPerMetreMin
            let scale = (dots + 1_000 * picture.side - 1) / (1_000 * picture.side)
            let pixels = scale * picture.side
            let dotsPerMetre = (pixels * 1_000 + side / 2) / side
            return ("image/png", picture.png(pixels: pixels, dotsPerMetre: dotsPerMetre))
        }
    }

    /// The side in millimetres, which leaves each module as much as phones need.
    static func checked(_ side: Int?, _ picture: QRPicture) throws(Problem) -> Int {
        let least = picture.millimetresMin
        guard let side else { return max(usualMillimetres, least) }
        guard side >= least else {
            throw Problem(
                .query,
                "mm is \(side), must be at least \(least): phones do not read a code whose modules, \(picture.side) a "
                    + "side, have less than 0.\(QRPicture.moduleHundredthsMin) mm")
        }
        return side
    }
}
