import Testing

@testable import Reporting

@Suite("Headers of pictures")
struct ImageHeaderTests {
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC4, 0, 3, 9]
        + [0xFF, 0xC2, 0, 17, 8, 0x02, 0x76, 0x04, 0xB0, 3, 1, 0x22]

    private static func webP(_ chunk: String, _ data: [UInt8]) -> [UInt8] {
        Array("RIFF....WEBP\(chunk)....".utf8) + data + [0, 0]
    }

    static let pictures: [([UInt8], ImageHeader)] = [
        (png(1_200, 630), ImageHeader(.png, width: 1_200, height: 630)),
        (
            Array("GIF89a".utf8) + [0xB0, 4, 0x76, 2],
            ImageHeader(.gif, width: 1_200, height: 630)
        ),
        (jpeg, ImageHeader(.jpeg, width: 1_200, height: 630)),
        (
            webP("VP8X", [0x10, 0, 0, 0, 0xAF, 4, 0, 0x75, 2, 0]),
            ImageHeader(.webP, width: 1_200, height: 630)
        ),
        (
            webP("VP8L", [0x2F, 0xAF, 0x44, 0x9D, 0, 0, 0, 0, 0, 0]),
            ImageHeader(.webP, width: 1_200, height: 630)
        ),
        (
            webP("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0xB0, 4, 0x76, 2]),
            ImageHeader(.webP, width: 1_200, height: 630)
        ),
        (
            [0, 0, 1, 0, 2, 0, 16, 16] + [UInt8](repeating: 0, count: 14)
                + [0, 0] + [UInt8](repeating: 0, count: 14),
            ImageHeader(.icon, width: 256, height: 256)
        ),
        (Array("....ftypavif".utf8), ImageHeader(.avif)),
        (Array("....ftypheic".utf8), ImageHeader(.heic)),
        (Array("<?xml version='1.0'?>\n<svg/>".utf8), ImageHeader(.svg)),
    ]

    @Test("format and size are read", arguments: pictures)
    func size(_ bytes: [UInt8], _ header: ImageHeader) { #expect(ImageHeader(bytes) == header) }

    @Test("a picture that is cut off has no size, wherever it is cut", arguments: pictures)
    func truncated(_ bytes: [UInt8], _ header: ImageHeader) {
        for count in bytes.indices {
            let found = ImageHeader(Array(bytes[..<count]))
            #expect(found == nil || found == header || found?.format == .icon, "\(count)")
        }
    }

    @Test(
        "what is no picture has no header",
        arguments: ["", "<!doctype html>", "GIF8", "\u{FEFF}", "RIFF....WAVE", "....ftypisom"])
    func others(_ text: String) { #expect(ImageHeader(Array(text.utf8)) == nil) }

    @Test func `a JPEG whose data begins before a frame has no size`() {
        #expect(ImageHeader([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 2, 3, 4, 5, 6]) == nil)
        #expect(ImageHeader([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 1, 2, 3, 4, 5, 6]) == nil)
    }
}
