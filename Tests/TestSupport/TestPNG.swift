/// A PNG of one white pixel. Its checksums are not there, because nobody decodes it.
/// - Parameter colourType: 2 for colours, 6 for colours with transparency.
package func testPNG(colourType: UInt8 = 2) -> [UInt8] {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(content.count)] + Array(type.utf8) + content + [0, 0, 0, 0]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, colourType, 0, 0, 0])
        + chunk("IDAT", [0x78, 0x9C, 0x63, 0xF8, 0xFF, 0xFF, 0x3F, 0, 0x05, 0xFE, 0x02, 0xFE])
        + chunk("IEND", [])
}
