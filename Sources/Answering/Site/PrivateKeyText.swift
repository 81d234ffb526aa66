/// Whether bytes hold a private key in PEM (RFC 7468 §10 and §11, and older forms), also one within
/// a string of JSON or of a program. A page that only shows how such a file begins has no line of a
/// key's length.
func holdsPrivateKey(_ bytes: Span<UInt8>) -> Bool {
    // Of the five hyphens that it begins with, one is at each fifth place.
    var index = hyphens - 1
    while index < bytes.count {
        if bytes[index] == UInt8(ascii: "-") {
            for start in index - hyphens + 1...index where isPrivateKey(bytes, at: start) {
                return true
            }
        }
        index += hyphens
    }
    return false
}

private func isPrivateKey(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    guard hasPrefix(bytes, beginning, at: start) else { return false }
    var index = start + beginning.count
    let labelEnd = min(bytes.count, index + labelBytesMax)
    while index < labelEnd, !hasPrefix(bytes, privateKey, at: index) { index += 1 }
    guard index < labelEnd else { return false }
    let end = min(bytes.count, index + headerBytesMax)
    var length = 0
    while index < end, length < lineBytesMin {
        length = isBase64(bytes[index]) ? length + 1 : 0
        index += 1
    }
    return length == lineBytesMin
}

private func hasPrefix(_ bytes: Span<UInt8>, _ prefix: [UInt8], at start: Int) -> Bool {
    guard start + prefix.count <= bytes.count else { return false }
    for index in prefix.indices where bytes[start + index] != prefix[index] { return false }
    return true
}

private func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
        UInt8(ascii: "="):
        true
    default: false
    }
}

private let hyphens = 5
private let beginning = Array("-----BEGIN ".utf8)
private let privateKey = Array("PRIVATE KEY".utf8)
/// `RSA `, `ENCRYPTED ` and the like stand before it.
private let labelBytesMax = 32
/// Encrypted keys of older forms have fields before their first line.
private let headerBytesMax = 1024
/// A line of PEM has 64 characters; the shortest key, of Ed25519, has as many.
private let lineBytesMin = 40
