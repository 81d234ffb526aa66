import URISyntax

/// Paths and URLs: what is accepted holds nothing that another reader could take differently.
@Sendable func readPaths(_ bytes: [UInt8]) {
    var decoded = [UInt8](repeating: 0, count: bytes.count)
    if let count = try? PathDecoding.decode(bytes, 0..<bytes.count, into: &decoded) {
        let path = Array(decoded[..<count])
        require(!PathDecoding.hasDotSegment(path, 0..<count), "a dot segment: \(path)")
        // Escaped anew in full, it is the same path again.
        guard !path.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
            return
        }
        guard String(validating: path, as: UTF8.self) != nil else { return }
        let escaped = path.flatMap { $0 == UInt8(ascii: "/") ? [$0] : escape($0) }
        var again = [UInt8](repeating: 0, count: escaped.count)
        let length = try? PathDecoding.decode(escaped, 0..<escaped.count, into: &again)
        require(length.map { Array(again[..<$0]) } == path, "\(path) is not decoded back")
    }
    guard let url = try? WebURL(String(decoding: bytes, as: UTF8.self)) else { return }
    let text = Array(url.description.utf8)
    require(text == bytes, "a URL is not as it was written")
    require(text.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a URL would not fit in a field")
    let origin = String(decoding: text[..<url.originBytes], as: UTF8.self)
    let port = url.port.map { ":\($0)" } ?? ""
    let wanted = "\(url.isSecure ? "https" : "http")://\(url.host)"
    require(
        origin.lowercased() == wanted + port || origin.contains(":0"),
        "\(origin) is taken for \(wanted + port)")
}

private func escape(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
}
