/// The chunks of a PNG file (ISO/IEC 15948 §11), as far as another format needs them.
struct PNGHeader: Sendable {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    let width: Int
    let height: Int
    let bits: Int
    let colourType: Int
    let isInterlaced: Bool
    private(set) var hasTransparency: Bool
    private(set) var palette = [UInt8]()
    /// The zlib stream of all IDAT chunks; nil if the file ends early.
    private(set) var data: [UInt8]?

    /// - Returns: nil if the bytes are not a PNG file.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.signature), bytes.count >= 33,
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        (width, height) = (Self.number(bytes, 16), Self.number(bytes, 20))
        (bits, colourType) = (Int(bytes[24]), Int(bytes[25]))
        isInterlaced = bytes[28] != 0
        hasTransparency = colourType >= 4
        guard (1...65535).contains(width), (1...65535).contains(height),
            [0, 2, 3, 4, 6].contains(colourType), [1, 2, 4, 8, 16].contains(bits)
        else { return nil }
        var (start, data) = (33, [UInt8]())
        while start + 12 <= bytes.count {
            let count = Self.number(bytes, start)
            guard count <= bytes.count - start - 12 else { return }
            let content = bytes[start + 8..<start + 8 + count]
            switch String(decoding: bytes[start + 4..<start + 8], as: UTF8.self) {
            case "PLTE": palette = Array(content.prefix(768))
            case "tRNS": hasTransparency = true
            case "IDAT": data += content
            case "IEND":
                let isComplete = !data.isEmpty && (colourType != 3 || palette.count >= 3)
                self.data = isComplete ? data : nil
                return
            default: break
            }
            start += 12 + count
        }
    }

    private static func number(_ bytes: [UInt8], _ start: Int) -> Int {
        bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
