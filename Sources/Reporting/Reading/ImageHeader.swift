import Markup

/// The format of an image and its size in pixels, from its first bytes. Nothing is decoded.
package struct ImageHeader: Hashable, Sendable {
    package let format: Format
    /// Nil if the format has no size, or if it is not read.
    package let width: Int?
    package let height: Int?

    /// Its name, as people write it.
    package enum Format: String, Sendable {
        case png = "PNG"
        case jpeg = "JPEG"
        case gif = "GIF"
        case webP = "WebP"
        case icon = "ICO"
        case svg = "SVG"
        case avif = "AVIF"
        case heic = "HEIC"
    }

    init(_ format: Format, width: Int? = nil, height: Int? = nil) {
        self.format = format
        self.width = width
        self.height = height
    }

    /// Nil if the bytes have none of these formats, or end before the size.
    package init?(_ bytes: [UInt8]) {
        let header =
            Self.png(bytes) ?? Self.gif(bytes) ?? Self.jpeg(bytes) ?? Self.webP(bytes)
            ?? Self.icon(bytes) ?? Self.box(bytes) ?? Self.svg(bytes)
        guard let header else { return nil }
        self = header
    }

    /// PNG: the first chunk, IHDR, begins with width and height (W3C, "PNG" §11.2.1).
    private static func png(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        return ImageHeader(.png, width: big(bytes, 16, 4), height: big(bytes, 20, 4))
    }

    /// GIF: the logical screen's size (GIF89a §18).
    private static func gif(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8),
            bytes.count >= 10
        else { return nil }
        return ImageHeader(.gif, width: little(bytes, 6, 2), height: little(bytes, 8, 2))
    }

    /// JPEG: segments up to the frame header, SOF (ITU-T T.81 §B.2.2).
    private static func jpeg(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var position = 2
        while position + 3 < bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF: position += 1
            case 0x01, 0xD0...0xD7: position += 2
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                guard position + 8 < bytes.count else { return nil }
                return ImageHeader(
                    .jpeg, width: big(bytes, position + 7, 2), height: big(bytes, position + 5, 2))
            // The image data or its end; the frame header comes before it.
            case 0xD9, 0xDA: return nil
            default:
                let length = big(bytes, position + 2, 2)
                guard length >= 2 else { return nil }
                position += 2 + length
            }
        }
        return nil
    }

    /// WebP: the first chunk is one of three (RFC 9649 §2).
    private static func webP(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.starts(with: "RIFF".utf8), bytes.count >= 30,
            bytes[8..<12].elementsEqual("WEBP".utf8)
        else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X":
            return ImageHeader(
                .webP, width: little(bytes, 24, 3) + 1, height: little(bytes, 27, 3) + 1)
        case "VP8L":
            let bits = little(bytes, 21, 4)
            return ImageHeader(.webP, width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        case "VP8 ":
            guard bytes[23..<26].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
            return ImageHeader(
                .webP, width: little(bytes, 26, 2) & 0x3FFF, height: little(bytes, 28, 2) & 0x3FFF)
        default: return nil
        }
    }

    /// ICO: the largest of its images; 0 means 256.
    private static func icon(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.starts(with: [0, 0, 1, 0]), bytes.count >= 22 else { return nil }
        let count = min(little(bytes, 4, 2), (bytes.count - 6) / 16)
        let sizes = (0..<count).map { index in
            let entry = 6 + 16 * index
            return (
                bytes[entry] == 0 ? 256 : Int(bytes[entry]),
                bytes[entry + 1] == 0 ? 256 : Int(bytes[entry + 1])
            )
        }
        guard let largest = sizes.max(by: { $0.0 < $1.0 }) else { return nil }
        return ImageHeader(.icon, width: largest.0, height: largest.1)
    }

    /// AVIF and HEIC: files of boxes, the first of which names the kind. Sizes are not read.
    private static func box(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        switch String(decoding: bytes[8..<12], as: UTF8.self) {
        case "avif", "avis": return ImageHeader(.avif)
        case "heic", "heix", "mif1", "heif": return ImageHeader(.heic)
        default: return nil
        }
    }

    private static func svg(_ bytes: [UInt8]) -> ImageHeader? {
        let start = bytes.prefix(1_024)
        let isMarkup = start.first { !$0.isHTMLSpace && $0 < 0x80 } == UInt8(ascii: "<")
        let mark = Array("<svg".utf8)
        guard isMarkup, start.indices.contains(where: { start[$0...].starts(with: mark) }) else {
            return nil
        }
        return ImageHeader(.svg)
    }
}

private func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
}

private func little(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
}
