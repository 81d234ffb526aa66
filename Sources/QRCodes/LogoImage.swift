/// A picture for the middle of a code, as it is in its file. It is embedded and not decoded.
package struct LogoImage: Sendable {
    let bytes: [UInt8]
    /// Nil for SVG.
    let png: PNGHeader?

    /// The largest file that is embedded.
    package static let bytesMax = 1_048_576

    /// - Returns: nil if the bytes are neither a PNG nor an SVG document.
    package init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        png = PNGHeader(bytes)
        guard png == nil else { return }
        let isText = String(validating: bytes, as: UTF8.self) != nil
        guard isText, let start = bytes.firstIndex(of: UInt8(ascii: "<")),
            bytes[..<start].allSatisfy({ [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }),
            bytes.contains(text: "<svg"), bytes.contains(text: "</svg>")
        else { return nil }
    }

    /// The kind of bytes that are no logo, as far as they show it: `a JPEG picture`.
    package static func kind(of bytes: [UInt8]) -> String? {
        if bytes.isEmpty { return "empty" }
        if bytes.starts(with: PNGHeader.signature) { return "a damaged PNG file" }
        let starts: [(kind: String, start: [UInt8])] = [
            ("a JPEG picture", [0xFF, 0xD8, 0xFF]), ("a GIF picture", Array("GIF8".utf8)),
            ("a WebP picture", Array("RIFF".utf8)), ("a PDF document", Array("%PDF".utf8)),
            ("an icon file", [0, 0, 1, 0]), ("a compressed file", [0x1F, 0x8B]),
            ("a TIFF picture", [0x49, 0x49, 0x2A, 0]), ("a TIFF picture", [0x4D, 0x4D, 0, 0x2A]),
            ("a HEIC or AVIF picture", Array("ftyp".utf8)), ("a BMP picture", Array("BM".utf8)),
        ]
        return starts.first { kind, start in
            // The type of an ISO media file follows its length.
            bytes.dropFirst(start == Array("ftyp".utf8) ? 4 : 0).starts(with: start)
        }?.kind
    }

    var mediaType: String { png == nil ? "image/svg+xml" : "image/png" }

    /// The reason why the picture cannot be part of a PDF; nil if it can.
    package var obstacleToPDF: (fact: String, advice: String)? {
        guard let png else { return ("is an SVG file", "give a PNG") }
        if png.hasTransparency {
            return ("has transparency", "save it on white, without an alpha channel")
        }
        if png.isInterlaced { return ("is interlaced", "save it without interlacing") }
        return png.data == nil ? ("ends within its data", "save it again") : nil
    }

    /// Width and height in a square, in the square's unit.
    func fitted(_ length: Int) -> (width: Int, height: Int) {
        guard let png else { return (length, length) }
        let longest = max(png.width, png.height)
        return (length * png.width / longest, length * png.height / longest)
    }

    /// The picture as an object of a PDF, whose Flate filter reads PNG's own data.
    var pdfObject: [UInt8]? {
        guard obstacleToPDF == nil, let png, let data = png.data else { return nil }
        let colours = png.colourType == 2 ? 3 : 1
        let space: String
        switch png.colourType {
        case 0: space = "/DeviceGray"
        case 2: space = "/DeviceRGB"
        default:
            let digits = png.palette.map {
                (($0 < 16 ? "0" : "") + String($0, radix: 16))
            }.joined()
            space = "[/Indexed /DeviceRGB \(png.palette.count / 3 - 1) <\(digits)>]"
        }
        let head =
            "<< /Type /XObject /Subtype /Image /Width \(png.width) /Height \(png.height) "
            + "/ColorSpace \(space) /BitsPerComponent \(png.bits) /Filter /FlateDecode "
            + "/DecodeParms << /Predictor 15 /Colors \(colours) /BitsPerComponent \(png.bits) "
            + "/Columns \(png.width) >> /Length \(data.count) >>\nstream\n"
        return Array(head.utf8) + data + Array("\nendstream".utf8)
    }
}

extension [UInt8] {
    func contains(text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return false }
        return (0...count - wanted.count).contains { start in
            self[start] == wanted[0] && self[start..<start + wanted.count].elementsEqual(wanted)
        }
    }
}
