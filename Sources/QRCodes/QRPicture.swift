private import Compression
internal import Markup
private import URISyntax

/// A code with its margin, to be written for print, for a screen or for a terminal.
package struct QRPicture: Sendable {
    let code: QRCode
    /// Modules of the light margin on each side.
    let margin: Int
    /// The content of the code, for people who cannot see it.
    let label: String
    let logo: Logo?

    /// A picture in the middle of the code.
    package struct Logo: Sendable {
        let square: QRLogo
        let image: LogoImage

        package init(_ square: QRLogo, _ image: LogoImage) {
            (self.square, self.image) = (square, image)
        }
    }

    package init(_ code: QRCode, margin: Int, label: String, logo: Logo? = nil) {
        (self.code, self.margin, self.label, self.logo) = (code, margin, label, logo)
    }

    /// Modules of a side, with both margins.
    package var side: Int { code.size + 2 * margin }

    /// The least side of a module in print, in hundredths of a millimetre: 4 dots of a printer with 300 dpi.
    package static let moduleHundredthsMin = 33
    /// The least side of a module on a screen, in pixels: screens are photographed at an angle.
    package static let modulePixelsMin = 3

    /// The least side that phones read in print, in millimetres.
    package var millimetresMin: Int { (side * Self.moduleHundredthsMin + 99) / 100 }
    /// The least side that phones read on a screen, in pixels.
    package var pixelsMin: Int { side * Self.modulePixelsMin }

    /// The side of a module in a picture of so many millimetres, in words: 0.30.
    package func moduleMillimetres(_ millimetres: Int) -> String {
        let hundredths = max(0, millimetres) * 100 / side
        return decimal(hundredths, places: 2)
    }

    /// Whether the module is dark, counted without the margin; what a logo covers is light.
    private func isDark(_ column: Int, _ row: Int) -> Bool {
        let range = 0..<code.size
        return range.contains(column) && range.contains(row)
            && logo?.square.covers(column, row) != true && code.isDark(column: column, row: row)
    }

    /// The runs of dark modules, counted with the margin.
    private func forEachRun(_ body: (_ column: Int, _ row: Int, _ count: Int) -> Void) {
        for row in 0..<code.size {
            var column = 0
            while column < code.size {
                let start = column
                while isDark(column, row) { column += 1 }
                if column > start { body(start + margin, row + margin, column - start) }
                column += 1
            }
        }
    }

    // MARK: SVG

    /// A document of this size.
    package func svg(millimetres: Int) -> [UInt8] {
        var page = MarkupWriter(capacity: 16384)
        page.raw("<svg xmlns=\"http://www.w3.org/2000/svg\"")
        // Programs for print know this older name of `href` best.
        if logo != nil { page.raw(" xmlns:xlink=\"http://www.w3.org/1999/xlink\"") }
        page.raw(" role=\"img\"")
        page.attribute("width", "\(millimetres)mm")
        page.attribute("height", "\(millimetres)mm")
        page.attribute("viewBox", "0 0 \(side) \(side)")
        page.raw(" shape-rendering=\"crispEdges\">\n")
        page.element("title", label)
        page.raw("<path fill=\"#fff\"")
        page.attribute("d", "M0 0h\(side)v\(side)H0z")
        page.raw("/>\n<path fill=\"#000\" d=\"")
        forEachRun { column, row, count in page.text("M\(column) \(row)h\(count)v1h-\(count)z") }
        page.raw("\"/>\n")
        if let logo {
            let (start, length) = logo.drawn(margin)
            page.raw("<image")
            for name in ["x", "y"] as [MarkupLiteral] { page.attribute(name, tenths(start)) }
            for name in ["width", "height"] as [MarkupLiteral] {
                page.attribute(name, tenths(length))
            }
            page.attribute(
                "xlink:href", "data:\(logo.image.mediaType);base64,\(base64(logo.image.bytes))")
            page.raw("/>\n")
        }
        page.raw("</svg>\n")
        return page.bytes
    }

    // MARK: PNG

    /// A picture of this size in black and white. What is left after whole pixels for each module
    /// is margin.
    /// - Parameters:
    ///   - pixels: at least `side`.
    ///   - dotsPerMetre: the density that programs for print find in the file; nil says none.
    /// - Returns: nil only if there is no memory.
    package func png(pixels: Int, dotsPerMetre: Int? = nil) -> [UInt8]? {
        let scale = pixels / side
        let start = (pixels - side * scale) / 2 + margin * scale
        let rowBytes = (pixels + 7) / 8
        let light = [UInt8](repeating: 0xFF, count: rowBytes)
        var raw = [UInt8]()
        raw.reserveCapacity(pixels * (rowBytes + 1))
        var lines = [Int: [UInt8]]()
        for row in 0..<code.size {
            var line = light
            for column in 0..<code.size where isDark(column, row) {
                for pixel in start + column * scale..<start + (column + 1) * scale {
                    line[pixel / 8] &= ~(0x80 >> UInt8(pixel % 8))
                }
            }
            lines[row] = line
        }
        for pixel in 0..<pixels {
            let row = pixel < start ? -1 : (pixel - start) / scale
            // Each line begins with its filter, which is none.
            raw.append(0)
            raw += lines[row] ?? light
        }
        guard let data = zlibCompressed(raw) else { return nil }
        var file: [UInt8] = PNGHeader.signature
        file += chunk("IHDR", bigEndian(pixels) + bigEndian(pixels) + [1, 0, 0, 0, 0])
        if let density = dotsPerMetre.map(bigEndian) {
            file += chunk("pHYs", density + density + [1])
        }
        return file + chunk("IDAT", data) + chunk("IEND", [])
    }

    private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return bigEndian(data.count) + content + bigEndian(Int(crc32(of: content)))
    }

    // MARK: PDF

    /// The operators that draw the code without its logo in a PDF, in modules and from the lower left corner on.
    var pdfModules: String {
        var drawing = "1 g 0 0 \(side) \(side) re f\n0 g\n"
        // The origin is at the bottom.
        forEachRun { column, row, count in
            drawing += "\(column) \(side - row - 1) \(count) 1 re\n"
        }
        return drawing + "f\n"
    }

    /// A document of one page of this size, in which the code is one path.
    /// - Returns: nil if the logo cannot be part of a PDF, or if there is no memory.
    package func pdf(millimetres: Int) -> [UInt8]? {
        // A point is 1/72 inch. Ten-thousandths are exact enough for any printer.
        let points = decimal(millimetres * 720_000 * 10 / 254, places: 4)
        let scale = decimal(millimetres * 720_000_000 * 10 / 254 / side, places: 7)
        var drawing = "\(scale) 0 0 \(scale) 0 0 cm\n\(pdfModules)"
        var image: [UInt8]?
        if let logo {
            guard let object = logo.image.pdfObject else { return nil }
            image = object
            let (start, length) = logo.drawn(margin)
            // The picture keeps its shape, in the middle of the square.
            let (width, height) = logo.image.fitted(length)
            let x = start + (length - width) / 2
            let y = side * 10 - start - (length + height) / 2
            drawing +=
                "q \(tenths(width)) 0 0 \(tenths(height)) \(tenths(x)) \(tenths(y)) cm /Logo Do Q\n"
        }
        guard let content = zlibCompressed(Array(drawing.utf8)) else { return nil }
        let resources = image == nil ? "" : "/XObject << /Logo 5 0 R >> "
        var objects: [[UInt8]] = [
            Array("<< /Type /Catalog /Pages 2 0 R >>".utf8),
            Array("<< /Type /Pages /Kids [3 0 R] /Count 1 >>".utf8),
            Array(
                ("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(points) \(points)] "
                    + "/Contents 4 0 R /Resources << \(resources)>> >>").utf8),
            Array("<< /Filter /FlateDecode /Length \(content.count) >>\nstream\n".utf8)
                + content + Array("\nendstream".utf8),
        ]
        if let image { objects.append(image) }
        return pdfFile(objects)
    }

    // MARK: Terminal

    /// Lines of half blocks, black on white whatever the terminal's colours are.
    package var terminalLines: [String] {
        stride(from: -margin, to: code.size + margin, by: 2).map { row in
            let blocks = (-margin..<code.size + margin).map { column in
                switch (isDark(column, row), isDark(column, row + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[38;5;16;48;5;231m" + blocks.joined() + "\u{1B}[0m"
        }
    }
}

extension QRPicture.Logo {
    /// The start of the picture on its square, and the length of its side, in tenths of a module:
    /// half a module around it stays light.
    fileprivate func drawn(_ margin: Int) -> (start: Int, length: Int) {
        ((square.first + margin) * 10 + 5, square.side * 10 - 10)
    }
}

private func tenths(_ number: Int) -> String { decimal(number, places: 1) }

private func bigEndian(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
}
