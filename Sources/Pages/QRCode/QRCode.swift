internal import Markup

/// A QR code of bytes, at error correction level M: up to 15% of it may be covered or dirty
/// (ISO/IEC 18004, "QR code bar code symbology specification").
package struct QRCode: Sendable {
    let matrix: QRMatrix

    /// The smallest code that holds the bytes.
    /// - Returns: nil for over 1,125 bytes, of which phones would not read a code on a screen.
    package init?(_ bytes: [UInt8]) {
        guard let version = QRVersion.allCases.first(where: { $0.bytesMax >= bytes.count }) else {
            return nil
        }
        matrix = QRMatrix(version, codewords: version.codewords(of: bytes))
    }

    /// How many modules a side has, without the margin.
    package var size: Int { matrix.size }

    /// Whether the module is dark; column and row count from the top left.
    package func isDark(column: Int, row: Int) -> Bool { matrix[column, row] }

    /// The code as inline SVG: dark on light whatever surrounds it, with the margin that readers
    /// need, as a picture with a name.
    func svg(label: String) -> MarkupWriter {
        var page = MarkupWriter(capacity: 8192)
        let side = matrix.size + 2 * Self.marginModules
        page.raw("<svg class=\"qr\" role=\"img\"")
        page.attribute("aria-label", label)
        page.raw(" width=\"220\" height=\"220\" shape-rendering=\"crispEdges\"")
        page.attribute("viewBox", "0 0 \(side) \(side)")
        page.raw("><path fill=\"#fff\" d=\"M0 0h")
        page.number(side)
        page.raw("v")
        page.number(side)
        page.raw("H0z\"/><path stroke=\"#000\" d=\"")
        page.verbatim(runs)
        page.raw("\"/></svg>")
        return page
    }

    /// Each run of dark modules is a line through their middle; a row goes on from its last run.
    private var runs: [UInt8] {
        var path = [UInt8]()
        path.reserveCapacity(4 * matrix.size * matrix.size)
        for row in 0..<matrix.size {
            var bits = matrix.rows[row]
            var isFirst = true
            while bits != 0 {
                let light = bits.trailingZeroBitCount
                let dark = (~(bits >> light)).trailingZeroBitCount
                path.append(isFirst ? UInt8(ascii: "M") : UInt8(ascii: "m"))
                append(isFirst ? light + Self.marginModules : light, to: &path)
                path.append(UInt8(ascii: " "))
                if isFirst {
                    append(row + Self.marginModules, to: &path)
                    path.append(UInt8(ascii: "."))
                }
                path.append(isFirst ? UInt8(ascii: "5") : UInt8(ascii: "0"))
                path.append(UInt8(ascii: "h"))
                append(dark, to: &path)
                bits >>= light + dark
                isFirst = false
            }
        }
        return path
    }

    /// - Parameter number: at most three digits.
    private func append(_ number: Int, to path: inout [UInt8]) {
        if number >= 100 { path.append(UInt8(0x30 + number / 100)) }
        if number >= 10 { path.append(UInt8(0x30 + number / 10 % 10)) }
        path.append(UInt8(0x30 + number % 10))
    }

    private static let marginModules = 4
}
