/// Paths of public files as visitors ask for them.
enum URLPath {
    /// The path of a file under the public directory, percent-encoded (RFC 3986 §3.3); of an
    /// `index.html` that of its directory.
    static func of(file: String) -> String {
        let path = Array("/\(file)".utf8)
        let index = Array("index.html".utf8)
        let isIndex = path.count > index.count && path.suffix(index.count + 1) == [slash] + index
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = [UInt8]()
        for byte in isIndex ? path.dropLast(index.count) : path[...] {
            bytes +=
                isPlain(byte)
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let slash = UInt8(ascii: "/")

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || "/-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
}
