extension String {
    /// The text with three dots in place of what is behind so many bytes.
    func shortened(to bytesMax: Int) -> String {
        guard utf8.count > bytesMax else { return self }
        let bytes = Array(utf8.prefix(bytesMax + 1))
        var end = bytesMax
        // A character of several bytes stays whole.
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self) + "…"
    }
}
