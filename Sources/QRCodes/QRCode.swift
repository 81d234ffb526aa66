package import Markup

/// A QR code of bytes (ISO/IEC 18004, "QR code bar code symbology specification").
package struct QRCode: Sendable {
    let version: QRVersion
    private let rows: [LongLine]

    /// The smallest code for a screen that holds the bytes, at level M.
    /// - Returns: nil for over 1,125 bytes, of which phones would not read a code on a screen.
    package init?(_ bytes: [UInt8]) {
        let versions = QRVersion.all(.medium).prefix(27)
        guard let version = versions.first(where: { $0.bytesMax >= bytes.count }) else {
            return nil
        }
        self.version = version
        rows = QRMatrix<UInt128>(version, codewords: version.codewords(of: bytes)).rows.map {
            LongLine(low: $0, high: 0)
        }
    }

    /// The smallest code of any size that holds the bytes.
    /// - Returns: nil for more than `bytesMax`.
    package init?(_ bytes: [UInt8], _ level: QRLevel) {
        guard let version = QRVersion.all(level).first(where: { $0.bytesMax >= bytes.count }) else {
            return nil
        }
        self.version = version
        rows = QRMatrix<LongLine>(version, codewords: version.codewords(of: bytes)).rows
    }

    /// The number of bytes that the largest code of a level holds.
    package static func bytesMax(_ level: QRLevel) -> Int {
        QRVersion.all(level).last?.bytesMax ?? 0
    }

    /// The number of modules of a side, without the margin.
    package var size: Int { version.size }

    /// Whether the module is dark; column and row count from the top left.
    package func isDark(column: Int, row: Int) -> Bool { rows[row][column] }

    /// The code as inline SVG: dark on light whatever surrounds it, with the margin that readers
    /// need, as a picture with a name.
    package func svg(label: String) -> MarkupWriter {
        var page = MarkupWriter(capacity: 8192)
        let side = size + 2 * Self.marginModules
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
        path.reserveCapacity(4 * size * size)
        for row in 0..<size {
            var last: Int?
            forEachRun(ofRow: row) { run in
                path.append(last == nil ? UInt8(ascii: "M") : UInt8(ascii: "m"))
                append(
                    last.map { run.lowerBound - $0 } ?? run.lowerBound + Self.marginModules,
                    to: &path)
                path.append(UInt8(ascii: " "))
                if last == nil {
                    append(row + Self.marginModules, to: &path)
                    path.append(UInt8(ascii: "."))
                }
                path.append(last == nil ? UInt8(ascii: "5") : UInt8(ascii: "0"))
                path.append(UInt8(ascii: "h"))
                append(run.count, to: &path)
                last = run.upperBound
            }
        }
        return path
    }

    /// The columns of each run of dark modules in a row.
    func forEachRun(ofRow row: Int, _ body: (Range<Int>) -> Void) {
        // Codes for screens need half of the bits.
        if size <= 128 {
            forEachRun(of: rows[row].low, body)
        } else {
            forEachRun(of: rows[row], body)
        }
    }

    private func forEachRun<Line: ModuleLine>(of line: Line, _ body: (Range<Int>) -> Void) {
        var start = line.trailingZeroBitCount
        while start < size {
            let end = start + (~(line >> start)).trailingZeroBitCount
            body(start..<end)
            start = end + (line >> end).trailingZeroBitCount
        }
    }

    /// - Parameter number: at most three digits.
    private func append(_ number: Int, to path: inout [UInt8]) {
        if number >= 100 { path.append(UInt8(0x30 + number / 100)) }
        if number >= 10 { path.append(UInt8(0x30 + number / 10 % 10)) }
        path.append(UInt8(0x30 + number % 10))
    }

    /// The light margin that readers need (ISO/IEC 18004 §6.3.8).
    package static let marginModules = 4
}
