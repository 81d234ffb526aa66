private import Compression

/// Codes of several links on pages of A4, to be cut out. Below each are lines of text, so that nobody takes one for another.
package struct QRSheet: Sendable {
    /// The side of each code with its margin, in millimetres.
    let side: Int
    private let items: [Item]

    /// A code, and the lines below it.
    package struct Item: Sendable {
        let picture: QRPicture
        let lines: [String]

        /// - Parameter lines: at most `linesMax`. One with letters that the font lacks is left out.
        package init(_ picture: QRPicture, lines: [String]) {
            (self.picture, self.lines) = (picture, lines)
        }
    }

    /// The largest side of a code.
    package static let millimetresMax = 190
    package static let linesMax = 2

    // In millimetres.
    private static let pageWidth = 210
    private static let pageHeight = 297
    private static let margin = 10
    private static let gap = 6
    private static let lineHeight = 4
    /// An address has room below a small code, too.
    private static let cellWidthMin = 45

    /// - Parameter millimetres: up to `millimetresMax`.
    package init(_ items: [Item], millimetres: Int) {
        (self.items, side) = (items, millimetres)
    }

    private var cellWidth: Int { max(side, Self.cellWidthMin) }
    private var cellHeight: Int { side + Self.linesMax * Self.lineHeight }
    private var columns: Int {
        max(1, (Self.pageWidth - 2 * Self.margin + Self.gap) / (cellWidth + Self.gap))
    }
    private var rows: Int {
        max(1, (Self.pageHeight - 2 * Self.margin + Self.gap) / (cellHeight + Self.gap))
    }

    /// The pages.
    /// - Returns: nil if there is no memory.
    package func pdf() -> [UInt8]? {
        let pages = drawings
        let kids = pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
        var objects: [[UInt8]] = [
            Array("<< /Type /Catalog /Pages 2 0 R >>".utf8),
            Array("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>".utf8),
            // Each viewer has this font, in which no letter is as another one.
            Array(
                ("<< /Type /Font /Subtype /Type1 /BaseFont /Courier "
                    + "/Encoding /WinAnsiEncoding >>").utf8),
        ]
        for page in pages {
            guard let content = zlibCompressed(page) else { return nil }
            objects.append(
                Array(
                    ("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595.2756 841.8898] "
                        + "/Contents \(objects.count + 2) 0 R "
                        + "/Resources << /Font << /F1 3 0 R >> >> >>").utf8))
            objects.append(
                Array("<< /Filter /FlateDecode /Length \(content.count) >>\nstream\n".utf8)
                    + content + Array("\nendstream".utf8))
        }
        return pdfFile(objects)
    }

    /// The operators that draw each page.
    var drawings: [[UInt8]] {
        let perPage = columns * rows
        return stride(from: 0, to: items.count, by: perPage).map { start in
            drawing(of: items[start..<min(start + perPage, items.count)])
        }
    }

    /// What draws a page.
    private func drawing(of items: ArraySlice<Item>) -> [UInt8] {
        // A millimetre in points.
        var drawing = Array("2.8346457 0 0 2.8346457 0 0 cm\n".utf8)
        for (place, item) in items.enumerated() {
            let (row, column) = place.quotientAndRemainder(dividingBy: columns)
            let x = Self.margin + column * (cellWidth + Self.gap)
            let bottom = Self.pageHeight - Self.margin - row * (cellHeight + Self.gap) - side
            let picture = item.picture
            let scale = decimal(side * 10_000_000 / picture.side, places: 7)
            drawing += "q \(scale) 0 0 \(scale) \(x) \(bottom) cm\n\(picture.pdfModules)Q\n".utf8
            // The text begins where the code does.
            let inset = side * 100 * picture.margin / picture.side
            let start = decimal(x * 100 + inset, places: 2)
            for (line, text) in item.lines.prefix(Self.linesMax).enumerated() {
                guard let text = Self.winAnsi(text) else { continue }
                let (size, shown) = Self.fitted(text, width: cellWidth * 100 - inset)
                let baseline = bottom - Self.lineHeight * line - 3
                drawing += "BT /F1 \(decimal(size, places: 2)) Tf \(start) \(baseline) Td (".utf8
                drawing += Self.escaped(shown) + Array(") Tj ET\n".utf8)
            }
        }
        return drawing
    }

    // MARK: Text

    // In hundredths of a millimetre: 8 and 4 points.
    private static let sizes = (usual: 282, least: 141)
    /// Of a letter of Courier, in hundredths of the size.
    private static let letterWidth = 60

    /// The size in which a line has room, and as much of it as has room in the least.
    private static func fitted(_ text: [UInt8], width: Int) -> (size: Int, text: [UInt8]) {
        let size = width * 100 / (letterWidth * max(text.count, 1))
        guard size < sizes.least else { return (min(size, sizes.usual), text) }
        let most = width * 100 / (letterWidth * sizes.least)
        // Three dots.
        return (sizes.least, Array(text.prefix(most - 1)) + [0x85])
    }

    /// A text in the encoding of the font; nil if a letter is not in it.
    private static func winAnsi(_ text: String) -> [UInt8]? {
        var bytes = [UInt8]()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20...0x7E, 0xA1...0xFF: bytes.append(UInt8(scalar.value))
            default:
                guard let byte = marks[scalar] else { return nil }
                bytes.append(byte)
            }
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static let marks: [Unicode.Scalar: UInt8] = [
        "€": 0x80, "‚": 0x82, "„": 0x84, "…": 0x85, "‘": 0x91, "’": 0x92, "“": 0x93, "”": 0x94,
        "•": 0x95, "–": 0x96, "—": 0x97, "™": 0x99, "Š": 0x8A, "š": 0x9A, "Œ": 0x8C, "œ": 0x9C,
        "Ž": 0x8E, "ž": 0x9E, "Ÿ": 0x9F, "\u{A0}": 0x20,
    ]

    /// The bytes within the parentheses of a text (ISO 32000-1 §7.3.4.2).
    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { "()\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}
